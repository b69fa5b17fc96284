"""A program on the air: the other side of `babbench hci serve --port air:unix:PATH`.

`Air` hears the PDUs that a radio at its place hears, and sends PDUs of its own, in virtual time (`--clock lockstep`) or
by the wall clock. ADR 0044 and Docs/hci.md have the messages.
"""

from __future__ import annotations

import select
import struct
import time
from typing import Callable, Iterable, List, NamedTuple, Optional, Union

from babbench.lockstep import LockstepError, Port, _connect

#: PHYs, as messages number them.
LE_1M, LE_2M, LE_CODED_S8, LE_CODED_S2 = 1, 2, 3, 4
#: The access address and the CRC init of advertising (Core v5.4, Vol 6, Part B, 2.1.2, 3.1.1).
ADVERTISING, ADVERTISING_CRC = 0x8E89BED6, 0x555555
#: Nanoseconds between a PDU and its answer.
T_IFS = 150_000
#: What the statuses of `Done` mean.
STATUSES = ("sent", "malformed", "too late", "sending", "off", "too many")

_INDICATOR = 0x41
_LISTEN, _SEND, _ANSWER, _FORGET, _HEARD, _DONE = 0x01, 0x02, 0x03, 0x04, 0x81, 0x82


class Heard(NamedTuple):
    """A PDU that was heard; times in nanoseconds of the room, RSSI in dBm."""

    start: int
    duration: int
    channel: int
    phy: int
    access_address: int
    rssi: int
    is_valid: bool
    pdu: bytes

    @property
    def end(self) -> int:
        """When it was over."""
        return self.start + self.duration

    @property
    def type(self) -> int:
        """The PDU type of an advertising PDU."""
        return self.pdu[0] & 0x0F

    @property
    def is_advertising(self) -> bool:
        """It has the access address of advertising."""
        return self.access_address == ADVERTISING


class Done(NamedTuple):
    """What became of a PDU that we wanted to send; `status` is one of `STATUSES`."""

    tag: int
    status: str
    start: int
    duration: int


