"""What the tests do with babbench and with RootCanal: start them, wait for them, ask for their results."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


class Failed(Exception):
    """A test's finding, in a sentence."""


class Skipped(Exception):
    """What cannot be tested here, and why."""

    def __init__(self, what, why):
        super().__init__(f"{what} ({why})")


def check(holds, what):
    """A check of a test: the sentence says what is wrong when it does not hold."""
    if not holds:
        raise Failed(what)


def free_ports(count):
    """Loopback TCP ports that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Process:
    """A program that runs beside the test, its output kept."""

    def __init__(self, command, log, **options):
        self.command, self.lines, self.log = [str(part) for part in command], [], Path(log)
        options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT, **options}
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, text=True, errors="replace", **options)
        self.has_news = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        with self.log.open("w") as log:
            for line in self.process.stdout:
                log.write(line)
                log.flush()
                with self.has_news:
                    self.lines.append(line.rstrip("\n"))
                    self.has_news.notify_all()
        with self.has_news:
            self.has_news.notify_all()

    @property
    def text(self):
        return "\n".join(self.lines)

    def wait_for(self, pattern, seconds):
        """Waits until a line matches, and returns the match."""
        deadline, looked = time.monotonic() + seconds, 0
        with self.has_news:
            while True:
                for line in self.lines[looked:]:
                    if match := re.search(pattern, line):
                        return match
                looked = len(self.lines)
                left = deadline - time.monotonic()
                check(left > 0 and (self.reader.is_alive() or looked < len(self.lines)),
                      f"{self.command[0]} never said “{pattern}”:\n{self.text[-2000:]}")
                self.has_news.wait(min(left, 0.5))

    def finish(self, seconds):
        """Waits for the end; the exit code."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.stop()
            raise Failed(f"did not end within {seconds} s: {' '.join(self.command)}\n{self.text[-2000:]}") from None
        self.reader.join(5)
        return code

    def stop(self):
        """Asks for the end, as Control-C does, and insists."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join(5)


class Serving(Process):
    """`babbench hci serve`: some controllers of a scenario's world, each on a free TCP port or at the address after a
    “=”. Without results the session is recorded, and nothing else is written."""

    def __init__(self, bench, scenario, devices, *options, has_results=True):
        self.bench, self.has_results, self.label = bench, has_results, ""
        self.out = bench.unused(f"served-{Path(scenario).stem}")
        self.session = self.out / "session.jsonl" if has_results else self.out.with_suffix(".jsonl")
        seats = [name if "=" in name else f"{name}=h4:tcp:127.0.0.1:0" for name in devices]
        writes = ["--out", self.out] if has_results else ["--record", self.session]
        super().__init__(
            [bench.binary, "hci", "serve", scenario, *[part for seat in seats for part in ("--port", seat)], *writes,
             *options], bench.work / f"{self.out.name}.log")
        try:
            self.wait_for("^ready", 20)
            names = [seat.partition("=")[0] for seat in seats]
            self.addresses = {name: self.wait_for(rf"^port {name} +(\S+)", 5)[1] for name in names}
            self.transports = {name: self.wait_for(rf"^port {name} .*bumble: (\S+)", 5)[1] for name in names}
        except Failed:
            self.stop()
            raise

    def transport(self, device):
        """As Bumble calls it."""
        return self.transports[device]

    def address(self, device):
        """As the bench and its clients in lockstep call it."""
        return self.addresses[device]

    def port(self, device):
        """The number of its TCP port."""
        return int(self.transports[device].rpartition(":")[2])

    def judged(self, seconds):
        """Waits for the scenario's end: exit code and verdict, and the same digest from the recording."""
        code = self.finish(seconds)
        check(code == 0, f"hci serve ended with {code}:\n{self.text[-3000:]}")
        return self.looked_through("pass")

    def interrupted(self, least_judged=2):
        """Control-C, where the scenario has no end of its own: nothing is found, and the recording is whole."""
        self.process.send_signal(signal.SIGINT)
        code = self.finish(30)
        check(code == 130, f"hci serve ended with {code} after SIGINT:\n{self.text[-3000:]}")
        return self.looked_through("pass", least_judged)

    def looked_through(self, verdict, least_judged=2):
        result = json.loads((self.out / "result.json").read_text()) if self.has_results else self.printed()
        check(result["verdict"] == verdict, f"the verdict is {result['verdict']}:\n{self.text[-3000:]}")
        judged = [oracle["id"] for oracle in result["oracles"] if oracle["judged"]]
        check(len(judged) >= least_judged, "no oracle had anything to judge")
        again = self.bench.replay(self.session)
        check(again == result["digest"], f"replay gave {again}, the session had {result['digest']}")
        lag = re.search(r"^(lag|lockstep:) .*$", self.text, re.MULTILINE)
        check(lag, "the report says nothing about lag")
        self.bench.note(self.label + lag[0])
        return result

    def printed(self):
        """What the report on the terminal says of what would be in result.json."""
        facts = {name: re.search(rf"^{name} (\S+)$", self.text, re.MULTILINE) for name in ("verdict", "digest")}
        for name, fact in facts.items():
            check(fact, f"the report says no {name}:\n{self.text[-3000:]}")
        oracles = [{"id": each[2], "judged": int(each[1])}
                   for each in re.finditer(r"^\w+ +(\d+) +\d+  (\w+)$", self.text, re.MULTILINE)]
        return {"oracles": oracles, **{name: fact[1] for name, fact in facts.items()}}


