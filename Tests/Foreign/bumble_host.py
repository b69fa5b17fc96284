#!/usr/bin/env python3
"""A host of Bab on Bumble: fills its lobby, starts a game, reads its own lines and sees the game to its end.

    bumble_host.py tcp-client:127.0.0.1:6402 [--clients 7] [--lines 8] [--seconds 90]

Prints what it showed as one JSON object. The stack is Bumble's alone; the app is the host engine of
Examples/iut-python, which shares no code with the bench: it takes inputs and gives effects, and `Platform` is the phone
between the two.
"""
import argparse
import asyncio
import json
import sys
from pathlib import Path

from bumble.core import AdvertisingData, UUID
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.transport import open_transport

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Examples/iut-python"))
from bab.game import Game  # noqa: E402

SCENARIOS = [{"id": "coffee-shop", "name": "Coffee Shop", "description": "Order something", "roles": [
    {"id": "barista", "name": "Barista", "description": "Works behind the counter"},
    {"id": "customer", "name": "Customer", "description": "Has a wish"}]}]


class Platform:
    """Performs the engine's effects with Bumble, and tells it what Bumble says (Docs/Formats/iut-protocol.md)."""

    def __init__(self, device, app):
        self.device, self.app = device, app
        self.connections, self.timers = {}, {}  # by link; by number
        self.last_link = -1
        self.reports, self.on_report = {}, lambda report: None
        self.loop = asyncio.get_running_loop()
        self.radio = asyncio.Queue()  # what Bumble is asked for, one after the other
        self.tasks = [asyncio.create_task(self.serve_radio())]
        device.on("connection", self.connected)

    def give(self, name, **members):
        """An input now; its effects are performed, its reports kept."""
        for text in self.app.handle({"name": name, "at": int(self.loop.time() * 1e9), **members}):
            effect = json.loads(text)
            perform = getattr(self, "do_" + effect["name"], None)
            if perform:
                perform(effect)
            else:
                self.reports.setdefault(effect["name"], []).append(effect)
                self.on_report(effect)

    async def serve_radio(self):
        while True:
            await (await self.radio.get())()

    # What Bumble says

    def connected(self, connection):
        self.last_link += 1
        link = self.last_link
        self.connections[link] = connection
        connection.on(Connection.EVENT_DISCONNECTION, lambda reason: self.disconnected(link, reason))
        connection.on(
            Connection.EVENT_CONNECTION_ATT_MTU_UPDATE,
            lambda: self.give("attMTU", link=link, attMTU=connection.att_mtu))
        self.give("connected", link=link, address=connection.peer_address.to_string(False))

    def disconnected(self, link, reason):
        if self.connections.pop(link, None):
            self.give("disconnected", link=link, reason=reason)

    def link_of(self, connection):
        return next((link for link, other in self.connections.items() if other is connection), None)

    def written(self, uuid, connection, value):
        link = self.link_of(connection)
        if link is not None:
            # Not from within Bumble's answer to the write: the answer goes out first.
            self.loop.call_soon(lambda: self.give("valueReceived", link=link, characteristic=uuid, octets=value.hex()))

    def subscribed(self, uuid, connection, notifies):
        link = self.link_of(connection)
        if link is not None:
            self.loop.call_soon(lambda: self.give("subscribed", link=link, characteristic=uuid, on=bool(notifies)))

    # What the engine asks for

    def do_publish(self, effect):
        self.characteristics = {}
        for row in effect["characteristics"]:
            uuid, properties = row["uuid"], Characteristic.Properties(row["properties"])
            value = CharacteristicValue(
                read=lambda connection: b"",
                write=lambda connection, value, uuid=uuid: self.written(uuid, connection, value))
            permissions = Characteristic.READABLE if properties & properties.READ else 0
            permissions |= Characteristic.WRITEABLE if properties & (properties.WRITE | 4) else 0
            each = self.characteristics[uuid] = Characteristic(
                UUID.from_16_bits(int(uuid, 16)), properties, Characteristic.Permissions(permissions), value)
            each.on(
                "subscription", lambda connection, notifies, _, uuid=uuid: self.subscribed(uuid, connection, notifies))
        self.device.add_service(Service(UUID.from_16_bits(int(effect["service"], 16)), self.characteristics.values()))

    def do_advertise(self, effect):
        services = b"".join(int(uuid, 16).to_bytes(2, "little") for uuid in effect["services"])
        shown = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, services)]))
        answer = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, effect["localName"].encode())]))

        async def start():
            await self.device.start_advertising(
                advertising_data=shown, scan_response_data=answer,
                advertising_interval_min=30, advertising_interval_max=50)
            self.give("advertisingStarted", started=True)
        self.radio.put_nowait(start)

    def do_stopAdvertising(self, effect):
        self.radio.put_nowait(self.device.stop_advertising)

    def do_notify(self, effect):
        connection = self.connections.get(effect["link"])
        characteristic, octets = self.characteristics[effect["characteristic"]], bytes.fromhex(effect["octets"])

        async def notify():
            await self.device.notify_subscriber(connection, characteristic, octets)
            if effect["link"] in self.connections:
                self.give("submitted", link=effect["link"], characteristic=effect["characteristic"], accepted=True)
        if connection:
            self.tasks.append(asyncio.create_task(notify()))

    def do_disconnect(self, effect):
        if connection := self.connections.get(effect["link"]):
            self.tasks.append(asyncio.create_task(connection.disconnect()))

    def do_setTimer(self, effect):
        self.do_cancelTimer(effect)
        number = effect["timer"]
        self.timers[number] = self.loop.call_at(effect["at"] / 1e9, lambda: self.give("timer", timer=number))

    def do_cancelTimer(self, effect):
        if timer := self.timers.pop(effect["timer"], None):
            timer.cancel()