class Air:
    """A radio of the room. Everything is sent when we wait, and heard while we do."""

    def __init__(self, address: str, group: int = 0, lockstep: bool = True) -> None:
        """Takes the seat. The address is as `babbench hci serve` has it, with or without `air:unix:` or `air:tcp:`.
        Without lockstep time is the wall clock's, and `group` has no effect."""
        place = address.removeprefix("air:tcp:").removeprefix("air:unix:")
        #: The room's time in virtual time; by the wall clock when the newest PDU was over.
        self.now = 0
        self._tag = 0
        self._port = Port(place, group) if lockstep else None
        self._socket = None if lockstep else _connect(place)
        self._buffer = bytearray()
        if self._port:
            self.now = self._port.read_turn().instant

    def listen(
        self, channels: Optional[Iterable[int]] = None, phys: Iterable[int] = (LE_1M, LE_2M, LE_CODED_S8),
        access_addresses: Iterable[int] = (),
    ) -> None:
        """What we want to hear from now on; without channels and access addresses, all of them."""
        bits = sum(1 << channel for channel in set(range(40) if channels is None else channels))
        kinds = sum(1 << kind for kind in {min(phy, 3) - 1 for phy in phys})
        addresses = b"".join(struct.pack("<I", address) for address in access_addresses)
        self._say(_LISTEN, bits.to_bytes(5, "little") + bytes([kinds]) + addresses)

    def send(
        self, pdu: bytes, channel: int, at: int, phy: int = LE_1M, access_address: int = ADVERTISING,
        crc_init: int = ADVERTISING_CRC, wrong_crc: bool = False,
    ) -> int:
        """Sends header and payload at an instant; a `Done` has the tag that is returned."""
        packet = _packet(pdu, channel, phy, access_address, crc_init, int(wrong_crc))
        self._say(_SEND, struct.pack("<HQ", self._new_tag(), at) + packet)
        return self._tag

    def reply(self, heard: Heard, pdu: bytes, crc_init: int = ADVERTISING_CRC) -> int:
        """Sends T_IFS after the end of a PDU, on its channel, PHY and access address."""
        return self.send(pdu, heard.channel, heard.end + T_IFS, heard.phy, heard.access_address, crc_init)

    def answer(
        self, octets: bytes, pdu: bytes, mask: Optional[bytes] = None, channel: int = 0xFF, phy: int = 0,
        access_address: int = ADVERTISING, crc_init: int = ADVERTISING_CRC, repeat: bool = False,
    ) -> int:
        """Sends T_IFS after the end of the next PDU that begins with octets, as far as the mask has ones; with
        `repeat` after each."""
        mask = bytes([0xFF] * len(octets)) if mask is None else mask
        packet = _packet(pdu, channel, phy, access_address, crc_init, 2 if repeat else 0)
        self._say(_ANSWER, struct.pack("<HB", self._new_tag(), len(octets)) + mask + octets + packet)
        return self._tag

    def forget(self, tag: int) -> None:
        """Sends an answer no more."""
        self._say(_FORGET, struct.pack("<H", tag))

    def wait(self, until: Optional[int] = None) -> List[Union[Heard, Done]]:
        """Lets time pass until something was heard or done, or until an instant; by the wall clock, for `until`
        seconds."""
        if self._port is None:
            return self._wait_by_the_wall(until)
        return self.took(self._port.wait(until))

    def end_turn(self, until: Optional[int] = None) -> None:
        """The first half of `wait`, for a program with several ports."""
        if self._port:
            self._port.end_turn(until)

    def read_turn(self) -> List[Union[Heard, Done]]:
        """The second half of `wait`."""
        return self.took(self._port.read_turn()) if self._port else []

    def find(self, wanted: Callable[[Heard], bool], until: int) -> Optional[Heard]:
        """Lets time pass until a PDU is over that is wanted; None when none was by that instant, or by the wall clock
        within `until` seconds."""
        deadline = time.monotonic() + until
        while self.now < until if self._port else time.monotonic() < deadline:
            said = self.wait(until) if self._port else self._wait_by_the_wall(deadline - time.monotonic())
            for each in said:
                if isinstance(each, Heard) and wanted(each):
                    return each
        return None

    def close(self) -> None:
        """Leaves the seat."""
        for each in (self._port, self._socket):
            if each:
                each.close()

    def __enter__(self) -> "Air":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def took(self, turn: "tuple[int, List[bytes]]") -> List[Union[Heard, Done]]:
        """What the messages of a turn say."""
        self.now = turn[0]
        return [_said(packet) for packet in turn[1]]

    def _new_tag(self) -> int:
        self._tag = (self._tag + 1) % 0xFFFF
        return self._tag

    def _say(self, code: int, parameters: bytes) -> None:
        message = struct.pack("<BBH", _INDICATOR, code, len(parameters)) + parameters
        if self._port:
            self._port.send(message)
        elif self._socket:
            self._socket.sendall(message)

    def _wait_by_the_wall(self, seconds: Optional[float]) -> List[Union[Heard, Done]]:
        deadline = None if seconds is None else time.monotonic() + seconds
        said: List[Union[Heard, Done]] = []
        while self._socket and not said:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self._socket], [], [], left)[0]:
                break
            octets = self._socket.recv(65_536)
            if not octets:
                raise LockstepError("the port has closed the connection")
            self._buffer += octets
            while len(self._buffer) >= 4:
                length = 4 + struct.unpack_from("<2xH", self._buffer)[0]
                if len(self._buffer) < length:
                    break
                said.append(_said(bytes(self._buffer[:length])))
                del self._buffer[:length]
        for each in said:
            self.now = max(self.now, each.start + each.duration)
        return said


def _packet(pdu: bytes, channel: int, phy: int, access_address: int, crc_init: int, flags: int) -> bytes:
    return struct.pack("<BBI", channel, phy, access_address) + crc_init.to_bytes(3, "little") + bytes([flags]) + pdu


def _said(message: bytes) -> Union[Heard, Done]:
    if message[0] == _INDICATOR and message[1] == _HEARD:
        start, duration, channel, phy, address, rssi, flags = struct.unpack_from("<QIBBIbB", message, 4)
        return Heard(start, duration, channel, phy, address, rssi, bool(flags & 1), message[24:])
    if message[0] == _INDICATOR and message[1] == _DONE:
        tag, status, start, duration = struct.unpack_from("<HBQI", message, 4)
        return Done(tag, STATUSES[status], start, duration)
    raise LockstepError(f"the port sent octets that are no message for the air: {message[:8].hex(' ')}")
