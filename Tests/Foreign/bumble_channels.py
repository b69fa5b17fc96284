#!/usr/bin/env python3
"""Two of Bumble's channel managers open an LE credit based channel with each other and talk; no controller is needed.

    bumble_channels.py

Prints every L2CAP PDU with the end that sent it, in the order in which they were sent; lines with “--” say what is done.
`Tests/VirtualRadioTests/ChannelTalk.swift` has these lines, and our host stack takes the place of each end in turn.
"""
import asyncio
import logging
from collections import deque

from bumble.l2cap import L2CAP_PDU, ChannelManager, L2capError, LeCreditBasedChannelSpec

PSM, OTHER = 0x85, 0x84
CLIENT = {"mtu": 80, "mps": 40, "max_credits": 4}
SERVER = {"mtu": 60, "mps": 30, "max_credits": 2}


class Link:
    """What a manager knows of a connection."""

    handle, peer_address = 0x40, "the other end"


class Wire:
    """Carries PDUs from one manager to the other, one at a time."""

    def __init__(self):
        self.ends, self.under_way = {}, deque()

    def attach(self, name):
        manager = self.ends[name] = ChannelManager()
        manager.host = End(self, name)
        return manager

    def settle(self):
        while self.under_way:
            name, octets = self.under_way.popleft()
            pdu = L2CAP_PDU.from_bytes(octets)
            self.ends["B" if name == "A" else "A"].on_pdu(Link, pdu.cid, pdu.payload)


class End:
    """The part of Bumble's host that a manager calls."""

    def __init__(self, wire, name):
        self.wire, self.name = wire, name

    def on(self, *_):
        pass

    def send_l2cap_pdu(self, _, cid, pdu):
        self.send_acl_sdu(_, bytes(L2CAP_PDU(cid, bytes(pdu))))

    def send_acl_sdu(self, _, octets):
        print(self.name, bytes(octets).hex())
        self.wire.under_way.append((self.name, bytes(octets)))


async def finished(wire, call):
    """What a coroutine gives once the wire has carried everything."""
    task = asyncio.ensure_future(call)
    for _ in range(10):
        await asyncio.sleep(0)
        wire.settle()
    return await task


async def main():
    wire = Wire()
    client, server = wire.attach("A"), wire.attach("B")
    accepted, got = [], {"A": b"", "B": b""}

    def receive(name):
        return lambda octets: got.__setitem__(name, got[name] + octets)

    def arrived(channel):
        channel.sink = receive("B")
        accepted.append(channel)

    server.create_le_credit_based_server(LeCreditBasedChannelSpec(psm=PSM, **SERVER), arrived)
    print("-- A asks for a service that B does not have")
    try:
        await finished(wire, client.create_le_credit_based_channel(Link, LeCreditBasedChannelSpec(OTHER, **CLIENT)))
    except L2capError:
        pass
    print("-- A opens")
    near = await finished(wire, client.create_le_credit_based_channel(Link, LeCreditBasedChannelSpec(PSM, **CLIENT)))
    near.sink = receive("A")
    print("-- A writes 70 octets")
    near.write(bytes(range(70)))
    wire.settle()
    print("-- B writes 100 octets")
    accepted[0].write(bytes(range(100)))
    wire.settle()
    print("-- A closes")
    await finished(wire, near.disconnect())
    print("-- the end")
    assert got == {"A": bytes(range(100)), "B": bytes(range(70))}, got


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main())
