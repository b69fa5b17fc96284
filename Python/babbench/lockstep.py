"""Hosts in virtual time: the other side of `babbench hci serve --clock lockstep`.

`Port` speaks the protocol with blocking calls. `run` runs a coroutine in an event loop whose clock is the room's, and
`bumble_transport` connects a host of Bumble to a port of the room. ADR 0042 and Docs/hci.md have the protocol.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import random
import secrets
import selectors
import socket
import struct
from typing import Any, Callable, Coroutine, Iterator, List, NamedTuple, Optional, TypeVar

#: The first octet of each message about time.
INDICATOR = 0x54
#: The version of the protocol.
VERSION = 1

_HELLO, _WAIT, _SEATED, _TURN, _END = 0x01, 0x02, 0x81, 0x82, 0x83
#: Indicator of an H4 packet, or of a message for the air: octets of its header with the indicator, and where its length is.
_HEADERS = {
    0x02: (5, "<3xH"), 0x03: (4, "<3xB"), 0x04: (3, "<2xB"), 0x05: (5, "<3xH"), 0x41: (4, "<2xH"), INDICATOR: (3, "<2xB"),
}

Result = TypeVar("Result")


class LockstepError(Exception):
    """What ended a connection, or keeps it from being made."""


class SessionOver(LockstepError):
    """The bench has ended the session; nobody has made a mistake."""


class Turn(NamedTuple):
    """What a host was given: it is `instant` (nanoseconds since time began), and these packets have come."""

    instant: int
    packets: List[bytes]


class Port:
    """One port of the room: `send` packets, then `wait` for the next turn."""

    def __init__(self, address: str, group: int = 0) -> None:
        """Takes the seat. The address is `HOST:PORT` or the path of a Unix socket, with or without `h4:tcp:` or
        `h4:unix:`. Ports with the same group, other than 0, get their turns together."""
        self._buffer = bytearray()
        self._socket = _connect(address)
        #: Whether the room's time stands until we wait.
        self.has_turn = False
        self._send(_message(_HELLO, struct.pack("<BI", VERSION, group)))
        code, parameters = self._read()
        if code != _SEATED or parameters[:1] != bytes([VERSION]):
            raise LockstepError(f"the port at {address} does not speak version {VERSION} of the lockstep protocol")

    def send(self, packet: bytes) -> None:
        """Sends an H4 packet, indicator first. The room gets it when all hosts wait."""
        if not self.has_turn:
            raise LockstepError("a packet was sent without having the turn")
        self._send(packet)

    def wait(self, until: Optional[int] = None) -> Turn:
        """Ends the turn: lets time pass until a packet has come, or until an instant. The first wait needs no turn."""
        self.end_turn(until)
        return self.read_turn()

    def end_turn(self, until: Optional[int] = None) -> None:
        """Says what we wait for, and returns."""
        if self.has_turn:
            self.has_turn = False
            self._send(_message(_WAIT, b"" if until is None else struct.pack("<Q", until)))

    def read_turn(self) -> Turn:
        """Waits until we have the turn."""
        packets: List[bytes] = []
        while True:
            code, octets = self._read()
            if code == 0:
                packets.append(octets)
            elif code == _TURN and len(octets) == 8:
                self.has_turn = True
                return Turn(struct.unpack("<Q", octets)[0], packets)
            else:
                raise LockstepError(f"the port sent a message with the code {code:02X}")

    def close(self) -> None:
        """Leaves the seat; in our turn, so that the instant at which we leave is always the same."""
        self._socket.close()

    def __enter__(self) -> "Port":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, octets: bytes) -> None:
        try:
            self._socket.sendall(octets)
        except OSError as error:
            # Why we were sent away may still be there to be read.
            with contextlib.suppress(OSError):
                while True:
                    self._read()
            raise LockstepError(f"the port is gone: {error.strerror}") from error

    def _read(self) -> "tuple[int, bytes]":
        """A message, or a packet with the code 0."""
        self._need(1)
        header, shape = _HEADERS.get(self._buffer[0], (0, ""))
        if not header:
            raise LockstepError(f"the port sent octets that are no packet: {self._buffer[:8].hex(' ')}")
        self._need(header)
        length = struct.unpack_from(shape, self._buffer)[0]
        if self._buffer[0] == 0x05:
            length &= 0x3FFF
        self._need(header + length)
        octets = bytes(self._buffer[:header + length])
        del self._buffer[:header + length]
        if octets[0] != INDICATOR:
            return 0, octets
        if octets[1] == _END:
            text = octets[3:].decode(errors="replace")
            raise (SessionOver if text == "the session is over" else LockstepError)(text)
        return octets[1], octets[3:]

    def _need(self, count: int) -> None:
        while len(self._buffer) < count:
            octets = self._socket.recv(65_536)
            if not octets:
                raise LockstepError("the port has closed the connection")
            self._buffer += octets


def _message(code: int, parameters: bytes) -> bytes:
    return bytes([INDICATOR, code, len(parameters)]) + parameters


def _connect(address: str) -> socket.socket:
    place = address.removeprefix("h4:tcp:").removeprefix("h4:unix:")
    if "/" in place:
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        stream.connect(place)
        return stream
    host, _, number = place.rpartition(":")
    stream = socket.create_connection((host.strip("[]") or "127.0.0.1", int(number)))
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return stream


class _Selector(selectors.DefaultSelector):
    """What the loop asks for events: while it is idle, the room's time passes."""

    loop: "Optional[LockstepLoop]" = None

    def select(self, timeout: Optional[float] = None) -> List[Any]:
        events = super().select(0)
        if events or self.loop is None or (timeout is not None and timeout <= 0):
            return events
        if self.loop.pass_time(timeout):
            return []
        return super().select(timeout)


class LockstepLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock is the room's: when nothing is ready, it says that it waits for its next timer.

    Before the first port is connected, and after the last one was closed, nothing passes time: a loop without ports
    skips to its next timer. Threads, other sockets and processes are real and cannot wake it while it waits.
    """

    def __init__(self, group: Optional[int] = None) -> None:
        self._now = 0
        self._offset: Optional[int] = None
        self._ports: List[LoopPort] = []
        self.group = os.getpid() & 0xFFFF_FFFF if group is None else group
        selector = _Selector()
        super().__init__(selector)
        selector.loop = self
        self._clock_resolution = 1e-9

    def time(self) -> float:
        """Seconds; the room's time from the first turn on, later by what the loop has skipped before."""
        return self._now / 1_000_000_000

    def connect(
        self, address: str, on_packet: Callable[[bytes], None], on_end: Callable[[], None] = lambda: None,
    ) -> "LoopPort":
        """Takes the seat of a port. Packets are handed over one by one, in the order of the ports. `on_end` is called
        when the bench has ended the session; the port is closed then."""
        port = LoopPort(self, Port(address, self.group), on_packet, on_end)
        if any(each.port.has_turn for each in self._ports):
            # Who comes while its group has the turn has it too.
            port.took_turn(port.port.read_turn().packets)
        self._ports.append(port)
        return port

    def pass_time(self, timeout: Optional[float]) -> bool:
        """Lets the room's time pass until a turn; false when nothing would ever end that."""
        delay = None if timeout is None else max(math.ceil(timeout * 1e9), 1)
        if not self._ports:
            if delay is not None:
                self._now += delay
            return delay is not None
        until = None if delay is None or self._offset is None else self._now - self._offset + delay
        for port in self._ports:
            port.end_turn(until)
        for port, turn in [(port, port.read_turn()) for port in self._ports]:
            if turn is None:
                self.forget(port)
                continue
            if self._offset is None:
                self._offset = self._now - turn.instant
            self._now = turn.instant + self._offset
            port.took_turn(turn.packets)
        return True

    def begins_again(self) -> None:
        """The ports to come are those of another room: its time goes on where that of the room before has ended."""
        self._offset = None

    def forget(self, port: "LoopPort") -> None:
        """A port was closed."""
        if port in self._ports:
            self._ports.remove(port)


class LoopPort:
    """A port of a loop. What is sent before its first turn leaves with that."""

    def __init__(
        self, loop: LockstepLoop, port: Port, on_packet: Callable[[bytes], None], on_end: Callable[[], None],
    ) -> None:
        self._loop, self.port, self._on_packet, self._on_end = loop, port, on_packet, on_end
        self._early: List[bytes] = []
        self._is_over = False

    def send(self, packet: bytes) -> None:
        """Sends an H4 packet, indicator first."""
        if self.port.has_turn:
            self.port.send(packet)
        else:
            self._early.append(packet)

    def end_turn(self, until: Optional[int]) -> None:
        """Says what we wait for."""
        try:
            self.port.end_turn(until)
        except SessionOver:
            self._is_over = True

    def read_turn(self) -> Optional[Turn]:
        """Waits until we have the turn; None: the session is over."""
        with contextlib.suppress(SessionOver):
            if not self._is_over:
                return self.port.read_turn()
        self.port.close()
        self._loop.call_soon(self._on_end)
        return None

    def took_turn(self, packets: List[bytes]) -> None:
        """Sends what had to wait, and hands over what has come."""
        for packet in self._early:
            self.port.send(packet)
        self._early.clear()
        for packet in packets:
            self._loop.call_soon(self._on_packet, packet)

    def close(self) -> None:
        """Leaves the seat."""
        self._loop.forget(self)
        self.port.close()


@contextlib.contextmanager
def drawn(seed: int) -> Iterator[None]:
    """Random numbers of the program are those of a seed: `random`, and of `secrets` `token_bytes` and `randbelow`, whose
    keys are then no secret."""
    draws, token_bytes, randbelow = random.Random(seed), secrets.token_bytes, secrets.randbelow
    random.seed(seed)

    def drawn_bytes(nbytes: Optional[int] = None) -> bytes:
        return draws.randbytes(32 if nbytes is None else nbytes)

    secrets.token_bytes, secrets.randbelow = drawn_bytes, draws.randrange
    try:
        yield
    finally:
        secrets.token_bytes, secrets.randbelow = token_bytes, randbelow


def run(main: "Coroutine[Any, Any, Result]", seed: int = 1) -> Result:
    """Runs a coroutine in virtual time, as `asyncio.run` does in real time."""
    with drawn(seed):
        loop = LockstepLoop()
        try:
            asyncio.set_event_loop(loop)
            return loop.run_until_complete(main)
        finally:
            asyncio.set_event_loop(None)
            loop.close()


def bumble_transport(address: str) -> Any:
    """A transport of Bumble at a port of the room, in a coroutine of `run`."""
    from bumble.transport.common import BaseSource, Transport  # type: ignore[import-not-found,unused-ignore]

    class Source(BaseSource):  # type: ignore[misc,unused-ignore]
        def on_packet(self, packet: bytes) -> None:
            if self.sink:
                self.sink.on_packet(packet)

        def close(self) -> None:
            port.close()
            super().close()

    class Sink:
        def on_packet(self, packet: bytes) -> None:
            port.send(packet)

        def close(self) -> None:
            pass

    loop = asyncio.get_running_loop()
    if not isinstance(loop, LockstepLoop):
        raise LockstepError("a transport in lockstep needs a loop in lockstep; start the program with lockstep.run")
    source = Source()
    port = loop.connect(address, source.on_packet, source.on_transport_lost)
    return Transport(source, Sink())
