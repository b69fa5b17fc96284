"""How bleak tells the same thing on several systems: names, addresses, errors."""

from __future__ import annotations

import uuid
from typing import Any

from bleak import exc
from bleak.exc import BleakDBusError, BleakError

from .errors import Refused

#: How BlueZ tells errors of the Attribute Protocol (bluez, src/gatt-client.c).
_BLUEZ_ERRORS = {
    0x02: ("org.bluez.Error.NotPermitted", "Read not permitted"),
    0x03: ("org.bluez.Error.NotPermitted", "Write not permitted"),
    0x05: ("org.bluez.Error.NotPermitted", "Not paired"), 0x0C: ("org.bluez.Error.NotPermitted", "Not paired"),
    0x0F: ("org.bluez.Error.NotPermitted", "Not paired"),
    0x06: ("org.bluez.Error.NotSupported", "Operation is not supported"),
    0x07: ("org.bluez.Error.InvalidArguments", "Invalid offset"),
    0x0D: ("org.bluez.Error.InvalidArguments", "Invalid Length"),
    0x08: ("org.bluez.Error.NotAuthorized", "Operation Not Authorized")}
_NAMESPACE = uuid.UUID("8e7f1c1e-4d7c-5c0e-9f0c-6d2a5b0d7c11")


class Platform:
    """Linux with BlueZ."""

    #: As `bleak.backends.BleakBackend` calls it.
    name = "bluez_dbus"

    def address(self, address: str) -> str:
        """What apps know a device by."""
        return address

    def check_scan(self, is_passive: bool) -> None:
        """Refuses a scan that there is not."""

    def check_pairing(self) -> None:
        """Refuses to pair where an app cannot ask for it."""

    def att_error(self, code: int, what: str) -> Exception:
        """An error of the other end's server."""
        if hasattr(exc, "BleakGATTProtocolError") and _BLUEZ_ERRORS.get(code, ("", ""))[1] != "Not paired":
            return _protocol_error(code)
        name, text = _BLUEZ_ERRORS.get(
            code, ("org.bluez.Error.Failed", f"Operation failed with ATT error: 0x{code:02x}"))
        return BleakDBusError(name, [text])

    def lost(self, what: str) -> Exception:
        """The link ended before the answer."""
        return BleakError("Not connected")

    def pairing_failed(self, reason: int) -> Exception:
        name = "AuthenticationRejected" if reason in (0x01, 0x03, 0x05) else "AuthenticationFailed"
        return BleakDBusError(f"org.bluez.Error.{name}", [f"pairing failed, reason 0x{reason:02x}"])

    def powered_off(self) -> Exception:
        if hasattr(exc, "BleakBluetoothNotAvailableError"):
            error: Exception = exc.BleakBluetoothNotAvailableError(
                "Bluetooth is off", exc.BleakBluetoothNotAvailableReason.POWERED_OFF)
            return error
        return BleakDBusError("org.bluez.Error.NotReady", ["Resource Not Ready"])


class CoreBluetooth(Platform):
    """macOS: devices have identifiers in place of addresses, and apps do not pair."""

    name = "core_bluetooth"

    def address(self, address: str) -> str:
        return str(uuid.uuid5(_NAMESPACE, address)).upper()

    def check_scan(self, is_passive: bool) -> None:
        if is_passive:
            raise BleakError("macOS does not support passive scanning")

    def check_pairing(self) -> None:
        raise NotImplementedError("Pairing is not available in Core Bluetooth.")

    def att_error(self, code: int, what: str) -> Exception:
        if hasattr(exc, "BleakGATTProtocolError"):
            return _protocol_error(code)
        return BleakError(f"Failed to {what}: Error Domain=CBATTErrorDomain Code={code}")

    def lost(self, what: str) -> Exception:
        return BleakError("disconnected")

    def powered_off(self) -> Exception:
        if hasattr(exc, "BleakBluetoothNotAvailableError"):
            return super().powered_off()
        return BleakError("Bluetooth device is turned off")


class WinRT(Platform):
    """Windows."""

    name = "win_rt"

    def att_error(self, code: int, what: str) -> Exception:
        if hasattr(exc, "BleakGATTProtocolError"):
            return _protocol_error(code)
        name = exc.PROTOCOL_ERROR_CODES.get(code, "Unknown code")
        return BleakError(f"Could not {what}: Protocol Error 0x{code:02X}: {name}")

    def lost(self, what: str) -> Exception:
        return BleakError(f"Could not {what}: Unreachable")

    def pairing_failed(self, reason: int) -> Exception:
        name = "REJECTED_BY_HANDLER" if reason in (0x01, 0x03, 0x05) else "FAILED"
        return BleakError(f"Could not pair with device: {name}")

    def powered_off(self) -> Exception:
        if hasattr(exc, "BleakBluetoothNotAvailableError"):
            return super().powered_off()
        return BleakError("Bluetooth is off")


def _protocol_error(code: int) -> Exception:
    error: Exception = exc.BleakGATTProtocolError(exc.BleakGATTProtocolErrorCode(code))
    return error


_PLATFORMS = {"bluez": Platform(), "core_bluetooth": CoreBluetooth(), "winrt": WinRT()}


def platform(phone: Any) -> Platform:
    """That of a phone, by the name that `room.phone(…, bleak=…)` gave it."""
    name = phone.bleak
    if name not in _PLATFORMS:
        raise Refused(f"{phone.name}: bleak has no platform “{name}”; write {', '.join(_PLATFORMS)}")
    return _PLATFORMS[name]
