"""Whole rooms of Bluetooth LE devices, in virtual time, for tests of Python code.

`Room` is where everything begins; `babbench.bleak.installed()` lets unmodified bleak apps run in it. The pages
Docs/python.md and Docs/Formats/room-protocol.md have more.

What is here is imported when it is used for the first time: the plugin of pytest is in every run, and rooms are not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .advertising import Advertisement as Advertisement
    from .errors import (
        AppFailed as AppFailed, BenchFailed as BenchFailed, NeverRests as NeverRests, NeverYields as NeverYields,
        NotVirtual as NotVirtual, Refused as Refused, RoomError as RoomError, TimeIsOver as TimeIsOver,
        TimeLimit as TimeLimit)
    from .gatt import (
        Peripheral as Peripheral, Served as Served, ServedDescriptor as ServedDescriptor,
        ServedService as ServedService, Server as Server, characteristic as characteristic,
        descriptor as descriptor)
    from .oracles import Found as Found
    from .radio import (
        ATTError as ATTError, ConnectFailed as ConnectFailed, Link as Link, LinkLost as LinkLost,
        PairingFailed as PairingFailed, PoweredOff as PoweredOff, Radio as Radio)
    from .records import (
        DeviceFigures as DeviceFigures, Expectation as Expectation, Finding as Finding, Outcome as Outcome,
        Record as Record)
    from .room import Device as Device, Launch as Launch, Phone as Phone, Player as Player, Room as Room
    from .world import Fault as Fault, World as World

__version__ = "0.2.0"

_PLACES = {
    "advertising": ["Advertisement"],
    "errors": [
        "AppFailed", "BenchFailed", "NeverRests", "NeverYields", "NotVirtual", "Refused", "RoomError", "TimeIsOver",
        "TimeLimit"],
    "gatt": [
        "Peripheral", "Served", "ServedDescriptor", "ServedService", "Server", "characteristic", "descriptor"],
    "oracles": ["Found"],
    "radio": ["ATTError", "ConnectFailed", "Link", "LinkLost", "PairingFailed", "PoweredOff", "Radio"],
    "records": ["DeviceFigures", "Expectation", "Finding", "Outcome", "Record"],
    "room": ["Device", "Launch", "Phone", "Player", "Room"],
    "world": ["Fault", "World"]}
_OWNERS = {name: module for module, names in _PLACES.items() for name in names}
_MODULES = ("bleak", "bless", "strategies")

__all__ = sorted(_OWNERS)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name not in _OWNERS:
        raise AttributeError(f"module “{__name__}” has no “{name}”")
    value = getattr(importlib.import_module("." + _OWNERS[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted([*globals(), *_OWNERS, *_MODULES])
