"""The program babbench as a child: one line of JSON each way."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
from typing import Any, Dict, List, Optional

from .errors import BenchFailed, Refused


def executable() -> str:
    """The program: `BABBENCH`, else the one in this package, else that of this checkout, else that in PATH."""
    named = os.environ.get("BABBENCH")
    if named:
        return named
    own = os.path.join(os.path.dirname(__file__), "bin", "babbench")
    if os.path.exists(own):
        return own
    built = os.path.join(os.path.dirname(__file__), "..", "..", ".build", "release", "babbench")
    if os.path.exists(built):
        return os.path.abspath(built)
    found = shutil.which("babbench")
    if found is None:
        raise BenchFailed("there is no program babbench; install the wheel, or name it in the variable BABBENCH")
    return found


class Pipe:
    """A process of `babbench room`, which plays one room after the other."""

    _kept: Dict[int, List["Pipe"]] = {}

    def __init__(self) -> None:
        path = executable()
        try:
            # A group of its own: Ctrl-C is for the tests. It ends when its input does, whatever ends the tests.
            self._process = subprocess.Popen(
                [path, "room"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True)
        except OSError as error:
            raise BenchFailed(f"{path}: {error.strerror}") from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._rest = b""

    @classmethod
    def take(cls) -> "Pipe":
        """One that is free, or a new one; a process that was forked has its own."""
        kept = cls._kept.get(os.getpid())
        return kept.pop() if kept else cls()

    def give_back(self) -> None:
        """Its room is over: another one may use it."""
        kept = self._kept.setdefault(os.getpid(), [])
        if len(kept) < 4:
            kept.append(self)
        else:
            self.end()

    def end(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def exchange(self, line: bytes) -> Dict[str, Any]:
        """Writes a line with its end, and reads the answer."""
        try:
            view = memoryview(line)
            while view:
                view = view[os.write(self._input, view):]
            data = self._rest
            end = data.find(b"\n")
            while end < 0:
                part = os.read(self._output, 1 << 16)
                if not part:
                    raise BenchFailed(self._last_words())
                end = part.find(b"\n")
                if end >= 0:
                    end += len(data)
                data += part
        except (BrokenPipeError, ConnectionError) as error:
            raise BenchFailed(self._last_words()) from error
        self._rest = data[end + 1:]
        answer: Dict[str, Any] = json.loads(data[:end])
        if "error" in answer and len(answer) == 1:
            raise Refused(answer["error"])
        return answer

    def _last_words(self) -> str:
        code: Optional[int] = None
        try:
            code = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
        return f"babbench ended with exit code {code}; what it said is on standard error"

    @classmethod
    def end_all(cls) -> None:
        for pipe in cls._kept.pop(os.getpid(), []):
            pipe.end()


atexit.register(Pipe.end_all)
