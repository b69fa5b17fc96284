#!/usr/bin/env python3
"""A player of Bab on Bumble: finds a host, joins its lobby, and reads its lines until the game is over.

    bumble_client.py tcp-client:127.0.0.1:6402 [--id bumble] [--until lobby|end] [--seconds 60]
    bumble_client.py --lockstep h4:tcp:127.0.0.1:6402 …    in virtual time

Prints what it saw as one JSON object. Clauses (2.4) are of Docs/Protocol; packets are those of Examples/iut-python.
"""
import argparse
import asyncio
import json
import sys
from pathlib import Path

from bumble.core import AdvertisingData, UUID
from bumble.device import Device, Peer
from bumble.gatt import Characteristic
from bumble.hci import Address
from bumble.transport import open_transport

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Examples/iut-python"))
from bab.framing import Reassembler, cut  # noqa: E402
from bab.packets import Packet, decode, encode  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Python"))
from babbench import lockstep  # noqa: E402

SERVICE, COMMAND = UUID.from_16_bits(0xBAB1), UUID.from_16_bits(0xBAB2)
ATT_MTU, TIMES_TO_TRY, PATIENCE = 185, 8, 5


class Player:
    """One client of the `sdk` dialect."""

    def __init__(self, device, peer_id):
        self.device, self.id = device, peer_id
        self.clock, self.packet_id = {}, 0
        self.facts = {"id": peer_id, "players": [], "lines": [], "read": 0, "phase": "LOBBY"}

    async def find(self):
        """Scans until an advertiser shows the service (2.4, 2.5), and at most 3 s more for its name, which a scan response
        has and an ADV_IND without one has not."""
        found, seen = asyncio.get_running_loop().create_future(), {}

        def look(advertisement):
            data = advertisement.data.get_all(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS)
            data += advertisement.data.get_all(AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS)
            if name := advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME):
                seen[advertisement.address] = name
            if any(SERVICE in uuids for uuids in data) and not found.done():
                found.set_result(advertisement.address)
        self.device.on("advertisement", look)
        await self.device.start_scanning(scan_interval=20, scan_window=20, filter_duplicates=False)
        address = await found
        for _ in range(60):
            if address in seen:
                break
            await asyncio.sleep(0.05)
        await self.device.stop_scanning()
        self.device.remove_listener("advertisement", look)
        self.facts.update(host=str(address), name=seen.get(address))
        return address

    async def set_up(self, connection):
        """ATT_MTU, services, subscriptions, and only then the first packet (5.1.4, 5.1.5)."""
        self.inbox, self.reassembler = asyncio.Queue(), Reassembler(self.facts.setdefault("refused", []).append)
        peer = Peer(connection)
        self.att_mtu = self.facts["attMTU"] = await peer.request_mtu(ATT_MTU)
        characteristics = await (await peer.discover_service(SERVICE))[0].discover_characteristics()
        for characteristic in characteristics:
            if characteristic.properties & Characteristic.NOTIFY:
                await peer.subscribe(characteristic, self.inbox.put_nowait)
        self.command, = [each for each in characteristics if each.uuid == COMMAND]
        participant = {"id": self.id, "name": self.id.title(), "role": None, "isHost": False}
        await self.tell("HANDSHAKE", participant=participant)
        await self.tell("CLIENT_JOIN", profile={"playerId": self.id, "displayName": self.id.title()})

    async def tell(self, kind, **payload):
        """Sends a packet, counted (5.6.1), fragment by fragment, each acknowledged (2.8)."""
        self.clock[self.id] = self.clock.get(self.id, 0) + 1
        for value in cut(self.packet_id, encode(Packet(kind, self.id, self.clock, payload)), self.att_mtu):
            await self.command.write_value(value, with_response=True)
        self.packet_id += 1

    async def play(self, until):
        """Follows the host until the lobby lists us, or until the game is over."""
        while True:
            value = await self.inbox.get()
            if (octets := self.reassembler.take(value, round(asyncio.get_running_loop().time() * 1e9))) is None:
                continue
            packet = decode(octets)
            for peer, count in packet.clock.items():
                self.clock[peer] = max(count, self.clock.get(peer, 0))
            if handler := getattr(self, "take_" + packet.kind, None):
                await handler(**packet.payload)
            if until == "lobby" and self.id in self.facts["players"] or self.facts["phase"] == "FINISHED":
                return

    async def take_LOBBY_UPDATE(self, lobbyState):
        self.facts["players"] = [profile["playerId"] for profile in lobbyState["connectedPlayers"]]

    async def take_START_GAME(self):
        self.facts["phase"] = "ACTIVE"

    async def take_TURN_ADVANCED(self, nextPlayerId, pendingLine):
        if nextPlayerId == self.id and pendingLine:
            await asyncio.sleep(0.2)
            result = {"errorCount": 0, "accuracy": 1.0, "wordErrors": [], "skipped": False, "duration": 1500}
            await self.tell("LINE_COMPLETED", lineId=pendingLine["id"], result=result)
            self.facts["read"] += 1

    async def take_DIALOG_LINE_ADDED(self, line):
        if line["visibility"] == "COMMITTED":
            self.facts["lines"].append(line["id"])

    async def take_LEADERBOARD_UPDATE(self, leaderboard):
        self.facts["leaderboard"] = {row["playerId"]: row["score"] for row in leaderboard["rankings"]}

    async def take_FULL_STATE_SNAPSHOT(self, state):
        self.facts["phase"] = state["currentPhase"]
        self.facts["summaryLines"] = (state["sessionSummary"] or {}).get("totalLines")

    async def join_and_play(self, until):
        """From nothing to `until`; a link that fails before the lobby lists us is tried anew (8.7)."""
        for self.facts["attempts"] in range(1, TIMES_TO_TRY + 1):
            connection = None
            try:
                connection = await self.device.connect(await self.find(), timeout=PATIENCE)
                await connection.cancel_on_disconnection(asyncio.wait_for(self.set_up(connection), PATIENCE))
                await connection.cancel_on_disconnection(self.play(until))
                break
            except (Exception, asyncio.CancelledError) as error:
                self.facts.setdefault("errors", []).append(f"{type(error).__name__} {error}")
                if self.facts["players"] or asyncio.current_task().cancelling():
                    break
                if connection:
                    await asyncio.wait([asyncio.create_task(connection.disconnect())], timeout=1)
        return self.facts


async def main(options):
    opened = lockstep.bumble_transport(options.transport) if options.lockstep else await open_transport(options.transport)
    async with opened as hci:
        device = Device.with_hci(options.id, Address(options.address), hci.source, hci.sink)
        await device.power_on()
        facts = await asyncio.wait_for(Player(device, options.id).join_and_play(options.until), options.seconds)
        print(json.dumps(facts), flush=True)
        await asyncio.wait([hci.source.terminated], timeout=options.stay)  # the host may have more to say


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("transport")
    parser.add_argument("--id", default="bumble")
    parser.add_argument("--address", default="F0:F1:F2:F3:F4:F5", help="a static random address")
    parser.add_argument("--until", choices=["lobby", "end"], default="end")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--stay", type=float, default=20, help="seconds on the link when it is over")
    parser.add_argument("--lockstep", action="store_true", help="the transport is a port in lockstep")
    options = parser.parse_args()
    (lockstep.run if options.lockstep else asyncio.run)(main(options))
