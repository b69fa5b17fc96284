"""A transport of EDTT (https://github.com/EDTTool/EDTT): its two devices are two controllers of one
`babbench hci serve --clock lockstep`, and its waits are time of the room. A third port, for the air, is its sniffer and
its low level device.

EDTT talks to an application on each device: it sends a command, gets one answer, and asks for events and data in
between. `Device` is that application; it forwards commands of HCI to its port and queues what the controller sends.
"""

import argparse
import struct
import sys
from collections import deque
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Python"))

from babbench.air import LE_1M, LE_2M, T_IFS, Air, Heard  # noqa: E402
from babbench.lockstep import Port  # noqa: E402

from components.basic_commands import Commands  # noqa: E402 (EDTT's)
from components.dump import DeviceDumpFileTx  # noqa: E402

GROUP = 1
COMMAND, ACL, EVENT, ISO = 1, 2, 4, 5
COMMAND_COMPLETE, COMMAND_STATUS = 0x0E, 0x0F
#: How long an exchange with a device takes, as over a serial line. Some tests ask in a loop until something happens.
EXCHANGE = 1_000_000
#: Longer than any test takes.
PATIENCE = 600_000_000_000
#: Commands of HCI with which a device becomes the central of a link.
CREATE_CONNECTION, EXTENDED_CREATE_CONNECTION = 0x200D, 0x2043
#: What the controllers can do, as EDTT asks for it (profile, table, entry): octets of an SDU, subevents of a stream and
#: new payloads in an event.
IXIT = {(4, 7, 1): (4095, 2), (4, 7, 14): (31, 1), (4, 7, 15): (15, 1)}
#: The code of EDTT's command for isochronous data.
ISO_DATA_WRITE = struct.pack("<H", Commands.CMD_LE_ISO_DATA_WRITE_REQ)
#: PDU types of advertising with which a link begins.
CONNECT_IND = 0b0101


class Device:
    """The application on a device: EDTT's commands in `ask`, its answers in `answer`."""

    def __init__(self, port):
        self.port = port
        self.answer = bytearray()
        self.events, self.data, self.iso = deque(), deque(), deque()
        self.expects = None  # the code of EDTT's command and the opcode of HCI that the controller has not answered
        self.wants = None  # EDTT waits for the first of this queue, and this builds the answer
        self.initiates = False  # it was the last to ask for a connection

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
        self.initiates = self.initiates or opcode in (CREATE_CONNECTION, EXTENDED_CREATE_CONNECTION)
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

    def on_get_ixit_value(self, answer, parameters):
        value, octets = IXIT[tuple(parameters[:3])]
        self.reply(answer, value.to_bytes(octets, "little"))


class Sniffer:
    """What EDTT reads of the air, and its low level device. The names of its methods are EDTT's."""

    #: How EDTT numbers PHYs in what its simulator writes.
    MODULATIONS = {LE_1M: 16, LE_2M: 32}

    def __init__(self, address, devices):
        self.air, self.devices = Air(address, GROUP), devices
        self.heard = deque()
        self.links = {}  # access address: the device that is the central, the end of the newest PDU, who sent it
        self.newest = None

    def took(self, turn):
        """What has come in a turn."""
        for each in turn:
            if isinstance(each, Heard):
                self.newest = each
                self.heard.append(self._dump(each))

    def _dump(self, heard):
        index = heard.channel
        rf_channel = {37: 0, 38: 12, 39: 39}.get(index, index + 1 if index < 11 else index + 2)
        return DeviceDumpFileTx.Tx(
            self._sender(heard), heard.start // 1_000, heard.access_address, 2.0 + 2 * rf_channel,
            self.MODULATIONS.get(heard.phy, 0), memoryview(heard.pdu))

    def _sender(self, heard):
        """Which device has sent it, as far as tests ask: on a link the ends take turns, T_IFS apart."""
        if heard.is_advertising:
            if heard.type == CONNECT_IND:
                central = next((each for each, device in enumerate(self.devices) if device.initiates), 1)
                for device in self.devices:
                    device.initiates = False
                self.links[int.from_bytes(heard.pdu[14:18], "little")] = central, 0, central
            return 0
        central, end, sender = self.links.get(heard.access_address, (1, 0, 1))
        sender = 1 - sender if heard.start - end < 2 * T_IFS else central
        self.links[heard.access_address] = central, heard.end, sender
        return sender

    def fetch(self):
        while self.heard:
            yield self.heard.popleft()

    def flush(self):
        self.heard.clear()

    def tx(self, ch_idx, phy, aa, transmit_time, packet_data):
        """Sends a PDU with its CRC. EDTT counts whole microseconds from a PDU whose start had a part of one."""
        part = self.newest.start % 1_000 if self.newest else 0
        self.air.send(packet_data[:-3], ch_idx, int(transmit_time) * 1_000 + part, LE_2M if phy == "2M" else LE_1M, aa)


class EDTTT:
    """What EDTT loads: its name and its methods are EDTT's."""

    n_devices = 2
    low_level_device = None
    sim_id = "babbench"

    def __init__(self, arguments, trace):
        parser = argparse.ArgumentParser(prog="babbench transport", add_help=False)
        parser.add_argument("--ports", nargs=2, required=True, help="the ports of the upper and of the lower tester")
        parser.add_argument("--air", help="the port for the air: that of the sniffer")
        arguments = parser.parse_known_args(arguments)[0]
        self.addresses, self.air = arguments.ports, arguments.air
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
        if self.air:
            self.low_level_device = Sniffer(self.air, self.devices)
        self._take_turns(is_first=True)

    def send(self, idx, message):
        # Isochronous data is written several times before the answers are read.
        if message[:2] != ISO_DATA_WRITE:
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
        if self.low_level_device:
            self.low_level_device.air.close()
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
        if self.low_level_device:
            self.low_level_device.air.end_turn(until)
        self._take_turns()

    def _take_turns(self, is_first=False):
        turns = [device.port.read_turn() for device in self.devices]
        self.now = turns[0].instant
        for device, turn in zip(self.devices, turns):
            for packet in turn.packets:
                device.took(packet, turn.instant)
        if self.low_level_device and not is_first:
            self.low_level_device.took(self.low_level_device.air.read_turn())
