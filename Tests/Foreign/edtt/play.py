"""Plays the tests of EDTT, each in a room of its own, and holds what does not pass against `known.txt`."""

import argparse
import contextlib
import functools
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from known_tests import known  # noqa: E402

SUITES = {"HCI": "hci_verification", "GAP": "gap_verification", "LL": "ll_verification"}
SEED = 0x1234
#: Seconds of the wall clock for a test: then it has failed.
LIMIT = 120


class Trace:
    """EDTT's log."""

    transport = None

    class btsnoop:
        """EDTT's captures: none."""

        send = send_event = send_user_data = send_monitor_acl_rx = send_monitor_iso_rx = staticmethod(lambda *_: None)

    def trace(self, level, message):
        now = self.transport.get_time() if self.transport else 0
        for line in str(message).split("\n"):
            print(f"{now:12.3f} ms  {line}")


@functools.cache
def suite(name):
    """The tests of a suite by name. EDTT takes its own folder as that of its modules."""
    import importlib
    return importlib.import_module("tests." + SUITES[name])


def play(binary, work, suite_name, test_name):
    """One test in a room of its own: how it ended, and the digest of its session."""
    spec = suite(suite_name).get_tests_specs()[test_name]
    # Tests that read the air take what was on it after the testers and the log.
    needs_air = spec.test_private.__code__.co_argcount > 4
    folder, began = Path(work) / re.sub(r"\W+", "-", test_name), time.monotonic()
    folder.mkdir()
    with (folder / "edtt.log").open("w") as log, contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
        with serving(binary, folder, needs_air) as (addresses, room):
            try:
                end = played(addresses, suite(suite_name), spec)
                room.wait(30)
            except Exception:  # whatever it is, the other tests are to run
                traceback.print_exc()
                end = "failed"
        said = (folder / "room.log").read_text()
        digest = re.search(r"^digest (\S+)$", said, re.MULTILINE)
        return suite_name, test_name, end, digest[1] if digest else "no digest", time.monotonic() - began


def packets_on(transport):
    """What EDTT reads of the air."""
    from components.dump import Packets

    class Heard(Packets):
        """Some tests take the newest PDU right after they have enabled advertising. Ours begins up to 10 ms later."""

        def findLast(self, packet_filter=()):
            if super().findLast() is None:
                transport.wait(20)
            return super().findLast(packet_filter)

    return Heard(transport.low_level_device)


def played(addresses, module, spec):
    import random

    import numpy
    from edttt_babbench import EDTTT
    numpy.random.seed(SEED)
    random.seed(SEED)
    trace = Trace()
    transport = trace.transport = EDTTT(["--ports", *addresses[:2], *(["--air", addresses[2]] if addresses[2:] else [])], trace)
    transport.connect()
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"more than {LIMIT} s"))
    signal.alarm(LIMIT)
    try:
        packets = packets_on(transport) if transport.low_level_device else None
        failed = module.run_a_test(None, transport, trace, spec, packets)
    except SystemExit:
        traceback.print_exc()
        failed = True
    finally:
        signal.alarm(0)
        transport.close()
    return "failed" if failed else "passed"


@contextlib.contextmanager
def serving(binary, folder, needs_air):
    """A room with two controllers in lockstep, and perhaps a radio for the sniffer: the addresses of its ports, and the
    process."""
    sockets = tempfile.mkdtemp(prefix="edtt-")  # the path of a Unix socket has a hundred characters at most
    ready = Path(sockets) / "ready"
    with (folder / "room.log").open("w") as log:
        room = subprocess.Popen(
            [binary, "hci", "serve", "--clock", "lockstep", "--begin", "all-hosts", "--end-with-hosts",
             "--controllers", "2", "--zephyr-commands", "--port", f"h4:unix:{sockets}/upper", "--port", f"h4:unix:{sockets}/lower",
             *(["--port", f"air:unix:{sockets}/air"] if needs_air else []),
             "--record", folder / "session.jsonl", "--ready-file", ready],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        while not ready.exists():
            if room.poll() is not None:
                raise RuntimeError((folder / "room.log").read_text())
            time.sleep(0.01)
        yield [f"{sockets}/{name}" for name in ("upper", "lower", *(["air"] if needs_air else []))], room
    finally:
        if room.poll() is None:
            room.kill()
            room.wait()
        shutil.rmtree(sockets)


def table(ends):
    print(f"{'suite':6} {'tests':>6} {'passed':>7} {'failed':>7}")
    for name in (*SUITES, "all"):
        chosen = [end for suite_name, _, end, *_ in ends if name in (suite_name, "all")]
        passed = chosen.count("passed")
        if chosen:
            print(f"{name:6} {len(chosen):6} {passed:7} {len(chosen) - passed:7}")


def judged(ends, everything):
    """What is not as `known.txt` says, in sentences."""
    reasons, findings = known(HERE / "known.txt", r"(HCI|GAP|LL)/\S+$"), []
    for _, name, end, *_ in ends:
        if end != "passed" and name not in reasons:
            findings.append(f"{name} has {end}, and known.txt does not say why")
        if end == "passed" and name in reasons:
            findings.append(f"{name} has passed, and known.txt lists it under “{reasons[name]}”")
    if everything:
        there = {name for _, name, *_ in ends}
        findings += [f"{name} is in known.txt, and EDTT has no such test" for name in reasons if name not in there]
    return findings


def main():
    parser = argparse.ArgumentParser(prog="run", description=__doc__)
    parser.add_argument("edtt", type=Path, help="the folder of EDTT")
    parser.add_argument("babbench", type=Path)
    parser.add_argument("tests", nargs="*", help="only tests whose name contains one of these")
    parser.add_argument("--times", type=int, default=1, help="play each test so many times: the digests are the same")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=Path, help="leave logs and recordings in this folder")
    options = parser.parse_args()
    if not (options.edtt / "src/tests/ll_verification.py").is_file():
        parser.error(f"{options.edtt} has no src/tests/ll_verification.py")
    sys.path[:0] = [str(HERE), str(options.edtt.resolve() / "src")]
    binary, work = options.babbench.resolve(), options.keep and options.keep.resolve()
    os.chdir(options.edtt)  # a test reads a file of EDTT's from there
    chosen = [(name, test) for name in SUITES for test in suite(name).get_tests_specs()
              if not options.tests or any(part in test for part in options.tests)]
    if not chosen:
        parser.error(f"no test contains {' or '.join(options.tests)}")
    work = work or Path(tempfile.mkdtemp(prefix="babbench-edtt-"))
    began, rounds = time.monotonic(), []
    for number in range(1, options.times + 1):
        folder = work / f"round-{number}"
        folder.mkdir(parents=True)
        # A process for each test: what a test leaves in EDTT's modules does not reach the next one.
        with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
            rounds.append(pool.starmap(
                play, [(binary, folder, *each) for each in chosen], chunksize=1))
    findings = judged(rounds[0], not options.tests)
    for ends in zip(*rounds):
        if len({end[2:4] for end in ends}) > 1:
            findings.append(f"{ends[0][1]} is not the same each time: {', '.join(' '.join(end[2:4]) for end in ends)}")
    for _, name, end, digest, seconds in rounds[0]:
        print(f"{end:8} {digest} {seconds:5.1f} s  {name}")
    table(rounds[0])
    print(f"{len(rounds) * len(chosen)} sessions in {time.monotonic() - began:.0f} s")
    print("\n".join(findings) if findings else "all as known.txt says")
    if findings or options.keep:
        print(f"logs and recordings are in {work}")
    else:
        shutil.rmtree(work)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
