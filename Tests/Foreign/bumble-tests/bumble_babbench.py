"""A plugin of pytest: devices of Bumble's own tests have controllers of one babbench, in virtual time.

A test that makes a `Controller` on a link gets a port of a room in its place: the first one opens the room. Controllers
without a link are looked at by tests of themselves, and stay what they are. The event loop of each test has the clock
of the room. `BABBENCH` names the program.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bumble.controller

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Python"))

from babbench import lockstep  # noqa: E402

#: Controllers of a room; no test has more devices.
PORTS = 4
#: Write BD_ADDR of Zephyr's vendor commands, and how its answer begins.
WRITE_ADDRESS, ANSWER = bytes([0x01, 0x06, 0xFC, 0x06]), bytes([0x04, 0x0E, 0x04, 0x01, 0x06, 0xFC])


class Room:
    """A babbench with controllers at ports, in lockstep."""

    def __init__(self, loop):
        self.loop, self.taken = loop, []
        # The path of a Unix socket has a hundred characters at most.
        self.folder = Path(tempfile.mkdtemp(prefix="bumble-"))
        ready = self.folder / "ready"
        ports = [part for index in range(PORTS) for part in ("--port", f"h4:unix:{self.folder}/{index}")]
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [os.environ["BABBENCH"], "hci", "serve", "--clock", "lockstep", "--zephyr-commands", "--controllers",
                 str(PORTS), *ports, "--ready-file", ready],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        while not ready.exists():
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.005)

    def connect(self, on_packet):
        port = self.loop.connect(f"{self.folder}/{len(self.taken)}", on_packet)
        self.taken.append(port)
        return port

    def close(self):
        for port in self.taken:
            port.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class PortController:
    """What a test takes for a controller: its packets go to a port of the room, and come from there."""

    def __init__(self, name, link, public_address):
        self.name, self.link, self.sink = name, link, None
        self.port = room().connect(self.came)
        if public_address is not None:
            address = bytes.fromhex(str(public_address).split("/")[0].replace(":", ""))[::-1]
            self.port.send(WRITE_ADDRESS + address)

    def set_packet_sink(self, sink):
        self.sink = sink

    def came(self, packet):
        if not packet.startswith(ANSWER) and self.sink:
            self.sink.on_packet(packet)

    def on_packet(self, packet):
        self.port.send(bytes(packet))


class Controller(bumble.controller.Controller):
    """Bumble's, except on a link."""

    def __new__(cls, name, host_source=None, host_sink=None, link=None, public_address=None):
        if link is None:
            return super().__new__(cls)
        return PortController(name, link, public_address)


bumble.controller.Controller = Controller


def room():
    """The room of the running test."""
    loop = asyncio.get_running_loop()
    if loop.room is None:
        loop.room = Room(loop)
    return loop.room


class Loop(lockstep.LockstepLoop):
    """One whose room ends with it."""

    room = None

    def close(self):
        if self.room:
            self.room.close()
            self.room = None
        super().close()


class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self):
        return Loop()


asyncio.set_event_loop_policy(Policy())
