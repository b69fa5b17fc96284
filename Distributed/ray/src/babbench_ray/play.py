"""One shard on one node: the bench is started, waited for, and its folder made ready to travel."""

import ctypes
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

from babbench_ray.bundle import files_below, installed, locked, pack, scratch
from babbench_ray.contract import INTERRUPTED, ending, first_message, shard_words

_PATIENCE = 10.0  # seconds that the bench has to save its state


class Job(TypedDict):
    """What all shards of a campaign have in common; plain values, since it travels."""

    command: Sequence[str]
    shards: int
    bench: str  # digest of the archive with the bench
    version: str  # what babbench --version must say
    campaign: str  # names the folder of the shards on a node
    jobs: int
    leave_out: Sequence[str]
    limit: int  # octets of a packed shard


class Played(TypedDict):
    """A shard that came to an end. `octets` is its folder, empty without a result; `message` says why there is none."""

    number: int
    code: int
    octets: bytes
    message: str
    worlds: int
    seconds: float
    node: str


def play(job: Job, number: int, fetch: Callable[[], bytes]) -> Played:
    """Plays one shard. An earlier attempt of this node is continued where the command can do that."""
    started = time.monotonic()
    bench = installed(job["bench"], fetch)
    checked = bench.with_name(f"{bench.name}.checked")
    if not checked.exists():
        _, line = version(bench)
        if line != job["version"]:
            return _played(number, 3, f"the bench does not start as {job['version']}: {line}", started)
        checked.touch()
    folder = scratch() / f"shards-{job['campaign']}"
    folder.mkdir(exist_ok=True)
    out, errors = folder / str(number), folder / f"{number}.stderr"
    # Another attempt on this node may not be quite dead yet.
    with locked(folder / f"{number}.lock") as lock:
        resume = out.is_dir() and _continues(bench, job["command"])
        if not resume:
            shutil.rmtree(out, ignore_errors=True)
        words = shard_words(job["command"], number, job["shards"], job["jobs"], str(out), resume)
        code = _run([str(bench / "babbench"), *words], bench, errors, lock)
        if ending(code) != "result":
            return _played(number, code, first_message(errors.read_text(errors="replace")), started)
        octets = pack(files_below(out, without=job["leave_out"]))
        if len(octets) > job["limit"]:
            message = f"its folder has {len(octets)} octets when packed, --limit allows {job['limit']}; see --leave-out"
            return _played(number, 3, message, started)
        played = _played(number, code, "", started)
        played["octets"] = octets
        played["worlds"] = _worlds(out / "worlds.csv")
        shutil.rmtree(out)
        errors.unlink()
    return played


def _continues(bench: Path, command: Sequence[str]) -> bool:
    """Whether a command knows --resume; `conform` and `selftest` play a shard from the start."""
    words = [str(bench / "babbench"), *command, "--help"]
    return "--resume" in subprocess.run(words, capture_output=True, text=True, cwd=bench, timeout=60).stdout


def version(bench: Path) -> tuple[int, str]:
    """The exit code and the line of `babbench --version`."""
    try:
        words = [str(bench / "babbench"), "--version"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 126, str(error)
    return ended.returncode, ended.stdout.partition("\n")[0] or first_message(ended.stderr)


def _played(number: int, code: int, message: str, started: float) -> Played:
    seconds = time.monotonic() - started
    return Played(
        number=number, code=code, octets=b"", message=message, worlds=0, seconds=seconds, node=socket.gethostname()
    )


def _run(words: Sequence[str], bench: Path, errors: Path, lock: int) -> int:
    """Runs the bench in the folder of its archive. It ends with this process, whatever ends that."""
    parent = os.getpid()
    prctl = ctypes.CDLL(None).prctl

    def leash() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        if os.getppid() != parent:
            os._exit(INTERRUPTED)

    # A cancellation that comes while the bench starts waits until somebody passes it on.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        with errors.open("wb") as sink:
            process = subprocess.Popen(
                words,
                cwd=bench,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=sink,
                pass_fds=[lock],
                preexec_fn=leash,
                start_new_session=True,
            )
        descriptor = os.pidfd_open(process.pid)
    except BaseException:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        raise
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        while not select.select([descriptor], [], [], 0.5)[0]:
            pass  # A cancellation arrives between two waits.
        return process.wait()
    finally:
        os.close(descriptor)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _worlds(table: Path) -> int:
    """The worlds of a shard of `stress`: the lines of its table after the first. Other commands have none."""
    if not table.is_file():
        return 0
    with table.open("rb") as lines:
        return max(0, sum(1 for _ in lines) - 1)