class Bench:
    """One babbench, and a folder for what a test leaves behind."""

    def __init__(self, binary, work):
        self.binary, self.work = Path(binary).resolve(), work
        self.started = 0
        self.names, self.naming = {}, threading.Lock()
        self.notes = []  # figures, printed beside the result
        work.mkdir(parents=True, exist_ok=True)

    def note(self, text):
        self.notes.append(text)

    def babbench(self, *arguments, seconds=60):
        """Runs it to its end: exit code and output."""
        done = subprocess.run(
            [str(self.binary), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=seconds)
        return done.returncode, done.stdout

    def unused(self, name):
        """A path in the folder of the test that nobody has asked for before."""
        with self.naming:
            self.names[name] = count = self.names.get(name, 0) + 1
        return self.work / (name if count == 1 else f"{name}-{count}")

    def replay(self, session, *options):
        """The digest of a recorded session, run again without anybody from outside."""
        code, text = self.babbench("replay", session, *options)
        digest = re.search(r"^digest ([0-9a-f]{32})$", text, re.MULTILINE)
        check(code == 0 and digest, f"replay ended with {code}:\n{text[-3000:]}")
        return digest[1]

    @contextlib.contextmanager
    def serve(self, scenario, devices, *options, has_results=True):
        serving = Serving(self, scenario, devices, *options, has_results=has_results)
        try:
            yield serving
        finally:
            serving.stop()

    @contextlib.contextmanager
    def rootcanal(self):
        """RootCanal: every connection to its port is another controller in the same room. Yields the port."""
        from rootcanal.binaries import get_package_binary_resource_path
        hci, *others = free_ports(4)
        names = ("-test_port", "-link_port", "-link_ble_port")
        options = [part for name, port in zip(names, others) for part in (name, port)]
        process = Process(
            [get_package_binary_resource_path("rootcanal"), "-hci_port", hci, *options], self.work / "rootcanal.log")
        try:
            process.wait_for(rf"Listening on: {hci}\b", 10)
            yield hci
        finally:
            process.stop()

    def start(self, script, *arguments):
        """Starts one of the Bumble scripts of this folder, or a tool of Bumble's. What it prints comes at once: a
        pipe would keep the first 8192 octets."""
        self.started += 1
        program = [sys.executable, "-B", HERE / script] if str(script).endswith(".py") else [
            Path(sys.executable).parent / script]
        log = self.work / f"{self.started}-{Path(script).stem}.log"
        return Process([*program, *arguments], log, env={**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"})

    def facts(self, process, seconds):
        """The JSON objects that a script prints, when it has ended well."""
        code = process.finish(seconds)
        check(code == 0, f"{' '.join(process.command[2:])} ended with {code}:\n{process.text[-3000:]}")
        facts = [json.loads(line) for line in process.lines if line.startswith("{")]
        check(facts, f"{' '.join(process.command[2:])} printed no facts:\n{process.text[-3000:]}")
        return facts
