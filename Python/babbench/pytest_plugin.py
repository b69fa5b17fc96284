"""The pytest plugin: the fixture `room`, seeds, and what is kept of failures.

Nothing is imported of the bench, and no process is started, before a test uses the fixture.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any, Dict, Generator, Iterator, List, Optional

import pytest

if TYPE_CHECKING:
    from .room import Room

_SEED = "babbench_seed"
_ROOM = pytest.StashKey["Room"]()
#: Folders that were kept in this process.
_kept = 0


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("babbench", "rooms of virtual Bluetooth devices")
    group.addoption(
        "--babbench-seeds", metavar="A..B",
        help="play tests with the fixture “room” with all seeds from A to B, or with 1 to N; in place of what "
        "@pytest.mark.seeds says")
    group.addoption("--babbench-seed", type=int, metavar="SEED", help="play them with this seed only")
    group.addoption(
        "--babbench-out", default=".babbench", metavar="DIR",
        help="where captures, timelines and traces of failures are kept (default: .babbench)")
    group.addoption(
        "--babbench-keep", type=int, default=10, metavar="N", help="keep those of at most N failures (default: 10)")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "seeds(n): play the test with the seeds 1 to n, or with those that are listed")
    config.addinivalue_line("markers", "room(...): how the fixture “room” is made, as babbench.Room takes it")


def _range(text: str) -> List[int]:
    match = re.fullmatch(r"\s*(?:(\d+)\s*\.\.\s*)?(\d+)\s*", text)
    if match is None:
        raise pytest.UsageError(f"--babbench-seeds: “{text}” is no range; write 200 or 1..200")
    first, last = int(match[1] or 1), int(match[2])
    if last < first:
        raise pytest.UsageError(f"--babbench-seeds: “{text}” is empty")
    return list(range(first, last + 1))


def _seeds(config: Any, mark: Any) -> Optional[List[int]]:
    seed = config.getoption("--babbench-seed")
    if seed is not None:
        return [seed]
    seeds = config.getoption("--babbench-seeds")
    if seeds is not None:
        return _range(seeds)
    if mark is None:
        return None
    if len(mark.args) == 1 and isinstance(mark.args[0], int):
        return list(range(1, mark.args[0] + 1))
    listed = list(mark.args[0]) if len(mark.args) == 1 else list(mark.args)
    if not listed or not all(isinstance(one, int) for one in listed):
        raise pytest.UsageError("@pytest.mark.seeds takes a number, or seeds: seeds(200), seeds(3, 7, 22)")
    return listed


def pytest_generate_tests(metafunc: Any) -> None:
    if "room" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("seeds")
    seeds = _seeds(metafunc.config, mark)
    if seeds is not None:
        if _SEED not in metafunc.fixturenames:
            metafunc.fixturenames.append(_SEED)
        metafunc.parametrize(_SEED, seeds, ids=[f"seed{seed}" for seed in seeds])


@pytest.fixture
def babbench_seed() -> int:
    """The seed of the test's room."""
    return 1


@pytest.fixture
def room(request: Any) -> Iterator["Room"]:
    """A room of virtual devices (`babbench.Room`); bleak is in it, if bleak is installed.

    When the test is through, the room ends, and what it expects is checked.
    """
    from .room import Room

    try:
        seed = request.getfixturevalue(_SEED)
    except pytest.FixtureLookupError:
        seed = 1
    mark = request.node.get_closest_marker("room")
    made = Room(*(mark.args if mark else ()), **{"seed": seed, **(mark.kwargs if mark else {})})
    request.node.stash[_ROOM] = made
    with contextlib.ExitStack() as doors:
        try:
            from . import bleak as door
        except ImportError:
            pass
        else:
            doors.enter_context(door.installed())
            if "bless" in sys.modules:
                from . import bless as other
                doors.enter_context(other.installed())
        yield made
    made.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> Optional[bool]:
    """Tests that are coroutines run in their room."""
    made = pyfuncitem.stash.get(_ROOM, None)
    # Other plugins wrap coroutines to run them in loops of their own.
    function = inspect.unwrap(pyfuncitem.obj)
    if made is None or not inspect.iscoroutinefunction(function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    made.run(function(**arguments))
    _end(made)
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, Any, None]:
    outcome = yield
    made = item.stash.get(_ROOM, None)
    if made is not None and outcome.excinfo is None and made.outcome is None:
        try:
            _end(made)
        except BaseException as error:
            outcome.force_exception(error)


