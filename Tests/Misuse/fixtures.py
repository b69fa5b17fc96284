"""The files that the misuses of cases.tsv find where they run."""

import os
import pathlib
import random
import subprocess

# Folders and files of good runs; what misuses leave elsewhere is looked at.
KEPT = ("run", "seeds", "shards", "edited", "verdicts", "stress", "used")

SCENARIO = """\
name: mine
radio: ideal
dialect: sdk
devices:
  host: { at: [0, 0] }
  client: { count: 1, around: host, radius: 1 m }
steps:
  - host: start hosting
expect:
  - everyone has no violations
"""

IUT = "name: {name}\nrole: {role}\ndialects: [sdk]\nics: all\ncommand: {command}\n{more}"
LIMITS = "ixit: { start-timeout: 1s, answer-timeout: 500ms, launch-timeout: 2s, end-timeout: 200ms }\n"

# Programs under test, a shell script each: what follows the hello.
HELLO = """read -r line; echo '{"name":"hello","protocol":1,"implementation":"script"}'\n"""
ASK = "read -r line || exit 0; at=${line#*:}; at=${at%%,*}\n"
PROGRAMS = {
    "dead": "exit 7\n",
    "killed": HELLO + "read -r line; kill -SEGV $$\n",
    "dies-later": HELLO + "read -r line; exit 3\n",
    "hangs": "exec sleep 1000\n",
    "hangs-later": HELLO + "read -r line; exec sleep 1000\n",
    "endless": HELLO + "exec yes\n",
    "endless-line": HELLO + "read -r line; exec tr '\\0' x < /dev/zero\n",
    "garbage": HELLO + "while read -r line; do printf '\\001\\377{]\\n'; done\n",
    "no-hello": "echo welcome; exec cat > /dev/null\n",
    "two-lines": HELLO + "while :; do " + ASK + """a="{\\"at\\":$at,\\"effects\\":[]}"; printf '%s\\n%s\\n' "$a" "$a"; done\n""",
    "two-lines-slowly": HELLO + "while :; do " + ASK
    + """a="{\\"at\\":$at,\\"effects\\":[]}"; echo "$a"; sleep 0.03; echo "$a"; done\n""",
    "closes-output": HELLO + "exec >&-; sleep 1000\n",
    "closes-input": HELLO + "exec <&-; sleep 1000\n",
    "says-nothing-more": HELLO + "exec cat > /dev/null\n",
    "wrong-instant": HELLO + """while read -r line; do echo '{"at":-1,"effects":[]}'; done\n""",
    "storm": HELLO + "while :; do " + ASK
    + """echo "{\\"at\\":$at,\\"effects\\":[{\\"name\\":\\"advertise\\",\\"localName\\":\\"x\\",\\"services\\":[]}]}"; done\n""",
    "timer-now": HELLO + "while :; do " + ASK
    + """echo "{\\"at\\":$at,\\"effects\\":[{\\"name\\":\\"setTimer\\",\\"timer\\":1,\\"at\\":$at}]}"; done\n""",
    "many-effects": HELLO + "while :; do " + ASK
    + """printf '{"at":%s,"effects":[' "$at"; i=0; while [ $i -lt 20000 ]; do printf '{"name":"stopScanning"},'; """
    + """i=$((i+1)); done; printf '{"name":"stopScanning"}]}\\n'; done\n""",
    "well": HELLO + "while :; do " + ASK + """echo "{\\"at\\":$at,\\"effects\\":[]}"; done\n""",
}


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text, encoding="utf-8")


def lay(origin, folder):
    """Puts the files of `origin` into a new folder: links, for nobody writes into them."""
    folder.mkdir()
    for path in origin.iterdir():
        if path.is_symlink() or path.is_file():
            os.link(path, folder / path.name, follow_symlinks=False)
        elif any(path.iterdir()):
            (folder / path.name).symlink_to(path)
        else:
            (folder / path.name).mkdir()


