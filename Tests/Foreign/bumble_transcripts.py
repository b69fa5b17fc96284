#!/usr/bin/env python3
"""Pairings of two Bumbles over Bumble's own link, as text: what each of them sends, and the keys that come of it.

    bumble_transcripts.py > transcripts.txt

The private keys are fixed, what is drawn at random follows from the name of the way, so that the output repeats itself.
Tests/VirtualRadioTests/Security/PairingTranscripts.swift has it: our state machine must send the same octets.

A line is a word and octets, in the order of the PDUs. "central", "peripheral": address, its type, and the private key;
"passkey": a number; "way": the name of a pairing; ">": from the central; "<": from the peripheral; "number": what both
show; "key": by which the link is encrypted. What is too long for a line goes on in the next, after two blanks.
"""
import asyncio
import hashlib

from bumble import crypto
from bumble.controller import Controller
from bumble.device import Device
from bumble.hci import Address, HCI_LE_Enable_Encryption_Command
from bumble.host import Host
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

YES_NO, DISPLAY, KEYBOARD, BOTH, NOTHING = (
    PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT, PairingDelegate.DISPLAY_OUTPUT_ONLY,
    PairingDelegate.KEYBOARD_INPUT_ONLY, PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT,
    PairingDelegate.NO_OUTPUT_NO_INPUT)
# Name: Secure Connections, protection from a man in the middle, capabilities of central and peripheral.
WAYS = {
    "just works": (True, False, NOTHING, NOTHING),
    "numeric comparison": (True, True, BOTH, YES_NO),
    "passkey typed by the central": (True, True, KEYBOARD, DISPLAY),
    "passkey typed by the peripheral": (True, True, YES_NO, KEYBOARD),
    "legacy just works": (False, False, NOTHING, NOTHING),
    "legacy passkey typed by the central": (False, True, KEYBOARD, YES_NO),
    "legacy passkey typed by the peripheral": (False, True, DISPLAY, KEYBOARD),
}
ADDRESSES = ["F0:F1:F2:F3:F4:C0", "F0:F1:F2:F3:F4:C1"]
# Private keys of Core v5.4, Vol 2, Part G, 7.1.2.1; most significant octet first.
PRIVATE = [
    bytes.fromhex("06a516693c9aa31a6084545d0c5db641b48572b97203ddffb7ac73f7d0457663"),
    bytes.fromhex("529aa0670d72cd6497502ed473502b037e8803b5c60829a5a3caa219505530ba"),
]
PASSKEY = 504_029


def show(word, text):
    """A line, and its rest in the next ones."""
    print(word, text[:100])
    for start in range(100, len(text), 100):
        print("  " + text[start:start + 100])


class Hands(PairingDelegate):
    async def compare_numbers(self, number, digits):
        show("number", "%06d" % number)
        return True

    async def generate_passkey(self):
        return PASSKEY

    async def get_number(self):
        return PASSKEY


class Draws:
    """Octets that follow from a name."""

    def __init__(self, name):
        self.name, self.count = name, 0

    def octets(self, size=16):
        self.count += 1
        return hashlib.sha256(f"{self.name} {self.count}".encode()).digest()[:size]


async def run(name):
    secure, protected, near, far = WAYS[name]
    draws = Draws(name)
    crypto.r = draws.octets
    link = LocalLink()
    devices = []
    for index, capability in enumerate((near, far)):
        controller = Controller(f"C{index}", link=link, public_address=f"00:00:00:00:00:0{index + 1}")
        device = Device(address=Address(ADDRESSES[index]), host=Host(controller, AsyncPipeSink(controller)))
        device.irk = draws.octets()
        device.smp_manager._ecc_key = crypto.EccKey.from_private_key_bytes(PRIVATE[index])
        keys = PairingDelegate.KeyDistribution
        delegate = Hands(
            capability, local_initiator_key_distribution=keys.DISTRIBUTE_ENCRYPTION_KEY
            | keys.DISTRIBUTE_IDENTITY_KEY, local_responder_key_distribution=keys.DISTRIBUTE_ENCRYPTION_KEY
            | keys.DISTRIBUTE_IDENTITY_KEY)
        device.pairing_config_factory = lambda _, delegate=delegate: PairingConfig(
            sc=secure, mitm=protected, bonding=True, delegate=delegate,
            identity_address_type=PairingConfig.AddressType.RANDOM)
        arrow = ">" if index == 0 else "<"
        send = device.smp_manager.send_command
        device.smp_manager.send_command = lambda connection, command, send=send, arrow=arrow: (
            show(arrow, bytes(command).hex()), send(connection, command))
        await device.power_on()
        devices.append(device)
    show("way", name)
    host = devices[0].host
    submit = host.send_async_command

    def spy(command, *rest, **more):
        if isinstance(command, HCI_LE_Enable_Encryption_Command):
            show("key", command.long_term_key.hex())
        return submit(command, *rest, **more)

    host.send_async_command = spy
    await devices[1].start_advertising(auto_restart=False)
    connection = await devices[0].connect(devices[1].random_address)
    await asyncio.wait_for(connection.pair(), 10)
    await asyncio.sleep(0.2)


async def main():
    for word, address, key in zip(("central", "peripheral"), ADDRESSES, PRIVATE):
        show(word, f"{bytes(Address(address)).hex()}01 {key[::-1].hex()}")
    show("passkey", str(PASSKEY))
    for name in WAYS:
        await run(name)


if __name__ == "__main__":
    asyncio.run(main())
