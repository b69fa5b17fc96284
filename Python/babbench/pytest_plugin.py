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
import time
import traceback
from typing import TYPE_CHECKING, Any, Dict, Generator, Iterator, List, Optional, Set, Tuple

import pytest

if TYPE_CHECKING:
    from .room import Room
    from .world import World

_SEED = "babbench_seed"
#: Files of the bench and of frameworks.
_OTHERS = re.compile(r"[/\\](babbench|asyncio|_pytest|pluggy|site-packages|importlib)[/\\]|contextlib\.py$")
#: How names of captures end.
_CAPTURES = (".pcapng", ".btsnoop")
_ROOM = pytest.StashKey["Room"]()
#: The world that a test is played in, in place of its own: while a smaller one is looked for.
_WORLD = pytest.StashKey["World"]()
#: How the test failed, and when.
_FAILURE = pytest.StashKey[Tuple[str, float]]()
#: Tests of which a failure was made smaller in this process.
_shrunk: Set[str] = set()
#: The wall clock's, which no room changes.
_monotonic = time.monotonic
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
        "--babbench-world", metavar="WORLD",
        help="radio, faults and bystanders in place of what tests say and draw, as the line of a smaller failure has "
        "it")
    group.addoption(
        "--babbench-shrink", type=int, default=150, metavar="N",
        help="look for a smaller world in which a test fails in the same way, in at most N rooms and 20 seconds for "
        "the first seed of a test that fails; 0: do not (default: 150)")
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
    world = request.node.stash.get(_WORLD, None)
    line = request.config.getoption("--babbench-world")
    if world is None and line is not None:
        from .world import World
        world = World.of(line, seed)
    options = {"seed": seed, **(mark.kwargs if mark else {})}
    if world is not None:
        options["world"] = world
    made = Room(*(mark.args if mark else ()), **options)
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
    item.stash[_FAILURE] = (_way(call.excinfo), made.now)
    if _WORLD in item.stash:
        # One of many that nobody reads.
        return
    repeat = _repeat(item, made)
    _note(item, report, "babbench_repeat", repeat)
    lines = [f"at {made.now:.9f} s of the room, seed {made.seed}", f"repeat {repeat}"]
    lines += _keep(item, made, report)
    report.sections.append(("babbench", "\n".join(lines)))


def _way(excinfo: Any) -> str:
    """How a test failed: the kinds of errors, and the last line outside of the bench and of frameworks."""
    error = excinfo.value
    kinds = []
    place = ""
    while error is not None:
        kinds.append(type(error).__name__)
        for frame, line in traceback.walk_tb(error.__traceback__):
            name = frame.f_code.co_filename
            if not _OTHERS.search(name):
                place = f"{name}:{line}"
        error = error.__cause__
    text = re.sub(r"\d+", "#", str(excinfo.value).split("\n")[0])
    return f"{' from '.join(kinds)} at {place}: {text if 'AssertionError' in kinds or 'TimeIsOver' in kinds else ''}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: Any, nextitem: Any) -> Optional[bool]:
    """A test with a room that fails is played again in smaller worlds."""
    tries = item.config.getoption("--babbench-shrink")
    test = item.nodeid.split("[")[0]
    if tries <= 0 or test in _shrunk or "room" not in getattr(item, "fixturenames", ()):
        return None
    from _pytest.runner import runtestprotocol

    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    failed = next((report for report in reports if report.when == "call" and report.failed), None)
    if failed is not None and _FAILURE in item.stash:
        _shrunk.add(test)
        _shrink(item, nextitem, failed, tries)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _shrink(item: Any, nextitem: Any, report: Any, tries: int) -> None:
    """Looks for a smaller world, and says it in the report."""
    from _pytest.runner import runtestprotocol

    from .world import Shrinker, difference

    made = item.stash[_ROOM]
    if made._scenario is not None or made._text is not None or not made.lines:
        return
    way, when = item.stash[_FAILURE]
    before = made.world
    sections, properties = list(item._report_sections), list(item.user_properties)
    limit = _monotonic() + 20
    last: Any = None

    def fails(world: "World") -> Optional[float]:
        nonlocal last
        item.stash[_WORLD] = world
        _forget(item, _FAILURE)
        item._initrequest()
        # The next “item” is what the test is in: only its own fixtures end.
        runtestprotocol(item, log=False, nextitem=item.parent)
        # Of the room that was played, whether it failed or not.
        if _FAILURE not in item.stash or item.stash[_FAILURE][0] != way:
            return None
        last = item.stash[_ROOM]
        return float(item.stash[_FAILURE][1])

    shrinker = Shrinker(fails, tries, lambda: _monotonic() > limit)
    try:
        world, at = shrinker.smallest(before, when)
        if world != before:
            fails(world)
    finally:
        item.session._setupstate.teardown_exact(nextitem)
        item._report_sections[:] = sections
        item.user_properties[:] = properties
        _forget(item, _WORLD)
    if world == before:
        return
    words = ["pytest", _without_seed(item.nodeid) if _is_seeded(item) else item.nodeid]
    words += ["--babbench-seed", str(world.seed), "--babbench-world", world.line]
    line = " ".join(shlex.quote(word) for word in words)
    lines = [
        f"smaller: {difference(before, world)}; it fails at {at:.9f} s ({shrinker.played} rooms)", f"smaller {line}"]
    _note(item, report, "babbench_smaller", line)
    folder = dict(report.user_properties).get("babbench_folder")
    if folder is not None and last is not None:
        try:
            last.keep(folder + "-smaller")
        except Exception as error:
            lines.append(f"nothing is kept of it: {error}")
        else:
            lines.append(f"timeline {os.path.join(folder + '-smaller', 'timeline.html')}")
    report.sections.append(("babbench, smaller", "\n".join(lines)))


