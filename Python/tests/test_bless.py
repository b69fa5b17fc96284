"""Peripherals that are written for bless."""

import asyncio

import pytest

import babbench

pytest.importorskip("bleak")
from bleak import BleakClient, BleakScanner  # noqa: E402

SERVICE = "a07498ca-ad5b-474e-940d-16f1fbe7e8cd"
VALUE = "51ff12bb-3ed8-46e5-b4f9-d64e2fec021b"


def test_a_server_of_the_shape_of_bless(room):
    written = []

    async def serve():
        server = babbench.bless.BlessServer(name="Test Service")
        server.read_request_func = lambda characteristic, **options: bytearray(b"read ") + characteristic.value

        def write(characteristic, value, **options):
            written.append(bytes(value))
            characteristic.value = value
            server.update_value(SERVICE, VALUE)

        server.write_request_func = write
        await server.add_gatt({
            SERVICE: {VALUE: {"Properties": 2 | 8 | 16, "Permissions": 3, "Value": bytearray(b"x"),
                              "Descriptors": {"2901": {"Value": bytearray(b"a value"), "Permissions": 1},
                                              "FE01": {"Value": bytearray(b"a"), "Permissions": 3}}}}})
        assert await server.start()
        assert await server.is_advertising()
        await asyncio.sleep(20)
        await server.stop()

    async def use():
        device = await BleakScanner.find_device_by_name("Test Service")
        heard = asyncio.Queue()
        async with BleakClient(device) as client:
            assert await client.read_gatt_char(VALUE) == b"read x"
            descriptor = client.services.get_characteristic(VALUE).get_descriptor("2901")
            assert await client.read_gatt_descriptor(descriptor.handle) == b"a value"
            writable = client.services.get_characteristic(VALUE).get_descriptor("FE01")
            await client.write_gatt_descriptor(writable.handle, b"b")
            assert await client.read_gatt_descriptor(writable.handle) == b"b"
            await client.start_notify(VALUE, lambda _, value: heard.put_nowait(bytes(value)))
            await client.write_gatt_char(VALUE, b"hello", response=True)
            assert await heard.get() == b"hello"
        assert await BleakScanner.find_device_by_name("Test Service", timeout=2) is not None
        await asyncio.sleep(20)
        assert await BleakScanner.find_device_by_name("Test Service", timeout=5) is None
        return "done"

    room.phone("server", "linux", app=serve)
    user = room.phone("user", "linux", at=(2, 0), app=use)
    room.until(lambda: user.app == "done", within=60)
    assert written == [b"hello"]


def test_bless_itself_is_in_the_room(room):
    bless = pytest.importorskip("bless")
    with babbench.bless.installed():
        async def serve():
            server = bless.BlessServer(name="Bless")
            await server.add_new_service(SERVICE)
            await server.add_new_characteristic(
                SERVICE, VALUE, bless.GATTCharacteristicProperties.read, bytearray(b"own"),
                bless.GATTAttributePermissions.readable)
            await server.start()

        async def use():
            async with BleakClient(await BleakScanner.find_device_by_name("Bless")) as client:
                return bytes(await client.read_gatt_char(VALUE))

        room.phone("server", "linux", app=serve)
        user = room.phone("user", "linux", at=(2, 0))
        assert user.run(use()) == b"own"
