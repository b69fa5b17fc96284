"""Packages of others that use bleak, as they are on PyPI, each with a peripheral written from public documents.

`row(stranger)` plays what Docs/python.md shows of one, and says it as the page does.
"""

import asyncio
import dataclasses
import importlib
import importlib.metadata
import logging
import re
import struct
from typing import Any, Callable

import babbench

SEEDS = range(1, 21)
#: How long a whole exchange may take, in seconds of the room.
PATIENCE = 120


class Strap(babbench.Peripheral):
    """The Heart Rate and Battery services of the Bluetooth SIG: HRS 1.0, BAS 1.1."""

    name = "Strap"
    measurement = babbench.characteristic("2A37", "notify", service="180D")
    battery = babbench.characteristic("2A19", "read", service="180F", value=b"\x57")

    async def run(self):
        count = 0
        while True:
            await asyncio.sleep(0.25)
            count += 1
            rate = 60 + count % 100
            # Flags 0x10: RR intervals follow, in 1/1024 s.
            self.measurement.notify(bytes([0x10, rate]) + struct.pack("<H", 1024 * 60 // rate))


class PowerMeter(babbench.Peripheral):
    """The Cycling Power service of the Bluetooth SIG, CPS 1.1."""

    name = "Crank"
    measurement = babbench.characteristic("2A63", "notify", service="1818")
    feature = babbench.characteristic("2A65", "read", service="1818", value=struct.pack("<I", 0x08))
    location = babbench.characteristic("2A5D", "read", service="1818", value=b"\x05")

    async def run(self):
        power = 150
        while True:
            await asyncio.sleep(0.25)
            power += 1
            # Flags 0x20: crank revolutions and their time follow.
            self.measurement.notify(struct.pack("<HhHH", 0x20, power, power - 150, 512 * (power - 150) % 65_536))


class Polar(Strap):
    """Heart rate, and the streams that the maker's document of its measurement data describes (control point, ECG)."""

    name = "Polar H10"
    control = babbench.characteristic(
        "FB005C81-02E7-F387-1CAD-8ACD2D8DF0C8", "read, write, indicate", service="FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8",
        value=b"\x0f\x01" + bytes(15))
    data = babbench.characteristic(
        "FB005C82-02E7-F387-1CAD-8ACD2D8DF0C8", "notify", service="FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8")

    @control.written
    def control_was_written(self, value):
        self.control.value = b"\x0f\x01" + bytes(15)
        operation, kind = value[0], value[1]
        parameters = b"\x00\x01\x82\x00\x01\x01\x0e\x00" if operation == 1 else b""
        self.control.notify(bytes([0xF0, operation, kind, 0, 0]) + parameters)
        self.control.value = b"\x0f\x01" + bytes(15)
        if operation == 2:
            self.phone.launch.start(self.stream())

    async def stream(self):
        for number in range(40):
            samples = b"".join(struct.pack("<i", 100 * number + sample)[:3] for sample in range(10))
            self.data.notify(struct.pack("<BQB", 0, 1_000_000 * number, 0) + samples)


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


class Strip(babbench.Peripheral):
    """A controller of LED strips: nine or seven octets of a colour, a query, and a state of eleven or twelve octets."""

    name = "Triones:C10511000166"
    told = babbench.characteristic("FFD4", "notify", service="FFD0")
    asked = babbench.characteristic("FFD9", "write, write-without-response", service="FFD5")

    def __init__(self):
        self.is_on, self.colour = False, (0, 0, 0)

    @asked.written
    def asked_was_written(self, value):
        if value[:3] == b"\xef\x01\x77":
            power = 0x23 if self.is_on else 0x24
            self.told.notify(bytes([0x66, 0x04, power, 0x41, 0, 0, *self.colour, 0, 6, 0x99]))
        elif value[0] == 0xCC:
            self.is_on = value[1] == 0x23
        elif value[0] == 0x56:
            self.colour = tuple(value[1:4])


class Radar(babbench.Peripheral):
    """A presence sensor that begins with its password, and reports frames (F4 F3 F2 F1 … F8 F7 F6 F5)."""

    name = "HLK-LD2410B_1234"
    told = babbench.characteristic("FFF1", "notify", service="FFF0")
    asked = babbench.characteristic("FFF2", "write, write-without-response", service="FFF0")

    @asked.written
    def asked_was_written(self, value):
        # A command begins with FD FC FB FA, its length, and its word; this one enables engineering mode.
        self.is_asked = value[6:7] == b"\x62" or getattr(self, "is_asked", False)

    async def run(self):
        distance = 0
        while True:
            await asyncio.sleep(0.1)
            distance += 1
            body = b"\x02\xaa" + struct.pack("<BHBHBH", 3, distance % 500, 60, 80, 40, 90)
            self.told.notify(b"\xf4\xf3\xf2\xf1" + struct.pack("<H", len(body) + 2) + body + b"\x55\x00"
                             + b"\xf8\xf7\xf6\xf5")


# What apps do


async def bleakheart(device):
    import bleakheart as heart
    from bleak import BleakClient
    values = asyncio.Queue()
    async with BleakClient(device, timeout=30) as client:
        level = await heart.BatteryLevel(client).read()
        rate = heart.HeartRate(client, queue=values, instant_rate=False, unpack=True)
        await rate.start_notify()
        frames = [await asyncio.wait_for(values.get(), 30) for _ in range(20)]
        await rate.stop_notify()
    assert level == 0x57 and follow([frame[2][0] for frame in frames], 60, 100)


def follow(numbers, start, count):
    """Whether nothing is missing, nothing comes twice, and the order is that of the peripheral."""
    return all((later - earlier) % count == 1 for earlier, later in zip(numbers, numbers[1:]))


async def retry_connector(device):
    import bleak_retry_connector as connector
    client = await connector.establish_connection(connector.BleakClientWithServiceCache, device, "strap")
    values = []
    try:
        await client.start_notify("2a37", lambda _, value: values.append(value[1]))
        for _ in range(300):
            await asyncio.sleep(0.1)
            assert client.is_connected, "the link is lost"
            if len(values) >= 20:
                break
        assert await client.read_gatt_char("2a19") == b"\x57"
    finally:
        await client.disconnect()
    assert len(values) >= 20 and follow(values, 60, 100)


async def airthings(device):
    import airthings_ble
    data = airthings_ble.AirthingsBluetoothDeviceData(logging.getLogger(__name__))
    sensors = (await data.update_device(device)).sensors
    assert abs(sensors["temperature"] - 22) < 0.1 and abs(sensors["humidity"] - 45.12) < 0.1


async def polar(device):
    from polar_python import PolarDevice
    samples = []
    async with PolarDevice(device) as sensor:
        features = await sensor.get_available_features()
        settings = await asyncio.wait_for(sensor.request_stream_settings(features[0]), 30)
        assert [setting.values for setting in settings.settings] == [[130], [14]]
        await asyncio.wait_for(sensor.start_ecg_stream(lambda data: samples.append(data), 130, 14), 30)
        for _ in range(300):
            await asyncio.sleep(0.1)
            if len(samples) == 40:
                break
        await sensor.stop_ecg_stream()
    assert len(samples) == 40


async def pycycling(device):
    from bleak import BleakClient
    from pycycling.cycling_power_service import CyclingPowerService
    powers = asyncio.Queue()
    async with BleakClient(device, timeout=30) as client:
        service = CyclingPowerService(client)
        assert (await service.get_cycling_power_feature()).crank_rev_supported
        assert (await service.get_sensor_location()).name == "left_crank"
        service.set_cycling_power_measurement_handler(lambda value: powers.put_nowait(value.instantaneous_power))
        await service.enable_cycling_power_measurement_notifications()
        seen = [await asyncio.wait_for(powers.get(), 30) for _ in range(20)]
        await service.disable_cycling_power_measurement_notifications()
    assert follow(seen, 150, 1 << 16)


async def led(device):
    import led_ble
    strip = led_ble.LEDBLE(device)
    try:
        await asyncio.wait_for(strip.update(), 30)
        await strip.turn_on()
        for red in range(0, 200, 10):
            await strip.set_rgb((red, 20, 30))
        await strip.update()
        await asyncio.sleep(2)
        assert strip.on and strip.rgb == (190, 20, 30), f"{strip.on} {strip.rgb}"
    finally:
        await strip.stop()


async def radar(device):
    import ld2410_ble
    sensor = ld2410_ble.LD2410BLE(device)
    distances = []
    sensor.register_callback(lambda state: distances.append(state.moving_target_distance))
    try:
        await sensor._ensure_connected()
        await sensor.initialise()
        for _ in range(300):
            await asyncio.sleep(0.1)
            if len(distances) >= 20:
                break
        assert len(distances) >= 20 and follow(distances, 0, 500), distances
    finally:
        await sensor.stop()


async def ha(device):
    import bleak_retry_connector
    import habluetooth
    from bluetooth_adapters import BluetoothAdapters

    class Adapters(BluetoothAdapters):
        adapters = {}
        default_adapter = "hci0"

    manager = habluetooth.BluetoothManager(Adapters(), bleak_retry_connector.BleakSlotManager())
    habluetooth.set_manager(manager)
    await manager.async_setup()
    scanner = habluetooth.HaScanner(habluetooth.BluetoothScanningMode.ACTIVE, "hci0", "00:00:5E:00:53:01")
    scanner.async_setup()
    undo = manager.async_register_scanner(scanner)
    heard = asyncio.Event()
    stop = manager.async_register_bleak_callback(
        lambda found, data: heard.set() if found.address == device.address else None, {})
    try:
        await scanner.async_start()
        await asyncio.wait_for(heard.wait(), 60)
        wrapped = manager.async_ble_device_from_address(device.address, True)
        from habluetooth import HaBleakClientWrapper
        async with HaBleakClientWrapper(wrapped, timeout=30) as client:
            values = []
            await client.start_notify("2a37", lambda _, value: values.append(value[1]))
            for _ in range(300):
                await asyncio.sleep(0.1)
                if len(values) >= 20:
                    break
            assert await client.read_gatt_char("2a19") == b"\x57"
            assert len(values) >= 20 and follow(values, 60, 100)
    finally:
        stop()
        await scanner.async_stop()
        undo()
        manager.async_stop()


@dataclasses.dataclass(frozen=True)
class Stranger:
    package: str
    module: str
    peripheral: Any
    exchange: Callable[..., Any]
    #: Of the exchange, in words.
    does: str


ALL = [
    Stranger("bleakheart", "bleakheart", Strap, bleakheart, "battery, heart rate"),
    Stranger("bleak-retry-connector", "bleak_retry_connector", Strap, retry_connector, "connect, notify, read"),
    Stranger("habluetooth", "habluetooth", Strap, ha, "scan by its manager, connect by its client"),
    Stranger("airthings-ble", "airthings_ble", WaveMini, airthings, "all sensors of a Wave Mini"),
    Stranger("polar-python", "polar_python", Polar, polar, "features, settings, an ECG stream"),
    Stranger("pycycling", "pycycling", PowerMeter, pycycling, "features, power"),
    Stranger("led-ble", "led_ble", Strip, led, "state, on, twenty colours"),
    Stranger("ld2410-ble", "ld2410_ble", Radar, radar, "password, modes, frames"),
]


def version(stranger):
    """Of the package that is installed; None: it is not, or not for this Python."""
    try:
        importlib.import_module(stranger.module)
    except ImportError:
        return None
    return importlib.metadata.version(stranger.package)


async def found(name):
    from bleak import BleakScanner
    while True:
        device = await BleakScanner.find_device_by_filter(lambda d, _: (d.name or "") == name, timeout=30)
        if device is not None:
            return device


@dataclasses.dataclass
class Played:
    #: What it ended by: “”, or the kind of an error.
    error: str
    seconds: float
    why: str = ""


def play(stranger, *, seed=1, radio="ideal", vanishes=None, appears=None, again=False, queue=False):
    """Plays one exchange; what it ended by is a value."""
    own = {"preset": "android", "notification queue": 1, "packets per event": 1} if queue else "android"
    other = {"preset": "linux", "write queue": 1, "packets per event": 1} if queue else "linux"
    logging.disable(logging.CRITICAL)
    try:
        with babbench.bleak.installed():
            room = babbench.Room(seed=seed, radio=radio, time_limit=3 * PATIENCE)
            peripheral = room.phone("peripheral", own, app=stranger.peripheral)
            computer = room.phone("computer", other, at=(3, 0))

            async def whole():
                device = await found(stranger.peripheral.name)
                if vanishes is not None:
                    room.loop.call_later(vanishes, peripheral.vanish)
                    if appears is not None:
                        room.loop.call_later(vanishes + appears, peripheral.appear)
                await asyncio.wait_for(stranger.exchange(device), PATIENCE)

            async def twice():
                try:
                    await whole()
                except Exception:
                    pass
                await room.sleep(max(0, 60 - room.now))
                await asyncio.wait_for(stranger.exchange(await found(stranger.peripheral.name)), PATIENCE)

            error = ""
            try:
                computer.run(twice() if again else whole())
            except babbench.RoomError as failure:
                error = type(failure.__cause__ or failure).__name__
            except Exception as failure:
                error = type(failure).__name__
            played = Played(error, room.now)
            if error and hasattr(room, "why"):
                played.why = room.why()
            room.close()
            return played
    finally:
        logging.disable(logging.NOTSET)


#: What `why` says of most use: how a link ended, and an app that gives up.
def first_line(why):
    lines = [line.strip() for line in why.splitlines()]
    for mark in ("noticed ", "because the other was gone", " ended: "):
        for line in lines:
            if mark in line:
                return re.sub(r"^(noticed|[\d.]+ s) +", "", line).split(" [")[0]
    return ""


LOSS = {"preset": "living-room", "packet loss": "5%"}


def row(stranger):
    """The row of Docs/python.md."""
    plain = play(stranger)
    vanished = play(stranger, vanishes=0.8)
    back = play(stranger, vanishes=0.8, appears=20, again=True)
    lossy = [play(stranger, seed=seed, radio=LOSS) for seed in SEEDS]
    full = play(stranger, queue=True)
    lost = [one for one in lossy if one.error]
    why = next((one.why for one in (plain, full, *lost, vanished) if one.why), "")
    return [
        f"{stranger.package} {version(stranger)}", stranger.does,
        "ok" if not plain.error else plain.error,
        vanished.error or "goes on", "ok" if not back.error else back.error,
        f"{len(lossy) - len(lost)} of {len(lossy)}",
        "ok" if not full.error else full.error, first_line(why)]


def line(stranger):
    return "| " + " | ".join(row(stranger)) + " |"


if __name__ == "__main__":
    import sys
    for one in ALL:
        if len(sys.argv) > 1 and one.package not in sys.argv[1:]:
            continue
        print(line(one) if version(one) else f"{one.package}: not installed")
