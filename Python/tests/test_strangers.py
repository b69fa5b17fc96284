"""Packages from PyPI that use bleak, as they are, with peripherals that are written from public documents."""

import asyncio
import logging
import struct

import pytest

import babbench

pytest.importorskip("bleak")
from bleak import BleakClient, BleakScanner  # noqa: E402

#: What is on the air: nothing is lost, one PDU in twenty is, one in five is.
RADIOS = ["ideal", {"preset": "living-room", "packet loss": "5%"}, {"preset": "living-room", "packet loss": "20%"}]
radios = pytest.mark.parametrize("radio", RADIOS, ids=["ideal", "one in twenty lost", "one in five lost"])


class HeartRateStrap(babbench.Peripheral):
    """The Heart Rate and Battery services of the Bluetooth SIG."""

    name = "Strap"
    measurement = babbench.characteristic("2A37", "notify", service="180D")
    battery = babbench.characteristic("2A19", "read", service="180F", value=b"\x57")

    async def run(self):
        rate = 60
        while True:
            await asyncio.sleep(1)
            rate += 1
            # Flags 0x10: RR intervals follow, in 1/1024 s.
            self.measurement.notify(bytes([0x10, rate]) + struct.pack("<H", 1024 * 60 // rate))


async def find(name):
    device = await BleakScanner.find_device_by_filter(lambda d, _: (d.name or "") == name, timeout=60)
    assert device is not None
    return device


@radios
def test_bleakheart_reads_a_strap(radio):
    heart = pytest.importorskip("bleakheart")

    async def app():
        values = asyncio.Queue()
        async with BleakClient(await find("Strap"), timeout=60) as client:
            assert await heart.BatteryLevel(client).read() == 0x57
            rate = heart.HeartRate(client, queue=values, instant_rate=False, unpack=True)
            await rate.start_notify()
            frames = [await values.get() for _ in range(5)]
            await rate.stop_notify()
        return [frame[2][0] for frame in frames]

    with babbench.bleak.installed(), babbench.Room(radio=radio) as room:
        room.phone("strap", "android", app=HeartRateStrap)
        rates = room.phone("computer", "linux", at=(3, 0)).run(app())
    assert rates == list(range(rates[0], rates[0] + 5))


@radios
def test_bleak_retry_connector_comes_back(radio):
    connector = pytest.importorskip("bleak_retry_connector")

    with babbench.bleak.installed(), babbench.Room(radio=radio) as room:
        strap = room.phone("strap", "android", app=HeartRateStrap)
        computer = room.phone("computer", "linux", at=(3, 0))

        async def app():
            device = await find("Strap")
            gone = asyncio.Event()
            client = await connector.establish_connection(
                connector.BleakClientWithServiceCache, device, "strap", lambda _: gone.set(), max_attempts=10)
            assert await client.read_gatt_char("2a19") == b"\x57"
            strap.vanish()
            await asyncio.wait_for(gone.wait(), 30)
            room.at(room.now + 30, strap.appear)
            again = await connector.establish_connection(
                connector.BleakClientWithServiceCache, device, "strap", max_attempts=20)
            value = await again.read_gatt_char("2a19")
            await again.disconnect()
            return value

        assert computer.run(app()) == b"\x57"
        assert room.now > 30


class WaveMini(babbench.Peripheral):
    """An air quality sensor: its values are in the sensor's own service."""

    name = "Airthings Wave Mini"
    manufacturer_data = {0x0334: struct.pack("<LH", 2920012345, 0)}
    model = babbench.characteristic("2A24", "read", service="180A", value=b"2920")
    serial = babbench.characteristic("2A25", "read", service="180A", value=b"012345")
    firmware = babbench.characteristic("2A26", "read", service="180A", value=b"G-BLE-1.2.0-0")
    hardware = babbench.characteristic("2A27", "read", service="180A", value=b"REV A")
    maker = babbench.characteristic("2A29", "read", service="180A", value=b"Airthings AS")
    values = babbench.characteristic(
        "b42e3b98-ade7-11e4-89d3-123b93f75cba", "read", service="b42e3882-ade7-11e4-89d3-123b93f75cba",
        value=struct.pack("<HHHHHHLL", 40, 29_515, 50_000, 4_512, 120, 0, 0, 0))
    command = babbench.characteristic(
        "b42e3ef4-ade7-11e4-89d3-123b93f75cba", "write, notify", service="b42e3882-ade7-11e4-89d3-123b93f75cba")

    @command.written
    def command_was_written(self, value):
        self.command.notify(value[:1] + struct.pack("<L12B6H", 0, *[0] * 12, 0, 0, 0, 0, 2_900, 0) + b"\0")


@radios
def test_airthings_ble_reads_a_sensor(radio):
    airthings = pytest.importorskip("airthings_ble")

    async def app():
        data = airthings.AirthingsBluetoothDeviceData(logging.getLogger(__name__))
        return await data.update_device(await find("Airthings Wave Mini"))

    with babbench.bleak.installed(), babbench.Room(radio=radio) as room:
        room.phone("sensor", app=WaveMini)
        device = room.phone("computer", "linux", at=(3, 0)).run(app())
    assert device.sensors["temperature"] == pytest.approx(22.0)
    assert device.sensors["humidity"] == pytest.approx(45.12)
