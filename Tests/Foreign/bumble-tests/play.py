"""Plays Bumble's own tests with controllers of babbench, and holds what does not pass against `known.txt`."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from known_tests import known  # noqa: E402

#: Seconds of the wall clock without a test that ends.
PATIENCE = 60


def files(bumble):
    """Files whose tests have devices on a link. Those of transports have sockets, whose time is no room's."""
    return [path.name for path in sorted((bumble / "tests").glob("*_test.py"))
            if re.search(r"test_utils|LocalLink", path.read_text()) and path.name != "transport_test.py"]


def played(bumble, binary, report, words):
    """Runs pytest: what it said, and the lines of the report."""
    environment = {
        **os.environ, "BABBENCH": str(binary), "BABBENCH_REPORT": str(report), "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([str(bumble), str(HERE)])}
    chosen = ["-k", " or ".join(words)] if words else []
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *files(bumble), *chosen, "-p", "bumble_babbench", "-q", "--no-header",
         "-p", "no:cacheprovider", "--tb=short", "-o", f"faulthandler_timeout={PATIENCE}",
         "-o", "faulthandler_exit_on_timeout=true"],
        cwd=bumble / "tests", env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    lines = report.read_text().splitlines() if report.exists() else []
    if done.returncode not in (0, 1):
        sys.exit(f"pytest ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout, {line["test"]: line for line in map(json.loads, lines)}


def judged(ends, everything):
    """What is not as `known.txt` says, in sentences."""
    reasons, findings, seen = known(HERE / "known.txt", r"\w+_test\.py::\S+$"), [], set()
    for name, end in ends.items():
        entry = next((each for each in (name, name.split("[")[0]) if each in reasons), None)
        seen.add(entry)
        if end["end"] != "passed" and not entry:
            findings.append(f"{name} has {end['end']}, and known.txt does not say why: {end['why']}")
        if end["end"] == "passed" and entry:
            findings.append(f"{name} has passed, and known.txt lists it under “{reasons[entry]}”")
    if everything:
        findings += [f"{name} is in known.txt, and Bumble has no such test" for name in reasons if name not in seen]
    return findings


def main():
    parser = argparse.ArgumentParser(prog="run", description=__doc__)
    parser.add_argument("bumble", type=Path, help="the folder of Bumble")
    parser.add_argument("babbench", type=Path)
    parser.add_argument("tests", nargs="*", help="only tests whose name contains one of these")
    parser.add_argument("--times", type=int, default=1, help="play each test so many times: the digests are the same")
    options = parser.parse_args()
    bumble, binary = options.bumble.resolve(), options.babbench.resolve()
    if not (bumble / "tests/device_test.py").is_file():
        parser.error(f"{options.bumble} has no tests/device_test.py")
    began, rounds = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="babbench-bumble-") as work:
        for number in range(options.times):
            said, ends = played(bumble, binary, Path(work) / f"{number}.jsonl", options.tests)
            rounds.append(ends)
    if not rounds[0]:
        parser.error("no test with devices on a link was played")
    findings = judged(rounds[0], not options.tests)
    for name, first in rounds[0].items():
        digests = [ends.get(name, {}).get("digests") for ends in rounds]
        if any(each != first["digests"] for each in digests):
            findings.append(f"{name} is not the same each time: {digests}")
    counts = Counter(end["end"] for end in rounds[0].values())
    if findings:
        print(said)
    print(f"{'tests':>6} {'passed':>7} {'failed':>7}")
    print(f"{len(rounds[0]):6} {counts['passed']:7} {counts['failed']:7}")
    print(f"{sum(map(len, rounds))} sessions in {time.monotonic() - began:.0f} s")
    print("\n".join(findings) if findings else "all as known.txt says")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