def make(folder, bench):
    folder.mkdir()

    def babbench(*words):
        subprocess.run([bench, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    write(folder, "empty", b"")
    write(folder, "words.txt", "these are words\nand no capture\n")
    write(folder, "noise.bin", random.Random(1).randbytes(4_096))
    (folder / "nothing").mkdir()
    write(folder, "full/foreign.txt", "mine\n")
    (folder / "loop").symlink_to("loop")
    (folder / "gone").symlink_to("nowhere")

    # Captures, whole and not.
    babbench("run", "lobby/two-peers", "--out", "run")
    babbench("run", "lobby/two-peers", "--seeds", "1..2", "--out", "seeds")
    host = (folder / "run/host.btsnoop").read_bytes()
    air = (folder / "run/air.pcapng").read_bytes()
    write(folder, "heading.btsnoop", host[:16])
    write(folder, "half-heading.btsnoop", host[:10])
    write(folder, "no-packets.pcap", bytes.fromhex("d4c3b2a1020004000000000000000000ffff000000010000"))
    write(folder, "half.pcapng", air[:20])
    write(folder, "ethernet.pcap", bytes.fromhex("d4c3b2a1020004000000000000000000ffff0000 01000000".replace(" ", "")))

    # Scenarios.
    write(folder, "mine.yaml", SCENARIO)
    write(folder, "no-expect.yaml", SCENARIO.partition("expect:")[0])
    write(folder, "tab.yaml", SCENARIO.replace("  host: {", "\thost: {"))
    write(folder, "key.yaml", SCENARIO.replace("radio:", "raido:"))
    write(folder, "who.yaml", SCENARIO.replace("- host: start", "- hots: start"))
    write(folder, "half.yaml", SCENARIO[:60])
    write(folder, "list.yaml", "- a\n- b\n")
    write(folder, "latin.yaml", SCENARIO.replace("mine", "é").encode("latin-1"))
    write(folder, "bomb.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi")))
    write(folder, "deep.yaml", "[" * 100_000)
    write(folder, "dies.yaml", SCENARIO.replace(
        "host: { at: [0, 0] }", "host: { at: [0, 0], app: { command: [/bin/sh, iut/dead.sh] } }"))
    write(folder, "storms.yaml", SCENARIO.replace(
        "host: { at: [0, 0] }", "host: { at: [0, 0], app: { command: [/bin/sh, iut/storm.sh] } }"))

    write(folder, "hangs.yaml", SCENARIO.replace(
        "host: { at: [0, 0] }", "host: { at: [0, 0], app: { command: [/bin/sh, iut/hangs-later.sh] } }"))

    # Implementations under test.
    for name, script in PROGRAMS.items():
        write(folder, f"iut/{name}.sh", script)
        write(folder, f"iut/{name}.yaml", IUT.format(
            name=name, role="host", command=f"[/bin/sh, {name}.sh]", more=LIMITS))
    waiver = "waivers:\n  - cases: '{}'\n    reason: known\n"
    for name, role, command, more in [
        ("waives-all", "host", "[/bin/sh, dead.sh]", LIMITS + waiver.format("**")),
        ("waives-well", "host", "[/bin/sh, well.sh]", LIMITS + waiver.format("**")),
        ("waives-nothing", "host", "[/bin/sh, well.sh]", waiver.format("BAB/CLIENT/ADV/**")),
        ("no-program", "host", "[no-such-program]", ""),
        ("no-file", "host", "[./no-such-file]", ""),
        ("folder-program", "host", "[./..]", ""),
        ("role", "hosst", "[/bin/true]", ""),
        ("client", "client", "[/bin/sh, well.sh]", ""),
    ]:
        write(folder, f"iut/{name}.yaml", IUT.format(name=name, role=role, command=command, more=more))
    write(folder, "iut/half.yaml", "name: half\nrole: ho")
    write(folder, "iut/reference.yaml", "name: reference\nrole: host\nbuiltin: reference\n")
    write(folder, "iut/no-command.yaml", "name: x\nrole: host\n")

    # Results of earlier runs, as they are and changed by hand.
    case = ("--select", "BAB/HOST/ADV/BV-01-C", "--dialect", "sdk")
    for number in ("1", "2"):
        babbench("stress", "lobby/two-peers", "--seeds", "1..4", "--shard", f"{number}/2", "--out", f"shards/s{number}")
        babbench("conform", "--iut", "reference", "--role", "host", "--dialect", "sdk", "--select",
                 "BAB/HOST/ADV/BV-01-C,BAB/HOST/ADV/BV-02-C", "--shard", f"{number}/2", "--out", f"shards/c{number}")
    babbench("stress", "lobby/two-peers", "--seeds", "1..4", "--out", "stress")
    babbench("conform", "--iut", "reference", "--role", "host", *case, "--out", "verdicts")
    table = (folder / "shards/s1/worlds.csv").read_text(encoding="utf-8")
    for name, changed in {
        "verdict": table.replace(",pass,", ",fail,", 1),
        "row": "\n".join(table.split("\n")[:-2]) + "\n",
        "heading": table.replace("verdict", "verdikt", 1),
    }.items():
        copy(folder / "shards/s1", folder / f"edited/{name}")
        write(folder, f"edited/{name}/worlds.csv", changed)
    copy(folder / "shards/s1", folder / "edited/result")
    result = (folder / "shards/s1/result.json").read_text(encoding="utf-8")
    write(folder, "edited/result/result.json", result[: len(result) // 2])
    copy(folder / "shards/c1", folder / "edited/part")
    part = (folder / "shards/c1/part.json").read_text(encoding="utf-8")
    write(folder, "edited/part/part.json", part.replace('"instant":', '"instant":1', 1))
    copy(folder / "shards/c1", folder / "edited/note")
    note = (folder / "shards/c1/shard.json").read_text(encoding="utf-8")
    write(folder, "edited/note/shard.json", note.replace('"version":1', '"version":9'))
    write(folder, "old.json", '{"version":99,"cases":[]}')
    write(folder, "other.json", (folder / "verdicts/result.json").read_text(encoding="utf-8").replace(
        "reference", "another one"))
    write(folder, "session.jsonl", '{"version":1}\n')
    write(folder, "attack.json", "{}")
    write(folder, "lines.dict", 'a="\\x0\n')


def copy(origin, target):
    for path in origin.rglob("*"):
        if path.is_file():
            (target / path.relative_to(origin)).parent.mkdir(parents=True, exist_ok=True)
            (target / path.relative_to(origin)).write_bytes(path.read_bytes())
