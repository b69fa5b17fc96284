"""Our controllers beside RootCanal's: what they answer, and how the same two peers fare over either.

Whatever differs is a row of Docs/known-differences.md, with its reason: a difference that has no row fails the test,
and so does a row whose difference is not there any more.
"""

import json
import struct
from pathlib import Path

from bumble import hci

from bench import HERE, ROOT, check

LEDGER = ROOT / "Docs/known-differences.md"
# What a person sees and what a session comes to; not how long it took.
SHOWN = [
    "identity", "phase", "linkState", "lobby", "roster", "role", "ready", "turn", "screen", "committed",
    "lineGenerated", "lineAccepted", "score", "leaderboard", "vote", "voteResult", "achievement", "summary", "refused",
    "violation", "resumed", "sessionEnded"]


def ledger(section):
    """The rows of a section: key, ours, RootCanal's."""
    rows, at = {}, None
    for line in LEDGER.read_text().splitlines():
        if line.startswith("## "):
            at = line[3:].strip()
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| `") else None
        if at == section and cells:
            check(len(cells) == 4 and cells[3], f"{LEDGER.name}: a row is key, ours, RootCanal's, reason: {line}")
            key, ours, theirs = (cell.strip("`") for cell in cells[:3])
            check(key not in rows, f"{LEDGER.name} has {key} twice")
            rows[key] = (ours, theirs)
    check(rows, f"{LEDGER.name} has no section “{section}” with rows")
    return rows


def compare(bench, section, ours, theirs):
    """Two sets of facts must differ as the section says, and nowhere else."""
    known = ledger(section)
    found = {
        key: (ours.get(key, "none"), theirs.get(key, "none"))
        for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)}
    wrong = [
        f"| `{key}` | `{values[0]}` | `{values[1]}` | not in the ledger"
        + (f", which has {known[key]}" if key in known else "") + " |"
        for key, values in found.items() if known.get(key) != values]
    wrong += [f"{key} is in the ledger, and is the same now" for key in known if key not in found]
    check(not wrong, f"{LEDGER.name}, {section}:\n" + "\n".join(wrong))
    bench.note(f"{section}: {len(ours.keys() | theirs.keys())} facts compared, {len(found)} differ as the ledger says")


# What the controllers answer


def answered(bench, transport):
    facts, = bench.facts(bench.start("bumble_ask.py", transport), 30)
    flat = {}
    for key, value in facts.items():
        if isinstance(value, list):
            flat |= {f"{key}: {item}": "yes" for item in value}
        elif isinstance(value, dict):
            flat |= {f"{key}: {name}": str(item) for name, item in value.items()}
        else:
            flat[key] = str(value)
    return flat


def grouped(ours, theirs):
    """Feature and command names that one side alone has, as one fact for each list."""
    for kind in ("LE features", "LE commands"):
        mine = {key for key in ours if key.startswith(kind + ":")}
        yours = {key for key in theirs if key.startswith(kind + ":")}
        for facts, names in ((ours, mine), (theirs, yours)):
            for key in names:
                del facts[key]
        for name, facts, only in (("ours", ours, mine - yours), ("RootCanal’s", theirs, yours - mine)):
            names = sorted(key.split(": ")[1].removeprefix("HCI_LE_").removesuffix("_COMMAND") for key in only)
            if names:
                facts[f"{kind}, only {name}"] = " ".join(names)


def answers(bench):
    """Our controller and RootCanal's answer a Bumble host; the answers differ as Docs/known-differences.md says."""
    with bench.serve(HERE / "room.yaml", ["guest-1"]) as serving:
        ours = answered(bench, serving.transport("guest-1"))
    with bench.rootcanal() as port:
        theirs = answered(bench, f"tcp-client:127.0.0.1:{port}")
    grouped(ours, theirs)
    compare(bench, "Answers", ours, theirs)


# How two peers of ours fare


def shown(folder, is_simulated):
    """What each device has shown, in its order, as facts."""
    facts, names = {}, []
    for line in (folder / "trace.jsonl").read_text().splitlines():
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "header":
            names = [device["name"] for device in payload["devices"]]
        elif record["kind"] == "expectation":
            facts.setdefault(f"expected: {payload['text']}", str(payload["holds"]))
        elif record["kind"] == "report" and payload["name"] in SHOWN:
            frame = ("sequence", "instant", "device", "name")
            words = {key: value for key, value in payload.items() if key not in frame}
            if payload["name"] == "summary":
                # The wall clock's own; which digits they are says nothing.
                facts[f"{names[payload['device']]}: duration in the summary"] = (
                    "of the radio" if is_simulated else "of the session")
                check(words.pop("durationMilliseconds") > 0, "a game without duration")
            facts.setdefault(f"{names[payload['device']]}: {payload['name']}", []).append(words)
    result = json.loads((folder / "result.json").read_text())
    facts["verdict"] = result["verdict"]
    for device in result["devices"]:
        for key in ("links", "attMTU", "phase", "linkState"):
            facts[f"{device['name']}: {key} at the end"] = str(device[key])
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in facts.items()}


def packets(path):
    """Instant in microseconds, whether to the host, and octets, of a btsnoop file (datalink 1002, H4)."""
    octets = Path(path).read_bytes()
    check(octets[:8] == b"btsnoop\0", f"{path} is no btsnoop file")
    at = 16
    while at < len(octets):
        _, length, flags, _, instant = struct.unpack_from(">IIIIq", octets, at)
        yield instant, bool(flags & 1), octets[at + 24:at + 24 + length]
        at += 24 + length


def traffic(path):
    """What went over one HCI: events, and the answers to commands, by name. Not when: that is the machine's affair."""
    facts = {}
    for _, _, octets in packets(path):
        if octets[0] != hci.HCI_EVENT_PACKET:
            continue
        event = hci.HCI_Event.from_bytes(octets)
        if isinstance(event, (hci.HCI_Command_Complete_Event, hci.HCI_Command_Status_Event)):
            status = octets[6] if isinstance(event, hci.HCI_Command_Complete_Event) else octets[3]
            name = hci.HCI_Command.command_name(event.command_opcode)
            facts[f"{name} is answered with"] = hci.HCI_Constant.status_name(status)
        else:
            facts[f"{event.name} comes"] = "yes"
    return facts


def pair(bench):
    """Our host and client over two controllers of RootCanal show, and come to, what they do over ours."""
    out = {"ours": bench.work / "ours", "theirs": bench.work / "theirs"}
    code, text = bench.babbench("run", "pair", "--out", out["ours"])
    check(code == 0, f"run pair ended with {code}:\n{text[-3000:]}")
    with bench.rootcanal() as port:
        seats = [part for name in ("host", "client-1") for part in ("--controller", f"{name}=h4:tcp:127.0.0.1:{port}")]
        code, text = bench.babbench("play", "pair", *seats, "--out", out["theirs"], seconds=120)
    check(code == 0, f"play pair ended with {code}:\n{text[-3000:]}")
    digest = json.loads((out["theirs"] / "result.json").read_text())["digest"]
    again = bench.replay(out["theirs"] / "session.jsonl")
    check(again == digest, "the replay of the session over RootCanal gave another digest")
    compare(bench, "Outcome", shown(out["ours"], True), shown(out["theirs"], False))
    for name, device in (("host", "host"), ("client", "client-1")):
        ours, theirs = (traffic(out[side] / f"{device}.btsnoop") for side in ("ours", "theirs"))
        compare(bench, f"HCI of the {name}", ours, theirs)