class Person:
    """Who holds the phone: starts a game when all have come, and reads what is hers to read."""

    def __init__(self, platform, clients):
        self.platform, self.clients = platform, clients
        self.is_over = asyncio.Event()
        self.turn = None
        platform.on_report = self.sees

    def user(self, action, **arguments):
        self.platform.give("user", action=action, **arguments)

    def later(self, seconds, action, **arguments):
        self.platform.loop.call_later(seconds, lambda: self.user(action, **arguments))

    def sees(self, report):
        name = report["name"]
        if name == "lobby" and len(report["players"]) == 1 + self.clients and not report["scenarioID"]:
            self.later(0.5, "setLobbyScenario", scenario="coffee-shop")
            self.later(1.5, "startLobbyGame")
        elif name == "turn" and report["player"] == "host":
            self.later(0.3, "completeLine", accuracyPermille=900, errorCount=0, durationMilliseconds=2000)
        elif name == "phase" and report["phase"] == "FINISHED":
            self.is_over.set()


def facts(platform):
    reports = platform.reports
    rosters = [report["players"] for report in reports.get("roster", [])]
    return {
        "connections": platform.last_link + 1, "roster": max(rosters, key=len, default=[]),
        "phases": [report["phase"] for report in reports.get("phase", [])],
        "lines": [report["lineID"] for report in reports.get("committed", [])],
        "leaderboard": reports.get("leaderboard", [None])[-1],
        "summary": reports.get("summary", [None])[-1], "refused": reports.get("refused", []),
        "violations": reports.get("violation", [])}


async def main(options):
    async with await open_transport(options.transport) as hci:
        device = Device.with_hci("Bumble", Address(options.address), hci.source, hci.sink)
        await device.power_on()
        app = Game({
            "peerID": "host", "displayName": "Bumble", "dialect": "sdk",
            "game": {"totalLines": options.lines, "scenarios": SCENARIOS}})
        platform = Platform(device, app)
        person = Person(platform, options.clients)
        platform.give("launched")
        person.user("startHosting")
        over = asyncio.create_task(person.is_over.wait())
        await asyncio.wait([over, hci.source.terminated], timeout=options.seconds, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait([hci.source.terminated], timeout=options.stay)
        print(json.dumps(facts(platform)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("transport")
    parser.add_argument("--address", default="F0:F1:F2:F3:F4:F0", help="a static random address")
    parser.add_argument("--clients", type=int, default=7)
    parser.add_argument("--lines", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=90, help="until the game is over")
    parser.add_argument("--stay", type=float, default=2, help="seconds on the air when it is over")
    asyncio.run(main(parser.parse_args()))
