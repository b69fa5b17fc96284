"""The proof of babbench-ray: real Ray nodes on this machine, killed while they play, and what shards cost.

    python3 proof.py survive BABBENCH     three nodes; workers and a node are killed; interrupted and continued
    python3 proof.py figures BABBENCH     one process against N shards on one CPU, all repetitions

Run it in a virtual environment with babbench-ray; Distributed/test --ray and --figures do. Exit 0 or 1.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BIN = Path(sys.executable).parent
PORT = 6399
HEAD = "127.0.0.2"  # Nodes get the addresses from here on: all of them are this machine.
COMMAND = ["stress", "eight-peer-lobby", "--seeds"]


def processes(folder: Path) -> list[int]:
    """The processes whose TMPDIR is in a folder: those of a node, and nobody else's."""
    mark = f"TMPDIR={folder}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):  # It may have ended.
            if entry.name.isdigit() and any(v.startswith(mark) for v in (entry / "environ").read_bytes().split(b"\0")):
                found.append(int(entry.name))
    return found


def name(process: int) -> str:
    """What a process calls itself; empty when it is gone or a zombie."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def benches(folder: Path) -> dict[int, int]:
    """The benches that play below a folder, each with the worker that started it."""
    found = {}
    for process in processes(folder):
        if "/babbench stress" in name(process):
            with suppress(OSError):
                found[process] = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return found


def a_worker(folder: Path) -> int:
    """A worker of a node that plays a shard, once there is one."""
    workers: list[int] = []

    def found() -> bool:
        # A bench whose worker has just died has another parent for a moment.
        ours = processes(folder)
        workers.extend(worker for worker in benches(folder).values() if worker in ours)
        return bool(workers)

    wait("a shard", found)
    return workers[0]


def kill(numbers: list[int]) -> None:
    """Kills processes, as a power cut would."""
    for number in numbers:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def wait(what: str, is_so: Callable[[], bool], seconds: float = 60) -> None:
    """Waits for something that must come."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"FAILED: {what} did not happen in {seconds:.0f} s")
        time.sleep(0.02)


@contextmanager
def cluster(folder: Path, nodes: int) -> Iterator[list[Path]]:
    """Ray nodes with one CPU each, and with scratch folders of their own; all of it is gone afterwards."""
    places = [Path(tempfile.mkdtemp(prefix=f"node-{number}-", dir=folder)) for number in range(nodes)]
    try:
        for number, place in enumerate(places):
            role = ["--head", f"--port={PORT}", f"--temp-dir={place}/r", "--include-dashboard=false"]
            words = ["start", *(role if number == 0 else [f"--address={HEAD}:{PORT}"]), "--num-cpus=1"]
            words += [
                f"--node-ip-address=127.0.0.{number + 2}",
                "--object-store-memory=100000000",
                "--disable-usage-stats",
            ]
            environ = os.environ | {"TMPDIR": str(place)}
            started = subprocess.run([str(BIN / "ray"), *words], env=environ, capture_output=True, text=True)
            if started.returncode != 0:
                raise SystemExit(f"FAILED: ray start: {started.stdout}{started.stderr}")
        yield places
    finally:
        for _ in range(3):
            kill(processes(folder))
            time.sleep(0.2)


def driver(
    out: Path, shards: int, seeds: str, bench: Path, *more: str, errors: IO[str] | None
) -> subprocess.Popen[str]:
    """Starts a run on the cluster."""
    words = ["run", f"--binary={bench}", f"--shards={shards}", f"--out={out}", f"--address={HEAD}:{PORT}"]
    words += ["--leave-out=worlds", *more, "--", *COMMAND, seeds]
    environ = os.environ | {"PYTHONUNBUFFERED": "1"}
    command = [str(BIN / "babbench-ray"), *words]
    return subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, stderr=errors, text=True)


