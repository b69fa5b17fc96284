"""The tests of EDTT on our controllers, in virtual time."""

import os
import re
import subprocess

from bench import HERE, Skipped, check

FOLDER = os.environ.get("BABBENCH_EDTT", "")
HANDFUL = "HCI/CCO/BV-07", "GAP/CONN/CPUP/BV-01", "LL/CON/CEN/BV-03", "LL/CON/PER/BV-40", "LL/SEC/ADV/BV-16"


def edtt(bench):
    """EDTT's tests of HCI, GAP and LL end as edtt/known.txt says, and a handful of them has one digest in ten runs."""
    if not FOLDER:
        raise Skipped("EDTT", "BABBENCH_EDTT names no folder of EDTT")
    bench.note(played(bench, FOLDER))
    played(bench, FOLDER, *HANDFUL, "--times", "10")


def played(bench, *arguments):
    """Runs EDTT; the lines of its table, in one."""
    done = subprocess.run(
        [HERE / "edtt" / "run", arguments[0], bench.binary, *arguments[1:]], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 77:
        raise Skipped("EDTT", "no Python with numpy for it")
    check(done.returncode == 0, done.stdout[-6000:])
    rows = re.findall(r"^(HCI|GAP|LL) +(\d+) +(\d+)", done.stdout, re.MULTILINE)
    return ", ".join(f"{suite} {passed} of {tests}" for suite, tests, passed in rows) + " passed, as known.txt says"
