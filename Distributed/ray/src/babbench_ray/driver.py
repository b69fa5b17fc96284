"""The run as a whole: shards are handed out, collected, handed out again when they die, and merged."""

import subprocess
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from babbench_ray.collected import Collected
from babbench_ray.contract import Refusal, ending, failure_code, spread
from babbench_ray.play import Played
from babbench_ray.progress import Progress

Flight = TypeVar("Flight")


class Died(Exception):
    """The process or the node that played a shard is gone; the text says which."""


class Cluster(Protocol[Flight]):
    """What plays shards somewhere else."""

    def submit(self, number: int) -> Flight:
        """Begins a shard."""

    def landed(self, flights: list[Flight]) -> list[Flight]:
        """Those that have ended; none after a moment."""

    def result(self, flight: Flight) -> Played:
        """What a shard came to. Raises Died, and Refusal for what ends the run."""

    def cancel(self, flights: list[Flight]) -> None:
        """Ends shards and waits until they have."""

    def room(self) -> int:
        """How many shards may be under way or wait at once."""


@dataclass
class Run(Generic[Flight]):
    """The shards of a campaign on a cluster."""

    cluster: Cluster[Flight]
    collected: Collected
    progress: Progress
    shards: int
    retries: int
    interrupted: Callable[[], bool]

    def play(self) -> bool:
        """Plays what is missing. Returns whether all is there; raises Refusal when a shard fails."""
        waiting = deque(self.collected.missing())
        self.progress.begin(self.shards - len(waiting))
        flying: dict[Flight, int] = {}
        deaths: Counter[int] = Counter()
        try:
            while (waiting or flying) and not self.interrupted():
                while waiting and len(flying) < self.cluster.room():
                    number = waiting.popleft()
                    flying[self.cluster.submit(number)] = number
                for flight in self.cluster.landed(list(flying)):
                    number = flying.pop(flight)
                    reason = self._collect(flight, number)
                    if reason is None:
                        continue
                    deaths[number] += 1
                    if deaths[number] > self.retries:
                        times = f"{deaths[number]} times, the last time: {reason}"
                        raise Refusal(f"shard {number}/{self.shards} died {times}", 3)
                    self.progress.again(number, reason, deaths[number], self.retries)
                    waiting.appendleft(number)
            return not self.interrupted()
        finally:
            self.progress.end()
            self.cluster.cancel(list(flying))

    def _collect(self, flight: Flight, number: int) -> str | None:
        """Keeps the result of a shard. Returns why there is none when it shall be played again."""
        try:
            played = self.cluster.result(flight)
        except Died as death:
            return str(death)
        code = played["code"]
        where = f"shard {number}/{self.shards} on {played['node']}"
        match ending(code):
            case "result" if played["octets"]:
                self.collected.add(number, played["octets"])
                self.progress.shard(played["worlds"])
                return None
            case "died":
                return f"babbench ended with {code} on {played['node']}"
            case _:
                raise Refusal(f"{where}: {played['message']}", failure_code(code))


def merge(binary: Path, collected: Collected, out: Path) -> int:
    """Puts the shards together by `babbench merge`, whose output and exit code are those of the run."""
    missing = collected.missing()
    if missing:
        raise Refusal(f"shards {spread(missing)} are missing", 3)
    words = [str(binary / "babbench"), "merge", *map(str, collected.paths()), "--out", str(out)]
    return subprocess.run(words).returncode
