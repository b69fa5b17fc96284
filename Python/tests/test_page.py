"""Docs/python.md, executed as its reader would."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_the_page_says_what_happens(monkeypatch):
    pytest.importorskip("bleak")
    if sys.version_info < (3, 11):
        pytest.skip("the follower of pages needs Python 3.11")
    from babbench._pipe import executable

    sys.path.insert(0, str(ROOT / "Tests/Documents"))
    import tutorial

    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + ":" + os.environ["PATH"])
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "COV_"))]:
        monkeypatch.delenv(name)
    # Its reader has pytest and no more.
    others = ("asyncio", "xdist", "html", "html_fixtures", "metadata", "allure_pytest")
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in others))
    problems = tutorial.follow(ROOT / "Docs/python.md", pathlib.Path(executable()), "BABBENCH_WRITE" in os.environ)
    assert not problems, "\n\n".join(problems)


def test_the_example_of_the_wheel_passes(pytester):
    """What indexes show of the package."""
    pytest.importorskip("bleak")
    text = (ROOT / "Python/README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    pytester.makepyfile(test_readme=code)
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "--babbench-seeds", "20").assert_outcomes(passed=20)
