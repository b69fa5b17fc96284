"""What the system of a phone does for its app: scanning, links, attributes of the other end, and its own.

A thin layer over the words of the app seam (Docs/Formats/app-seam.md). `babbench.bleak` and `babbench.Peripheral` are
written with it, and so can other interfaces be.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, List, Optional, Set, Tuple

from . import advertising
from .advertising import Advertisement

if TYPE_CHECKING:
    from .gatt import Server
    from .room import Launch


class ATTError(Exception):
    """An error of the Attribute Protocol, by its code (Core Specification, Vol 3, Part F, 3.4.1.1)."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        return f"ATT error 0x{self.code:02x}"


class LinkLost(Exception):
    """The link ended before the answer came; `reason` is an HCI error code."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the link is gone, reason 0x{self.reason:02x}"


class ConnectFailed(Exception):
    """A connection was not made; `reason` is an HCI error code."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"no connection, reason 0x{self.reason:02x}"


class PairingFailed(Exception):
    """The link was not encrypted; `reason` is that of Pairing Failed (Core Specification, Vol 3, Part H, 3.5.5)."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"pairing failed, reason 0x{self.reason:02x}"


class PoweredOff(Exception):
    """Bluetooth is off."""


@dataclass
class Found:
    """A characteristic or descriptor of the other end."""

    uuid: str
    handle: int
    properties: int = 0
    end: int = 0
    descriptors: List["Found"] = field(default_factory=list)


@dataclass
class FoundService:
    """A service of the other end."""

    uuid: str
    start: int
    end: int
    characteristics: List[Found] = field(default_factory=list)


Waiter = Tuple["asyncio.Future[Any]", Callable[[Dict[str, Any]], Any]]


class Link:
    """One connection, from either end."""

    def __init__(self, radio: "Radio", number: int, address: str, outgoing: bool) -> None:
        self.radio = radio
        self.number = number
        self.address = address
        self.outgoing = outgoing
        self.att_mtu = 23
        self.is_up = True
        self.reason: Optional[int] = None
        self.on_lost: List[Callable[[], None]] = []
        self.on_value: Dict[int, Callable[[bytes], None]] = {}
        #: What was read or heard last, by handle: what a system answers with without asking.
        self.last_values: Dict[int, bytes] = {}
        #: What the newest discovery found.
        self.found: List[FoundService] = []
        self.on_services_changed: List[Callable[[], None]] = []
        self._waiting: Dict[Tuple[str, Any], Deque[Waiter]] = {}
        self._has_room: Deque["asyncio.Future[None]"] = deque()

    async def _call(
        self, effect: Dict[str, Any], answer: str, key: Any, read: Callable[[Dict[str, Any]], Any]
    ) -> Any:
        if not self.is_up:
            raise LinkLost(self.reason or 0)
        future: "asyncio.Future[Any]" = self.radio.launch.loop.create_future()
        self._waiting.setdefault((answer, key), deque()).append((future, read))
        effect["link"] = self.number
        self.radio.ask(effect)
        return await future

    async def services(self) -> List[FoundService]:
        """All services with their characteristics and descriptors, in the order of their handles."""
        def services(word: Dict[str, Any]) -> List[FoundService]:
            _check(word)
            return [FoundService(s["type"], s["start"], s["end"]) for s in word["services"]]

        found: List[FoundService] = await self._call(
            {"name": "gatt.discoverServices", "types": []}, "gatt.services", None, services)
        for service in found:
            service.characteristics = await self._call(
                {"name": "gatt.discoverCharacteristics", "type": service.uuid, "primary": True,
                 "start": service.start, "end": service.end},
                "gatt.characteristics", service.start,
                lambda word: [Found(c["type"], c["handle"], c["properties"], c["end"])
                              for c in _checked(word)["characteristics"]])
            for characteristic in service.characteristics:
                if characteristic.end > characteristic.handle:
                    characteristic.descriptors = await self._call(
                        {"name": "gatt.discoverDescriptors", "type": characteristic.uuid,
                         "properties": characteristic.properties, "handle": characteristic.handle,
                         "end": characteristic.end},
                        "gatt.descriptors", characteristic.handle,
                        lambda word: [Found(d["type"], d["handle"]) for d in _checked(word)["descriptors"]])
        self.found = found
        return found

    async def read(self, handle: int, uuid: str) -> bytes:
        """Reads a value or a descriptor."""
        value: bytes = await self._call(
            {"name": "gatt.read", "handle": handle, "type": uuid}, "gatt.valueRead", handle,
            lambda word: bytes.fromhex(_checked(word)["octets"]))
        return value

    async def write(self, handle: int, uuid: str, value: bytes) -> None:
        """Writes with response."""
        await self._call(
            {"name": "gatt.write", "handle": handle, "type": uuid, "octets": value.hex()}, "gatt.valueWritten", handle,
            _check)

    async def write_command(self, handle: int, uuid: str, value: bytes) -> None:
        """Writes without response; waits while the queue of the phone is full."""
        while True:
            accepted = await self._call(
                {"name": "gatt.writeWithoutResponse", "handle": handle, "type": uuid, "octets": value.hex()},
                "gatt.submitted", handle, lambda word: word["accepted"])
            if accepted:
                return
            await self.room_to_send()

    async def configure(self, handle: int, uuid: str, on: bool) -> None:
        """Subscribes to a characteristic, or ends that."""
        await self._call(
            {"name": "gatt.configure", "handle": handle, "type": uuid, "on": on}, "gatt.configured", handle, _check)

    async def rssi(self) -> int:
        """The level at which the other end is received, in dBm."""
        value: int = await self._call({"name": "gatt.readRSSI"}, "gatt.rssi", None, lambda word: word["rssi"])
        return value

    async def pair(self) -> None:
        """Encrypts the link with the key of a bond, or pairs."""
        def paired(word: Dict[str, Any]) -> None:
            if word.get("error") is not None:
                raise PairingFailed(word["error"])

        await self._call({"name": "gap.pair"}, "gap.paired", None, paired)

    async def room_to_send(self) -> None:
        """Waits until the queue that refused has room again."""
        if not self.is_up:
            raise LinkLost(self.reason or 0)
        future: "asyncio.Future[None]" = self.radio.launch.loop.create_future()
        self._has_room.append(future)
        await future

    async def disconnect(self) -> None:
        """Ends the link, and waits for its end."""
        if not self.is_up:
            return
        future: "asyncio.Future[None]" = self.radio.launch.loop.create_future()
        self.on_lost.append(lambda: None if future.done() else future.set_result(None))
        self.radio.ask({"name": "disconnect", "link": self.number})
        await future

    # From the radio

    def answered(self, key: Any, word: Dict[str, Any]) -> None:
        waiters = self._waiting.get((word["name"], key))
        if not waiters:
            return
        future, read = waiters.popleft()
        if future.done():
            return
        try:
            future.set_result(read(word))
        except Exception as error:
            future.set_exception(error)

    def got_room(self) -> None:
        waiting, self._has_room = self._has_room, deque()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def lost(self, reason: int) -> None:
        self.is_up = False
        self.reason = reason
        waiting, self._waiting = self._waiting, {}
        futures = [future for waiters in waiting.values() for future, _ in waiters] + list(self._has_room)
        self._has_room.clear()
        for future in futures:
            if not future.done():
                future.set_exception(LinkLost(reason))
        for callback in list(self.on_lost):
            callback()


def _check(word: Dict[str, Any]) -> None:
    if word.get("error") is not None:
        raise ATTError(word["error"])


def _checked(word: Dict[str, Any]) -> Dict[str, Any]:
    _check(word)
    return word


#: Which member of an answer says what it is about, beside the link.
_KEYS = {
    "gatt.services": None, "gatt.characteristics": "start", "gatt.descriptors": "handle", "gatt.valueRead": "handle",
    "gatt.valueWritten": "handle", "gatt.submitted": "handle", "gatt.configured": "handle", "gatt.rssi": None,
    "gap.paired": None,
}


class Radio:
    """Bluetooth of a phone as one launch of its app sees it."""

    def __init__(self, launch: "Launch") -> None:
        self.launch = launch
        self.is_on = True
        self.links: Dict[int, Link] = {}
        self.server: Optional["Server"] = None
        #: Addresses of devices by the identifiers that an app knows them by, where those differ.
        self.known: Dict[str, str] = {}
        #: Called with on or off.
        self.on_power: List[Callable[[bool], None]] = []
        self._scanners: List[Callable[[Advertisement], None]] = []
        self._attempts: Dict[str, List["asyncio.Future[Link]"]] = {}
        #: Addresses to which nobody wants to connect any more.
        self._cancelled: Set[str] = set()

    def ask(self, effect: Dict[str, Any]) -> None:
        """Asks the platform for something, in the words of the app seam."""
        self.launch.ask(effect)

    # Scanning

    def start_scan(self, heard: Callable[[Advertisement], None]) -> None:
        """Calls back for every packet of every advertiser, until `stop_scan`."""
        if not self.is_on:
            raise PoweredOff()
        self._scanners.append(heard)
        if len(self._scanners) == 1:
            self._scan()

    def _scan(self) -> None:
        self.ask({"name": "gap.scan", "services": [], "solicited": [], "everyPacket": True})

    def stop_scan(self, heard: Callable[[Advertisement], None]) -> None:
        if heard in self._scanners:
            self._scanners.remove(heard)
            if not self._scanners and self.is_on:
                self.ask({"name": "stopScanning"})

    # Links

    def link_to(self, address: str) -> Optional[Link]:
        """The link to an address; None: there is none."""
        for link in self.links.values():
            if link.address == address and link.outgoing:
                return link
        return None

    async def connect(self, address: str) -> Link:
        """Makes a connection; without a limit of its own."""
        if not self.is_on:
            raise PoweredOff()
        future: "asyncio.Future[Link]" = self.launch.loop.create_future()
        attempts = self._attempts.setdefault(address, [])
        attempts.append(future)
        self._cancelled.discard(address)
        if len(attempts) == 1:
            self.ask({"name": "connect", "address": address})
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and future.exception() is None:
                # It came at the instant at which nobody wanted it any more.
                self.ask({"name": "disconnect", "link": future.result().number})
            attempts = self._attempts.get(address, [])
            if future in attempts:
                attempts.remove(future)
                if not attempts:
                    del self._attempts[address]
                    self._cancelled.add(address)
                    self.ask({"name": "cancelConnect", "address": address})
            raise

    # From the bench

    def take(self, word: Dict[str, Any]) -> None:
        """An input of the app seam."""
        name = word["name"]
        if name == "gap.heard":
            heard = advertising.read(
                word["address"], word["rssi"], bytes.fromhex(word["data"]), bytes.fromhex(word["scanResponse"]),
                word["connectable"])
            for scanner in list(self._scanners):
                scanner(heard)
            return
        link = self.links.get(word.get("link", -1))
        if name in _KEYS:
            member = _KEYS[name]
            if link is not None:
                link.answered(None if member is None else word[member], word)
        elif name == "gatt.notified":
            callback = link.on_value.get(word["handle"]) if link is not None else None
            if callback is not None:
                callback(bytes.fromhex(word["octets"]))
        elif name == "connected":
            self._connected(word["link"], word["address"])
        elif name == "connectFailed":
            for future in self._attempts.pop(word["address"], []):
                if not future.done():
                    future.set_exception(ConnectFailed(word["reason"]))
        elif name == "disconnected":
            gone = self.links.pop(word["link"], None)
            if gone is not None:
                if self.server is not None:
                    self.server.link_lost(gone)
                gone.lost(word["reason"])
        elif name == "attMTU":
            if link is not None:
                link.att_mtu = word["attMTU"]
        elif name == "readyToSend":
            if link is not None:
                link.got_room()
                if self.server is not None:
                    self.server.ready_to_send(link)
        elif name == "gatt.servicesChanged":
            for changed in list(link.on_services_changed) if link is not None else []:
                changed()
        elif name == "radioPower":
            self._power(word["on"])
        elif self.server is not None:
            self.server.take(word, link)

    def _connected(self, number: int, address: str) -> None:
        futures = [future for future in self._attempts.pop(address, []) if not future.done()]
        link = Link(self, number, address, outgoing=bool(futures))
        self.links[number] = link
        if futures:
            for future in futures:
                future.set_result(link)
        elif self.server is not None:
            self.server.connected(link)
        elif address in self._cancelled:
            self._cancelled.discard(address)
            self.ask({"name": "disconnect", "link": number})

    def _power(self, on: bool) -> None:
        self.is_on = on
        if not on:
            for futures in list(self._attempts.values()):
                for future in futures:
                    if not future.done():
                        future.set_exception(PoweredOff())
            self._attempts.clear()
        elif self._scanners:
            self._scan()
        for callback in list(self.on_power):
            callback(on)
        if self.server is not None:
            self.server.power(on)
