"""Oracles in Python: generators that read the records of a room, and fail with those that show what is wrong."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any, Callable, List, Optional

from .errors import Refused
from .records import Finding, Outcome, Record


class Found(Exception):
    """Raised by an oracle: what is wrong, and the records that show it.

    ```python
    raise babbench.Found("two answers to one request", first, second)
    ```
    """

    def __init__(self, text: str, *records: Record) -> None:
        super().__init__(text)
        for record in records:
            if not isinstance(record, Record):
                raise TypeError(f"babbench.Found takes a text and records; {record!r} is no record")
        self.text = text
        self.records = list(records)


def checked(oracle: Any) -> Callable[[], Any]:
    """The oracle, if it is one.

    Raises:
        Refused: it is no generator function without arguments.
    """
    if not inspect.isgeneratorfunction(oracle):
        name = getattr(oracle, "__name__", oracle)
        raise Refused(f"{name}: an oracle is a generator function: it has “record = yield”")
    if [one for one in inspect.signature(oracle).parameters.values() if one.default is one.empty]:
        raise Refused(f"{oracle.__name__}: an oracle takes no arguments; records come by “record = yield”")
    function: Callable[[], Any] = oracle
    return function


def judged(outcome: Outcome, oracles: List[Callable[[], Any]]) -> Outcome:
    """The outcome with what the oracles find in its records."""
    found = [finding for finding in (_finding(oracle, outcome) for oracle in oracles) if finding is not None]
    verdict = outcome.verdict
    if any(finding.verdict == "error" for finding in found):
        verdict = "error"
    elif found and verdict != "error":
        verdict = "fail"
    elif oracles and verdict == "none":
        verdict = "pass"
    return replace(outcome, findings=[*outcome.findings, *found], verdict=verdict)


def _finding(oracle: Callable[[], Any], outcome: Outcome) -> Optional[Finding]:
    claim = (inspect.getdoc(oracle) or oracle.__name__.replace("_", " ")).split("\n")[0].rstrip(".")
    generator = oracle()
    record: Optional[Record] = None
    try:
        next(generator)
        for record in outcome.records:
            generator.send(record)
        record = None
        # The end of the room: nothing comes any more.
        generator.send(None)
    except StopIteration:
        return None
    except Found as found:
        shown = found.records or ([record] if record is not None else [])
        return Finding(
            oracle=oracle.__name__, clause="", verdict="fail", device=shown[-1].device if shown else "",
            at=shown[-1].instant if shown else outcome.at, expected=claim, actual=found.text, records=shown)
    except Exception as error:
        return Finding(
            oracle=oracle.__name__, clause="", verdict="error", device=record.device if record else "",
            at=record.instant if record else outcome.at, expected=claim,
            actual=f"the oracle itself failed: {type(error).__name__}: {error}", records=[record] if record else [])
    finally:
        generator.close()
    return None


__all__ = ["Found", "checked", "judged"]
