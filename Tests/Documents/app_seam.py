"""Holds Docs/Formats/app-seam.md against what the bench reads and writes.

Every row of a table has an example with exactly its members, and the names are those of the sources. Each example is
given to the bench, which takes it, and (with BABBENCH_PROOFS=1) without each of its members, which the bench refuses by
name. What the bench and its engines say to each other in scenarios and over the pipe has rows with these members and
types.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

LIMIT = 1 << 53
KINDS = ["input", "effect", "report", "action", "input with messages", "effect with messages"]
ROW = re.compile(r"^\| `([\w.]+)` \|([^|]*)\|", re.M)
MEMBER = re.compile(r"`(\w+)` ([A-Za-z_]+)( or null)?")
SCENARIOS = [
    "eight-peer-lobby", "role-start", "dialect-app", "client-vanishes-and-returns", "iphone-host-in-background",
    "host-vanishes"]
# What neither these scenarios nor the cases below bring; the bench takes their examples all the same.
SELDOM = {
    "input": {"connectFailed", "valueRead"},
    "effect": {"cancelConnect", "disconnect", "read", "writeWithoutResponse", "keep", "keepMore"},
    "report": {"violation", "vote", "voteResult"},
    "action": {
        "castVote", "endGame", "endSolo", "generate", "joinHostAt", "leave", "proposeVote", "speak", "startSolo"},
}


def whole(low, high):
    return lambda value: type(value) is int and low <= value <= high


def shaped(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def listed(check):
    return lambda value: isinstance(value, list) and all(map(check, value))


def record(**members):
    return lambda value: isinstance(value, dict) and list(value) == list(members) and all(
        check(value[name]) for name, check in members.items())


def is_text(value):
    return isinstance(value, str)


def is_flag(value):
    return type(value) is bool


def one_of(*words):
    return lambda value: value in words


is_octets = shaped("([0-9a-f]{2})*")
is_handle = whole(0, 65_535)
is_uuid = shaped("[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
TYPES = {
    "instant": whole(0, LIMIT), "number": whole(-LIMIT, LIMIT), "count": whole(0, LIMIT),
    "link": whole(0, (1 << 31) - 1), "peer": whole(0, (1 << 31) - 1), "flag": is_flag,
    "text": is_text, "octets": is_octets, "UUID": is_uuid,
    "address": shaped("[0-9A-F]{2}(:[0-9A-F]{2}){5}"), "octet": whole(0, 255), "ATT_MTU": whole(0, 65_535),
    "dBm": whole(-128, 127), "permille": whole(0, 1_000), "milliseconds": whole(0, LIMIT), "texts": listed(is_text),
    "UUIDs": listed(is_uuid), "characteristics": listed(record(uuid=is_uuid, properties=whole(0, 255))),
    "handle": is_handle, "interval": is_handle, "key": whole(-LIMIT, LIMIT), "request": whole(-LIMIT, LIMIT), "channel": whole(-1, LIMIT),
    "services": listed(record(type=is_uuid, primary=is_flag, start=is_handle, end=is_handle)),
    "found": listed(record(type=is_uuid, properties=whole(0, 255), handle=is_handle, end=is_handle)),
    "descriptors": listed(record(type=is_uuid, handle=is_handle)),
    "parts": listed(record(attribute=whole(-LIMIT, LIMIT), offset=whole(0, LIMIT), octets=is_octets)),
    "keys": listed(record(service=whole(-LIMIT, LIMIT))),
    "own": listed(record(
        attribute=whole(-LIMIT, LIMIT), type=is_uuid, properties=whole(0, 255), permissions=whole(0, 255),
        value=lambda value: value is None or is_octets(value),
        descriptors=listed(record(attribute=whole(-LIMIT, LIMIT), type=is_uuid, value=is_octets)))),
    "rows": listed(record(
        rank=whole(1, LIMIT), player=is_text, score=whole(-LIMIT, LIMIT),
        highlight=lambda value: value is None or is_text(value))),
    "entries": listed(record(peerID=is_text, count=whole(0, LIMIT))),
    "connection": whole(0, (1 << 31) - 1), "endpoint": whole(0, (1 << 31) - 1), "interface": one_of("wifi", "awdl"),
    "interfaces": listed(one_of("wifi", "awdl")), "duration": whole(0, LIMIT), "port": whole(0, 65_535),
    "failure": one_of("noPath", "refused", "reset", "timedOut", "interfaceOff", "reclaimed", "invalid"),
    "record": is_octets,
    "probes": record(idle=whole(0, LIMIT), interval=whole(0, LIMIT), count=whole(0, LIMIT)),
}


class Page:
    """The tables and the examples of the page."""

    def __init__(self, text):
        self.rows = {kind: {} for kind in KINDS}
        self.examples = {kind: {} for kind in KINDS}
        self.problems = []
        listed_types = re.findall(r"^\| (\w+) \| ", text.split("## Types")[1].split("## Inputs")[0], re.M)
        if sorted(set(listed_types) - {"type"}) != sorted(TYPES):
            self.problems.append(f"the types are {sorted(TYPES)}, and the page has {sorted(listed_types)}")
        parts = re.split(r"^\| (" + "|".join(sorted(KINDS, key=len, reverse=True)) + r") \| .*$", text, flags=re.M)
        for kind, part in zip(parts[1::2], parts[2::2]):
            table, _, rest = part.partition("```json\n")
            for name, cell in ROW.findall(table + "\n"):
                self.take_row(kind, name, cell)
            for line in rest.partition("```")[0].splitlines():
                example = json.loads(line)
                name = example["action"] if kind == "action" else example["name"]
                self.examples[kind][name] = example
        for kind in KINDS:
            if not self.rows[kind] or list(self.rows[kind]) != list(self.examples[kind]):
                self.problems.append(
                    f"{kind}: rows {list(self.rows[kind])}, examples {list(self.examples[kind])}")

    def take_row(self, kind, name, cell):
        members = {member: (type_name, bool(null)) for member, type_name, null in MEMBER.findall(cell)}
        rest = MEMBER.sub("", cell).replace("; ", "").strip()
        if rest and name != "user":
            self.problems.append(f"{name}: nobody knows what “{rest}” is")
        for member, (type_name, _) in list(members.items()):
            if type_name not in TYPES:
                self.problems.append(f"{name}: {member} is of the type {type_name}, which is none")
                members[member] = ("text", False)
        self.rows[kind][name] = members

    def misfit(self, kind, line):
        """What of a line is not as the page says; None when all is."""
        name = line["action"] if kind == "action" else line["name"]
        members = self.rows[kind].get(name)
        if members is None:
            return f"{kind} {name} is not on the page"
        rest = {key: value for key, value in line.items() if key != "name"}
        if kind.startswith("input") or kind == "action":
            rest.pop("at", None)
        if kind == "action":
            rest.pop("action")
        # A packet that is no text.
        if name == "message" and "octets" in rest:
            rest = {("text" if key == "octets" else key): value for key, value in rest.items()}
        if name != "send" and list(rest) != list(members):
            return f"{kind} {name} has the members {list(rest)}, and on the page {list(members)}"
        for member, value in rest.items():
            type_name, may_be_null = members[member]
            if not (value is None and may_be_null) and not TYPES[type_name](value):
                return f"{kind} {name}: {member} is {json.dumps(value)[:60]}, which is no {type_name}"
        return None


def names_of_sources(root):
    """The names that the sources write and read, of each kind."""
    def found(path, pattern, start="", end=None):
        text = (root / "Sources" / path).read_text(encoding="utf-8")
        text = text[text.index(start):]
        names = re.findall(pattern, text[:text.index(end)] if end else text)
        return set(names)

    seam = "Conformance/Report/JSONText+Seam.swift"
    written = r'\b(?:name|value)\("(\w+)"'
    network = "Conformance/Report/JSONText+Network.swift"
    of_network = r'\b(?:word|service)\("(net\.\w+)"'
    fields = r'visitor\.word\("((?:gap|gatt|l2cap)\.\w+)"\)'
    peers = "Conformance/IUT/Pipe/PeerVocabulary.swift"
    return {
        "input": found(seam, written, "mutating func input(", "mutating func effect(")
        | found(network, of_network, "mutating func input(", "mutating func effect(")
        | found("AppSeam/Attributes/GATTInput.swift", fields) | found("AppSeam/Channels/ChannelInput.swift", fields)
        | found("AppSeam/Access/GAPInput.swift", fields),
        "effect": found(seam, written, "mutating func effect(", "mutating func fault(")
        | found(network, of_network, "mutating func effect(")
        | found("AppSeam/Attributes/GATTEffect.swift", fields) | found("AppSeam/Channels/ChannelEffect.swift", fields)
        | found("AppSeam/Access/GAPEffect.swift", fields),
        "report": found("BabSim/Words/BabReport+Fields.swift", r'visitor\.word\("(\w+)"\)'),
        "action": found("BabSim/Words/BabAction+Fields.swift", r'visitor\.word\("(\w+)"\)'),
        "input with messages": found(peers, r'member\("name", "(\w+)"\)'),
        "effect with messages": found(peers, r'"(\w+)"', "effectNames = [", "]")
        - {"setTimer", "cancelTimer"} | found(peers, r'"(\w+)"', "wish = leads", "\n"),
    }


class Bench:
    """Asks the bench whether it takes a line."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.probe = folder / "probe.py"
        self.probe.write_text(
            "import json, sys\n"
            "hello = json.loads(sys.stdin.readline())\n"
            "print('{\"name\":\"hello\",\"protocol\":1,\"implementation\":\"probe\"}', flush=True)\n"
            "for line in sys.stdin:\n"
            "    given = json.loads(line)\n"
            "    effects = ''.join(sys.argv[1:]) if given['name'] == 'launched' else ''\n"
            "    print('{\"at\":%d,\"effects\":[%s]}' % (given['at'], effects), flush=True)\n", encoding="utf-8")

    def takes_inputs(self, lines):
        """Whether the reference understands these inputs, and what it says otherwise."""
        hello = {
            "name": "hello", "protocol": 1, "role": "host", "dialect": "sdk", "peerID": "iut", "displayName": "iut",
            "seed": "1", "game": {
                "totalLines": 0, "heartbeatMilliseconds": 0, "script": [], "scenarios": [], "earlierSessions": []}}
        ended = subprocess.run(
            [self.path, "engine", "reference", "--role", "host"], capture_output=True, text=True, timeout=60,
            input="".join(json.dumps(line) + "\n" for line in [hello, *lines]))
        return len(ended.stdout.splitlines()) == 1 + len(lines), ended.stderr

    def takes_effects(self, effects, seam, role):
        """Whether the bench takes these effects from a program, and what it says otherwise."""
        said = json.dumps(effects)[1:-1]
        # A word of a command has at most 4096 octets.
        words = [said[begin:begin + 4_000] for begin in range(0, len(said), 4_000)]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            description = {
                "name": "probe", "role": role, "seam": seam, "dialects": ["sdk"],
                "command": ["python3", "-S", "-E", str(self.probe), *words]}
            file = pathlib.Path(folder) / "probe.yaml"
            file.write_text(json.dumps(description), encoding="utf-8")
            case = {"host": "BAB/HOST/LOBBY/BV-02-C", "client": "BAB/CLIENT/LOBBY/BV-01-C"}[role]
            ended = subprocess.run(
                [self.path, "conform", "--iut", file, "--select", case], capture_output=True, text=True, timeout=60)
        if "\nverdict " not in "\n" + ended.stdout:
            return False, ended.stdout + ended.stderr
        return "gave no valid answer" not in ended.stdout, ended.stdout


