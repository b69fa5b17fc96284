"""Worlds as values: drawn faults, what is smaller, strategies of hypothesis, and oracles in Python."""

import dataclasses

import pytest
from conftest import proof

import babbench
from babbench import Fault, World
from babbench.world import Shrinker, drawn


def test_faults_are_drawn_from_the_seed_and_happen():
    happened = []

    class App:
        def __init__(self, phone):
            happened.append(("launched", phone.room.now))

        def input(self, word):
            if word["name"] == "radioPower":
                happened.append((word["on"], word["at"]))

    def played(seed):
        del happened[:]
        with babbench.Room(seed=seed, records=True) as room:
            room.phone("a", app=App)
            drawn = room.faults(["a"], within=20, at_most=5, lasts=(1, 2))
            room.run_for(60)
        steps = [(r.instant, r["text"]) for r in room.outcome.records if r.kind == "step"]
        return drawn, list(happened), steps, room.outcome.digest

    for seed in range(1, 12):
        first = played(seed)
        assert first == played(seed)
        said = [(round(at * 1e9), f"a: {words}") for fault in first[0] for at, words in fault.steps]
        assert sorted(first[2]) == sorted(said)
    assert len({played(seed)[0] for seed in range(1, 12)}) > 5


def test_a_world_and_its_line_are_the_same():
    world = World(9, {"preset": "subway", "packet loss": "5%"}, (Fault("lamp", "vanish", 2.5, 3),), 2)
    assert World.of(world.line, 9) == world
    assert World.of(World().line, 1) == World()
    assert len({world, World.of(world.line, 9), World()}) == 2


def test_the_same_world_has_the_same_digest_as_the_room_that_drew_it():
    class Lamp(babbench.Peripheral):
        name = "Lamp"

    def play(room):
        room.phone("lamp", app=Lamp)
        room.bystanders(3)
        room.faults(["lamp"], within=5, at_most=5)
        room.run_for(10)
        return room.world, room.digest

    world, digest = play(babbench.Room(seed=4, radio="living-room"))
    assert world.bystanders == 3 and world.faults
    assert play(world.room())[1] == digest
    assert play(dataclasses.replace(world, faults=()).room())[1] != digest


def test_smaller_worlds_come_to_an_end_and_never_to_themselves():
    world = World(3, {"preset": "convention-hall", "packet loss": "40%", "interferers": [{"wifi channel": 1}]},
                  drawn(2, ["a", "b"], within=30, at_most=6, kinds=["vanish"], lasts=(1, 20)), 5)
    steps = 0
    while True:
        smaller = list(world.smaller())
        assert world not in smaller
        if not smaller:
            break
        world = smaller[-1]
        steps += 1
        assert steps < 200
    assert world.radio == "ideal" and not world.bystanders


def test_the_shrinker_finds_the_one_fault_that_counts():
    faults = tuple(Fault("a", "vanish" if index == 3 else "kill", float(index), 4.0) for index in range(8))

    def fails(world):
        return 1.0 if any(fault.kind == "vanish" for fault in world.faults) else None

    shrinker = Shrinker(fails, 200)
    world, _ = shrinker.smallest(World(5, "subway", faults, 7), 9.0)
    assert world == World(5, "ideal", (Fault("a", "vanish", 0.0, 1.0),), 0)
    assert shrinker.played < 60


def test_the_shrinker_never_plays_more_than_it_may():
    played = []
    Shrinker(lambda world: played.append(world), 7).smallest(World(1, {"packet loss": "90%"}, (), 50), 1.0)
    assert len(played) == 7


@pytest.mark.parametrize("make, message", [
    (lambda: Fault("a", "flood", 1), "no kind of fault"),
    (lambda: Fault("a", "kill", -1), "seconds from 0 on"),
    (lambda: World.of("1", 1), "is no world"),
    (lambda: babbench.Room().faults([]), "faults of nobody"),
    (lambda: babbench.Room().faults(["a"], kinds=["flood"]), "no kind of fault"),
    (lambda: babbench.Room().bystanders(-1), "whole number"),
    (lambda: babbench.Room().oracle(print), "generator function"),
    (lambda: babbench.Room("two-peers", world=World()).run_for(1), "the room has a scenario"),
])
def test_what_is_wrong_with_a_world_is_said(make, message):
    with pytest.raises(babbench.Refused, match=message):
        make()


def oracle_room(*oracles):
    with babbench.Room() as room:
        room.phone("a", app=type("Lamp", (babbench.Peripheral,), {"name": "Lamp"}))
        for oracle in oracles:
            room.oracle(oracle)
        room.run_for(1)
    return room.outcome


def test_oracles_pass_fail_and_break():
    def everything_has_a_kind():
        while (record := (yield)) is not None:
            assert record.kind

    def there_is_an_end():
        """Something is still to come."""
        last = None
        while (record := (yield)) is not None:
            last = record
        raise babbench.Found("the room ended", last)

    def is_broken():
        yield
        raise KeyError("x")

    passed = oracle_room(everything_has_a_kind)
    assert passed.verdict == "pass" and passed.passed and passed.records
    failed = oracle_room(everything_has_a_kind, there_is_an_end)
    finding, = failed.findings
    assert failed.verdict == "fail" and finding.oracle == "there_is_an_end" and finding.records == failed.records[-1:]
    assert failed.digest == passed.digest
    broken = oracle_room(there_is_an_end, is_broken)
    assert broken.verdict == "error" and "the oracle itself failed: KeyError" in broken.problems[1]


def test_an_oracle_may_end_before_the_room():
    def looks_at_the_first():
        yield

    assert oracle_room(looks_at_the_first).verdict == "pass"


# hypothesis

SMALLER = """
import babbench
import hypothesis
import pytest
from babbench.strategies import worlds

played = []


class Lamp(babbench.Peripheral):
    name = "Lamp"


@hypothesis.settings(database=None, deadline=None, max_examples=50, derandomize=True)
@hypothesis.given(worlds(faults_of=["lamp"], within=10, bystanders=3))
def the_lamp_is_always_heard(world):
    played.append(world)
    with world.room() as room:
        room.phone("lamp", app=Lamp)
        room.bystanders(3)
        watcher = room.phone("watcher", "linux", at=(2, 0))
        room.run_for(0.1)
        heard = []
        watcher.radio.start_scan(lambda advertisement: heard.append(room.now))
        for second in range(12):
            room.run_for(1)
            assert [at for at in heard if at > second], f"nothing in second {second}"


def test_it():
    with pytest.raises(AssertionError, match="nothing in second"):
        the_lamp_is_always_heard()
    last = played[-1]
    assert last.seed == 1 and last.radio == "ideal" and last.bystanders == 0 and len(last.faults) == 1
    assert any(len(world.faults) > 1 for world in played)
"""


@proof
def test_hypothesis_makes_worlds_smaller(pytester):
    pytest.importorskip("hypothesis")
    pytester.makepyfile(SMALLER)
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "ignore", timeout=120).assert_outcomes(passed=1)


def test_strategies_take_strategies_and_values():
    hypothesis = pytest.importorskip("hypothesis")
    from hypothesis import strategies as st

    from babbench import strategies

    @hypothesis.settings(database=None, max_examples=30)
    @hypothesis.given(strategies.worlds(seed=7, radio=st.sampled_from(["subway"]), faults_of=["a"], at_most=1))
    def all_are_so(world):
        assert world.seed == 7 and world.radio == "subway" and len(world.faults) <= 1 and world.bystanders == 0

    all_are_so()
    with pytest.raises(ValueError, match="no kind of fault"):
        strategies.faults(["a"], kinds=["flood"])
