"""The pytest plugin, in runs of pytest of its own."""

import html
import json
import pathlib
import re
import shlex
from xml.etree import ElementTree

import pytest
from conftest import proof

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


GIVES_UP = """
import asyncio
import babbench
import pytest
from bleak import BleakClient, BleakScanner


class Lamp(babbench.Peripheral):
    name = "Lamp"
    light = babbench.characteristic("FFE1", "read, write", service="FFE0", value=bytes(1))


async def switch_on():
    device = await BleakScanner.find_device_by_name("Lamp", timeout=30)
    async with BleakClient(device) as client:
        await client.write_gatt_char("ffe1", bytes([1]), response=True)


@pytest.mark.seeds(5)
@pytest.mark.room(radio="living-room")
def test_a_lamp_with_faults(room):
    lamp = room.phone("lamp", app=Lamp)
    computer = room.phone("computer", "linux", at=(3, 0))
    room.bystanders(3)
    room.faults([lamp, computer], within=5, at_most=4, kinds=["vanish", "radio off"])

    async def main():
        for _ in range(5):
            await switch_on()
            await asyncio.sleep(1)

    computer.run(main())
"""


@proof
def test_a_failing_room_is_made_smaller_and_the_line_repeats_it(pytester):
    pytest.importorskip("bleak")
    pytester.makepyfile(test_small=GIVES_UP)
    printed = pytester.runpytest_subprocess("-p", "no:cacheprovider").stdout.str()
    assert re.search(r"smaller: (\d faults → 1|simpler faults); 3 bystanders → 0; radio living-room → ideal", printed)
    assert len(re.findall(r"^  smaller pytest ", printed, re.M)) == 1
    words = shlex.split(re.search(r"^  smaller pytest (.*)$", printed, re.M).group(1))
    world = json.loads(words[-1])
    assert world["radio"] == "ideal" and len(world["faults"]) == 1
    folders = list((pytester.path / ".babbench").glob("*-smaller"))
    assert len(folders) == 1 and (folders[0] / "timeline.html").exists()
    again = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--babbench-shrink", "0", *words)
    again.assert_outcomes(failed=1)
    # It is the same failure, at the instant that was said.
    when = re.search(r"it fails at (\S+) s", printed).group(1)
    again.stdout.fnmatch_lines([f"at {when} s of the room, seed {words[words.index('--babbench-seed') + 1]}"])
    # Without its one fault, it passes.
    none = [*words[:-1], json.dumps({"radio": "ideal"})]
    pytester.runpytest_subprocess("-p", "no:cacheprovider", *none).assert_outcomes(passed=1)


def test_fixtures_of_a_test_that_is_made_smaller_are_made_and_ended_each_time(pytester):
    pytester.makepyfile("""
        import pytest
        open_ones, made = [], []

        @pytest.fixture(scope="module")
        def shared():
            made.append("module")
            yield
            made.append("end of module")

        @pytest.fixture
        def own():
            assert not open_ones
            open_ones.append(1)
            made.append("own")
            yield
            open_ones.pop()

        @pytest.mark.room(radio="subway")
        def test_it(room, own, shared):
            room.phone("a")
            room.bystanders(2)
            room.run_for(1)
            assert False

        def test_after():
            assert made.count("module") == 1 and made.count("own") > 3 and "end of module" not in made
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["smaller: 2 bystanders → 0; radio subway → ideal*"])


@pytest.mark.parametrize("world, message", [
    ("x", "is no world"), ('{"sound": 1}', "a world has no “sound”"),
    ('{"faults": [["a", "flood", 1]]}', "no kind of fault"),
    ('{"faults": [["nobody", "vanish", 1]]}', "there is no such device")])
def test_a_world_that_is_none_is_refused(lamp, world, message):
    result = lamp.runpytest_subprocess("-p", "no:cacheprovider", "--babbench-world", world, "-k", "test_rooms")
    assert result.ret != 0 and message in result.stdout.str()


def test_an_oracle_fails_its_test_and_shows_the_records(pytester):
    pytester.makepyfile("""
        import babbench

        class Lamp(babbench.Peripheral):
            name = "Lamp"

        def test_it(room):
            room.phone("lamp", app=Lamp)

            @room.oracle
            def nobody_advertises():
                '''Nobody advertises.'''
                while (record := (yield)) is not None:
                    if record.name == "advertisingStarted":
                        raise babbench.Found("somebody does", record)

            room.run_for(1)
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*fail nobody_advertises, lamp, at *expected Nobody advertises; saw somebody does",
        "*record * lamp: input advertisingStarted started=True"])


def test_pytest_html_links_the_timeline_and_captures(lamp):
    pytest.importorskip("pytest_html")
    lamp.runpytest_subprocess("-p", "no:cacheprovider", "--html=report.html", "-k", "some_seeds")
    page = html.unescape((lamp.path / "report.html").read_text(encoding="utf-8"))
    kept = lamp.path / ".babbench" / "test_lamp.py-test_some_seeds_fail-seed3"
    for name in ("timeline.html", "air.pcapng", "lamp.btsnoop"):
        assert str(kept / name) in page


def test_allure_has_the_timeline_and_captures(lamp):
    pytest.importorskip("allure_pytest")
    lamp.runpytest_subprocess("-p", "no:cacheprovider", "--alluredir=allure", "-k", "some_seeds and seed3")
    result, = (lamp.path / "allure").glob("*-result.json")
    attachments = {one["name"]: one["source"] for one in json.loads(result.read_text())["attachments"]}
    kept = lamp.path / ".babbench" / "test_lamp.py-test_some_seeds_fail-seed3"
    for name, file in (("timeline", "timeline.html"), ("air.pcapng", "air.pcapng"), ("trace.jsonl", "trace.jsonl")):
        assert (lamp.path / "allure" / attachments[name]).read_bytes() == (kept / file).read_bytes()


def test_junit_names_what_repeats_a_failure_and_where_its_files_are(lamp):
    lamp.runpytest_subprocess("-p", "no:cacheprovider", "--junit-xml=junit.xml", "-k", "some_seeds and seed5")
    cases = ElementTree.parse(lamp.path / "junit.xml").getroot().iter("testcase")
    case, = [case for case in cases if case.get("name") == "test_some_seeds_fail[seed5]"]
    said = {one.get("name"): one.get("value") for one in case.iter("property")}
    folder = lamp.path / ".babbench" / "test_lamp.py-test_some_seeds_fail-seed5"
    assert said["babbench_seed"] == "5" and said["babbench_folder"] == str(folder)
    assert said["babbench_timeline"] == str(folder / "timeline.html")
    assert set(said["babbench_captures"].split()) == {str(folder / "air.pcapng"), str(folder / "lamp.btsnoop")}
    assert said["babbench_repeat"] == "pytest 'test_lamp.py::test_some_seeds_fail[seed5]' --babbench-seed 5"


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
