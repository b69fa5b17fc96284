"""Rooms: time, people, faults, scenarios, what they come to."""

import asyncio
import json
import pathlib
import random
import sys
import time

import pytest
from conftest import Lamp

import babbench
from babbench import Room


async def switch(phone):
    """Finds the lamp, switches it on, and waits for what it says."""
    radio = phone.radio
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        if advertisement.local_name == "Lamp" and not found.done():
            found.set_result(advertisement.address)

    radio.start_scan(heard)
    address = await found
    radio.stop_scan(heard)
    link = await radio.connect(address)
    light = next(c for s in await link.services() for c in s.characteristics if c.uuid == "FFE1")
    said = asyncio.get_running_loop().create_future()
    link.on_value[light.handle] = said.set_result
    await link.configure(light.handle, light.uuid, True)
    await link.write(light.handle, light.uuid, b"\x01")
    value = await said
    await link.disconnect()
    return value


def exchange(seed, **options):
    with Room(seed=seed, **options) as room:
        lamp = room.phone("lamp", app=Lamp)
        computer = room.phone("computer", "linux", at=(3, 0), app=switch)
        room.until(lambda: computer.app == b"\x01", within=30)
        assert lamp.app.light.value == b"\x01"
    return room.outcome


def test_an_exchange_comes_to_its_end():
    outcome = exchange(1, records=True, figures=True)
    assert outcome.ending == "finished" and outcome.passed and outcome.verdict == "none"
    assert outcome.statistics["connectionEvents"] > 10
    words = [record.name for record in outcome.records if record.device == "computer"]
    assert "gap.scan" in words and "gatt.valueWritten" in words and words[0] == "launched"
    assert outcome.records[-1].seconds <= outcome.seconds
    assert outcome.figures


@pytest.mark.parametrize("radio", ["ideal", "subway"])
def test_the_same_seed_gives_the_same_digest(radio):
    first = [exchange(seed, radio=radio).digest for seed in range(1, 6)]
    assert first == [exchange(seed, radio=radio).digest for seed in range(1, 6)]
    assert len(set(first)) == 5


def test_time_is_the_rooms():
    noted = []

    async def app():
        began = time.monotonic(), time.time(), asyncio.get_running_loop().time(), time.perf_counter()
        await asyncio.sleep(1000)
        noted.append([round(b - a, 6) for a, b in zip(
            began, (time.monotonic(), time.time(), asyncio.get_running_loop().time(), time.perf_counter()))])
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.get_running_loop().create_future(), 5)
        noted.append(time.monotonic())

    real = time.monotonic()
    with Room() as room:
        room.phone("a", app=app)
        room.run_for(2000)
        assert room.now == 2000
    assert noted == [[1000] * 4, 1005]
    assert time.monotonic() - real < 5, "outside of rooms, time is the system's"


def test_random_numbers_are_those_of_the_phone_and_the_seed():
    def drawn(seed, names):
        numbers = {}

        def app(phone):
            import secrets
            import uuid
            numbers[phone.name] = random.random(), random.randint(1, 1000), secrets.token_hex(4), str(uuid.uuid4())

        with Room(seed=seed) as room:
            for name in names:
                room.phone(name, app=app)
            room.run_for(1)
        return numbers

    both = drawn(1, ["a", "b"])
    assert both["a"] != both["b"]
    assert drawn(1, ["b", "a"]) == both
    assert drawn(2, ["a"])["a"] != both["a"]


def test_phones_vanish_and_come_back():
    async def stays(phone):
        await switch(phone)
        return "switched"

    with Room() as room:
        lamp = room.phone("lamp", app=Lamp)
        computer = room.phone("computer", "linux", app=stays)
        lamp.vanish()
        with pytest.raises(babbench.TimeIsOver, match="computer.app"):
            room.until(lambda: computer.app == "switched", within=5)
        lamp.appear()
        room.until(lambda: computer.app == "switched", within=5)


def test_an_app_that_is_killed_runs_no_more_and_is_launched_again():
    ticks = []

    async def app(phone):
        launch = phone.launch.number
        try:
            while True:
                await asyncio.sleep(1)
                ticks.append((launch, phone.room.now))
        finally:
            phone.launch  # the end of a process asks nobody

    with Room() as room:
        phone = room.phone("a", app=app)
        room.run_for(2.5)
        phone.kill()
        room.run_for(2)
        phone.relaunch()
        room.run_for(1.5)
    assert ticks == [(1, 1.0), (1, 2.0), (2, 5.5)]


