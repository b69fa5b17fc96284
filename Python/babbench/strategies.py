"""Strategies of hypothesis for worlds. `pip install hypothesis` brings what it needs.

```python
from hypothesis import given
from babbench.strategies import worlds

@given(worlds(faults_of=["lamp"]))
def test_the_lamp_is_switched_on(world):
    with babbench.bleak.installed(), world.room() as room:
        …
```

Hypothesis makes examples smaller by itself, and so the world: an ideal radio before a noisy one, no fault before one,
early and short ones before late and long ones, small seeds before large ones.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Tuple

from hypothesis import strategies as st

from .world import KINDS, PRESETS, Fault, World


def seeds(largest: int = 10_000) -> "st.SearchStrategy[int]":
    """Seeds from 1 on."""
    return st.integers(1, largest)


def radios(
    presets: Iterable[str] = PRESETS, *, packet_loss: Tuple[int, int] = (0, 30)
) -> "st.SearchStrategy[Any]":
    """Radios: a preset, the first of them the simplest, or one with a loss of packets on top.

    Args:
        presets: of Docs/Formats/scenario.md#radio.
        packet_loss: from … to, in per cent; (0, 0): none on top.
    """
    names = st.sampled_from(list(presets))
    if packet_loss[1] <= 0:
        return names

    def made(preset: str, loss: int) -> Any:
        if loss == 0:
            return preset
        radio: Dict[str, Any] = {} if preset == "ideal" else {"preset": preset}
        return {**radio, "packet loss": f"{loss}%"}

    return st.builds(made, names, st.integers(*packet_loss))


def faults(
    devices: Iterable[str], *, within: float = 60, kinds: Iterable[str] = ("vanish", "radio off", "kill"),
    lasts: Tuple[float, float] = (1, 20)
) -> "st.SearchStrategy[Fault]":
    """One fault of one of the devices, in tenths of seconds.

    Args:
        within: at the latest after so many seconds.
        kinds: of `babbench.Fault`.
        lasts: from … to, in seconds.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"“{kind}” is no kind of fault; write {', '.join(KINDS)}")

    def tenths(first: float, last: float) -> "st.SearchStrategy[float]":
        return st.integers(round(first * 10), round(last * 10)).map(lambda count: count / 10)

    return st.builds(
        Fault, st.sampled_from(list(devices)), st.sampled_from(list(kinds)), tenths(0, within), tenths(*lasts))


def worlds(
    *, radio: Any = None, seed: Any = None, faults_of: Iterable[str] = (), at_most: int = 3,
    within: float = 60, kinds: Iterable[str] = ("vanish", "radio off", "kill"), bystanders: int = 0,
    fault: "Optional[st.SearchStrategy[Fault]]" = None
) -> "st.SearchStrategy[World]":
    """Worlds; `world.room()` makes a room of one.

    Args:
        radio, seed: strategies in place of `radios()` and `seeds()`, or values.
        faults_of: names of devices that faults happen to; empty: there are none.
        at_most: faults.
        within, kinds: as `faults` takes them.
        bystanders: at most so many.
        fault: a strategy of one fault, in place of `faults(…)`.
    """
    names = list(faults_of)
    one = fault if fault is not None else faults(names, within=within, kinds=kinds) if names else None
    several = st.just(()) if one is None else st.lists(one, max_size=at_most).map(
        lambda made: tuple(sorted(made, key=lambda fault: fault.at)))
    return st.builds(
        World, seed=_strategy(seed, seeds()), radio=_strategy(radio, radios()), faults=several,
        bystanders=st.integers(0, bystanders))


def _strategy(given: Any, default: Any) -> Any:
    if given is None:
        return default
    return given if isinstance(given, st.SearchStrategy) else st.just(given)


__all__ = ["seeds", "radios", "faults", "worlds"]