def questions(page, bench, leaves_out):
    """
    What the bench is asked: (how, lines, the member that is left out). All examples of a kind, which it takes, and
    each example without each member that is required, which it does not.
    """
    for kind in KINDS:
        # These come from the bench only, and are seen in the traffic.
        if kind == "input with messages":
            continue
        seam = "messages" if "messages" in kind else "ble"
        by_role = {"host": [], "client": []}
        for name, example in page.examples[kind].items():
            by_role["client" if name == "search" else "host"].append(example)
        for role, examples in by_role.items():
            if kind in ("input", "action"):
                ask = bench.takes_inputs
            else:
                def ask(lines, seam=seam, role=role):
                    return bench.takes_effects(lines, seam, role)
            if examples:
                yield ask, examples, None
            for example in examples if leaves_out else []:
                row = page.rows[kind][example["action"] if kind == "action" else example["name"]]
                needed = [member for member in row if not row[member][1]]
                for member in [*needed, "action" if kind == "action" else "name"]:
                    yield ask, [{key: value for key, value in example.items() if key != member}], member


def refusals(page, bench, leaves_out):
    """How much the bench was asked, and what it answers that it should not."""
    def judge(question):
        ask, lines, missing = question
        is_taken, said = ask(lines)
        if missing is None:
            return None if is_taken else f"the bench does not take {json.dumps(lines)}:\n{said}"
        if is_taken:
            return f"the bench takes {json.dumps(lines)} without {missing}"
        return None if missing in said else f"{json.dumps(lines)} is refused for another reason than {missing}:\n{said}"

    asked = list(questions(page, bench, leaves_out))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [problem for problem in pool.map(judge, asked) if problem]
    return len(asked), found


