"""Worlds as values: what a room draws or is given besides its apps. A failing one is made smaller."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, replace
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from .errors import Refused

#: Presets of radios, from the one in which least goes wrong.
PRESETS = ("ideal", "open-field", "living-room", "subway", "convention-hall")

#: What faults are drawn from: the words that begin one, and those that end it.
KINDS: Dict[str, Tuple[str, str]] = {
    "vanish": ("vanish", "appear"),
    "radio off": ("radio off", "radio on"),
    "kill": ("kill", "relaunch"),
    "background": ("background", "foreground"),
    "disconnect": ("disconnect", "")}

_SHARE = re.compile(r"(\d+(?:\.\d+)?)(%)")


@dataclass(frozen=True)
class Fault:
    """Something that happens to a device, and its end."""

    device: str
    #: A key of `KINDS`: vanish, radio off, kill, background or disconnect.
    kind: str
    #: Seconds of the room.
    at: float
    #: Seconds until it ends; `disconnect` has no end.
    lasts: float = 5

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise Refused(f"“{self.kind}” is no kind of fault; write {', '.join(KINDS)}")
        if self.at < 0 or self.lasts < 0:
            raise Refused(f"a fault at {self.at:g} s for {self.lasts:g} s; write seconds from 0 on")

    @property
    def steps(self) -> List[Tuple[float, str]]:
        """When which words are said to the device."""
        begin, end = KINDS[self.kind]
        return [(self.at, begin), *([(self.at + self.lasts, end)] if end else [])]


@dataclass(frozen=True)
class World:
    """Seed, radio, faults and bystanders of a room; the apps in it are the test's.

    `World().room()` is a `Room` of this world. Two worlds that are equal play equally.
    """

    seed: int = 1
    #: A preset, or a mapping of Docs/Formats/scenario.md#radio.
    radio: Union[str, Mapping[str, Any]] = "ideal"
    faults: Tuple[Fault, ...] = ()
    #: Devices that advertise all the time, and have nothing to do with the test.
    bystanders: int = 0

    def room(self, **options: Any) -> Any:
        """A room of this world; options are those of `Room`. Devices come after, and faults name them."""
        from .room import Room
        return Room(world=self, **options)

    def __hash__(self) -> int:
        return hash(self.line)

    # As a line

    @property
    def line(self) -> str:
        """As `--babbench-world` takes it: JSON without the seed, and without what is as in an empty world."""
        words: Dict[str, Any] = {"radio": self.radio if isinstance(self.radio, str) else dict(self.radio)}
        if self.faults:
            words["faults"] = [[fault.device, fault.kind, fault.at, fault.lasts] for fault in self.faults]
        if self.bystanders:
            words["bystanders"] = self.bystanders
        return json.dumps(words, separators=(", ", ": "))

    @staticmethod
    def of(line: str, seed: int) -> "World":
        """From its line.

        Raises:
            Refused: the line is none.
        """
        try:
            words = json.loads(line)
            unknown = sorted(set(words) - {"radio", "faults", "bystanders"})
            if unknown:
                raise Refused(f"a world has no “{unknown[0]}”; write radio, faults, bystanders")
            return World(
                seed, words.get("radio", "ideal"), tuple(Fault(*fault) for fault in words.get("faults", ())),
                int(words.get("bystanders", 0)))
        except (ValueError, TypeError, AttributeError) as error:
            raise Refused(f"“{line}” is no world: {error}") from None

    # Smaller

    def smaller(self) -> Iterator["World"]:
        """Worlds with less in them, the smallest first; each differs in one thing."""
        for faults in _fewer(self.faults):
            yield replace(self, faults=faults)
        for count in sorted({0, self.bystanders // 2, max(0, self.bystanders - 1)}):
            if count < self.bystanders:
                yield replace(self, bystanders=count)
        for radio in _quieter(self.radio):
            yield replace(self, radio=radio)
        for index, fault in enumerate(self.faults):
            for other in _earlier(fault):
                yield replace(self, faults=(*self.faults[:index], other, *self.faults[index + 1:]))


def _fewer(faults: Tuple[Fault, ...]) -> Iterator[Tuple[Fault, ...]]:
    if len(faults) > 1:
        yield ()
    if len(faults) > 3:
        half = len(faults) // 2
        yield faults[:half]
        yield faults[half:]
    for index in range(len(faults)):
        yield faults[:index] + faults[index + 1:]


def _earlier(fault: Fault) -> Iterator[Fault]:
    """At a whole second, or at half the time, or shorter."""
    for at in (float(int(fault.at)), float(int(fault.at / 2))):
        if at < fault.at:
            yield replace(fault, at=at)
    for lasts in (1.0, float(int(fault.lasts / 2)), float(int(fault.lasts))):
        if 0 < lasts < fault.lasts:
            yield replace(fault, lasts=lasts)


def _quieter(radio: Union[str, Mapping[str, Any]]) -> Iterator[Union[str, Dict[str, Any]]]:
    if radio == "ideal":
        return
    yield "ideal"
    if isinstance(radio, str):
        if radio in PRESETS:
            yield from PRESETS[1:PRESETS.index(radio)]
        return
    terms = dict(radio)
    preset = terms.get("preset", "ideal")
    if set(terms) <= {"preset"}:
        yield preset
        return
    for quieter in PRESETS[:PRESETS.index(preset)] if preset in PRESETS else ():
        yield {**({} if quieter == "ideal" else {"preset": quieter}),
               **{key: value for key, value in terms.items() if key != "preset"}}
    for key, value in terms.items():
        if key == "preset":
            continue
        rest = {other: one for other, one in terms.items() if other != key}
        yield preset if set(rest) <= {"preset"} else rest
        for less in _less(value):
            yield {**terms, key: less}


def _less(value: Any) -> Iterator[Any]:
    """A share of less: half, and nine tenths, in whole per cent; a list with fewer items."""
    if isinstance(value, list):
        for index in range(len(value)):
            if len(value) > 1:
                yield value[:index] + value[index + 1:]
        return
    match = _SHARE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return
    share = float(match[1])
    for less in (int(share / 2), int(share * 0.9)):
        if 0 < less < share:
            yield f"{less}%"


def drawn(
    seed: int, devices: Iterable[str], *, within: float, at_most: int, kinds: Iterable[str], lasts: Tuple[float, float]
) -> Tuple[Fault, ...]:
    """Faults that a seed draws: how many, to whom, of which kind, when and how long, in tenths of seconds."""
    dice = random.Random(f"{seed}/faults")
    names, words = list(devices), list(kinds)
    for word in words:
        if word not in KINDS:
            raise Refused(f"“{word}” is no kind of fault; write {', '.join(KINDS)}")
    if not names or not words:
        raise Refused("faults of nobody, or of no kind")
    made = [
        Fault(dice.choice(names), dice.choice(words), round(dice.uniform(0, within), 1), round(dice.uniform(*lasts), 1))
        for _ in range(dice.randint(0, at_most))]
    return tuple(sorted(made, key=lambda fault: fault.at))


class Shrinker:
    """Looks for the smallest world in which a test fails in the same way.

    A world that is smaller in one thing is taken when it fails with the seed of before, or with one of a few others:
    with less loss, the same seed draws other losses.
    """

    #: Seeds that each smaller world is tried with, besides the one of before.
    SEEDS = 6

    def __init__(self, fails: Any, tries: int, stops: Any = None) -> None:
        """
        Args:
            fails: gets a world; says when it failed in the same way, in seconds of the room, or None.
            tries: rooms to play at most.
            stops: whether there is no more time; None: there is.
        """
        self._fails = fails
        self._left = tries
        self._stops = stops or (lambda: False)
        #: Rooms that were played.
        self.played = 0

    def _try(self, world: World) -> Optional[float]:
        if self._left <= 0 or self._stops():
            return None
        self._left -= 1
        self.played += 1
        when: Optional[float] = self._fails(world)
        return when

    def smallest(self, world: World, failed_at: float) -> Tuple[World, float]:
        """The smallest that was found, and when it fails."""
        best, when = world, failed_at
        is_smaller = True
        while is_smaller and self._left > 0 and not self._stops():
            is_smaller = False
            for candidate in best.smaller():
                # What a fault does is not drawn by the seed; what a radio loses is.
                is_drawn = candidate.radio not in (best.radio, "ideal")
                others = range(1, 1 + self.SEEDS) if is_drawn else ()
                for seed in (candidate.seed, *(seed for seed in others if seed != candidate.seed)):
                    at = self._try(replace(candidate, seed=seed))
                    if at is not None:
                        best, when, is_smaller = replace(candidate, seed=seed), at, True
                        break
                if is_smaller:
                    break
        # The same world with another seed may fail earlier.
        if best.radio != "ideal":
            for seed in range(1, 1 + 2 * self.SEEDS):
                at = self._try(replace(best, seed=seed)) if seed != best.seed else None
                if at is not None and at < when:
                    best, when = replace(best, seed=seed), at
        return best, when


def difference(before: World, after: World) -> str:
    """What a smaller world has less, in words."""
    words = []
    if before.faults != after.faults:
        words.append(f"{len(before.faults)} faults → {len(after.faults)}" if len(before.faults) != len(after.faults)
                     else "simpler faults")
    if before.bystanders != after.bystanders:
        words.append(f"{before.bystanders} bystanders → {after.bystanders}")
    if before.radio != after.radio:
        words.append(f"radio {_said(before.radio)} → {_said(after.radio)}")
    if before.seed != after.seed:
        words.append(f"seed {before.seed} → {after.seed}")
    return "; ".join(words)


def _said(radio: Union[str, Mapping[str, Any]]) -> str:
    return radio if isinstance(radio, str) else ", ".join(
        str(value) if key == "preset" else f"{key} {value}" for key, value in radio.items())


__all__ = ["Fault", "World", "KINDS", "PRESETS", "Shrinker", "difference", "drawn"]
