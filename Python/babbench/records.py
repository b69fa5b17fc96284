"""What a room came to, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Record:
    """One record of the trace (Docs/Formats/trace.md)."""

    #: `input`, `effect`, `report`, `fault`, `platform`, `network`, `step`, `expectation`.
    kind: str
    sequence: int
    #: Nanoseconds since the room began.
    instant: int
    #: The name of the device; empty: the world itself.
    device: str
    #: The word, for example `gatt.notified`; empty where the kind has none.
    name: str
    #: The other members.
    members: Dict[str, Any]

    @property
    def seconds(self) -> float:
        return self.instant / 1e9

    def __getitem__(self, member: str) -> Any:
        """A member; None: the record has no such one."""
        return self.members.get(member)

    def __str__(self) -> str:
        members = " ".join(f"{key}={value}" for key, value in self.members.items() if value is not None)
        who = self.device or "the room"
        return f"record {self.sequence}, {self.seconds:.9f} s, {who}: {self.kind} {self.name} {members}".rstrip()


@dataclass(frozen=True)
class Expectation:
    """Something that was expected."""

    text: str
    #: None: nobody could be asked.
    holds: Optional[bool]
    detail: str
    #: Nanoseconds: when it was decided.
    at: int


@dataclass(frozen=True)
class Finding:
    """What an oracle found."""

    oracle: str
    clause: str
    #: `fail`, `inconclusive` or `error`.
    verdict: str
    #: Empty: the world itself.
    device: str
    at: int
    expected: str
    actual: str
    #: What shows it: of oracles in Python.
    records: List[Record] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        clause = f" ({self.clause})" if self.clause else ""
        who = f", {self.device}" if self.device else ""
        return (f"{self.verdict} {self.oracle}{clause}{who}, at {self.at / 1e9:.9f} s: expected {self.expected}; "
                f"saw {self.actual}" + "".join(f"\n    {record}" for record in self.records))


@dataclass(frozen=True)
class DeviceFigures:
    """What a device did."""

    name: str
    #: Links that were up at the end.
    links: int
    #: The smallest ATT_MTU of them; 0: there is none.
    att_mtu: int
    values_sent: int
    values_received: int


@dataclass(frozen=True)
class Outcome:
    """How a room ended."""

    #: Nanoseconds.
    at: int
    #: `finished`, `stopped`, `simulatedTimeLimit`, `eventLimit` or `breakdown`.
    ending: str
    #: `pass`, `fail`, `inconclusive`, `error`, or `none`: nothing was judged.
    verdict: str
    #: Of everything that happened; the same for the same lines.
    digest: str
    seed: int
    expectations: List[Expectation]
    findings: List[Finding]
    devices: List[DeviceFigures]
    #: Counts: `connectionEvents`, `missedConnectionEvents`, `pdusSent`, `pdusLost`, `collisions`.
    statistics: Dict[str, int]
    #: With `Room(records=True)`.
    records: List[Record] = field(default_factory=list, repr=False)
    #: With `Room(figures=True)`: measures by name (Docs/measures.md).
    figures: Dict[str, Dict[str, Any]] = field(default_factory=dict, repr=False)

    @property
    def seconds(self) -> float:
        return self.at / 1e9

    @property
    def problems(self) -> List[str]:
        """Everything that is wrong, a line each."""
        lines = [str(finding) for finding in self.findings]
        for expectation in self.expectations:
            if expectation.holds is not True:
                word = "unknown" if expectation.holds is None else "not met"
                lines.append(f"{word}: {expectation.text}, at {expectation.at / 1e9:.9f} s: {expectation.detail}")
        if self.ending not in ("finished", "stopped") and not lines:
            lines.append(f"the room ended by {self.ending}, at {self.seconds:.9f} s")
        return lines

    @property
    def passed(self) -> bool:
        return not self.problems

    def check(self) -> "Outcome":
        """Raises AssertionError with everything that is wrong."""
        if self.problems:
            raise AssertionError("\n".join(self.problems))
        return self


def outcome(answer: Dict[str, Any], names: List[str]) -> Outcome:
    """The answer to `finish` as a value."""
    records = []
    for line in answer.get("records", ()):
        members = dict(line["payload"])
        if line["kind"] in ("header", "outcome"):
            continue
        device = members.pop("device", -1)
        records.append(Record(
            kind=line["kind"], sequence=members.pop("sequence"), instant=members.pop("instant"),
            device=names[device] if 0 <= device < len(names) else "", name=members.pop("name", ""), members=members))
    return Outcome(
        at=answer["at"], ending=answer["ending"], verdict=answer["verdict"], digest=answer["digest"],
        seed=int(answer["seed"]),
        expectations=[Expectation(e["text"], e["holds"], e["detail"], e["at"]) for e in answer["expectations"]],
        findings=[Finding(**finding) for finding in answer["findings"]],
        devices=[DeviceFigures(d["name"], d["links"], d["attMTU"], d["valuesSent"], d["valuesReceived"])
                 for d in answer["devices"]],
        statistics=answer["statistics"], records=records,
        figures={measure["name"]: measure for measure in answer.get("measures", ())})
