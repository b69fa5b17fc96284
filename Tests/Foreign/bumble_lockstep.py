"""A Bumble central and a Bumble peripheral in virtual time: connect, exchange the ATT_MTU, read, subscribe, and be
notified once in 100 ms for a while. Prints what each has seen, with the room's time, as one JSON object."""

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


def moment():
    return round(asyncio.get_running_loop().time() * 1e6)


async def main(options):
    transports = [lockstep.bumble_transport(address) for address in (options.central, options.peripheral)]
    central, peripheral = [
        Device.with_hci("Bumble", Address(address), each.source, each.sink)
        for address, each in zip(("F0:F1:F2:F3:F4:F0", "F0:F1:F2:F3:F4:F1"), transports)]
    value = Characteristic(
        VALUE, Characteristic.Properties.READ | Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"first")
    peripheral.add_service(Service(SERVICE, [value]))
    await central.power_on()
    await peripheral.power_on()
    facts = {"powered": moment()}
    await peripheral.start_advertising(auto_restart=False)
    connection = await central.connect(peripheral.random_address)
    facts["connected"] = moment()
    peer = Peer(connection)
    facts["mtu"] = await peer.request_mtu(185)
    await peer.discover_services()
    await peer.discover_characteristics()
    [found] = peer.get_characteristics_by_uuid(value.uuid)
    facts["read"] = (await found.read_value()).decode()
    heard = []
    await found.subscribe(lambda octets: heard.append([moment(), octets.decode()]))
    for number in range(options.notifications):
        await asyncio.sleep(0.1)
        await peripheral.notify_subscribers(value, f"value {number}".encode())
    await asyncio.sleep(1)
    facts["heard"], facts["last"] = len(heard), heard[-1]
    await connection.disconnect()
    facts["end"] = moment()
    print(json.dumps(facts), flush=True)
    for transport in transports:
        await transport.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("central")
    parser.add_argument("peripheral")
    parser.add_argument("--notifications", type=int, default=100)
    lockstep.run(main(parser.parse_args()))
