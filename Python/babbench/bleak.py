"""The package bleak with the radio of a room: apps that use it run in a room as they are.

```python
with babbench.bleak.installed():
    from bleak import BleakClient, BleakScanner     # these are in the room now
```

bleak 1.0 and later. Inside of `installed()`, bleak takes this backend where nobody passes another one. Names, addresses
and errors are those of BlueZ, or of another system of bleak's: `room.phone(…, bleak="core_bluetooth")`.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Set

import bleak
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak import exc
from bleak.exc import BleakDBusError, BleakDeviceNotFoundError, BleakError

from ._loop import RoomLoop
from ._platforms import Platform, platform
from .advertising import Advertisement
from .errors import RoomError
from .radio import ATTError, ConnectFailed, Found, Link, LinkLost, PairingFailed, PoweredOff, Radio
from .room import Launch, Room
from .uuids import full

_PROPERTIES = {
    0x01: "broadcast", 0x02: "read", 0x04: "write-without-response", 0x08: "write", 0x10: "notify", 0x20: "indicate",
    0x40: "authenticated-signed-writes", 0x80: "extended-properties"}

def _room(loop: Any) -> Optional[Room]:
    return getattr(loop, "room", None) if isinstance(loop, RoomLoop) else None


def launch_here() -> Launch:
    """The launch of an app whose radio is meant."""
    room = _room(asyncio.get_running_loop())
    if room is None:
        raise BleakError(
            "bleak is in a room, and no room runs this code; let it run by room.phone(…, app=…) or phone.run(…)")
    try:
        return room.launch_here()
    except RoomError as error:
        raise BleakError(str(error)) from error


def _path(address: str) -> str:
    return "/org/bluez/hci0/dev_" + address.replace(":", "_")


class RoomScanner(BaseBleakScanner):
    """bleak's scanner on the radio of a room."""

    def __init__(
        self, detection_callback: Any = None, service_uuids: Optional[List[str]] = None, scanning_mode: Any = "active",
        **options: Any
    ) -> None:
        super().__init__(detection_callback, [full(uuid) for uuid in service_uuids] if service_uuids else None)
        self._is_passive = scanning_mode == "passive"
        self._radio: Optional[Radio] = None
        self._platform = Platform()
        self._known: Dict[str, Advertisement] = {}

    async def start(self) -> None:
        launch = launch_here()
        self._platform = platform(launch.phone)
        self._platform.check_scan(self._is_passive)
        if self._radio is not None:
            raise BleakDBusError("org.bluez.Error.InProgress", ["Operation already in progress"])
        self.seen_devices = {}
        self._known = {}
        try:
            launch.radio.start_scan(self._heard)
        except PoweredOff:
            raise self._platform.powered_off() from None
        self._radio = launch.radio

    async def stop(self) -> None:
        radio, self._radio = self._radio, None
        if radio is not None:
            radio.stop_scan(self._heard)

    def set_scanning_filter(self, **options: Any) -> None:
        """Kept for apps that call it; filters of BlueZ change nothing here."""

    def _heard(self, heard: Advertisement) -> None:
        # BlueZ keeps what a device has said before.
        known = self._known.setdefault(heard.address, heard)
        if known is not heard:
            known.rssi = heard.rssi
            known.local_name = heard.local_name or known.local_name
            known.tx_power = heard.tx_power if heard.tx_power is not None else known.tx_power
            known.service_uuids += [uuid for uuid in heard.service_uuids if uuid not in known.service_uuids]
            known.manufacturer_data.update(heard.manufacturer_data)
            known.service_data.update(heard.service_data)
        if not self.is_allowed_uuid(known.service_uuids):
            return
        properties = {
            "Address": known.address, "AddressType": "random",
            "Alias": known.local_name or known.address.replace(":", "-"),
            "Adapter": "/org/bluez/hci0", "RSSI": known.rssi, "UUIDs": list(known.service_uuids), "Paired": False,
            "Connected": False}
        if known.local_name:
            properties["Name"] = known.local_name
        details = {"path": _path(known.address), "props": properties}
        data = AdvertisementData(
            local_name=known.local_name, manufacturer_data=dict(known.manufacturer_data),
            service_data=dict(known.service_data), service_uuids=list(known.service_uuids), tx_power=known.tx_power,
            rssi=known.rssi, platform_data=(details["path"], properties))
        create: Any = self.create_or_update_device
        address = self._platform.address(known.address)
        if self._radio is not None:
            self._radio.known[address] = known.address
        try:
            device = create(address, address, known.local_name, details, data)
        except TypeError:
            # bleak 1.0 had no key.
            device = create(address, known.local_name, details, data)
        self.call_detection_callbacks(device, data)


