"""A Bumble central and a Bumble peripheral in virtual time: connect, exchange the ATT_MTU, read, subscribe, and be
notified once in 100 ms for a while. Both are in one process, or each in its own. Prints what each has seen, with the
room's time, as a JSON object."""

import argparse
import asyncio
import json
import logging
import sys
from pathlib import Path

from bumble.device import Device, Peer
from bumble.gatt import Characteristic, Service
from bumble.hci import Address

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Python"))

from babbench import lockstep  # noqa: E402

SERVICE = "0000A000-0000-1000-8000-00805F9B34FB"
VALUE = "0000A001-0000-1000-8000-00805F9B34FB"
CENTRAL, PERIPHERAL = "F0:F1:F2:F3:F4:F0", "F0:F1:F2:F3:F4:F1"


def moment():
    return round(asyncio.get_running_loop().time() * 1e6)


def device_at(transport, address):
    return Device.with_hci("Bumble", Address(address), transport.source, transport.sink)


async def central(transport, notifications):
    device = device_at(transport, CENTRAL)
    await device.power_on()
    facts = {"device": "central", "powered": moment()}
    connection = await device.connect(Address(PERIPHERAL))
    facts["connected"] = moment()
    peer = Peer(connection)
    facts["mtu"] = await peer.request_mtu(185)
    await peer.discover_services()
    await peer.discover_characteristics()
    [found] = [each for service in peer.services for each in service.characteristics if str(each.uuid) == VALUE]
    facts["read"] = (await found.read_value()).decode()
    heard, all_heard = [], asyncio.Event()

    def hear(octets):
        heard.append([moment(), octets.decode()])
        if len(heard) == notifications:
            all_heard.set()

    await found.subscribe(hear)
    await all_heard.wait()
    facts["heard"], facts["last"] = len(heard), heard[-1]
    await connection.disconnect()
    facts["end"] = moment()
    return facts


async def peripheral(transport, notifications):
    device = device_at(transport, PERIPHERAL)
    value = Characteristic(
        VALUE, Characteristic.Properties.READ | Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"first")
    subscribed, gone = asyncio.Event(), asyncio.Event()
    value.on("subscription", lambda connection, notifies, indicates: subscribed.set())
    device.on("connection", lambda connection: connection.on("disconnection", lambda reason: gone.set()))
    device.add_service(Service(SERVICE, [value]))
    await device.power_on()
    await device.start_advertising(auto_restart=False)
    await subscribed.wait()
    facts = {"device": "peripheral", "subscribed": moment()}
    for number in range(notifications):
        await asyncio.sleep(0.1)
        await device.notify_subscribers(value, f"value {number}".encode())
    await gone.wait()
    facts["gone"] = moment()
    return facts


async def main(options):
    ends = [(end, address) for end, address in ((central, options.central), (peripheral, options.peripheral)) if address]
    transports = [lockstep.bumble_transport(address) for _, address in ends]
    played = [end(transport, options.notifications) for (end, _), transport in zip(ends, transports)]
    for facts in await asyncio.gather(*played):
        print(json.dumps(facts), flush=True)
    for transport in transports:
        await transport.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--central", help="where the central's port is")
    parser.add_argument("--peripheral")
    parser.add_argument("--notifications", type=int, default=100)
    lockstep.run(main(parser.parse_args()))