def _forget(item: Any, key: Any) -> None:
    if key in item.stash:
        del item.stash[key]


def _is_seeded(item: Any) -> bool:
    return _SEED in getattr(getattr(item, "callspec", None), "params", {})


def _without_seed(nodeid: str) -> str:
    """With --babbench-seed, the test has another one in its name."""
    return re.sub(r"-?seed\d+(?=\])|\[\]", "", nodeid).replace("[]", "")


def _note(item: Any, report: Any, key: str, value: Any) -> None:
    """For this report, and for those that are made of the test later (JUnit has the last one's)."""
    report.user_properties.append((key, value))
    item.user_properties.append((key, value))


def _repeat(item: Any, made: "Room") -> str:
    words = ["pytest", item.nodeid]
    line = item.config.getoption("--babbench-world")
    if line is not None:
        words += ["--babbench-world", line]
    if _is_seeded(item):
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
    captures = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(_CAPTURES)]
    _note(item, report, "babbench_timeline", page)
    _note(item, report, "babbench_captures", " ".join(captures))
    _attach(item, report, page, [*captures, os.path.join(folder, "trace.jsonl")])
    return [f"timeline {page}", f"captures {folder}"]


def _attach(item: Any, report: Any, page: str, others: List[str]) -> None:
    """Where other plugins show files."""
    if item.config.pluginmanager.hasplugin("html"):
        try:
            from pytest_html import extras
        except ImportError:
            pass
        else:
            report.extras = [
                *getattr(report, "extras", []), extras.url(page, name="timeline"),
                *(extras.url(path, name=os.path.basename(path)) for path in others)]
    if item.config.pluginmanager.hasplugin("allure_pytest"):
        try:
            import allure
        except ImportError:
            return
        allure.attach.file(page, name="timeline", attachment_type=allure.attachment_type.HTML)
        for path in others:
            name = os.path.basename(path)
            allure.attach.file(path, name=name, extension=name.rpartition(".")[2])


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which seeds of which test failed, and the line that repeats the first of them."""
    counts: Dict[str, List[Any]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            properties = dict(getattr(report, "user_properties", ()))
            if "babbench_seed" in properties and report.when == "call":
                test = _without_seed(report.nodeid)
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
        for smaller in [p["babbench_smaller"] for outcome, p in runs if "babbench_smaller" in p][:1]:
            terminalreporter.write_line(f"  smaller {smaller}")