class RoomClient(BaseBleakClient):
    """bleak's client on the radio of a room."""

    def __init__(self, address_or_ble_device: Any, services: Optional[Set[str]] = None, **options: Any) -> None:
        options.setdefault("timeout", 10.0)
        super().__init__(address_or_ble_device, **_accepted(options))
        self._wanted = {full(uuid) for uuid in services} if services else None
        self._device_path: Optional[str] = None
        self._device: Optional[BLEDevice] = None
        if isinstance(address_or_ble_device, BLEDevice):
            self._device = address_or_ble_device
            self._device_path = _path(self.address)
        self._link: Optional[Link] = None
        self._platform = Platform()

    @property
    def name(self) -> str:
        if self._device is not None and self._device.name:
            return self._device.name
        return self.address.replace(":", "-")

    @property
    def mtu_size(self) -> int:
        return self._link.att_mtu if self._link is not None else 23

    @property
    def is_connected(self) -> bool:
        return self._link is not None and self._link.is_up

    async def _acquire_mtu(self) -> None:
        """Kept for apps that call it on BlueZ; `mtu_size` is always right here."""

    # Links

    async def connect(self, pair: bool = False, **options: Any) -> None:
        if self.is_connected:
            raise BleakError("Client is already connected")
        timeout = options.get("timeout", self._timeout)
        launch = launch_here()
        self._platform = platform(launch.phone)
        if self._device_path is None:
            device = await bleak.BleakScanner.find_device_by_address(
                self.address, timeout=timeout, backend=RoomScanner)
            if device is None:
                raise BleakDeviceNotFoundError(
                    self.address, f"Device with address {self.address} was not found.")
            self._device = device
            self._device_path = _path(self.address)
        try:
            await asyncio.wait_for(self._connect(launch.radio, pair), timeout)
        except PoweredOff:
            raise self._platform.powered_off() from None

    async def _connect(self, radio: Radio, pair: bool) -> None:
        link: Optional[Link] = None
        address = radio.known.get(self.address, self.address)
        try:
            while link is None:
                try:
                    link = radio.link_to(address) or await radio.connect(address)
                    self._take(link)
                    if pair and self._platform.name != "core_bluetooth":
                        await self.pair()
                    self.services = await self._discover(link)
                except ConnectFailed:
                    # BlueZ says le-connection-abort-by-local, and bleak tries again until its timeout.
                    link = None
                except LinkLost as error:
                    self._link = link = None
                    # 0x3E: the other end never answered on the link; BlueZ and bleak try again.
                    if error.reason != 0x3E:
                        raise BleakError("failed to discover services, device disconnected") from error
        except BaseException:
            if link is not None and link.is_up:
                radio.ask({"name": "disconnect", "link": link.number})
                self._link = None
            raise

    def _take(self, link: Link) -> None:
        self._link = link
        link.on_lost.append(lambda: self._lost(link))

    def _lost(self, link: Link) -> None:
        if self._link is not link:
            return
        self._link = None
        had_services, self.services = self.services is not None, None
        if had_services and self._disconnected_callback is not None:
            self._disconnected_callback()

    async def disconnect(self) -> None:
        if self._link is not None and self._link.is_up:
            await self._link.disconnect()

    async def _discover(self, link: Link) -> BleakGATTServiceCollection:
        collection = BleakGATTServiceCollection()
        try:
            found = await link.services()
        except ATTError as error:
            raise self._platform.att_error(error.code, "get GATT services") from error
        for service in found:
            if self._wanted is not None and full(service.uuid) not in self._wanted:
                continue
            made = BleakGATTService(service, service.start, full(service.uuid))
            collection.add_service(made)
            for one in service.characteristics:
                names = [name for bit, name in _PROPERTIES.items() if one.properties & bit]
                # The handle of the declaration, as BlueZ has it.
                characteristic = _characteristic(
                    one, one.handle - 1, full(one.uuid), names, lambda: link.att_mtu - 3, made)
                collection.add_characteristic(characteristic)
                for descriptor in one.descriptors:
                    collection.add_descriptor(_descriptor(descriptor, characteristic))
        return collection

    async def get_services(self, **options: Any) -> BleakGATTServiceCollection:
        if self.services is None:
            raise BleakError("Not connected")
        return self.services

    async def pair(self, *arguments: Any, **options: Any) -> None:
        self._platform.check_pairing()
        link = self._up()
        try:
            await link.pair()
        except PairingFailed as error:
            raise self._platform.pairing_failed(error.reason) from error
        except LinkLost as error:
            raise BleakDBusError("org.bluez.Error.AuthenticationCanceled", ["Authentication Canceled"]) from error

    async def unpair(self) -> None:
        self._platform.check_pairing()
        launch = launch_here()
        await self.disconnect()
        launch.phone.act("forget bonds")

    # Attributes

    def _up(self) -> Link:
        if self._link is None or not self._link.is_up:
            raise BleakError("Not connected")
        return self._link

    async def _do(self, operation: Any, what: str, one: Found) -> Any:
        try:
            return await operation
        except ATTError as error:
            raise self._platform.att_error(error.code, f"{what} {one.handle}") from error
        except LinkLost as error:
            raise self._platform.lost(f"{what} {one.handle}") from error

    def _resolved(self, specifier: Any) -> BleakGATTCharacteristic:
        if isinstance(specifier, BleakGATTCharacteristic):
            return specifier
        found = self.services.get_characteristic(specifier) if self.services is not None else None
        if found is None:
            raise exc.BleakCharacteristicNotFoundError(specifier)
        return found

    async def read_gatt_char(self, characteristic: Any, **options: Any) -> bytearray:
        link, one = self._up(), self._resolved(characteristic).obj
        return await self._read(link, one, "read characteristic handle", options)

    async def read_gatt_descriptor(self, descriptor: Any, **options: Any) -> bytearray:
        link = self._up()
        if isinstance(descriptor, int) and self.services is not None:
            descriptor = self.services.get_descriptor(descriptor)
        return await self._read(link, descriptor.obj, "read descriptor", options)

    async def _read(self, link: Link, one: Found, what: str, options: Dict[str, Any]) -> bytearray:
        if options.get("use_cached"):
            # What the system has heard last; it asks nobody.
            return bytearray(link.last_values.get(one.handle, b""))
        value = await self._do(link.read(one.handle, one.uuid), what, one)
        link.last_values[one.handle] = bytes(value)
        return bytearray(value)

    async def write_gatt_char(
        self, characteristic: Any, data: Any, response: bool
    ) -> None:
        link, one = self._up(), self._resolved(characteristic).obj
        if response:
            await self._do(link.write(one.handle, one.uuid, bytes(data)), "write characteristic", one)
        else:
            await self._do(link.write_command(one.handle, one.uuid, bytes(data)), "write characteristic", one)

    async def write_gatt_descriptor(self, descriptor: Any, data: Any) -> None:
        link, one = self._up(), descriptor.obj
        await self._do(link.write(one.handle, one.uuid, bytes(data)), "write descriptor", one)

    async def start_notify(
        self, characteristic: Any, callback: Callable[[bytearray], Any], **options: Any
    ) -> None:
        link, one = self._up(), self._resolved(characteristic).obj
        if not one.properties & 0x30:
            raise BleakDBusError("org.bluez.Error.NotSupported", ["Operation is not supported"])
        def heard(value: bytes) -> None:
            link.last_values[one.handle] = bytes(value)
            callback(bytearray(value))

        link.on_value[one.handle] = heard
        try:
            await self._do(link.configure(one.handle, one.uuid, True), "start notify on", one)
        except BaseException:
            link.on_value.pop(one.handle, None)
            raise

    async def stop_notify(self, characteristic: Any) -> None:
        link, one = self._up(), self._resolved(characteristic).obj
        link.on_value.pop(one.handle, None)
        await self._do(link.configure(one.handle, one.uuid, False), "stop notify on", one)


