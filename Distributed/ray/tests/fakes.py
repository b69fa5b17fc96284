"""What tests put in the place of the bench and of Ray."""

import os
import shutil
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from babbench_ray.bundle import digest, pack
from babbench_ray.contract import Refusal
from babbench_ray.driver import Died
from babbench_ray.play import Job, Played

FAKE_BENCH = Path(__file__).with_name("fake_bench.sh")
ARCHIVE = pack([("babbench", FAKE_BENCH)])


def job(*command: str, leave_out: tuple[str, ...] = (), limit: int = 10**6) -> Job:
    """A campaign of four shards with the bench that stands in."""
    return Job(
        command=command,
        shards=4,
        bench=digest(ARCHIVE),
        version="babbench 0.0.0",
        campaign="test",
        jobs=1,
        leave_out=leave_out,
        limit=limit,
    )


class ScratchTest(unittest.TestCase):
    """A test with a folder of its own, in which the scratch folder of the node is too."""

    def setUp(self) -> None:
        """Makes the folder, and lets TMPDIR be it."""
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        before = tempfile.tempdir
        tempfile.tempdir = str(self.folder)

        def restore() -> None:
            tempfile.tempdir = before

        self.addCleanup(restore)


class FakeCluster:
    """A cluster in this process: a flight is the number of an attempt, and lands at once."""

    def __init__(self, play: Callable[[int, int], Played | str]) -> None:
        """Takes what shard and attempt come to; a text is why the attempt died."""
        self._play = play
        self.attempts: dict[int, int] = {}
        self.cancelled: list[tuple[int, int]] = []
        self.most = 0

    def submit(self, number: int) -> tuple[int, int]:
        """Begins a shard."""
        self.attempts[number] = self.attempts.get(number, 0) + 1
        return number, self.attempts[number]

    def landed(self, flights: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The newest."""
        self.most = max(self.most, len(flights))
        return flights[-1:]

    def result(self, flight: tuple[int, int]) -> Played:
        """What the test says."""
        played = self._play(*flight)
        if isinstance(played, str):
            raise Died(played)
        return played

    def cancel(self, flights: list[tuple[int, int]]) -> None:
        """Notes them."""
        self.cancelled += flights

    def room(self) -> int:
        """Room for two."""
        return 2


def played(number: int, code: int = 0, message: str = "") -> Played:
    """A shard that came to an end."""
    octets = pack([("babbench", FAKE_BENCH)]) if code in (0, 1, 2) else b""
    return Played(number=number, code=code, octets=octets, message=message, worlds=5, seconds=1.0, node="node-1")


def alive(process: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


__all__ = ["ARCHIVE", "FAKE_BENCH", "FakeCluster", "Refusal", "ScratchTest", "alive", "job", "played"]
