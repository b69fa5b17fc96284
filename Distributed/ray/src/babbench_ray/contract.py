"""The contract between babbench and whatever plays its shards: words of the command line, exit codes, messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

BENCH_FAILED = 3
WRONG_USE = 64
INTERRUPTED = 130

Ending: TypeAlias = Literal["result", "died", "failed"]


class Refusal(Exception):
    """What ends a run, as one line for the person who started it, and the exit code."""

    def __init__(self, line: str, code: int = WRONG_USE) -> None:
        """Takes the line without the name of the program, and the exit code."""
        super().__init__(line)
        self.code = code


@dataclass(frozen=True)
class Campaign:
    """A command of babbench that is played in so many shards."""

    command: tuple[str, ...]
    shards: int

    def check(self) -> None:
        """Refuses what the driver itself appends to the command, and counts that make no sense."""
        if not self.command:
            raise Refusal("no command: give one after --, for example -- stress eight-peer-lobby --seeds 1..1000")
        for word in self.command:
            option = word.split("=")[0]
            if option in ("--shard", "--out", "--resume"):
                raise Refusal(f"{option} is given to each shard by this command; leave it out after --")
        if not 2 <= self.shards <= 100_000:
            raise Refusal(f"--shards must be 2 to 100000, not {self.shards}; one shard is the whole campaign")


def shard_words(command: Sequence[str], number: int, shards: int, jobs: int, out: str, resume: bool) -> list[str]:
    """The words that play one shard. Numbers count from 1. Shards take `jobs` workers unless the command says it."""
    words = [*command]
    if not any(word.split("=")[0] == "--jobs" for word in command):
        words += ["--jobs", str(jobs)]
    words += ["--shard", f"{number}/{shards}", "--out", out]
    return [*words, "--resume"] if resume else words


def ending(code: int) -> Ending:
    """What an exit code of a shard means.

    0, 1 and 2 are results: merging decides about the campaign. A signal, also one that a shell turned into a code, is
    the end of a process and says nothing about the campaign. All other codes are the same wherever they happen.
    """
    if code in (0, 1, 2):
        return "result"
    return "died" if code < 0 or code in (INTERRUPTED, 137, 143) else "failed"


def failure_code(code: int) -> int:
    """The exit code of a run that a shard's exit code ended."""
    return WRONG_USE if code == WRONG_USE else BENCH_FAILED


def first_message(errors: str) -> str:
    """The bench's own line among what it wrote to standard error."""
    lines = [line.strip() for line in errors.replace("\r", "\n").splitlines() if line.strip()]
    for line in lines:
        for opening in ("error: ", "Error: ", "babbench: "):
            if line.startswith(opening):
                return line.removeprefix(opening)
    return lines[-1] if lines else "it said nothing"


def spread(numbers: Iterable[int], most: int = 5) -> str:
    """A short list of numbers: `1, 2, 3 and 7 more`."""
    every = [str(number) for number in numbers]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")
