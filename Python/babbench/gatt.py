"""Peripherals in Python: services, characteristics, and what happens when the other end reads and writes them."""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from typing import (
    TYPE_CHECKING, Any, Callable, Deque, Dict, Iterable, List, Mapping, Optional, Set, Tuple, Union)

from . import advertising
from .radio import ATTError, Link, LinkLost, Radio
from .uuids import UUIDLike, short

if TYPE_CHECKING:
    from .room import Launch, Phone

#: Properties of a characteristic (Core Specification, Vol 3, Part G, 3.3.1.1).
PROPERTIES = {
    "broadcast": 1, "read": 2, "write-without-response": 4, "write": 8, "notify": 16, "indicate": 32}

Properties = Union[int, str, Iterable[str]]


def properties(value: Properties) -> int:
    """The sum of properties that are given by name: `"read, notify"`."""
    if isinstance(value, int):
        return value
    names = value.replace(",", " ").split() if isinstance(value, str) else list(value)
    total = 0
    for name in names:
        key = name.lower().replace("_", "-").replace("write-no-response", "write-without-response")
        if key not in PROPERTIES:
            raise ValueError(f"“{name}” is no property; write {', '.join(PROPERTIES)}")
        total |= PROPERTIES[key]
    return total


class ServedDescriptor:
    """A descriptor of a characteristic of our own; its value may change at any time, and nobody is told.

    The Client Characteristic Configuration (2902) is not one of them: it comes by itself with notify or indicate.
    """

    def __init__(
        self, uuid: UUIDLike, value: bytes = b"", props: Properties = "read", *,
        on_read: Optional[Callable[..., Any]] = None, on_write: Optional[Callable[..., Any]] = None
    ) -> None:
        self.uuid = short(uuid)
        self.value = bytes(value)
        #: What clients may do with it: read, write or both.
        self.properties = properties(props)
        self.on_read = on_read
        self.on_write = on_write
        self.key = 0


#: Descriptors that are only read, by type.
Descriptors = Mapping[UUIDLike, bytes]


class Served:
    """A characteristic of our own."""

    def __init__(
        self, uuid: UUIDLike, props: Properties, value: bytes = b"", *, encrypted: bool = False,
        descriptors: Optional["Descriptors"] = None,
        on_read: Optional[Callable[..., Any]] = None, on_write: Optional[Callable[..., Any]] = None,
        on_subscribe: Optional[Callable[..., Any]] = None
    ) -> None:
        self.uuid = short(uuid)
        self.properties = properties(props)
        self.value = bytes(value)
        self.encrypted = encrypted
        self.descriptors = [ServedDescriptor(key, octets) for key, octets in (descriptors or {}).items()]
        self.on_read = on_read
        self.on_write = on_write
        self.on_subscribe = on_subscribe
        self.key = 0
        self.server: Optional["Server"] = None
        #: Links whose other end has subscribed.
        self.subscribers: List[Link] = []

    def notify(self, value: Optional[bytes] = None, link: Optional[Link] = None) -> "asyncio.Future[None]":
        """Sends a value to all that have subscribed, or to one; it may be awaited until the phone has taken it.

        A notification, or an indication if that is what the other end has switched on. Values keep their order: what
        the phone's queue has no room for waits.
        """
        if self.server is None:
            raise RuntimeError("the characteristic is not published yet")
        if value is not None:
            self.value = bytes(value)
        return self.server.notify(self, self.value, [link] if link is not None else list(self.subscribers))

    @property
    def _permissions(self) -> int:
        total = 0
        if self.properties & 2:
            total |= 4 if self.encrypted else 1
        if self.properties & 12:
            total |= 8 if self.encrypted else 2
        if self.encrypted and self.properties & 48:
            total |= 16
        return total


class ServedService:
    """A service of our own."""

    def __init__(self, uuid: UUIDLike) -> None:
        self.uuid = short(uuid)
        self.characteristics: List[Served] = []
        self.key = 0

    def add(self, characteristic: Served) -> Served:
        """Adds a characteristic, before the service is published."""
        self.characteristics.append(characteristic)
        return characteristic


