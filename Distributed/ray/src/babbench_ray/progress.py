"""What a run says while it is under way: one line that changes on a terminal, a few plain lines elsewhere."""

from collections.abc import Callable, Mapping
from typing import TextIO


def clock_time(seconds: float) -> str:
    """A duration as hours, minutes and seconds: `1:02:03`, `0:07`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Counts shards and writes how far they are."""

    def __init__(self, stream: TextIO, environ: Mapping[str, str], now: Callable[[], float], shards: int) -> None:
        """Takes the clock as a function of seconds."""
        self._stream, self._now, self._shards = stream, now, shards
        self._terminal = stream.isatty() and environ.get("TERM") != "dumb"
        self._colour = self._terminal and not environ.get("NO_COLOR")
        self._started = now()
        self._done = self._here = self._worlds = self._again = self._said = 0

    def begin(self, done: int) -> None:
        """Takes how many shards had arrived before."""
        self._done = done
        self._said = self._tenth()
        if done:
            self.note(f"{done} of {self._shards} shards are there from an earlier run")

    def shard(self, worlds: int) -> None:
        """Counts a shard that arrived."""
        self._done += 1
        self._here += 1
        self._worlds += worlds
        if self._terminal:
            self._stream.write("\r\x1b[K" + self.line())
            self._stream.flush()
        elif self._tenth() != self._said:
            self._said = self._tenth()
            self.note(self.line())

    def again(self, number: int, reason: str, attempt: int, most: int) -> None:
        """Says that a shard is played again."""
        self._again += 1
        self.note(f"shard {number}/{self._shards} died ({reason}); again, {attempt} of {most}", warning=True)

    def note(self, line: str, warning: bool = False) -> None:
        """Writes a line that stays."""
        if warning and self._colour:
            line = f"\x1b[33m{line}\x1b[0m"
        self._stream.write(("\r\x1b[K" if self._terminal else "") + line + "\n")
        self._stream.flush()

    def line(self) -> str:
        """The state of the run."""
        seconds = max(self._now() - self._started, 1e-9)
        parts = [f"{self._done}/{self._shards} shards"]
        if self._worlds:
            parts.append(f"{self._worlds / seconds:.0f} worlds/s")
        if self._again:
            parts.append(f"{self._again} played again")
        if self._here and self._done < self._shards:
            parts.append(f"{clock_time(seconds / self._here * (self._shards - self._done))} left")
        return ", ".join(parts)

    def end(self) -> None:
        """Leaves the terminal with the last state on a line of its own."""
        if self._terminal and self._here:
            self.note(self.line())

    def _tenth(self) -> int:
        return self._done * 10 // self._shards
