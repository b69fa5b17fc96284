"""Whole rooms of Bluetooth LE devices, in virtual time, for tests of Python code.

`Room` is where everything begins; `babbench.bleak.installed()` lets unmodified bleak apps run in it. The pages
Docs/python.md and Docs/Formats/room-protocol.md have more.
"""

from .errors import (
    AppFailed, BenchFailed, NeverRests, NeverYields, NotVirtual, Refused, RoomError, TimeIsOver, TimeLimit)
from .gatt import Peripheral, Served, ServedService, Server, characteristic
from .advertising import Advertisement
from .radio import ATTError, ConnectFailed, Link, LinkLost, PairingFailed, PoweredOff, Radio
from .records import DeviceFigures, Expectation, Finding, Outcome, Record
from .room import Device, Launch, Phone, Player, Room

__version__ = "0.2.0"

__all__ = [
    "ATTError", "Advertisement", "AppFailed", "BenchFailed", "ConnectFailed", "Device", "DeviceFigures", "Expectation",
    "Finding", "Launch", "Link", "LinkLost", "NeverRests", "NeverYields", "NotVirtual", "Outcome", "PairingFailed",
    "Peripheral", "Phone", "Player", "PoweredOff", "Radio", "Record", "Refused", "Room", "RoomError", "Served",
    "ServedService", "Server", "TimeIsOver", "TimeLimit", "characteristic"]