class Server:
    """The GATT server and the advertising of one launch of an app."""

    def __init__(self, radio: Radio) -> None:
        self.radio = radio
        self.services: List[ServedService] = []
        self.links: List[Link] = []
        self.advertises = False
        #: Called with a link that came.
        self.on_connect: List[Callable[[Link], Any]] = []
        #: Called with a link that is gone.
        self.on_disconnect: List[Callable[[Link], Any]] = []
        self._advertisement: Optional[Dict[str, Any]] = None
        self._by_key: Dict[int, Union[Served, ServedDescriptor]] = {}
        self._next_key = 1
        self._waiting: Dict[int, Deque[Tuple[Served, bytes, "asyncio.Future[None]"]]] = {}
        self._submitted: Dict[int, Deque[Tuple[Served, bytes, "asyncio.Future[None]"]]] = {}
        self._full: Set[int] = set()
        self._published: "Dict[int, asyncio.Future[None]]" = {}
        radio.server = self

    # What the app asks for

    def _key(self) -> int:
        self._next_key += 1
        return self._next_key - 1

    def publish(self, service: ServedService) -> "asyncio.Future[None]":
        """Adds a service; it may be awaited until it is there."""
        service.key = self._key()
        own = []
        for characteristic in service.characteristics:
            characteristic.key = self._key()
            characteristic.server = self
            self._by_key[characteristic.key] = characteristic
            for descriptor in characteristic.descriptors:
                if descriptor.uuid == "2902" and characteristic.properties & 48:
                    raise ValueError("a descriptor 2902 comes by itself with notify or indicate")
                descriptor.key = self._key()
                self._by_key[descriptor.key] = descriptor
            own.append({
                "attribute": characteristic.key, "type": characteristic.uuid, "properties": characteristic.properties,
                "permissions": characteristic._permissions, "value": None,
                "descriptors": [{"attribute": d.key, "type": d.uuid, "value": None}
                                for d in characteristic.descriptors]})
        self.services.append(service)
        future: "asyncio.Future[None]" = self.radio.launch.loop.create_future()
        self._published[service.key] = future
        self.radio.ask({
            "name": "gatt.publish", "service": service.key, "type": service.uuid, "primary": True, "included": [],
            "characteristics": own})
        return future

    def unpublish(self, service: ServedService) -> None:
        """Withdraws a service."""
        if service in self.services:
            self.services.remove(service)
            self.radio.ask({"name": "gatt.unpublish", "service": service.key})

    def advertise(
        self, name: Optional[str] = None, services: Iterable[UUIDLike] = (), *,
        manufacturer_data: Optional[Mapping[int, bytes]] = None,
        service_data: Optional[Mapping[UUIDLike, bytes]] = None, tx_power: Optional[int] = None,
        data: Optional[bytes] = None, scan_response: bytes = b""
    ) -> None:
        """Advertises, until `stop_advertising`; again after a link has ended, or Bluetooth was off."""
        if data is None:
            data, scan_response = advertising.write(
                name, services, manufacturer_data or {}, service_data or {}, tx_power)
        self._advertisement = {"name": "gap.advertise", "data": data.hex(), "scanResponse": scan_response.hex()}
        self.advertises = True
        self._advertise()

    def _advertise(self) -> None:
        if self.advertises and self.radio.is_on and self._advertisement is not None:
            self.radio.ask(dict(self._advertisement))

    def stop_advertising(self) -> None:
        """Advertises no more."""
        self.advertises = False
        self.radio.ask({"name": "stopAdvertising"})

    def notify(self, characteristic: Served, value: bytes, links: List[Link]) -> "asyncio.Future[None]":
        """Sends a value to these links, in order."""
        loop = self.radio.launch.loop
        futures = []
        for link in links:
            future: "asyncio.Future[None]" = loop.create_future()
            # Nobody has to look at it.
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            futures.append(future)
            self._waiting.setdefault(link.number, deque()).append((characteristic, value, future))
            self._send(link)
        return _all(loop, futures)

    def _send(self, link: Link) -> None:
        waiting = self._waiting.get(link.number)
        if not waiting or link.number in self._full:
            return
        submitted = self._submitted.setdefault(link.number, deque())
        if submitted:
            return
        entry = waiting.popleft()
        submitted.append(entry)
        characteristic, value, _ = entry
        self.radio.ask({
            "name": "gatt.notify", "link": link.number, "attribute": characteristic.key, "type": characteristic.uuid,
            "octets": value.hex()})

    # From the radio

    def take(self, word: Dict[str, Any], link: Optional[Link]) -> None:
        name = word["name"]
        if name == "gatt.published":
            future = self._published.pop(word["service"], None)
            if future is not None and not future.done():
                future.set_result(None)
        elif name == "gatt.notifySubmitted" and link is not None:
            self._was_submitted(link, word["accepted"])
        elif name == "gatt.subscription" and link is not None:
            characteristic = self._by_key.get(word["attribute"])
            if isinstance(characteristic, Served):
                if word["on"] and link not in characteristic.subscribers:
                    characteristic.subscribers.append(link)
                elif not word["on"] and link in characteristic.subscribers:
                    characteristic.subscribers.remove(link)
                _call(self.radio.launch, characteristic.on_subscribe, link, word["on"])
        elif name == "gatt.readAsked" and link is not None:
            self._read(word, link)
        elif name == "gatt.writesAsked" and link is not None:
            self._write(word, link)

    def _was_submitted(self, link: Link, accepted: bool) -> None:
        submitted = self._submitted.get(link.number)
        if not submitted:
            return
        entry = submitted.popleft()
        characteristic, _, future = entry
        if accepted or link not in characteristic.subscribers:
            if not future.done():
                future.set_result(None)
        else:
            self._waiting.setdefault(link.number, deque()).appendleft(entry)
            self._full.add(link.number)
        self._send(link)

    def ready_to_send(self, link: Link) -> None:
        self._full.discard(link.number)
        self._send(link)

    def _read(self, word: Dict[str, Any], link: Link) -> None:
        attribute = self._by_key.get(word["attribute"])
        offset = word["offset"]
        # The stack knows what clients may do with a value; what they may do with a descriptor is known here only.
        if isinstance(attribute, ServedDescriptor) and not attribute.properties & 2:
            return self._answer(word["request"], b"", 0x02)

        def answer(value: Any) -> None:
            octets = attribute.value if attribute is not None and value is None else bytes(value or b"")
            if offset > len(octets):
                return self._answer(word["request"], b"", 0x07)
            self._answer(word["request"], octets[offset:], None)

        self._ask_app(word["request"], attribute.on_read if attribute else None, (link,), answer)

    def _write(self, word: Dict[str, Any], link: Link) -> None:
        values: Dict[int, bytearray] = {}
        for part in word["parts"]:
            octets = values.setdefault(part["attribute"], bytearray())
            end = part["offset"] + len(part["octets"]) // 2
            octets.extend(bytes(max(0, end - len(octets))))
            octets[part["offset"]:end] = bytes.fromhex(part["octets"])
        request = word["request"] if word["needsAnswer"] else None
        attributes = {key: self._by_key.get(key) for key in values}
        if any(isinstance(one, ServedDescriptor) and not one.properties & 12 for one in attributes.values()):
            if request is not None:
                self._answer(request, b"", 0x03)
            return
        left = len(values)

        def answer(_: Any) -> None:
            nonlocal left
            left -= 1
            if left == 0 and request is not None:
                self._answer(request, b"", None)

        for key, octets in values.items():
            attribute = attributes[key]
            if attribute is None:
                answer(None)
                continue
            before, attribute.value = attribute.value, bytes(octets)

            def refused(attribute: Union[Served, ServedDescriptor] = attribute, before: bytes = before) -> None:
                attribute.value = before

            self._ask_app(request, attribute.on_write, (bytes(octets), link), answer, refused)

    def _ask_app(
        self, request: Optional[int], function: Optional[Callable[..., Any]], arguments: Tuple[Any, ...],
        answer: Callable[[Any], None], refused: Callable[[], None] = lambda: None
    ) -> None:
        """Calls what the app does, which may be a coroutine; an ATTError in it is the answer."""
        async def wait(result: Any) -> None:
            try:
                value = await result
            except ATTError as error:
                refused()
                if request is not None:
                    self._answer(request, b"", error.code)
            else:
                answer(value)

        try:
            result = _call(self.radio.launch, function, *arguments, waits=True)
        except ATTError as error:
            refused()
            if request is not None:
                self._answer(request, b"", error.code)
            return
        if inspect.isawaitable(result):
            self.radio.launch.start(wait(result))
        else:
            answer(result)

    def _answer(self, request: int, value: bytes, error: Optional[int]) -> None:
        self.radio.ask({"name": "gatt.answer", "request": request, "value": value.hex(), "error": error})

    def connected(self, link: Link) -> None:
        self.links.append(link)
        for callback in self.on_connect:
            _call(self.radio.launch, callback, link)

    def link_lost(self, link: Link) -> None:
        if link not in self.links:
            return
        self.links.remove(link)
        self._full.discard(link.number)
        for entries in (self._waiting.pop(link.number, ()), self._submitted.pop(link.number, ())):
            for _, _, future in entries:
                if not future.done():
                    future.set_exception(LinkLost(0))
        for service in self.services:
            for characteristic in service.characteristics:
                if link in characteristic.subscribers:
                    characteristic.subscribers.remove(link)
        self._advertise()
        for callback in self.on_disconnect:
            _call(self.radio.launch, callback, link)

    def power(self, on: bool) -> None:
        if on:
            self._advertise()


