#!/usr/bin/env python3
"""Two Bumbles on two controllers pair with each other, in each way the Security Manager has, and read what only an
encrypted link may be asked for.

    bumble_pair.py tcp-client:127.0.0.1:6402 tcp-client:127.0.0.1:6403

Keys are made and checked by Bumble's Security Manager (Core v5.4, Vol 3, Part H); what the controllers do is to encrypt
the link with the key they are given, and to say so (Vol 4, Part E, 7.8.24 to 7.8.26). Prints one JSON object per way.
"""
import argparse
import asyncio
import json
import logging

from bumble.att import ATT_Error
from bumble.core import UUID, ProtocolError
from bumble.device import Connection, Device, Peer
from bumble.gatt import Characteristic, Service
from bumble.hci import HCI_CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR, Address
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

SERVICE, SECRET = UUID("50A1B2C3-0001-4000-8000-00805F9B34FB"), UUID("50A1B2C3-0002-4000-8000-00805F9B34FB")
WORD = b"only for the paired"
ADDRESSES = ["F0:F1:F2:F3:F4:C0", "F0:F1:F2:F3:F4:C1"]
PATIENCE = 10  # seconds for any step
TIMES_TO_TRY = 5


class Hands(PairingDelegate):
    """Who holds the two phones: compares and types what the other one shows."""

    def __init__(self, capability, shown, says_yes=True):
        super().__init__(capability)
        self.shown, self.says_yes = shown, says_yes

    async def compare_numbers(self, number, digits):
        self.shown.append(number)
        return self.says_yes

    async def display_number(self, number, digits):
        self.shown.append(number)

    async def get_number(self):
        while not self.shown:
            await asyncio.sleep(0.01)
        return self.shown[-1]


YES_NO, DISPLAY, KEYBOARD, NOTHING = (
    PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT, PairingDelegate.DISPLAY_OUTPUT_ONLY,
    PairingDelegate.KEYBOARD_INPUT_ONLY, PairingDelegate.NO_OUTPUT_NO_INPUT)
# Name: Secure Connections, protection from a man in the middle, capabilities of both, whether it is meant to succeed.
WAYS = {
    "just-works": (True, False, NOTHING, NOTHING, True),
    "numeric-comparison": (True, True, YES_NO, YES_NO, True),
    "numbers-differ": (True, True, YES_NO, YES_NO, False),
    "passkey": (True, True, KEYBOARD, DISPLAY, True),
    "legacy-just-works": (False, False, NOTHING, NOTHING, True),
    "legacy-passkey": (False, True, KEYBOARD, DISPLAY, True),
}


async def read(characteristic):
    """The value, or the name of the refusal."""
    try:
        return (await asyncio.wait_for(characteristic.read_value(), PATIENCE)).decode()
    except (ATT_Error, ProtocolError) as error:
        return error.error_name


class Pair:
    """A central and a peripheral."""

    def __init__(self, devices):
        self.central, self.peripheral = devices
        self.peripheral.add_service(Service(SERVICE, [Characteristic(
            SECRET, Characteristic.Properties.READ,
            Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION, WORD)]))

    async def connect(self):
        """A new link: the connection of the central, that of the peripheral, the characteristic."""
        arrived = asyncio.get_running_loop().create_future()
        self.peripheral.once("connection", arrived.set_result)
        await self.peripheral.start_advertising(advertising_interval_min=30, advertising_interval_max=30)
        near = await self.reach(arrived)
        far = arrived.result()
        self.changes = []
        for side, connection in (("central", near), ("peripheral", far)):
            connection.on(Connection.EVENT_CONNECTION_ENCRYPTION_CHANGE, lambda side=side: self.changes.append(side))
        peer = Peer(near)
        await asyncio.wait_for(peer.discover_services(), PATIENCE)
        await asyncio.wait_for(peer.discover_characteristics(), PATIENCE)
        return near, far, peer.get_characteristics_by_uuid(SECRET)[0]

    async def reach(self, arrived):
        """The central's connection. A request to connect that collides on the air never reaches the peripheral: the
        central's link ends as not established (0x3E, Core v5.4, Vol 6, Part B, 4.5), and it asks again."""
        for _ in range(TIMES_TO_TRY):
            near = await self.central.connect(self.peripheral.random_address, timeout=PATIENCE)
            gone = asyncio.get_running_loop().create_future()
            near.once(Connection.EVENT_DISCONNECTION, gone.set_result)
            done, _ = await asyncio.wait([arrived, gone], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            if arrived in done:
                return near
            if not done or gone.result() != HCI_CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR:
                raise TimeoutError(f"the peripheral hears of no connection; the central's end: {gone}")
        raise TimeoutError(f"{TIMES_TO_TRY} connections were not established")

    async def run(self, way):
        secure, protected, near_hands, far_hands, is_meant = WAYS[way]
        shown = []
        for device, capability in ((self.central, near_hands), (self.peripheral, far_hands)):
            await device.keystore.delete_all()
            device.pairing_config_factory = lambda connection, capability=capability: PairingConfig(
                sc=secure, mitm=protected, delegate=Hands(capability, shown, is_meant),
                identity_address_type=PairingConfig.AddressType.RANDOM)
        near, far, secret = await self.connect()
        facts = {"way": way, "before": await read(secret)}
        far_done = asyncio.get_running_loop().create_future()
        far.once(Connection.EVENT_PAIRING, lambda keys: far_done.done() or far_done.set_result("paired"))
        far.once(Connection.EVENT_PAIRING_FAILURE, lambda reason: far_done.done() or far_done.set_result("failed"))
        try:
            await asyncio.wait_for(near.pair(), PATIENCE)
            facts["central"] = "paired"
        except ProtocolError as error:
            facts["central"] = "failed"
            facts["reason"] = error.error_name
        facts["peripheral"] = await asyncio.wait_for(far_done, PATIENCE)
        facts["shown"] = ["%06d" % number for number in shown]
        facts["encrypted"] = [near.is_encrypted, far.is_encrypted]
        facts["changes"] = sorted(self.changes)
        facts["secure"] = [bool(near.sc), bool(far.sc)]
        facts["after"] = await read(secret)
        await near.disconnect()
        if facts["central"] == "paired":
            facts["again"] = await self.come_back()
        return facts

    async def come_back(self):
        """On another link the key of the bond is enough."""
        near, far, secret = await self.connect()
        before = await read(secret)
        ended = []
        far.once(Connection.EVENT_DISCONNECTION, ended.append)
        try:
            await asyncio.wait_for(near.encrypt(), PATIENCE)
        except (asyncio.CancelledError, asyncio.TimeoutError):
            return {"before": before, "encrypted": [False, False], "ended": ended}
        after = await read(secret)  # which gives the far side time to hear of it
        facts = {"before": before, "encrypted": [near.is_encrypted, far.is_encrypted], "after": after}
        await near.disconnect()
        return facts


async def main(options):
    async with await open_transport(options.central) as one, await open_transport(options.peripheral) as other:
        devices = [
            Device.with_hci("Bumble", Address(address), hci.source, hci.sink)
            for address, hci in zip(ADDRESSES, (one, other))]
        for device in devices:
            await device.power_on()
        pair = Pair(devices)
        for way in options.way or WAYS:
            print(json.dumps(await asyncio.wait_for(pair.run(way), 60)), flush=True)


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("central")
    parser.add_argument("peripheral")
    parser.add_argument("--way", action="append", choices=WAYS)
    asyncio.run(main(parser.parse_args()))