class RoomAdapter:
    """bleak's adapter (3.1 and later) on the radio of a room."""

    def __init__(self, radio: Radio) -> None:
        self._radio = radio

    @classmethod
    async def get(cls, **options: Any) -> "RoomAdapter":
        return cls(launch_here().radio)

    async def get_connected_devices(self, service_uuids: Any) -> List[BLEDevice]:
        """Devices that this phone is connected to, and that have one of the services."""
        wanted = {full(uuid) for uuid in service_uuids}
        return [
            BLEDevice(link.address, None, {"path": _path(link.address), "props": {"Address": link.address}})
            for link in self._radio.links.values()
            if link.outgoing and wanted & {full(service.uuid) for service in link.found}]


def _accepted(options: Dict[str, Any]) -> Dict[str, Any]:
    """What the base class of any version takes."""
    return {key: value for key, value in options.items() if key in ("timeout", "disconnected_callback")}


def _characteristic(one: Found, handle: int, uuid: str, names: List[str], size: Any, service: Any) -> Any:
    return BleakGATTCharacteristic(one, handle, uuid, names, size, service)  # type: ignore[arg-type]


def _descriptor(one: Found, characteristic: Any) -> Any:
    return BleakGATTDescriptor(one, one.handle, full(one.uuid), characteristic)