def one_process(bench: Path, seeds: str, out: Path) -> None:
    """The campaign without shards."""
    words = [str(bench), *COMMAND, seeds, "--jobs", "1", "--out", str(out)]
    subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def result(folder: Path) -> dict[str, object]:
    """What a campaign came to, except for the time that it took."""
    read: dict[str, object] = json.loads((folder / "result.json").read_text())
    del read["wallMilliseconds"]
    return read


def same(whole: Path, single: Path) -> None:
    """Says whether a merged campaign is that of one process."""
    if result(whole) != result(single) or (whole / "worlds.csv").read_bytes() != (single / "worlds.csv").read_bytes():
        raise SystemExit(f"FAILED: {whole.name} is not what one process plays")
    print(f"ok: {whole.name}: result.json and worlds.csv are those of one process", flush=True)


def survive(bench: Path, folder: Path) -> None:
    """Two workers and a node die; then a run is interrupted, another one loses the head node, and both continue."""
    seeds, shards = "1..720", 24
    one_process(bench, seeds, folder / "single")
    log = folder / "log"

    def said(text: str) -> int:
        return log.read_text().count(text)

    with cluster(folder, 3) as nodes, log.open("w") as errors:
        run = driver(folder / "killed", shards, seeds, bench, errors=errors)
        for number in (1, 2):
            victim = a_worker(nodes[1])
            print(f"kill -9 of {name(victim).strip() or victim} on node 1", flush=True)
            kill([victim])
            wait("a worker's death", lambda number=number: said("its worker crashed") == number)  # type: ignore[misc]
        a_worker(nodes[2])
        lost = processes(nodes[2])
        without = [process for process in lost if process not in benches(nodes[2])]
        print(f"kill -9 of node 2: {len(without)} processes, and none of the bench's", flush=True)
        kill(without)
        wait("the end of the bench on the dead node", lambda: not benches(nodes[2]))
        code = run.wait(timeout=300)
        print(log.read_text(), end="")
        if code != 0 or said("its node died") + said("its worker crashed") < 3:
            raise SystemExit(f"FAILED: exit {code}, or a death that nobody saw")
        same(folder / "killed", folder / "single")

        errors.truncate(0)
        errors.seek(0)
        run = driver(folder / "interrupted", shards, seeds, bench, errors=errors)
        shards_there = folder / "interrupted.shards"
        wait("some shards", lambda: len(list(shards_there.glob("*"))) > 6)
        run.send_signal(signal.SIGTERM)
        code = run.wait(timeout=60)
        left = [process for place in nodes for process in benches(place)]
        print(log.read_text(), end="")
        if code != 130 or left or not said("interrupted; "):
            raise SystemExit(f"FAILED: exit {code} after SIGTERM, processes of the bench: {left}")
        print("ok: interrupted with 130, and no process of the bench is left", flush=True)
        code = driver(folder / "interrupted", shards, seeds, bench, "--resume", errors=errors).wait(timeout=300)
        if code != 0 or not said("shards are there from an earlier run"):
            raise SystemExit(f"FAILED: exit {code} of the run that continues")
        same(folder / "interrupted", folder / "single")

    with cluster(folder, 2) as nodes, log.open("w") as errors:
        run = driver(folder / "headless", shards, seeds, bench, errors=errors)
        wait("some shards", lambda: len(list((folder / "headless.shards").glob("*"))) > 3)
        kill(processes(nodes[0]))
        print("kill -9 of the head node", flush=True)
        code = run.wait(timeout=120)
        print(log.read_text(), end="")
        if code != 3 or not said("the head node of Ray is gone"):
            raise SystemExit(f"FAILED: exit {code} without a head node")
    with cluster(folder, 2), log.open("w") as errors:
        code = driver(folder / "headless", shards, seeds, bench, "--resume", errors=errors).wait(timeout=300)
        if code != 0 or not said("shards are there from an earlier run"):
            raise SystemExit(f"FAILED: exit {code} of the run that continues on another cluster")
        same(folder / "headless", folder / "single")
    if processes(folder):
        raise SystemExit("FAILED: processes of the cluster are left")


