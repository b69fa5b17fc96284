"""The pytest plugin, in runs of pytest of its own."""

import pathlib
import re

import pytest

LAMP = """
import asyncio
import babbench
import pytest


class Lamp(babbench.Peripheral):
    name = "Lamp"
    light = babbench.characteristic("FFE1", "read, write, notify", service="FFE0", value=bytes(1))


def test_rooms(room):
    room.phone("lamp", app=Lamp)
    room.run_for(1)
    assert room.seed == 1


async def test_coroutines(room):
    lamp = room.phone("lamp", app=Lamp)
    await lamp.ready()
    before = room.now
    await room.sleep(5)
    assert room.now == before + 5 == asyncio.get_running_loop().time()


@pytest.mark.seeds(6)
def test_some_seeds_fail(room):
    room.phone("lamp", app=Lamp)
    room.run_for(1)
    assert room.seed not in (3, 5)


@pytest.mark.seeds(4, 9)
@pytest.mark.room(radio="subway")
def test_listed_seeds(room):
    assert room.seed in (4, 9) and room.radio == "subway"


def test_without_a_room():
    pass
"""


@pytest.fixture
def lamp(pytester):
    pytester.makepyfile(test_lamp=LAMP)
    return pytester


def test_seeds_and_what_is_kept(lamp):
    result = lamp.runpytest_subprocess("-p", "no:cacheprovider", "--junit-xml=junit.xml")
    result.assert_outcomes(passed=9, failed=2)
    result.stdout.fnmatch_lines([
        "*test_lamp.py::test_some_seeds_fail: 2 of 6 rooms failed, seeds 3, 5",
        "*repeat pytest 'test_lamp.py::test_some_seeds_fail?seed3?' --babbench-seed 3"])
    folder = lamp.path / ".babbench" / "test_lamp.py-test_some_seeds_fail-seed3"
    assert {"timeline.html", "air.pcapng", "trace.jsonl", "room.jsonl"} <= {path.name for path in folder.iterdir()}
    assert f"timeline {folder}/timeline.html" in result.stdout.str()
    junit = (lamp.path / "junit.xml").read_text()
    assert 'name="babbench_seed" value="3"' in junit and 'name="babbench_folder"' in junit


def test_the_line_that_repeats_a_failure_repeats_it(lamp):
    printed = lamp.runpytest_subprocess("-p", "no:cacheprovider").stdout.str()
    words = re.search(r"repeat pytest '(\S+)' --babbench-seed (\d+)", printed)
    again = lamp.runpytest_subprocess("-p", "no:cacheprovider", words.group(1), "--babbench-seed", words.group(2))
    again.assert_outcomes(failed=1)


@pytest.mark.parametrize("option, passed, failed", [
    ("--babbench-seeds=2", 2, 0), ("--babbench-seeds=2..4", 2, 1), ("--babbench-seed=5", 0, 1)])
def test_seeds_of_the_command_line(lamp, option, passed, failed):
    result = lamp.runpytest_subprocess("-p", "no:cacheprovider", option, "-k", "some_seeds")
    result.assert_outcomes(passed=passed, failed=failed)


@pytest.mark.parametrize("option", ["--babbench-seeds=x", "--babbench-seeds=9..2"])
def test_seeds_that_are_none(lamp, option):
    result = lamp.runpytest_subprocess(option)
    assert result.ret != 0
    assert "--babbench-seeds: " in result.stderr.str() + result.stdout.str()


def test_workers_of_xdist(lamp):
    pytest.importorskip("xdist")
    result = lamp.runpytest_subprocess("-p", "no:cacheprovider", "-n", "2")
    result.assert_outcomes(passed=9, failed=2)
    result.stdout.fnmatch_lines(["*test_some_seeds_fail: 2 of 6 rooms failed, seeds 3, 5"])
    assert (lamp.path / ".babbench" / "test_lamp.py-test_some_seeds_fail-seed5" / "timeline.html").exists()


def test_what_a_room_expects_is_checked_at_its_end(pytester):
    pytester.makepyfile("""
        def test_nobody_joins(room):
            room.player("host")
            room.player("client")
            room.expect("all clients in lobby", within=2)
            room.run_for(3)
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*not met: within 2s: all clients in lobby*"])


def test_an_app_that_fails_is_the_failure(pytester):
    pytester.makepyfile("""
        import asyncio
        async def app():
            await asyncio.sleep(2)
            raise ValueError("broken")
        def test_it(room):
            room.phone("a", app=app)
            room.run_for(3)
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AppFailed: at 2.000000000 s: a: ValueError: broken"])


def test_a_run_without_rooms_starts_nothing(pytester):
    pytester.makepyfile("""
        import sys
        def test_it():
            assert "babbench.room" not in sys.modules
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    assert not pathlib.Path(pytester.path / ".babbench").exists()


def test_pytest_asyncio_leaves_coroutines_with_a_room_to_the_room(pytester):
    pytest.importorskip("pytest_asyncio")
    pytester.makepyfile("""
        import asyncio

        class TestAll:
            async def test_in_a_room(self, room):
                phone = room.phone("a")
                await phone.ready()
                await asyncio.sleep(1000)
                assert room.now >= 1000

            async def test_in_a_loop(self):
                await asyncio.sleep(0)
    """)
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "-o", "asyncio_mode=auto").assert_outcomes(passed=2)