def traffic(bench, folder, root):
    """(kind, line) of everything that is said in scenarios, and by a library over the pipe."""
    for scenario in SCENARIOS:
        out = folder / scenario
        subprocess.run(
            [bench, "run", scenario, "--out", out], cwd=root, stdout=subprocess.DEVNULL, check=True, timeout=120)
        with open(out / "trace.jsonl", encoding="utf-8") as trace:
            for text in trace:
                entry = json.loads(text)
                if entry["kind"] in ("input", "effect", "report"):
                    line = {
                        key: value for key, value in entry["payload"].items()
                        if key not in ("sequence", "instant", "device")}
                    yield ("action" if line["name"] == "user" else entry["kind"]), line
    for role in ("host", "client"):
        said = {way: folder / f"{role}-{way}.jsonl" for way in ("in", "out")}
        program = f"tee -a '{said['in']}' | python3 -S -E -B library_{role}.py | tee -a '{said['out']}'"
        description = {
            "name": "library", "role": role, "seam": "messages", "dialects": ["sdk"],
            "command": ["/bin/sh", "-c", f"cd '{root}/Examples/iut-python' && {{ {program}; }}"]}
        file = folder / f"{role}.yaml"
        file.write_text(json.dumps(description), encoding="utf-8")
        subprocess.run(
            [bench, "conform", "--iut", file, "--jobs", "1", "--select", f"BAB/{role.upper()}/LINK/**"],
            stdout=subprocess.DEVNULL, check=True, timeout=120)
        for way in said:
            for text in said[way].read_text(encoding="utf-8").splitlines():
                line = json.loads(text)
                if line.get("name") == "hello":
                    continue
                yield from ((with_messages("effect", one), one) for one in line["effects"]) if way == "out" else [
                    (with_messages("input", line), line)]