class Meter:
    """The processor time of this process and of all that it starts from here on, by a control group; needs root."""

    def __init__(self) -> None:
        """Makes a group and enters it."""
        old, new = Path("/sys/fs/cgroup/cpuacct"), Path("/sys/fs/cgroup")
        self._group = (old if old.is_dir() else new) / f"babbench-{os.getpid()}"
        self._value: Callable[[], float] = lambda: float("nan")
        try:
            self._group.mkdir()
            (self._group / "cgroup.procs").write_text(str(os.getpid()))
        except OSError as error:
            print(f"no processor time: {error}")
            return
        if old.is_dir():
            self._value = lambda: int((self._group / "cpuacct.usage").read_text()) / 1e9
        else:
            self._value = lambda: int((self._group / "cpu.stat").read_text().split()[1]) / 1e6

    def seconds(self) -> float:
        """What has been used so far."""
        return self._value()

    def remove(self) -> None:
        """Leaves the group to its end."""
        with suppress(OSError):
            (self._group.parent / "cgroup.procs").write_text(str(os.getpid()))
            self._group.rmdir()


def in_turn(bench: Path, shards: int, seeds: str, out: Path) -> None:
    """The shards one after the other, without Ray."""
    for number in range(1, shards + 1):
        words = [
            str(bench),
            *COMMAND,
            seeds,
            "--jobs",
            "1",
            "--shard",
            f"{number}/{shards}",
            "--out",
            f"{out}/{number}",
        ]
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    merged = [str(bench), "merge", *(f"{out}/{number}" for number in range(1, shards + 1)), "--out", str(out)]
    subprocess.run(merged, check=True, stdout=subprocess.DEVNULL)


def on_ray(bench: Path, shards: int, seeds: str, out: Path) -> None:
    """The shards on the cluster."""
    with out.with_name("log").open("w+") as errors:
        if driver(out, shards, seeds, bench, errors=errors).wait() != 0:
            errors.seek(0)
            raise SystemExit(errors.read())


def figures(bench: Path, folder: Path) -> None:
    """Every repetition, in turn, so that whatever else the machine does hits all of them."""
    seeds = "1..512"
    print(f"{len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f}; {' '.join(COMMAND)} {seeds}")
    print("| played by | shards | repetition | wall s | processor s |\n|---|---|---|---|---|", flush=True)

    meter = Meter()
    rows = [("one process", 1), ("processes in turn", 16), ("processes in turn", 64)]
    rows += [("Ray", shards) for shards in (2, 16, 64)]
    with cluster(folder, 1):
        on_ray(bench, 4, seeds, folder / "warm")  # Workers are started and the bench is unpacked after this.
        for repetition in (1, 2, 3):
            for kind, shards in rows:
                out = folder / f"{kind}-{shards}"
                before, started = meter.seconds(), time.monotonic()
                if kind == "one process":
                    one_process(bench, seeds, out)
                else:
                    (on_ray if kind == "Ray" else in_turn)(bench, shards, seeds, out)
                wall, processor = time.monotonic() - started, meter.seconds() - before
                print(f"| {kind} | {shards} | {repetition} | {wall:.1f} | {processor:.1f} |", flush=True)
                if result(out) != result(folder / "one process-1"):
                    raise SystemExit(f"FAILED: {shards} shards are not what one process plays")
                if kind != "one process":
                    shutil.rmtree(out)
    meter.remove()


def main() -> None:
    """Runs what the first word names."""
    parts = {"survive": survive, "figures": figures}
    if len(sys.argv) != 3 or sys.argv[1] not in parts:
        raise SystemExit(__doc__)
    # A cluster of our own: Ray asks whoever connects for its token.
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with tempfile.TemporaryDirectory(prefix="bbr-", ignore_cleanup_errors=True) as folder:
        parts[sys.argv[1]](Path(sys.argv[2]).resolve(), Path(folder))


if __name__ == "__main__":
    main()
