"""A peer in C (c-stacks): commands go in as lines, events come out as JSON, and a test says which it waits for."""

import json
import os
import subprocess
import time
from pathlib import Path

from bench import Process, Skipped, check

PATIENCE = 20  # seconds for any step
CONNECTION_FAILED_TO_BE_ESTABLISHED = 0x3E
TIMES_TO_TRY = 5
FOLDER = os.environ.get("BABBENCH_C_PEERS", "")
PROGRAMS = "nimble-peer", "btstack-peer"


def need_stacks():
    """What is not there cannot be tested; a folder that lacks a program is a mistake."""
    if not FOLDER:
        raise Skipped("NimBLE and BTstack", f"BABBENCH_C_PEERS names no folder with {' and '.join(PROGRAMS)}")
    for program in PROGRAMS:
        check((Path(FOLDER) / program).is_file(), f"BABBENCH_C_PEERS: {FOLDER} has no {program}")


class CPeer(Process):
    """One device: `stack` is nimble, btstack, or “nimble private”, `seat` a seat of `serving`."""

    def __init__(self, serving, stack, seat, address):
        stack, *options = stack.split()
        transport = serving.transport(seat)
        place = transport.partition(":")[2]
        where = place.split(":") if stack == "nimble" else [place]
        log = serving.bench.unused(f"{stack}-{seat}").with_suffix(".log")
        with log.with_suffix(".stderr").open("w") as said:
            super().__init__(
                [Path(FOLDER) / f"{stack}-peer", *where, address, *options], log, stdin=subprocess.PIPE, stderr=said)
        self.name, self.taken, self.is_private = f"{stack} at {seat}", {}, "private" in options

    def say(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def events(self, name):
        """All events of this name, in order."""
        found = []
        for line in list(self.lines):
            if line.startswith("{"):
                event = json.loads(line)
                if event["event"] == name:
                    found.append(event)
        return found

    def wait(self, name, seconds=PATIENCE):
        """The next event of this name. An end of the link that nobody waits for is a finding."""
        deadline = time.monotonic() + seconds
        index = self.taken.get(name, 0)
        with self.has_news:
            while len(found := self.events(name)) <= index:
                ends = self.events("disconnected")[self.taken.get("disconnected", 0):]
                check(name == "disconnected" or not ends,
                      f"{self.name}: the link ended with {[hex(end['reason']) for end in ends]} before “{name}”")
                left = deadline - time.monotonic()
                check(left > 0 and self.reader.is_alive(),
                      f"{self.name}: no event “{name}” within {seconds} s:\n{self.text[-2000:]}")
                self.has_news.wait(min(left, 0.5))
        self.taken[name] = index + 1
        return found[index]

    def ask(self, *words, event, seconds=PATIENCE):
        """A command and the event that ends it, which must be a success."""
        self.say(*words)
        answer = self.wait(event, seconds)
        check(answer.get("status", 0) == 0, f"{self.name}: {' '.join(map(str, words))}: {answer}")
        return answer

    def connect(self, name):
        """A link to the device of that name: the ATT_MTU. A request to connect that collides on the air never reaches
        the peripheral, and the central's link ends as not established (0x3E): it asks again."""
        def answers():
            return [each for each in self.events("mtu") if each["status"] == 0]
        for _ in range(TIMES_TO_TRY):
            known, ended = len(answers()), self.taken.get("disconnected", 0)
            self.ask("connect", name, event="connected")
            self.say("mtu")
            deadline = time.monotonic() + PATIENCE
            while len(answers()) == known and len(self.events("disconnected")) == ended:
                check(time.monotonic() < deadline, f"{self.name}: no ATT_MTU and no end:\n{self.text[-2000:]}")
                time.sleep(0.01)
            if len(answers()) > known:
                return answers()[-1]["value"]
            reason = self.wait("disconnected")["reason"]
            check(reason == CONNECTION_FAILED_TO_BE_ESTABLISHED, f"{self.name}: the link ended with {reason:#x}")
        check(False, f"{self.name}: {TIMES_TO_TRY} connections were not established")

    def discover(self):
        """(service, characteristic) to value handle, properties and descriptors, in the order of the handles."""
        seen = [len(self.events(name)) for name in ("characteristic", "descriptor")]
        self.ask("discover", event="discovered")
        found = {
            each["handle"]: {**each, "descriptors": {}} for each in self.events("characteristic")[seen[0]:]}
        for each in self.events("descriptor")[seen[1]:]:
            found[each["of"]]["descriptors"][each["uuid"].lower()] = each["handle"]
        return {
            (each["service"].lower(), each["uuid"].lower()): (handle, each["properties"], each["descriptors"])
            for handle, each in sorted(found.items())}

    def leave(self):
        self.say("disconnect")
        self.wait("disconnected")
