"""Bumble plays Bab: as a client, as the host, seven times at once; and what was recorded gives the same again."""

from bench import HERE, check

GUESTS = [f"guest-{number}" for number in range(1, 8)]


def client(bench):
    """A Bumble client joins our host with six of ours, and plays to the end; replayed ten times it is the same."""
    with bench.serve("guest-lobby", ["guest"]) as serving:
        facts, = bench.facts(bench.start("bumble_client.py", serving.transport("guest"), "--seconds", "90"), 120)
        result = serving.judged(60)
    check(facts["attMTU"] == 185, f"ATT_MTU {facts['attMTU']}")
    check((facts["name"] or "").startswith("bab-game"), f"found under the name {facts['name']}")
    check(len(facts["players"]) == 8 and "bumble" in facts["players"], f"its lobby: {facts['players']}")
    check(facts["phase"] == "FINISHED" and facts["summaryLines"] == 16, f"its end: {facts['phase']}")
    check(len(facts["lines"]) == 16 == len(set(facts["lines"])), f"its lines: {facts['lines']}")
    check(facts["read"] == 2, f"{facts['read']} lines read of 16, with eight players")
    check(facts["leaderboard"].get("bumble", 0) > 0, f"its leaderboard: {facts['leaderboard']}")
    check(not facts["refused"], f"it refused {facts['refused']}")
    bench.note(f"16 lines, {facts['leaderboard']['bumble']} points, attempts {facts['attempts']}")

    digests = {bench.replay(serving.session) for _ in range(9)} | {result["digest"]}
    check(len(digests) == 1, f"ten replays gave {sorted(digests)}")
    bench.note(f"digest {result['digest']} in the session and in ten replays")


def host(bench):
    """Seven clients of ours join a Bumble host, and play eight lines with it to the end."""
    with bench.serve("guest-host", ["host"]) as serving:
        facts, = hosted(bench, serving)
        check(len(facts["roster"]) == 8, f"its lobby: {facts['roster']}")
    with bench.serve(HERE / "game.yaml", ["host"]) as serving:
        facts, = hosted(bench, serving)
    check(len(facts["roster"]) == 8, f"its lobby: {facts['roster']}")
    check(facts["phases"] == ["LOBBY", "ACTIVE", "FINISHED"], f"its phases: {facts['phases']}")
    check(len(facts["lines"]) == 8 and facts["summary"]["lines"] == 8, f"its lines: {facts['lines']}")
    check(not facts["violations"] and not facts["refused"], f"it refused {facts['refused']} {facts['violations']}")
    bench.note(f"{facts['connections']} connections, roster of {len(facts['roster'])}, {len(facts['lines'])} lines, "
               f"phases {' '.join(facts['phases'])}")


def hosted(bench, serving):
    """A Bumble host in a scenario, until the scenario is through."""
    process = bench.start("bumble_host.py", serving.transport("host"), "--lines", "8", "--stay", "60")
    serving.judged(150)
    return bench.facts(process, 20)


def rush(bench):
    """Seven Bumble clients on seven controllers join our host at once: all seven are in."""
    with bench.serve(HERE / "rush.yaml", GUESTS) as serving:
        process = bench.start("bumble_rush.py", *[serving.transport(name) for name in GUESTS], "--until", "end")
        facts, = bench.facts(process, 90)
        serving.judged(60)
    check(facts["joined"] == 7, f"{facts['joined']} of 7 got in: {facts['players']}")
    for player in facts["players"]:
        check(len(player["players"]) == 8, f"{player['id']} was shown {player['players']}")
        check(player["phase"] == "FINISHED", f"{player['id']} is in phase {player['phase']}")
    bench.note(f"{facts['joined']} of 7 in, {facts['firstTry']} at the first attempt, all by {facts['seconds']:.1f} s")
