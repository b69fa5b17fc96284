"""Two Bumbles in virtual time: one advertises periodically, changes its data and ends its train; the other one
synchronises with it, and loses it. Prints what each has seen, with the room's time, as a JSON object."""

import argparse
import asyncio
import json
import logging

from bumble.device import AdvertisingEventProperties, AdvertisingParameters, PeriodicAdvertisingParameters
from bumble.hci import Address, HCI_LE_Set_Periodic_Advertising_Parameters_Command, Phy

from bumble_extended import CENTRAL, PERIPHERAL, manufacturer
from bumble_lockstep import device_at, lockstep, moment

REPORTS = 20
Properties = HCI_LE_Set_Periodic_Advertising_Parameters_Command.Properties


async def advertiser(transport, phy, seen):
    device = device_at(transport, PERIPHERAL)
    await device.power_on()
    facts = {"device": "advertiser", "supported": device.supports_le_periodic_advertising}
    train = await device.create_advertising_set(
        AdvertisingParameters(
            AdvertisingEventProperties(is_connectable=False), 50, 50, advertising_sid=3, secondary_advertising_phy=phy),
        random_address=Address(PERIPHERAL), advertising_data=manufacturer(30),
        periodic_advertising_parameters=PeriodicAdvertisingParameters(100, 100, Properties.INCLUDE_TX_POWER),
        periodic_advertising_data=manufacturer(250))
    await train.start_periodic()
    await seen["first"].wait()
    # The set may go: its train stays.
    await train.stop()
    await train.set_periodic_advertising_data(manufacturer(20))
    await seen["second"].wait()
    await train.stop_periodic()
    facts["stopped"] = moment()
    return facts


async def scanner(transport, seen):
    device = device_at(transport, CENTRAL)
    await device.power_on()
    facts, lengths = {"device": "scanner", "powers": []}, []
    sync = await device.create_periodic_advertising_sync(Address(PERIPHERAL), sid=3, skip=0, sync_timeout=1.0)
    established, lost = asyncio.Event(), asyncio.Event()

    def hear(advertisement):
        lengths.append([moment(), len(bytes(advertisement.data)), advertisement.is_truncated])
        facts["powers"] = sorted({*facts["powers"], advertisement.tx_power})
        if len(lengths) == REPORTS:
            seen["first"].set()
        if sum(octets == 20 for _, octets, _ in lengths) == REPORTS:
            seen["second"].set()

    sync.on("establishment", established.set)
    sync.on("loss", lost.set)
    sync.on("periodic_advertisement", hear)
    await device.start_scanning(active=False, filter_duplicates=True, scanning_phys=[Phy.LE_1M])
    await established.wait()
    facts["interval"], facts["phy"] = sync.periodic_advertising_interval, int(sync.advertiser_phy)
    await device.stop_scanning()
    await lost.wait()
    facts["lost"], facts["reports"] = moment(), lengths
    return facts


async def main(options):
    transports = [lockstep.bumble_transport(address) for address in (options.scanner, options.advertiser)]
    seen = {"first": asyncio.Event(), "second": asyncio.Event()}
    for facts in await asyncio.gather(
            scanner(transports[0], seen), advertiser(transports[1], Phy(options.phy), seen)):
        print(json.dumps(facts), flush=True)
    for transport in transports:
        await transport.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scanner", required=True, help="where the scanner's port is")
    parser.add_argument("--advertiser", required=True)
    parser.add_argument("--phy", type=int, default=1, help="of the secondary channels, 1 or 2")
    lockstep.run(main(parser.parse_args()))
