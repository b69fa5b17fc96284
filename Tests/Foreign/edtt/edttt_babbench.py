"""A transport of EDTT (https://github.com/EDTTool/EDTT): its two devices are two controllers of one
`babbench hci serve --clock lockstep`, and its waits are time of the room.

EDTT talks to an application on each device: it sends a command, gets one answer, and asks for events and data in
between. `Device` is that application; it forwards commands of HCI to its port and queues what the controller sends.
"""

import argparse
import struct
import sys
from collections import deque
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Python"))

from babbench.lockstep import Port  # noqa: E402

from components.basic_commands import Commands  # noqa: E402 (EDTT's)

GROUP = 1
COMMAND, ACL, EVENT, ISO = 1, 2, 4, 5
COMMAND_COMPLETE, COMMAND_STATUS = 0x0E, 0x0F
#: How long an exchange with a device takes, as over a serial line. Some tests ask in a loop until something happens.
EXCHANGE = 1_000_000
#: Longer than any test takes.
PATIENCE = 600_000_000_000


class Device:
    """The application on a device: EDTT's commands in `ask`, its answers in `answer`."""

    def __init__(self, port):
        self.port = port
        self.answer = bytearray()
        self.events, self.data, self.iso = deque(), deque(), deque()
        self.expects = None  # the code of EDTT's command and the opcode of HCI that the controller has not answered
        self.wants = None  # EDTT waits for the first of this queue, and this builds the answer

    def ask(self, octets):
        """A command of EDTT: code, length, parameters."""
        code, length = struct.unpack_from("<HH", octets)
        parameters, name = bytes(octets[4:4 + length]), Commands(code).name.removeprefix("CMD_").removesuffix("_REQ")
        self.wants = None
        local = getattr(self, "on_" + name.lower(), None)
        if local:
            local(code + 1, parameters)
            return
        opcode = struct.unpack_from("<H", parameters)[0]
        self.expects = code, opcode
        self.command(opcode, parameters[2:])

    def command(self, opcode, parameters=b""):
        self.port.send(struct.pack("<BHB", COMMAND, opcode, len(parameters)) + parameters)

    def took(self, packet, instant):
        """A packet of the controller."""
        self.instant = instant
        stamp = instant // 1_000_000 & 0xFFFF_FFFF
        if packet[0] == EVENT:
            self.events.append(struct.pack("<HI", len(packet) + 3, stamp) + packet[1:])
            self.answer_command(packet)
        else:
            handle, length = struct.unpack_from("<HH", packet, 1)
            queue = self.data if packet[0] == ACL else self.iso
            queue.append(struct.pack("<HIHH", 8 + len(packet) - 5, stamp, handle, length) + packet[5:])
        self.serve()

    def answer_command(self, packet):
        code, opcode = self.expects or (0, 0)
        if packet[1] == COMMAND_COMPLETE and packet[4:6] == struct.pack("<H", opcode):
            returned = packet[6:]
        elif packet[1] == COMMAND_STATUS and packet[5:7] == struct.pack("<H", opcode):
            returned = packet[3:4]
        else:
            return
        self.expects = None
        self.reply(code + 1, returned)

    def reply(self, code, parameters=b""):
        self.answer += struct.pack("<HH", code, len(parameters)) + parameters

    def want(self, queue, head):
        self.wants = queue, head
        self.serve()

    def serve(self):
        """Answers with the first of a queue, once it has one."""
        if self.wants and self.wants[0]:
            queue, head = self.wants
            self.answer += head + queue.popleft()
            self.wants = None

    def on_echo(self, answer, parameters):
        self.reply(answer, parameters)

    def on_flush_events(self, answer, _):
        self.events.clear()
        self.reply(answer)

    def on_has_event(self, answer, _):
        self.reply(answer, bytes([min(len(self.events), 255)]))

    def on_get_event(self, answer, parameters):
        if not parameters[0]:
            self.want(self.events, struct.pack("<H", answer))
            return
        count = min(len(self.events), 255)
        self.answer += struct.pack("<HB", answer, count)
        for _ in range(count):
            self.answer += self.events.popleft()

    def on_le_data_flush(self, answer, _):
        self.data.clear()
        self.reply(answer)

    def on_le_data_ready(self, answer, _):
        self.reply(answer, bytes([not self.data]))

    def on_le_data_write(self, answer, parameters):
        self.port.send(bytes([ACL]) + parameters)
        self.reply(answer, b"\0")

    def on_le_data_read(self, answer, _):
        self.want(self.data, struct.pack("<H", answer))

    def on_le_iso_data_flush(self, answer, _):
        self.iso.clear()
        self.reply(answer)

    def on_le_iso_data_ready(self, answer, _):
        self.reply(answer, bytes([not self.iso]))

    def on_le_iso_data_write(self, answer, parameters):
        self.port.send(bytes([ISO]) + parameters)
        self.reply(answer, b"\0")

    def on_le_iso_data_read(self, answer, _):
        self.want(self.iso, struct.pack("<H", answer))


class EDTTT:
    """What EDTT loads: its name and its methods are EDTT's."""

    n_devices = 2
    low_level_device = None
    sim_id = "babbench"

    def __init__(self, arguments, trace):
        parser = argparse.ArgumentParser(prog="babbench transport", add_help=False)
        parser.add_argument("--ports", nargs=2, required=True, help="the ports of the upper and of the lower tester")
        self.addresses = parser.parse_known_args(arguments)[0].ports
        self.Trace, self.devices, self.now = trace, [], 0

    @property
    def last_t(self):
        """The time of the room in microseconds."""
        return self.now // 1_000

    def get_last_t(self):
        return self.last_t

    def get_time(self):
        """The time of the room in milliseconds."""
        return self.now / 1_000_000

    def connect(self):
        self.devices = [Device(Port(address, GROUP)) for address in self.addresses]
        self._take_turns()

    def send(self, idx, message):
        self.devices[idx].answer.clear()
        self.devices[idx].ask(message)
        self._pass_time(self.now + EXCHANGE)

    def recv(self, idx, number_bytes, to=None):
        """The next octets of an answer, or fewer after `to` milliseconds."""
        device, end = self.devices[idx], self.now + int(10 if to is None else to) * 1_000_000
        while len(device.answer) < number_bytes and self.now < end:
            self._wait(end)
        octets = bytes(device.answer[:number_bytes])
        del device.answer[:number_bytes]
        return octets

    def wait(self, milliseconds):
        self._pass_time(self.now + int(milliseconds * 1_000_000))

    def wait_until_t(self, microseconds):
        self._pass_time(int(microseconds * 1_000))

    def close(self):
        for device in self.devices:
            device.port.close()
        self.devices = []

    def _pass_time(self, until):
        while self.now < until:
            self._wait(until)

    def _wait(self, until):
        """Until then, or until a packet has come."""
        if until > PATIENCE:
            raise RuntimeError("the test takes more time of the room than any")
        for device in self.devices:
            device.port.end_turn(until)
        self._take_turns()

    def _take_turns(self):
        turns = [device.port.read_turn() for device in self.devices]
        self.now = turns[0].instant
        for device, turn in zip(self.devices, turns):
            for packet in turn.packets:
                device.took(packet, turn.instant)
