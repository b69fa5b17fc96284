"""Bumble's own tests with our controllers, in virtual time."""

import os
import re
import subprocess

from bench import HERE, Skipped, check

FOLDER = os.environ.get("BABBENCH_BUMBLE", "")


def bumble_tests(bench):
    """Bumble's tests with devices on a link end as bumble-tests/known.txt says, and those of GATT have one digest."""
    if not FOLDER:
        raise Skipped("Bumble's own tests", "BABBENCH_BUMBLE names no folder of Bumble")
    bench.note(played(bench, FOLDER))
    played(bench, FOLDER, "gatt_test", "--times", "2")


def played(bench, *arguments):
    """Runs the tests; the row of its table."""
    done = subprocess.run(
        [HERE / "bumble-tests" / "run", arguments[0], bench.binary, *arguments[1:]], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 77:
        raise Skipped("Bumble's own tests", "no Python with Bumble's packages, pytest and pytest-asyncio")
    check(done.returncode == 0, done.stdout[-6000:])
    tests, passed = re.search(r"^ *(\d+) +(\d+) +\d+$", done.stdout, re.MULTILINE).groups()
    return f"{passed} of {tests} passed, as known.txt says"