def with_messages(kind, line):
    """The table that a word of a library is in."""
    if kind == "input":
        if line["name"] == "user":
            return "action"
        return "input with messages" if line["name"] in ("peerConnected", "peerDisconnected", "message") else "input"
    if line["name"] in ("setTimer", "cancelTimer"):
        return "effect"
    return "effect with messages" if line["name"] in ("send", "endPeer", "advertise", "search") else "report"


def in_order(page, kind, line):
    """A line with its members in the order of the page: that of a program of somebody else means nothing."""
    row = page.rows[kind].get(line.get("action") if kind == "action" else line["name"], {})
    known = [member for member in row if member in line]
    return {key: line[key] for key in [*known, *(key for key in line if key not in known)]}


def check(path, root, bench, leaves_out):
    """
    - leaves_out: asks the bench about every example without each of its members too, which takes half a minute.
    Returns what is wrong, a text each.
    """
    page = Page(path.read_text(encoding="utf-8"))
    problems = page.problems
    for kind, names in names_of_sources(root).items():
        if names != set(page.rows[kind]):
            problems.append(
                f"{kind}: only in the sources {sorted(names - set(page.rows[kind]))}, "
                f"only on the page {sorted(set(page.rows[kind]) - names)}")
        for example in page.examples[kind].values():
            problems += filter(None, [page.misfit(kind, example)])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        count, found = refusals(page, Bench(bench, folder), leaves_out)
        problems += found
        seen = {kind: set() for kind in KINDS}
        lines = 0
        misfits = set()
        for kind, line in traffic(bench, folder, root):
            lines += 1
            seen[kind].add(line["action"] if kind == "action" else line["name"])
            misfits |= {page.misfit(kind, in_order(page, kind, line))} - {None}
        problems += sorted(misfits)
    seen["input"].add("user")
    # No app of these scenarios has a network.
    for kind in ("input", "effect"):
        # Apps written for CoreBluetooth speak these: VirtualProgramTests holds the examples.
        seen[kind] |= {name for name in page.rows[kind] if name.startswith(("net.", "gap.", "gatt.", "l2cap."))}
    for kind in KINDS:
        missing = set(page.rows[kind]) - seen[kind] - SELDOM.get(kind, set())
        if missing:
            problems.append(f"{kind}: {sorted(missing)} did not occur in the traffic")
    words = sum(map(len, page.rows.values()))
    print(f"{path.name}: {words} words, {count} questions to the bench, {lines} lines of traffic")
    return problems
