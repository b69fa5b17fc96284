"""A plugin of pytest: devices of Bumble's own tests have controllers of one babbench, in virtual time.

A test that makes a `Controller` on a link gets a port of a room in its place: the first one on a link opens the room.
Controllers without a link are looked at by tests of themselves, and stay what they are. The event loop of each test has
the clock of the room. `BABBENCH` names the program, `BABBENCH_REPORT` the file to which a line of JSON is written for
each test that had a room.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bumble.controller
import bumble.crypto
import bumble.device
import pytest
from bumble.hci import LeFeatureMask

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Python"))

from babbench import lockstep  # noqa: E402

#: Controllers of a room; no test has more devices on a link.
PORTS = 4
#: Write BD_ADDR of Zephyr's vendor commands, and how its answer begins.
WRITE_ADDRESS, ANSWER = bytes([0x01, 0x06, 0xFC, 0x06]), bytes([0x04, 0x0E, 0x04, 0x01, 0x06, 0xFC])
#: Digests of the rooms of the running test.
digests = []


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
                [os.environ["BABBENCH"], "hci", "serve", "--clock", "lockstep", "--zephyr-commands", "--end-with-hosts",
                 "--controllers", str(PORTS), *ports, "--ready-file", ready],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        while not ready.exists():
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.002)

    def connect(self, on_packet):
        port = self.loop.connect(f"{self.folder}/{len(self.taken)}", on_packet)
        self.taken.append(port)
        return port

    def close(self):
        for port in self.taken:
            port.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        digest = re.search(r"^digest (\S+)$", (self.folder / "log").read_text(), re.MULTILINE)
        digests.append(digest[1] if digest else "none")
        shutil.rmtree(self.folder)


class PortController:
    """What a test takes for a controller: its packets go to a port of the room, and come from there."""

    #: Tests add to it what they want Bumble's own controller to have; ours has what it has.
    le_features = LeFeatureMask(0)

    def __init__(self, name, link, public_address):
        self.name, self.link, self.sink = name, link, None
        self.port = asyncio.get_running_loop().room_of(link).connect(self.came)
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


class Loop(lockstep.LockstepLoop):
    """One whose room ends with it, or with the next link."""

    link = room = None

    def room_of(self, link):
        if self.link is not link:
            self.leave()
            self.link, self.room = link, Room(self)
        return self.room

    def leave(self):
        if self.room:
            self.room.close()
            self.link = self.room = None
            self.begins_again()

    def close(self):
        self.leave()
        super().close()


class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self):
        return Loop()


# MARK: What no controller takes

# Helpers of the tests advertise once in a millisecond; 20 ms is the least (Vol 4, Part E, 7.8.5, 7.8.53).
LEAST = 20


async def start_advertising(device, *arguments, **options):
    for bound in ("advertising_interval_min", "advertising_interval_max"):
        options[bound] = max(options.get(bound) or LEAST, LEAST)
    return await start_as_it_is(device, *arguments, **options)


async def create_advertising_set(device, advertising_parameters=None, **options):
    wanted = advertising_parameters
    if wanted:
        wanted.primary_advertising_interval_min = max(wanted.primary_advertising_interval_min, LEAST)
        options["advertising_parameters"] = wanted
    return await create_as_it_is(device, **options)


bumble.controller.Controller = Controller
start_as_it_is, bumble.device.Device.start_advertising = bumble.device.Device.start_advertising, start_advertising
create_as_it_is = bumble.device.Device.create_advertising_set
bumble.device.Device.create_advertising_set = create_advertising_set

# Tests of isochronous streams have SDU intervals of 0 and 100 µs; 255 µs is the least (7.8.97). And their hosts do not
# say that they have streams, without which a controller refuses (7.8.99, 7.8.115).
LEAST_SDU_INTERVAL, SDU_INTERVAL = 0xFF, 10_000


async def setup_cig(device, parameters):
    for each in ("sdu_interval_c_to_p", "sdu_interval_p_to_c"):
        if getattr(parameters, each) < LEAST_SDU_INTERVAL:
            setattr(parameters, each, SDU_INTERVAL)
    return await setup_as_it_is(device, parameters)


async def power_on(device):
    device.cis_enabled = True
    await power_on_as_it_is(device)


setup_as_it_is, bumble.device.Device.setup_cig = bumble.device.Device.setup_cig, setup_cig
power_on_as_it_is, bumble.device.Device.power_on = bumble.device.Device.power_on, power_on
asyncio.set_event_loop_policy(Policy())
# Keys are those of the seed.
bumble.crypto.EccKey.generate = classmethod(
    lambda cls: cls.from_private_key_bytes(bytes([0]) + bumble.crypto.secrets.token_bytes(31)))


# MARK: What is told


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    digests.clear()
    item.outcomes = {}
    with lockstep.drawn(1):
        result = yield
    if digests:
        worst = next((each for each in item.outcomes.values() if each[0] != "passed"), ("passed", ""))
        with open(os.environ["BABBENCH_REPORT"], "a") as report:
            line = {"test": item.nodeid, "end": worst[0], "why": worst[1], "digests": list(digests)}
            report.write(json.dumps(line) + "\n")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    crash = getattr(report.longrepr, "reprcrash", None)
    item.outcomes[report.when] = (report.outcome, crash.message.split("\n")[0] if crash else "")
    return report
