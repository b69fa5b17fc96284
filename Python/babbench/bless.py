"""The server of the package bless with the radio of a room: peripherals that are written for it run as they are.

```python
with babbench.bless.installed():
    from bless import BlessServer       # it is in the room now
```

`BlessServer` has the shape of bless 0.2 and later, and needs no bless; flags may be those of bless, or whole numbers.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

from .bleak import launch_here
from .gatt import PROPERTIES, Served, ServedDescriptor, ServedService, Server
from .uuids import UUIDLike, full


def _number(flags: Any) -> int:
    return int(getattr(flags, "value", flags) or 0)


class _Attribute:
    """What characteristics and descriptors have in common."""

    def __init__(self, uuid: UUIDLike, served: Union[Served, ServedDescriptor]) -> None:
        self.uuid = full(uuid)
        self.served = served

    @property
    def value(self) -> bytearray:
        return bytearray(self.served.value)

    @value.setter
    def value(self, value: Any) -> None:
        self.served.value = bytes(value or b"")

    def __str__(self) -> str:
        return f"{self.uuid}: {self.value!r}"


class BlessGATTCharacteristic(_Attribute):
    """A characteristic, as apps of bless see it."""

    served: Served

    def __init__(self, uuid: UUIDLike, service_uuid: str, served: Served) -> None:
        super().__init__(uuid, served)
        self.service_uuid = service_uuid
        self.descriptors: List["BlessGATTDescriptor"] = []

    @property
    def initial_value(self) -> bytearray:
        return self.value

    @property
    def properties(self) -> List[str]:
        return [name for name, bit in PROPERTIES.items() if self.served.properties & bit]


class BlessGATTDescriptor(_Attribute):
    """A descriptor, as apps of bless see it."""

    served: ServedDescriptor


class BlessGATTService:
    """A service, as apps of bless see it."""

    def __init__(self, uuid: UUIDLike) -> None:
        self.uuid = full(uuid)
        self.served = ServedService(uuid)
        self.characteristics: List[BlessGATTCharacteristic] = []

    def get_characteristic(self, uuid: UUIDLike) -> Optional[BlessGATTCharacteristic]:
        return next((one for one in self.characteristics if one.uuid == full(uuid)), None)


class BlessServer:
    """bless's server on the radio of a room."""

    def __init__(self, name: str, loop: Any = None, **options: Any) -> None:
        self.name = name
        self.loop = loop
        self.services: Dict[str, BlessGATTService] = {}
        self.read_request_func: Optional[Callable[..., Any]] = None
        self.write_request_func: Optional[Callable[..., Any]] = None
        self._server: Optional[Server] = None

    async def __aenter__(self) -> "BlessServer":
        await self.start()
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.stop()

    async def start(self, **options: Any) -> bool:
        """Publishes all services, and advertises them."""
        launch = launch_here()
        server = self._server = Server(launch.radio)
        for service in self.services.values():
            await server.publish(service.served)
        server.advertise(self.name, [service.uuid for service in self.services.values()])
        return True

    async def stop(self) -> bool:
        """Advertises no more, and withdraws the services."""
        if self._server is not None:
            self._server.stop_advertising()
            for service in list(self._server.services):
                self._server.unpublish(service)
            self._server = None
        return True

    async def is_connected(self) -> bool:
        """Whether somebody has subscribed, as bless has it on Linux."""
        return any(
            one.served.subscribers for service in self.services.values() for one in service.characteristics)

    async def is_advertising(self) -> bool:
        return self._server is not None and self._server.advertises

    async def add_new_service(self, uuid: UUIDLike) -> None:
        service = BlessGATTService(uuid)
        self.services[service.uuid] = service

    async def add_new_characteristic(
        self, service_uuid: UUIDLike, char_uuid: UUIDLike, properties: Any, value: Optional[bytearray],
        permissions: Any
    ) -> None:
        service = self.services[full(service_uuid)]
        # 4 and 8 are bless's flags for links that are to be encrypted.
        served = Served(
            char_uuid, _number(properties), bytes(value or b""), encrypted=bool(_number(permissions) & 12))
        made = BlessGATTCharacteristic(char_uuid, service.uuid, served)
        served.on_read = lambda: self._read(made)
        served.on_write = lambda octets: self._write(made, octets)
        service.served.add(served)
        service.characteristics.append(made)

    async def add_new_descriptor(
        self, service_uuid: UUIDLike, char_uuid: UUIDLike, desc_uuid: UUIDLike, properties: Any,
        value: Optional[bytearray], permissions: Any
    ) -> None:
        found = self.services[full(service_uuid)].get_characteristic(char_uuid)
        if found is None:
            raise KeyError(str(char_uuid))
        # 1 and 4 are bless's flags for what is read, 2 and 8 for what is written.
        flags = _number(permissions) or 1
        served = ServedDescriptor(
            desc_uuid, bytes(value or b""), (2 if flags & 5 else 0) | (8 if flags & 10 else 0))
        found.served.descriptors.append(served)
        found.descriptors.append(BlessGATTDescriptor(desc_uuid, served))

    async def add_gatt(self, gatt_tree: Dict[str, Any]) -> None:
        """Adds services and characteristics by a dictionary."""
        for service_uuid, characteristics in gatt_tree.items():
            await self.add_new_service(service_uuid)
            for uuid, one in characteristics.items():
                await self.add_new_characteristic(
                    service_uuid, uuid, one.get("Properties"), one.get("Value"), one.get("Permissions"))
                for other, descriptor in (one.get("Descriptors") or {}).items():
                    await self.add_new_descriptor(
                        service_uuid, uuid, other, descriptor.get("Properties"), descriptor.get("Value"),
                        descriptor.get("Permissions"))

    def get_service(self, uuid: UUIDLike) -> Optional[BlessGATTService]:
        return self.services.get(full(uuid))

    def get_characteristic(self, uuid: UUIDLike) -> Optional[BlessGATTCharacteristic]:
        found = (service.get_characteristic(uuid) for service in self.services.values())
        return next((one for one in found if one is not None), None)

    def update_value(self, service_uuid: UUIDLike, char_uuid: UUIDLike) -> bool:
        """Notifies those that have subscribed of the value that the characteristic has."""
        service = self.get_service(service_uuid)
        found = service.get_characteristic(char_uuid) if service is not None else None
        if found is None:
            return False
        if found.served.server is not None and found.served.properties & 48:
            found.served.notify()
        return True

    def _read(self, made: BlessGATTCharacteristic) -> Any:
        return made.value if self.read_request_func is None else self.read_request_func(made)

    def _write(self, made: BlessGATTCharacteristic, octets: bytes) -> Any:
        if self.write_request_func is not None:
            return self.write_request_func(made, bytearray(octets))
        return None


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Inside of it, `bless.BlessServer` is the room's, also in modules that have taken it by name before."""
    import bless

    before: Any = getattr(bless, "BlessServer")
    changed: List[Any] = []
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get("BlessServer") is before:
            changed.append(module)
            setattr(module, "BlessServer", BlessServer)
    try:
        yield
    finally:
        for module in changed:
            setattr(module, "BlessServer", before)