def _all(loop: asyncio.AbstractEventLoop, futures: List["asyncio.Future[None]"]) -> "asyncio.Future[None]":
    done: "asyncio.Future[None]" = loop.create_future()
    left = len(futures)
    if not left:
        done.set_result(None)

    def one(_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0 and not done.done():
            done.set_result(None)

    for future in futures:
        future.add_done_callback(one)
    return done


def _call(launch: "Launch", function: Optional[Callable[..., Any]], *arguments: Any, waits: bool = False) -> Any:
    """Calls what an app gives, with as many of the arguments as it takes; a coroutine is started."""
    if function is None:
        return None
    result = function(*arguments[:_count(function, len(arguments))])
    if inspect.isawaitable(result) and not waits:
        launch.start(result)
        return None
    return result


def _count(function: Callable[..., Any], most: int) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return most
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return most
    return min(most, sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters))


class _Member:
    """An attribute of a `Peripheral`, as a member of its class."""

    _count = 0

    def __init__(self) -> None:
        self.functions: Dict[str, Callable[..., Any]] = {}
        self.name = ""
        _Member._count += 1
        self.order = _Member._count

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else instance._served[self.name]

    def read(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The method that says what is read: `def f(self, link) -> bytes`."""
        self.functions["on_read"] = function
        return function

    def written(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The method that is called with what was written: `def f(self, value, link)`."""
        self.functions["on_write"] = function
        return function


class characteristic(_Member):
    """A characteristic of a `Peripheral`, as a member of its class.

    ```python
    class Lamp(babbench.Peripheral):
        name = "Lamp"
        light = babbench.characteristic("FFE1", "read, write, notify", service="FFE0", value=bytes(1))

        @light.written
        def light_was_written(self, value, link): ...
    ```

    On an instance it is a `Served`: it has `value`, `notify(value)` and `subscribers`.
    """

    def __init__(
        self, uuid: UUIDLike, props: Properties = "read", *, service: UUIDLike, value: bytes = b"",
        encrypted: bool = False, descriptors: Optional[Descriptors] = None
    ) -> None:
        super().__init__()
        self.uuid, self.props, self.service, self.start = uuid, properties(props), service, bytes(value)
        self.encrypted, self.descriptors = encrypted, descriptors
        short(uuid), short(service)

    def subscribed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The method that is called when somebody subscribes or ends that: `def f(self, link, on)`."""
        self.functions["on_subscribe"] = function
        return function


class descriptor(_Member):
    """A descriptor of a characteristic of a `Peripheral`, as a member of its class.

    ```python
    class Lamp(babbench.Peripheral):
        light = babbench.characteristic("FFE1", "read", service="FFE0")
        place = babbench.descriptor("2901", "read, write", of=light, value=b"kitchen")
    ```

    On an instance it is a `ServedDescriptor`: it has `value`. `read` and `written` are those of a characteristic;
    what is written becomes its value. `descriptors={"2901": b"kitchen"}` of a characteristic is shorter where nobody
    writes it.
    """

    def __init__(
        self, uuid: UUIDLike, props: Properties = "read", *, of: characteristic, value: bytes = b""
    ) -> None:
        super().__init__()
        if not isinstance(of, characteristic):
            raise ValueError(f"a descriptor is of a characteristic of the class, not of {of!r}")
        self.uuid, self.props, self.of, self.start = uuid, properties(props), of, bytes(value)
        short(uuid)


class Peripheral:
    """An app that serves attributes and advertises; derive from it.

    It publishes its characteristics and advertises when it is launched. A method `async def run(self)` runs from then
    on; `connected(self, link)` and `disconnected(self, link)` are called. In a method written(…) or read(…) `raise
    babbench.ATTError(code)` answers with an error.
    """

    #: What it advertises as its name; None: nothing.
    name: Optional[str] = None
    #: What it advertises as its services; None: all that it has.
    advertised: Optional[Iterable[UUIDLike]] = None
    manufacturer_data: Mapping[int, bytes] = {}
    service_data: Mapping[UUIDLike, bytes] = {}

    phone: "Phone"
    server: Server

    def launched(self, launch: "Launch") -> None:
        """Called once, before anything else."""
        self.phone = launch.phone
        self.server = Server(launch.radio)
        specs: Dict[str, _Member] = {}
        for owner in reversed(type(self).__mro__):
            for key, value in vars(owner).items():
                if isinstance(value, _Member):
                    specs[key] = value
        self._served: Dict[str, Union[Served, ServedDescriptor]] = {}
        services: Dict[str, ServedService] = {}
        for key, spec in sorted(specs.items(), key=lambda item: item[1].order):
            if isinstance(spec, characteristic):
                served = self._served[key] = Served(
                    spec.uuid, spec.props, spec.start, encrypted=spec.encrypted, descriptors=spec.descriptors)
                uuid = short(spec.service)
                services.setdefault(uuid, ServedService(uuid)).add(served)
            elif isinstance(spec, descriptor):
                described = self._served[key] = ServedDescriptor(spec.uuid, spec.start, spec.props)
                # By its name: a class below may have another characteristic in its place.
                owner_of = self._served.get(spec.of.name)
                if not isinstance(owner_of, Served):
                    raise ValueError(f"descriptor “{key}” is of “{spec.of.name}”, which is no characteristic before it")
                owner_of.descriptors.append(described)
            for name, function in spec.functions.items():
                # As an override of the method in a class below.
                setattr(self._served[key], name, getattr(self, function.__name__))
        for service in services.values():
            self.server.publish(service)
        for name, callbacks in (
                ("connected", self.server.on_connect), ("disconnected", self.server.on_disconnect)):
            callback = getattr(self, name, None)
            if callback is not None:
                callbacks.append(callback)
        advertised = list(services) if self.advertised is None else list(self.advertised)
        self.server.advertise(
            self.name, advertised, manufacturer_data=self.manufacturer_data, service_data=self.service_data)