def _end(made: "Room") -> None:
    """What the room expects is checked; a room in which nothing happened expects nothing."""
    if made.outcome is None and made.lines:
        made.finish()
    if made.outcome is not None:
        made.outcome.check()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Generator[None, Any, None]:
    result = yield
    made = item.stash.get(_ROOM, None)
    if made is None or call.when != "call":
        return
    report = result.get_result()
    _note(item, report, "babbench_seed", made.seed)
    if made.outcome is not None:
        _note(item, report, "babbench_digest", made.outcome.digest)
    if not report.failed:
        return
    repeat = _repeat(item, made)
    _note(item, report, "babbench_repeat", repeat)
    lines = [f"at {made.now:.9f} s of the room, seed {made.seed}", f"repeat {repeat}"]
    lines += _keep(item, made, report)
    report.sections.append(("babbench", "\n".join(lines)))


def _note(item: Any, report: Any, key: str, value: Any) -> None:
    """For this report, and for those that are made of the test later (JUnit has the last one's)."""
    report.user_properties.append((key, value))
    item.user_properties.append((key, value))


def _repeat(item: Any, made: "Room") -> str:
    words = ["pytest", item.nodeid]
    if _SEED in getattr(getattr(item, "callspec", None), "params", {}):
        words += ["--babbench-seed", str(made.seed)]
    return " ".join(shlex.quote(word) for word in words)


def _keep(item: Any, made: "Room", report: Any) -> List[str]:
    global _kept
    if not made.lines:
        return []
    if _kept >= item.config.getoption("--babbench-keep"):
        return ["nothing is kept of it: others have failed before (--babbench-keep)"]
    _kept += 1
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", item.nodeid).strip("-")
    folder = os.path.join(str(item.config.rootpath), item.config.getoption("--babbench-out"), name)
    try:
        made.keep(folder)
    except Exception as error:
        return [f"nothing is kept of it: {error}"]
    _note(item, report, "babbench_folder", folder)
    page = os.path.join(folder, "timeline.html")
    _attach(item, report, page)
    return [f"timeline {page}", f"captures {folder}"]


def _attach(item: Any, report: Any, page: str) -> None:
    """Where other plugins show files."""
    if item.config.pluginmanager.hasplugin("html"):
        try:
            from pytest_html import extras
        except ImportError:
            pass
        else:
            report.extras = list(getattr(report, "extras", [])) + [extras.url(page, name="timeline")]
    if item.config.pluginmanager.hasplugin("allure_pytest"):
        try:
            import allure
        except ImportError:
            return
        allure.attach.file(page, name="timeline", attachment_type=allure.attachment_type.HTML)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which seeds of which test failed, and the line that repeats the first of them."""
    counts: Dict[str, List[Any]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            properties = dict(getattr(report, "user_properties", ()))
            if "babbench_seed" in properties and report.when == "call":
                test = re.sub(r"-?seed\d+(?=\])|\[\]", "", report.nodeid).replace("[]", "")
                counts.setdefault(test, []).append((outcome, properties))
    failing = {test: runs for test, runs in counts.items() if any(outcome == "failed" for outcome, _ in runs)}
    if not failing:
        return
    terminalreporter.section("babbench")
    for test, runs in failing.items():
        bad = sorted((p["babbench_seed"], p.get("babbench_repeat", "")) for outcome, p in runs if outcome == "failed")
        shown = ", ".join(str(seed) for seed, _ in bad[:10]) + (" …" if len(bad) > 10 else "")
        terminalreporter.write_line(f"{test}: {len(bad)} of {len(runs)} rooms failed, seeds {shown}")
        terminalreporter.write_line(f"  repeat {bad[0][1]}")
