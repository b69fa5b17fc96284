"""Bumble in virtual time: the same session ten times, with one digest."""

import json
import re

from bench import Process, check

TIMES = 10


def lockstep(bench):
    """A Bumble central and a Bumble peripheral in virtual time: ten sessions have one digest, and it is replayed."""
    digests, seen, ratios = [], [], []
    for _ in range(TIMES):
        session, ready = bench.unused("lockstep.jsonl"), bench.unused("lockstep.ready")
        serving = Process(
            [bench.binary, "hci", "serve", "--clock", "lockstep", "--end-with-hosts", "--begin", "all-hosts",
             "--controllers", "2", "--record", session, "--ready-file", ready], bench.work / f"{session.stem}.log")
        try:
            serving.wait_for("^ready", 20)
            places = [line.split()[1] for line in ready.read_text().splitlines()]
            seen += bench.facts(bench.start("bumble_lockstep.py", *places), 120)
            code = serving.finish(30)
        finally:
            serving.stop()
        check(code == 0, f"hci serve ended with {code}:\n{serving.text[-3000:]}")
        digests.append(re.search(r"^digest (\S+)$", serving.text, re.MULTILINE)[1])
        ratios.append(float(re.search(r"^lockstep: .* (\S+) times real time$", serving.text, re.MULTILINE)[1]))
    check(len(set(digests)) == 1, f"the digests are {digests}")
    check(len({json.dumps(facts) for facts in seen}) == 1, f"Bumble has seen {seen}")
    check(seen[0]["read"] == "first" and seen[0]["heard"] == 100, f"Bumble has seen {seen[0]}")
    again = bench.replay(session)
    check(again == digests[0], f"replay gave {again}, the sessions had {digests[0]}")
    bench.note(f"one digest in {TIMES} sessions; {min(ratios)} to {max(ratios)} times as fast as real time")
