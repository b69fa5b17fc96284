"""Runs the tests of this folder against one babbench; `run` beside it makes the Python environment first."""

import importlib.metadata
import logging
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import case_channels
import case_bumble_tests
import case_edtt
import case_extended
import case_hostile
import case_lockstep
import case_pairing
import case_periodic
import case_play
import case_rootcanal
import case_stacks
import case_subrate
import case_tools
from bench import Bench, Failed, Skipped

TESTS = [
    case_play.client, case_play.host, case_play.rush, case_tools.tools, case_pairing.pairing, case_channels.channels,
    case_hostile.hostile, case_hostile.crowd, case_lockstep.lockstep, case_lockstep.lockstep_processes,
    case_lockstep.lockstep_lobby, case_extended.extended, case_periodic.periodic, case_subrate.subrate,
    case_rootcanal.answers, case_rootcanal.pair, case_stacks.discovery, case_stacks.bonds,
    case_stacks.update, case_stacks.stream, case_edtt.edtt,
    case_bumble_tests.bumble_tests]


def versions(binary):
    mine = subprocess.run([binary, "--version"], capture_output=True, text=True).stdout.strip()
    packages = [f"{name} {importlib.metadata.version(name)}" for name in ("bumble", "rootcanal")]
    return f"babbench {mine}, {', '.join(packages)}, Python {platform.python_version()}"


def run(test, binary, work):
    """One test: how it ended, in a word, and a line or some about it."""
    bench = Bench(binary, work)
    began = time.monotonic()
    try:
        test(bench)
        reason = None
    except Skipped as reason:
        print(f"**** SKIPPED: {test.__name__}: {reason} ****\nUNTESTED: {reason}", flush=True)
        return "skipped"
    except Failed as failure:
        reason = str(failure)
    except Exception:  # whatever it is, the other tests are to run
        reason = traceback.format_exc()
    seconds = time.monotonic() - began
    print(f"{'FAILED' if reason else 'pass  '}  {test.__name__:9} {seconds:6.1f} s  {test.__doc__}", flush=True)
    for note in bench.notes:
        print(f"          {note}")
    if reason:
        print("\n".join("          " + line for line in reason.splitlines()))
    sys.stdout.flush()
    return "failed" if reason else "passed"


def main(arguments):
    if "--list" in arguments:
        for test in TESTS:
            print(f"{test.__name__:9} {test.__doc__}")
        return 0
    binary, *names = arguments
    unknown = set(names) - {test.__name__ for test in TESTS}
    if unknown or not os.access(binary, os.X_OK):
        print(f"no such test: {', '.join(sorted(unknown))}" if unknown else f"{binary} cannot be run")
        return 64
    chosen = [test for test in TESTS if not names or test.__name__ in names]
    logging.disable(logging.CRITICAL)  # Bumble's, for the tests that have it in their own process
    print(versions(binary))
    work = Path(tempfile.mkdtemp(prefix="babbench-foreign-"))
    began = time.monotonic()
    ends = [run(test, binary, work / test.__name__) for test in chosen]
    skipped = f", {ends.count('skipped')} skipped" if "skipped" in ends else ""
    print(f"{ends.count('passed')} of {len(chosen)} passed{skipped} in {time.monotonic() - began:.0f} s")
    if "failed" not in ends:
        shutil.rmtree(work)
    else:
        print(f"logs, sessions and results are in {work}")
    return 1 if "failed" in ends else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
