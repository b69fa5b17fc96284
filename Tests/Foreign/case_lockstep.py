"""Bumble in virtual time: the same session again and again, with one digest."""

import contextlib
import json
import re

from bench import Process, check

TIMES = 10


def lockstep(bench):
    """A Bumble central and a Bumble peripheral in virtual time: ten sessions have one digest, and it is replayed."""
    digests, seen, ratios = [], [], []
    for _ in range(TIMES):
        with pair(bench, "h4:tcp:0", "h4:tcp:0") as (serving, (first, second), session):
            seen.append(bench.facts(
                bench.start("bumble_lockstep.py", "--central", first, "--peripheral", second), 120))
            digest, ratio = ended(serving)
        digests.append(digest)
        ratios.append(ratio)
    same(bench, digests, seen)
    again = bench.replay(session)
    check(again == digests[0], f"replay gave {again}, the sessions had {digests[0]}")
    bench.note(f"one digest in {TIMES} sessions; {min(ratios)} to {max(ratios)} times as fast as real time")


def lockstep_processes(bench):
    """The same with a process for each, one at a Unix socket: whoever is first, three sessions have one digest."""
    digests, seen = [], []
    for time in range(3):
        path = bench.unused("host.sock")
        with pair(bench, f"h4:unix:{path}", "h4:tcp:0") as (serving, (first, second), _):
            ends = [("--central", first), ("--peripheral", second)]
            started = [bench.start("bumble_lockstep.py", *end) for end in (ends if time % 2 else reversed(ends))]
            facts = [each for process in started for each in bench.facts(process, 120)]
            seen.append(sorted(facts, key=lambda each: each["device"]))
            digests.append(ended(serving)[0])
    same(bench, digests, seen)
    bench.note("one digest in three sessions of two processes")


def lockstep_lobby(bench):
    """A Bumble client in one of our lobbies, in virtual time: it plays to the end, and three sessions have one digest."""
    digests, seen = [], []
    for _ in range(3):
        with bench.serve("guest-lobby", ["guest"], "--clock", "lockstep") as serving:
            process = bench.start("bumble_client.py", "--lockstep", serving.address("guest"), "--seconds", "90")
            seen += bench.facts(process, 120)
            digests.append(serving.judged(60)["digest"])
    check(len(set(digests)) == 1, f"the digests are {digests}")
    check(len({json.dumps(facts) for facts in seen}) == 1, f"Bumble has seen {seen}")
    facts = seen[0]
    check(facts["phase"] == "FINISHED" and len(facts["lines"]) == 16, f"its end: {facts['phase']}, {facts['lines']}")
    check(facts["read"] == 2 and not facts["refused"], f"it has read {facts['read']} and refused {facts['refused']}")
    bench.note(f"16 lines, {facts['leaderboard']['bumble']} points, one digest in three sessions")


@contextlib.contextmanager
def pair(bench, *ports):
    """Two bare controllers in lockstep: the process, where its ports are, and the recording."""
    session, ready = bench.unused("lockstep.jsonl"), bench.unused("lockstep.ready")
    serving = Process(
        [bench.binary, "hci", "serve", "--clock", "lockstep", "--end-with-hosts", "--begin", "all-hosts",
         "--controllers", "2", *[part for port in ports for part in ("--port", port)], "--record", session,
         "--ready-file", ready], bench.work / f"{session.name}.log")
    try:
        serving.wait_for("^ready", 20)
        yield serving, [line.split()[1] for line in ready.read_text().splitlines()], session
    finally:
        serving.stop()


def ended(serving):
    """Waits for the end of a session: its digest, and how much faster than real time it was."""
    code = serving.finish(30)
    check(code == 0, f"hci serve ended with {code}:\n{serving.text[-3000:]}")
    digest = re.search(r"^digest (\S+)$", serving.text, re.MULTILINE)[1]
    return digest, float(re.search(r"^lockstep: .* (\S+) times real time$", serving.text, re.MULTILINE)[1])


def same(bench, digests, seen):
    """One digest, and the same facts: the central has read the value and got each notification."""
    check(len(set(digests)) == 1, f"the digests are {digests}")
    check(len({json.dumps(facts) for facts in seen}) == 1, f"Bumble has seen {seen}")
    facts = {name: value for part in seen[0] for name, value in part.items()}
    check(facts["read"] == "first" and facts["heard"] == 100, f"Bumble has seen {facts}")
