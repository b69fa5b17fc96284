"""In place of bleak's own tests/integration/conftest.py: its tests play against a peripheral in a room.

That file connects a device of Bumble to a controller, by HCI. Here the device is one of the room's phones, which serves
what the tests have described in Bumble's words. Everything else of bleak's tests is as it is.
"""

import asyncio
import contextlib
import inspect

import pytest
import room_loops
from bumble import data_types
from bumble.att import ATT_Error
from bumble.core import AdvertisingData
from bumble.hci import Address

import babbench
from babbench.gatt import Served, ServedDescriptor, ServedService, Server
from bleak import BleakScanner

_ADDRESS = "F0:F1:F2:F3:F4:F5"


class App:
    """An app that does what its device is asked for."""

    def launched(self, launch):
        self.server = Server(launch.radio)


room_loops.preparations.append(lambda room: room.phone("peripheral", "linux", app=App, address=_ADDRESS))


@contextlib.asynccontextmanager
async def create_hci_transport(request):
    yield asyncio.get_running_loop().room


@pytest.fixture
async def hci_transport():
    return asyncio.get_running_loop().room


@pytest.fixture
async def bumble_peripheral(hci_transport):
    return create_bumble_peripheral(hci_transport)


def create_bumble_peripheral(hci_transport):
    return Device(hci_transport)


class Link:
    """A connection, as Bumble's device has it."""

    def __init__(self, link):
        self.link = link

    async def disconnect(self):
        await self.link.disconnect()


def read(value, link):
    """What an attribute of Bumble's comes to."""
    if hasattr(value, "read"):
        value = value.read(Link(link))
    return b"" if value is None else value


async def answered(function, *arguments):
    """Errors of Bumble's as ours."""
    try:
        result = function(*arguments)
        return await result if inspect.isawaitable(result) else result
    except ATT_Error as error:
        raise babbench.ATTError(int(error.error_code)) from None


class Device:
    """What bleak's tests ask of `bumble.device.Device`."""

    name = "Bleak"

    def __init__(self, room):
        self.room = room
        self.phone = room.device("peripheral")
        self.static_address = Address(_ADDRESS)
        self.advertising_data = b""
        self.described = []
        self.served = {}

    @property
    def server(self):
        return self.phone.app.server

    @property
    def connections(self):
        return {link.number: Link(link) for link in self.server.links}

    def add_services(self, services):
        self.described += services

    async def power_on(self):
        await self.phone.ready()
        while self.phone.app is None:
            await asyncio.sleep(0.01)
        for service in self.described:
            made = ServedService(str(service.uuid.to_hex_str("-")))
            for one in service.characteristics:
                made.add(self.characteristic(one))
            await self.server.publish(made)

    def characteristic(self, described):
        served = Served(
            described.uuid.to_hex_str("-"), int(described.properties),
            on_read=lambda link: answered(read, described.value, link),
            on_write=lambda value, link: self.written(described, value, link))
        for one in described.descriptors:
            # Permissions of Bumble: 1 is read, 2 is write.
            flags = int(one.permissions)
            served.descriptors.append(ServedDescriptor(
                one.type.to_hex_str("-"), props=(2 if flags & 1 else 0) | (8 if flags & 2 else 0),
                on_read=lambda link, one=one: answered(read, one.value, link),
                on_write=lambda value, link, one=one: self.written(one, value, link)))
        self.served[described] = served
        return served

    @staticmethod
    def written(described, value, link):
        if hasattr(described.value, "write"):
            return answered(described.value.write, Link(link), value)
        described.value = value

    async def start_advertising(self):
        self.server.advertise(data=self.advertising_data)

    async def stop_advertising(self):
        self.server.stop_advertising()

    async def notify_subscribers(self, described, value, force=False):
        await self.served[described].notify(value)

    async def indicate_subscriber(self, connection, described, value):
        served = self.served[described]
        if connection.link in served.subscribers:
            await served.notify(value, connection.link)
            # Bumble waits for the confirmation.
            await asyncio.sleep(0.2)


def add_default_advertising_data(bumble_peripheral, additional_adv_data=None):
    flags = AdvertisingData.Flags
    data = [
        data_types.Flags(flags.LE_GENERAL_DISCOVERABLE_MODE | flags.BR_EDR_NOT_SUPPORTED),
        data_types.CompleteLocalName(bumble_peripheral.name), *(additional_adv_data or [])]
    bumble_peripheral.advertising_data = bytes(AdvertisingData(data))


async def configure_and_power_on_bumble_peripheral(bumble_peripheral, additional_adv_data=None, services=None):
    add_default_advertising_data(bumble_peripheral, additional_adv_data)
    if services:
        bumble_peripheral.add_services(services)
    await bumble_peripheral.power_on()
    await bumble_peripheral.start_advertising()


async def find_ble_device(bumble_peripheral):
    device = await BleakScanner.find_device_by_name(bumble_peripheral.name)
    if device is None:
        raise RuntimeError("the peripheral is not found")
    return device
