"""The package bleak, as it is on PyPI, in rooms."""

import asyncio

import pytest
from conftest import Lamp

import babbench

pytest.importorskip("bleak")
from bleak import BleakClient, BleakScanner  # noqa: E402
from bleak.exc import BleakCharacteristicNotFoundError, BleakDeviceNotFoundError, BleakError  # noqa: E402


@pytest.fixture
def lamp(room):
    return room.phone("lamp", app=Lamp)


@pytest.fixture
def computer(room):
    return room.phone("computer", "linux", at=(3, 0))


async def test_scanning(room, lamp, computer):
    room.beacon("beacon", data=bytes.fromhex("0201060aff4c0010050318aabbcc"))
    found = await BleakScanner.discover(timeout=3, return_adv=True)
    names = {advertisement.local_name for _, advertisement in found.values()}
    assert names == {"Lamp", None}
    assert {0x004C: bytes.fromhex("10050318aabbcc")} in [a.manufacturer_data for _, a in found.values()]
    only = await BleakScanner.discover(timeout=3, service_uuids=["ffe0"])
    assert [device.name for device in only] == ["Lamp"]
    heard = []
    async with BleakScanner(lambda device, data: heard.append((device.name, data.rssi))):
        await room.sleep(2)
    assert ("Lamp", -40) in {(name, rssi // 10 * 10) for name, rssi in heard} or len(heard) > 5


async def test_an_exchange(room, lamp, computer):
    gone = []
    device = await BleakScanner.find_device_by_filter(lambda d, ad: "ffe0" in " ".join(ad.service_uuids))
    said = asyncio.Queue()
    async with BleakClient(device, gone.append) as client:
        assert client.is_connected and client.mtu_size == 185
        await client.start_notify("ffe1", lambda characteristic, value: said.put_nowait(bytes(value)))
        await client.write_gatt_char("ffe1", b"\x01", response=True)
        await client.write_gatt_char("ffe1", b"\x02", response=False)
        assert [await said.get(), await said.get()] == [b"\x01", b"\x02"]
        assert await client.read_gatt_char("ffe1") == b"\x02"
        assert await client.read_gatt_char("ffe3") == bytes(range(200))
        await client.stop_notify("ffe1")
        await client.write_gatt_char("ffe1", b"\x03", response=True)
        await room.sleep(1)
        assert said.empty()
    assert gone == [client] and not client.is_connected


async def test_errors(room, lamp, computer):
    device = await BleakScanner.find_device_by_name("Lamp")
    async with BleakClient(device) as client:
        with pytest.raises(BleakError, match="0x80|Application"):
            await client.write_gatt_char("ffe1", b"\xff", response=True)
        assert lamp.app.light.value == b"\x00"
        with pytest.raises(BleakError, match="(?i)write not permitted"):
            await client.write_gatt_char("ffe3", b"\x01", response=True)
        with pytest.raises(BleakCharacteristicNotFoundError):
            await client.read_gatt_char("ffff")
        with pytest.raises(BleakError):
            await client.start_notify("ffe3", print)
        with pytest.raises(BleakError, match="already connected"):
            await client.connect()
    with pytest.raises(BleakError, match="Not connected|Discovery"):
        await client.read_gatt_char(0x0C)
    with pytest.raises(BleakDeviceNotFoundError):
        await BleakClient("00:11:22:33:44:55", timeout=3).connect()
    assert await BleakScanner.find_device_by_name("Lantern", timeout=2) is None


class Clock(babbench.Peripheral):
    name = "Clock"
    hour = babbench.characteristic("FFD1", "read, notify", service="FFD0", descriptors={"2901": b"Hour"})
    format = babbench.descriptor("2904", of=hour, value=bytes.fromhex("04000027010000"))
    zone = babbench.descriptor("0000FE01-1000-1000-1000-00805F9B34FB", "read, write", of=hour, value=b"UTC")
    key = babbench.descriptor("FE02", "write", of=hour)
    count = 0

    @zone.written
    def zone_was_written(self, value, link):
        if not value:
            raise babbench.ATTError(0x80)

    @format.read
    def read_format(self):
        self.count += 1
        return None


async def test_descriptors(room, computer):
    clock = room.phone("clock", app=Clock)
    device = await BleakScanner.find_device_by_name("Clock")
    async with BleakClient(device) as client:
        hour = client.services.get_characteristic("ffd1")
        short = [one.uuid[4:8] for one in hour.descriptors]
        assert short == ["2902", "2901", "2904", "fe01", "fe02"]
        description, format, zone, key = (hour.descriptors[place].handle for place in (1, 2, 3, 4))
        assert await client.read_gatt_descriptor(description) == b"Hour"
        assert len(await client.read_gatt_descriptor(format)) == 7 and clock.app.count == 1
        await client.write_gatt_descriptor(zone, b"CET")
        assert clock.app.zone.value == await client.read_gatt_descriptor(zone) == b"CET"
        # Values that need several requests.
        long = bytes(range(250)) * 2
        await client.write_gatt_descriptor(zone, long)
        assert clock.app.zone.value == await client.read_gatt_descriptor(zone) == long
        clock.app.zone.value = b"EET"
        assert await client.read_gatt_descriptor(zone) == b"EET"
        with pytest.raises(BleakError, match="0x80|Application"):
            await client.write_gatt_descriptor(zone, b"")
        assert clock.app.zone.value == b"EET"
        with pytest.raises(BleakError, match="(?i)write not permitted"):
            await client.write_gatt_descriptor(description, b"Minute")
        with pytest.raises(BleakError, match="(?i)read not permitted"):
            await client.read_gatt_descriptor(key)
        await client.write_gatt_descriptor(key, b"secret")
        assert clock.app.key.value == b"secret"
        # The value of the characteristic and its subscription are what they were.
        await client.start_notify("ffd1", print)
        assert clock.app.hour.subscribers


def test_descriptors_that_cannot_be(room):
    with pytest.raises(ValueError, match="of a characteristic of the class, not of 'FFD1'"):
        babbench.descriptor("2901", of="FFD1")
    with pytest.raises(ValueError, match="no property"):
        babbench.descriptor("2901", "reed", of=Clock.hour)

    class Odd(babbench.Peripheral):
        value = babbench.characteristic("FFD1", "notify", service="FFD0", descriptors={"2902": b"\x01"})

    room.phone("odd", app=Odd)
    with pytest.raises(babbench.AppFailed, match="2902 comes by itself"):
        room.run_for(1)


async def test_pairing(room, lamp, computer):
    device = await BleakScanner.find_device_by_name("Lamp")
    async with BleakClient(device) as client:
        await client.pair()
        assert await client.read_gatt_char("ffe2") == b"secret"
    async with BleakClient(device, pair=True) as client:
        assert await client.read_gatt_char("ffe2") == b"secret"


async def test_a_peer_that_vanishes_ends_the_link(room, lamp, computer):
    device = await BleakScanner.find_device_by_name("Lamp")
    gone = asyncio.Event()
    client = BleakClient(device, lambda _: gone.set())
    await client.connect()
    lamp.vanish()
    with pytest.raises(BleakError, match="Not connected"):
        await client.read_gatt_char("ffe1")
    assert gone.is_set() and not client.is_connected
    with pytest.raises(asyncio.TimeoutError):
        await BleakClient(device, timeout=3).connect()
    lamp.appear()
    async with BleakClient(device, timeout=10) as again:
        assert await again.read_gatt_char("ffe1") == b"\x00"


async def test_bluetooth_that_is_off(room, lamp, computer):
    computer.radio_off()
    await room.sleep(1)
    with pytest.raises(BleakError):
        await BleakScanner.discover(timeout=1)


def test_two_apps_on_two_phones(room, lamp):
    async def app():
        device = await BleakScanner.find_device_by_name("Lamp")
        async with BleakClient(device) as client:
            await client.read_gatt_char("ffe1")
            await asyncio.sleep(3)
        return "done"

    first = room.phone("first", "linux", at=(1, 0), app=app)
    second = room.phone("second", "linux", at=(2, 0), starts=1, app=app)
    room.until(lambda: first.app == second.app == "done")


@pytest.mark.seeds(5)
@pytest.mark.room(radio="convention-hall")
async def test_many_values_through_a_full_queue(room, lamp, computer):
    device = await BleakScanner.find_device_by_name("Lamp", timeout=60)
    said = []
    async with BleakClient(device, timeout=60) as client:
        await client.start_notify("ffe1", lambda _, value: said.append(bytes(value)))
        for number in range(200):
            await client.write_gatt_char("ffe1", bytes([number]), response=False)
        await room.until(lambda: len(said) == 200, within=120)
    assert said == [bytes([number]) for number in range(200)]


async def test_an_adapter_knows_what_is_connected(room, lamp, computer):
    bleak = pytest.importorskip("bleak")
    if not hasattr(bleak, "BleakAdapter"):
        pytest.skip("bleak 3.1 and later have an adapter")
    device = await BleakScanner.find_device_by_name("Lamp")
    adapter = await bleak.BleakAdapter.get()
    assert await adapter.get_connected_devices() == []
    async with BleakClient(device):
        assert [one.address for one in await adapter.get_connected_devices(["ffe0"])] == [lamp.address]
        assert await adapter.get_connected_devices(["180d"]) == []
    assert await adapter.get_connected_devices() == []


async def test_what_another_system_says(room, lamp):
    mac = room.phone("mac", {"preset": "iphone"}, at=(2, 0), bleak="core_bluetooth")

    async def on_a_mac():
        with pytest.raises(BleakError, match="passive"):
            await BleakScanner.discover(timeout=1, scanning_mode="passive")
        device = await BleakScanner.find_device_by_name("Lamp")
        assert len(device.address) == 36 and device.address != lamp.address
        client = BleakClient(device.address)
        async with client:
            with pytest.raises(NotImplementedError, match="Core Bluetooth"):
                await client.pair()
            assert await client.read_gatt_char("ffe2") == b"secret", "the system pairs by itself"
            lamp.vanish()
            with pytest.raises(BleakError, match="disconnected"):
                await client.read_gatt_char("ffe1")
            lamp.appear()
        return getattr(client, "backend_id", "core_bluetooth")

    pc = room.phone("pc", "linux", at=(1, 0), bleak="winrt")

    async def on_windows():
        async with BleakClient(await BleakScanner.find_device_by_name("Lamp")) as client:
            lamp.vanish()
            with pytest.raises(BleakError, match="Could not read characteristic handle 12: Unreachable"):
                await client.read_gatt_char("ffe1")

    assert await mac.running(on_a_mac()) == "core_bluetooth"
    await pc.running(on_windows())


def test_a_system_that_bleak_does_not_have(room, lamp):
    odd = room.phone("odd", bleak="amiga")
    with pytest.raises(babbench.Refused, match="write bluez, core_bluetooth, winrt"):
        odd.run(BleakScanner.discover())
