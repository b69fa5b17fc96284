"""Two Bumbles in virtual time: both ask for connection subrating, once in vain, and one tells the other of its train over
the link. Prints what each has seen, with the room's time, as a JSON object."""

import argparse
import asyncio
import json
import logging

from bumble.device import AdvertisingEventProperties, AdvertisingParameters, PeriodicAdvertisingParameters
from bumble.hci import Address, HCI_Error, HCI_LE_Set_Default_Periodic_Advertising_Sync_Transfer_Parameters_Command

from bumble_extended import CENTRAL, PERIPHERAL, manufacturer
from bumble_lockstep import device_at, lockstep, moment

REPORTS = 20


def parameters(connection):
    now = connection.parameters
    return [now.subrate_factor, now.continuation_number, now.peripheral_latency, now.supervision_timeout]


async def central(transport, seen):
    device = device_at(transport, CENTRAL)
    device.le_subrate_enabled = True
    await device.power_on()
    connection = await device.connect(Address(PERIPHERAL))
    facts = {"device": "central", "features": int(await connection.get_remote_le_features()) >> 37 & 3}
    await connection.update_subrate(1, 10, 0, 2, 6000)
    facts["own"] = parameters(connection)
    seen["updated"].set()
    await seen["asked"].wait()
    # The peripheral has what the central says before its acknowledgement is here.
    while parameters(connection) == facts["own"]:
        await asyncio.sleep(0.05)
    facts["asked"] = parameters(connection)
    train = await device.create_advertising_set(
        AdvertisingParameters(AdvertisingEventProperties(is_connectable=False), 50, 50, advertising_sid=3),
        random_address=Address(CENTRAL), advertising_data=manufacturer(30),
        periodic_advertising_parameters=PeriodicAdvertisingParameters(100, 100),
        periodic_advertising_data=manufacturer(120))
    await train.start_periodic()
    await train.transfer_periodic_info(connection, 0x1234)
    facts["told"] = moment()
    await seen["heard"].wait()
    await connection.disconnect()
    return facts


async def peripheral(transport, seen):
    device = device_at(transport, PERIPHERAL)
    device.le_subrate_enabled = True
    connections = asyncio.Queue()
    device.on("connection", connections.put_nowait)
    await device.power_on()
    await device.send_sync_command(
        HCI_LE_Set_Default_Periodic_Advertising_Sync_Transfer_Parameters_Command(
            mode=2, skip=0, sync_timeout=200, cte_type=0))
    await device.start_advertising(auto_restart=False)
    connection = await connections.get()
    gone = asyncio.Event()
    connection.on("disconnection", lambda reason: gone.set())
    facts, lengths, heard = {"device": "peripheral"}, [], asyncio.Event()

    def follow(sync, _):
        facts["interval"], facts["sid"] = sync.periodic_advertising_interval, sync.sid
        facts["found"] = moment()
        sync.on("periodic_advertisement", hear)

    def hear(advertisement):
        lengths.append(len(bytes(advertisement.data)))
        if len(lengths) == REPORTS:
            heard.set()

    device.on("periodic_advertising_sync_transfer", follow)
    await seen["updated"].wait()
    try:
        await connection.update_subrate(11, 20, 0, 0, 6000)
    except HCI_Error as refusal:
        facts["refusal"] = refusal.error_code
    await connection.update_subrate(2, 4, 0, 1, 3000)
    facts["own"] = parameters(connection)
    seen["asked"].set()
    await heard.wait()
    facts["lengths"] = sorted(set(lengths))
    seen["heard"].set()
    await gone.wait()
    return facts


async def main(options):
    transports = [lockstep.bumble_transport(address) for address in (options.central, options.peripheral)]
    seen = {name: asyncio.Event() for name in ("updated", "asked", "heard")}
    for facts in await asyncio.gather(central(transports[0], seen), peripheral(transports[1], seen)):
        print(json.dumps(facts), flush=True)
    for transport in transports:
        await transport.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--central", required=True, help="where the central's port is")
    parser.add_argument("--peripheral", required=True, help="where the peripheral's port is")
    lockstep.run(main(parser.parse_args()))