#: What bleak asks for its backends, by the modules in which the functions are.
_DOORS = {
    "get_platform_client_backend_type": ("bleak", "bleak.backends.client"),
    "get_platform_scanner_backend_type": ("bleak", "bleak.backends.scanner"),
    "get_platform_adapter_backend_type": ("bleak", "bleak.backends.adapter")}


def _is_pair() -> bool:
    """Whether this bleak wants the name of the backend, too (2.0 and later)."""
    return hasattr(__import__("bleak.backends", fromlist=["BleakBackend"]), "BleakBackend")


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Inside of it, bleak has the radio of the room wherever nobody passes another backend."""
    def door(original: Any, backend: Any) -> Any:
        def choose() -> Any:
            if not isinstance(_running(), RoomLoop):
                return original()
            if _is_pair():
                from bleak.backends import BleakBackend
                return backend, BleakBackend(platform(launch_here().phone).name)
            return backend
        return choose

    before: List[Any] = []
    for name, backend in (
            ("get_platform_client_backend_type", RoomClient), ("get_platform_scanner_backend_type", RoomScanner),
            ("get_platform_adapter_backend_type", RoomAdapter)):
        # Versions before 3.1 have no adapter.
        owned = [_attribute(sys.modules.get(module), name) for module in _DOORS[name]]
        # Packages may have taken the function by name.
        for module in list(sys.modules.values()):
            original = _attribute(module, name)
            if original is not None and original in owned:
                before.append((module, name, original))
                setattr(module, name, door(original, backend))
    try:
        yield
    finally:
        for module, name, original in reversed(before):
            setattr(module, name, original)


def _attribute(module: Any, name: str) -> Any:
    return (getattr(module, "__dict__", None) or {}).get(name)


def _running() -> Any:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


__all__ = ["RoomAdapter", "RoomClient", "RoomScanner", "installed", "launch_here"]
