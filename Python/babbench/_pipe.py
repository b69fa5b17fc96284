"""The program babbench as a child: one line of JSON each way."""

from __future__ import annotations

import atexit
import json
import lzma
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, Optional

from .errors import BenchFailed, Refused


# Taken by name: tools that look for blocking calls of apps replace them, and waiting for the bench is none of theirs.
_read, _write = os.read, os.write

#: The file that a wheel keeps the program's place with has fewer octets, and the program more.
_PLACE = 4_096


def executable() -> str:
    """The program: `BABBENCH`, else the one in this package, else that of this checkout, else that in PATH."""
    named = os.environ.get("BABBENCH")
    if named:
        return named
    own = os.path.join(os.path.dirname(__file__), "bin", "babbench")
    if os.path.exists(own + ".xz"):
        return unpacked(own)
    if os.path.exists(own):
        return own
    built = os.path.join(os.path.dirname(__file__), "..", "..", ".build", "release", "babbench")
    if os.path.exists(built):
        return os.path.abspath(built)
    found = shutil.which("babbench")
    if found is None:
        raise BenchFailed("there is no program babbench; install the wheel, or name it in the variable BABBENCH")
    return found


def unpacked(own: str) -> str:
    """The program of a wheel that has it as .xz: once, in place of the file that the wheel keeps its place with.

    Where the package cannot be written to, it goes to the user's cache.
    """
    if os.path.exists(own) and os.path.getsize(own) > _PLACE:
        return own
    place = own
    if not os.access(os.path.dirname(own), os.W_OK):
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        state = os.stat(own + ".xz")
        folder = os.path.join(base, "babbench", f"{state.st_size}-{int(state.st_mtime)}")
        place = os.path.join(folder, "bin", "babbench")
        if os.path.exists(place):
            return place
        os.makedirs(os.path.dirname(place), exist_ok=True)
        # The program looks for scenarios above itself.
        if not os.path.lexists(os.path.join(folder, "share")):
            os.symlink(os.path.join(os.path.dirname(os.path.dirname(own)), "share"), os.path.join(folder, "share"))
    # Several processes may do so at the same time: each has a whole file, and the last one stays.
    handle, part = tempfile.mkstemp(dir=os.path.dirname(place), prefix="babbench-")
    try:
        with os.fdopen(handle, "wb") as file, lzma.open(own + ".xz") as packed:
            shutil.copyfileobj(packed, file, 1 << 20)
        os.chmod(part, 0o755)
        os.replace(part, place)
    except (OSError, lzma.LZMAError, EOFError) as error:
        os.unlink(part)
        raise BenchFailed(f"{own}.xz: the program cannot be unpacked: {error}") from error
    return place


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
                view = view[_write(self._input, view):]
            data = self._rest
            end = data.find(b"\n")
            while end < 0:
                part = _read(self._output, 1 << 16)
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