def test_a_suspended_app_waits_and_goes_on():
    ticks = []

    async def app(phone):
        while True:
            await asyncio.sleep(1)
            ticks.append(phone.room.now)

    with Room() as room:
        phone = room.phone("a", {"preset": "iphone", "suspends after": "1500ms"}, app=app)
        room.run_for(1.2)
        phone.background()
        room.run_for(8)
        phone.foreground()
        room.run_for(2)
    assert ticks[0] == 1.0 and 2.0 in ticks
    assert not [tick for tick in ticks if 2.8 < tick < 9.2], ticks
    assert ticks[-1] > 9.2


def test_conditions_in_words_and_engines_of_the_bench():
    with Room(seed=3) as room:
        host = room.player("host", phone="iphone")
        guest = room.player("client", phone="android", at=(2, 0))
        room.expect("all clients in lobby", within=60)
        host.act("start hosting")
        guest.act("join")
        room.until("all clients in lobby", within=30)
        assert room.holds("host has 1 link") is True
        assert room.holds("all clients are FINISHED") is False
        outcome = room.play()
    assert outcome.verdict == "pass", outcome.problems
    assert [e.holds for e in outcome.expectations] == [True]
    assert any(finding is None for finding in [None]) and not outcome.findings


def test_a_shipped_scenario_has_the_digest_of_the_command():
    import re
    import subprocess
    from babbench._pipe import executable

    with Room("client-vanishes-and-returns", seed=5) as room:
        outcome = room.play()
    printed = subprocess.run(
        [executable(), "run", "client-vanishes-and-returns", "--seed", "5"], stdout=subprocess.PIPE).stdout.decode()
    assert outcome.digest == re.search(r"^digest (\w+)$", printed, re.M).group(1)
    assert outcome.verdict == "pass"


def test_an_expectation_that_is_not_met_is_a_problem():
    with Room() as room:
        room.player("host")
        room.player("client")
        room.expect("all clients in lobby", within=2)
        outcome = room.play()
    assert not outcome.passed
    with pytest.raises(AssertionError, match="not met: within 2s: all clients in lobby"):
        outcome.check()


def test_a_room_is_kept_by_playing_its_lines_again(tmp_path):
    with Room(seed=4, radio="living-room") as room:
        room.phone("lamp", app=Lamp)
        computer = room.phone("computer", "linux", app=switch)
        room.until(lambda: computer.app == b"\x01")
    kept = room.keep(tmp_path / "kept")
    assert kept.digest == room.outcome.digest
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert {"air.pcapng", "timeline.html", "trace.jsonl", "result.json", "lamp.btsnoop", "room.jsonl"} <= names


def test_rooms_one_after_the_other_have_one_process():
    from babbench._pipe import Pipe

    exchange(1)
    kept = Pipe.take()
    number = kept._process.pid
    kept.give_back()
    exchange(2)
    again = Pipe.take()
    assert again._process.pid == number
    again.give_back()


def test_a_beacon_says_its_octets():
    heard = []

    async def app(phone):
        phone.radio.start_scan(heard.append)

    with Room() as room:
        room.beacon("beacon", data=bytes.fromhex("0201060aff4c0010050318aabbcc"))
        room.phone("computer", "linux", app=app)
        room.run_for(2)
    assert heard[0].manufacturer_data == {0x004C: bytes.fromhex("10050318aabbcc")}


def test_failures_on_order():
    async def app(phone):
        try:
            await switch(phone)
        except babbench.ATTError as error:
            return error.code

    with Room() as room:
        room.phone("lamp", app=Lamp)
        computer = room.phone("computer", "linux", app=app)
        computer.fail("write", 0x85, count=1)
        room.until(lambda: computer.app == 0x85)


@pytest.mark.parametrize("seed", [1, 2])
def test_an_engine_for_the_iut_protocol_plays_in_a_room(seed, monkeypatch):
    """The sample of Examples/iut-python, which knows inputs and effects, with a client of the bench."""
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).resolve().parent.parent.parent / "Examples/iut-python"))
    from bab.game import Game

    class Host:
        def launched(self, launch):
            self.launch, self.game = launch, Game(launch.hello)

        def input(self, word):
            for effect in self.game.handle(word):
                self.launch.ask(json.loads(effect))

    with Room("two-peers", seed=seed, reports=["violation", "refused"]) as room:
        room.app("host", Host)
        outcome = room.play()
    assert outcome.verdict == "pass", outcome.problems
    assert "bab.game" in sys.modules
