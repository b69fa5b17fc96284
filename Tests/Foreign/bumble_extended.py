"""Two Bumbles in virtual time, by extended advertising alone: one advertises a scannable set with a long scan response and
a connectable set with 200 octets, the other scans for both, connects, and reads a value. Prints what each has seen, with
the room's time, as a JSON object."""

import argparse
import asyncio
import json
import logging

from bumble.device import AdvertisingEventProperties, AdvertisingParameters, Peer
from bumble.gatt import Characteristic, Service
from bumble.hci import Address, Phy

from bumble_lockstep import SERVICE, VALUE, device_at, lockstep, moment

CENTRAL, PERIPHERAL, BEACON = "F0:F1:F2:F3:F4:F0", "F0:F1:F2:F3:F4:F1", "F0:F1:F2:F3:F4:F2"


def manufacturer(octets):
    """One AD structure of that many octets: company 0xFFFF and numbers."""
    return bytes([octets - 1, 0xFF, 0xFF, 0xFF]) + bytes(range(octets - 4))


async def peripheral(transport, phy):
    device = device_at(transport, PERIPHERAL)
    device.add_service(Service(SERVICE, [
        Characteristic(VALUE, Characteristic.Properties.READ, Characteristic.READABLE, b"by an AUX_CONNECT_REQ")]))
    connected, gone = asyncio.Event(), asyncio.Event()

    def begin(connection):
        connection.on("disconnection", lambda reason: gone.set())
        connected.set()

    device.on("connection", begin)
    await device.power_on()
    facts = {"device": "peripheral", "room": device.host.maximum_advertising_data_length}
    await device.create_advertising_set(
        AdvertisingParameters(
            AdvertisingEventProperties(is_connectable=False, is_scannable=True), 50, 50, advertising_sid=2,
            secondary_advertising_phy=phy),
        random_address=Address(BEACON), scan_response_data=manufacturer(220))
    await device.create_advertising_set(
        AdvertisingParameters(primary_advertising_interval_min=50, primary_advertising_interval_max=50,
                              advertising_sid=1, secondary_advertising_phy=phy),
        random_address=Address(PERIPHERAL), advertising_data=manufacturer(200))
    await connected.wait()
    facts["connected"] = moment()
    await gone.wait()
    return facts


async def central(transport, phy):
    device = device_at(transport, CENTRAL)
    await device.power_on()
    facts, found = {"device": "central"}, asyncio.Event()
    wanted = {PERIPHERAL: manufacturer(200), BEACON: manufacturer(220)}
    parts = dict.fromkeys(wanted, b"")

    def look(advertisement):
        # What comes in several reports Bumble does not put together.
        address = str(advertisement.address).split("/")[0]
        if address not in wanted or advertisement.is_truncated:
            return
        parts[address] += bytes(advertisement.data_bytes)
        if parts[address] == wanted[address]:
            facts[address] = {"octets": len(parts[address]), "sid": advertisement.sid,
                              "phy": int(advertisement.secondary_phy), "at": moment()}
        if PERIPHERAL in facts and BEACON in facts:
            found.set()

    device.on("advertisement", look)
    await device.start_scanning(active=True, filter_duplicates=True, scanning_phys=[Phy.LE_1M])
    await found.wait()
    await device.stop_scanning()
    connection = await device.connect(Address(PERIPHERAL))
    facts["connected"] = moment()
    phys = await connection.get_phy()
    facts["linkPHY"] = [int(phys.tx_phy), int(phys.rx_phy)]
    peer = Peer(connection)
    await peer.discover_services()
    await peer.discover_characteristics()
    [value] = [each for service in peer.services for each in service.characteristics if str(each.uuid) == VALUE]
    facts["read"] = (await value.read_value()).decode()
    await connection.disconnect()
    return facts


async def main(options):
    transports = [lockstep.bumble_transport(address) for address in (options.central, options.peripheral)]
    phy = Phy(options.phy)
    for facts in await asyncio.gather(central(transports[0], phy), peripheral(transports[1], phy)):
        print(json.dumps(facts), flush=True)
    for transport in transports:
        await transport.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--central", required=True, help="where the central's port is")
    parser.add_argument("--peripheral", required=True)
    parser.add_argument("--phy", type=int, default=1, help="of the secondary channels, 1 or 2")
    lockstep.run(main(parser.parse_args()))
