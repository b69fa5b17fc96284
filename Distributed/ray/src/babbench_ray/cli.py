"""The command line of babbench-ray."""

import argparse
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from babbench_ray import __version__
from babbench_ray.bundle import bench_files, digest, installed, pack
from babbench_ray.collected import Collected
from babbench_ray.contract import INTERRUPTED, Campaign, Refusal
from babbench_ray.driver import Run, merge
from babbench_ray.play import Job, version
from babbench_ray.progress import Progress

_UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{message}; see babbench-ray {'run ' if 'run' in self.prog else ''}--help")


class _Signals:
    """The first SIGINT or SIGTERM asks. Another one ends this process; Ray ends its tasks then."""

    def __init__(self) -> None:
        self.caught = False
        self.install()

    def install(self) -> None:
        """Takes the signals; again after somebody else took them."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.caught:
            os._exit(INTERRUPTED)
        self.caught = True


def octets(text: str) -> int:
    """A size: `200MB`, `1GiB`, or a plain number of octets."""
    match = re.fullmatch(r"(\d+) ?([KMG]i?B)?", text)
    if not match or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"a size is a number with KB, MB, GB, KiB, MiB or GiB, not '{text}'")
    return int(match[1]) * _UNITS[match[2] or ""]


def count(text: str) -> int:
    """A number that is not negative."""
    if not re.fullmatch(r"\d{1,9}", text):
        raise argparse.ArgumentTypeError(f"a number is wanted, not '{text}'")
    return int(text)


def parser() -> argparse.ArgumentParser:
    """The words that the command knows."""
    whole = _Parser(prog="babbench-ray", description="Play babbench on a Ray cluster.", allow_abbrev=False)
    whole.add_argument("--version", action="version", version=f"babbench-ray {__version__}")
    run = whole.add_subparsers(dest="name", required=True, parser_class=_Parser, metavar="run").add_parser(
        "run",
        help="play a campaign in shards and merge them",
        allow_abbrev=False,
        epilog="Exit codes: as babbench merge; 3 no cluster, or shards keep dying; 64 wrong use; 130 interrupted.",
    )
    add = run.add_argument
    add("--binary", type=Path, required=True, help="babbench, or a folder that contains it and what it needs")
    add("--shards", type=count, required=True, help="how many parts; some for each processor of the cluster")
    add("--out", type=Path, required=True, help="the folder of the merged result; shards are collected in OUT.shards")
    add("--address", help="the cluster: auto, or HOST:PORT (default: RAY_ADDRESS, else a Ray of this machine alone)")
    add("--cpus", type=count, default=1, help="processors, and --jobs, of a shard (default: 1)")
    add("--retries", type=count, default=3, help="how often a shard that died is played again (default: 3)")
    add("--with", dest="extra", action="append", default=[], metavar="PATH", help="a file or folder that nodes need")
    add("--leave-out", action="append", default=[], metavar="NAME", help="what of a shard's folder does not travel")
    add("--limit", type=octets, default=octets("64MiB"), help="the size of a shard's packed folder (default: 64MiB)")
    add("--resume", action="store_true", help="continue from the shards that an earlier run collected")
    add("--keep-shards", action="store_true", help="do not remove the shards after merging")
    add("command", nargs="*", metavar="-- COMMAND", help="the command of babbench, without --shard and --out")
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit code."""
    try:
        return _run(parser().parse_args(arguments))
    except Refusal as refusal:
        print(f"babbench-ray: {refusal}", file=sys.stderr)
        return refusal.code
    except OSError as error:
        print(f"babbench-ray: {error}", file=sys.stderr)
        return 3


def _run(options: argparse.Namespace) -> int:
    campaign = Campaign(tuple(options.command), options.shards)
    campaign.check()
    if options.cpus == 0:
        raise Refusal("--cpus must be at least 1")
    archive = pack(bench_files(options.binary, options.extra, Path.cwd()))
    out = options.out.absolute()
    signals = _Signals()
    bench = installed(digest(archive), lambda: archive)
    code, line = version(bench)
    if code != 0:
        raise Refusal(f"{options.binary}: this does not start: {line}")
    collected = Collected(out, campaign, digest(archive), options.resume)
    job = Job(
        command=campaign.command,
        shards=campaign.shards,
        bench=digest(archive),
        version=line,
        campaign=digest(repr((campaign, digest(archive))).encode()),
        jobs=options.cpus,
        leave_out=options.leave_out,
        limit=options.limit,
    )
    try:
        complete = not collected.missing() or _play(options, job, archive, collected, signals)
    except SystemExit:
        complete = False  # SIGTERM while Ray starts; it has a handler of its own then.
    finally:
        collected.remove_if_empty()
    if not complete:
        again = "the same command with --resume continues"
        print(f"babbench-ray: interrupted; {len(collected.missing())} shards are missing, {again}", file=sys.stderr)
        return INTERRUPTED
    code = merge(bench, collected, out)
    if code in (0, 1, 2) and not options.keep_shards:
        collected.remove()
    return code


def _play(options: argparse.Namespace, job: Job, archive: bytes, collected: Collected, signals: _Signals) -> bool:
    """Plays what is missing on the cluster. Returns False when it was interrupted."""
    try:
        from babbench_ray.cluster import RayCluster, connected
    except ImportError as error:
        raise Refusal(f"Ray is not installed: {error}", 3) from error
    with connected(options.address) as about:
        signals.install()  # Ray has set its own.
        progress = Progress(sys.stderr, os.environ, time.monotonic, job["shards"])
        progress.note(f"{job['version']}, {about}")
        cluster = RayCluster(job, archive, options.cpus)
        run = Run(cluster, collected, progress, job["shards"], options.retries, lambda: signals.caught)
        return run.play()
