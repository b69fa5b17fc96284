"""A perfect platform in virtual time: a host and clients in one process, nothing lost, nothing late.

It is no judge; the bench is. It lets the apps' own tests run without the bench, and keeps what they show.
"""

import json
import sys
from heapq import heappop, heappush
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bab.game import Game  # noqa: E402
from bab.playing import Playing  # noqa: E402

MILLISECOND = 1_000_000
SCENARIOS = [
    {"id": "coffee-shop", "name": "Ordering Coffee", "description": "At the bar", "roles": [
        {"id": "barista", "name": "Barista", "description": "Works"},
        {"id": "customer", "name": "Customer", "description": "Orders"}]},
    {"id": "the-heist", "name": "The Heist", "description": "At night", "roles": [
        {"id": "detective", "name": "Detective", "description": "Looks"},
        {"id": "thief", "name": "Thief", "description": "Takes"}]},
]


class Device:
    """One phone: an app, and what its platform keeps for it."""

    def __init__(self, world, index, app):
        self.world = world
        self.address = "C0:00:00:00:00:%02X" % index
        self.app = app
        self.advertisement = None
        self.profile = None
        self.is_scanning = False
        self.attempt = None
        self.peers = {}  # link: (device, its link, ATT_MTU)
        self.next_link = 0
        self.timers = {}
        self.reports = []
        self.last_at = 0
        self.refusals = 0  # values still to be refused
        self.is_gone = False

    def give(self, name, **members):
        """An input now; the effects are performed, the reports kept."""
        given = json.loads(json.dumps({"name": name, "at": self.world.now, **members}))
        for text in self.app.handle(given):
            effect = json.loads(text)
            perform = getattr(self, "do_" + effect["name"], None)
            if perform:
                perform(effect)
            else:
                self.reports.append(effect)

    def user(self, action, **members):
        self.give("user", action=action, **members)
        self.world.run(300)

    def last(self, name):
        """The newest report of a name."""
        return next((report for report in reversed(self.reports) if report["name"] == name), None)

    def all(self, name):
        return [report for report in self.reports if report["name"] == name]

    # Effects

    def do_publish(self, effect):
        self.profile = effect

    def do_advertise(self, effect):
        self.advertisement = effect
        self.world.later(1, lambda: self.give("advertisingStarted", started=True))
        self.world.later(2, self.world.discover)

    def do_stopAdvertising(self, effect):
        self.advertisement = None

    def do_scan(self, effect):
        self.is_scanning = True
        self.world.later(2, self.world.discover)

    def do_stopScanning(self, effect):
        self.is_scanning = False

    def do_connect(self, effect):
        self.attempt = effect["address"]
        self.world.later(5, self.try_connect)

    def do_cancelConnect(self, effect):
        self.attempt = None

    def try_connect(self):
        host = self.world.by_address(self.attempt)
        if host and host.advertisement and not host.is_gone:
            self.attempt = None
            host.advertisement = None
            one, other = self.next_link, host.next_link
            self.next_link += 1
            host.next_link += 1
            self.peers[one] = [host, other, 23]
            host.peers[other] = [self, one, 23]
            host.give("connected", link=other, address=self.address)
            self.give("connected", link=one, address=host.address)

    def do_exchangeMTU(self, effect):
        link, size = effect["link"], min(effect["attMTU"], self.world.att_mtu)
        host, other, _ = self.peers[link]

        def answer():
            if link in self.peers:
                host.give("attMTU", link=other, attMTU=size)
                self.give("attMTU", link=link, attMTU=size)
                self.peers[link][2] = size
                host.peers[other][2] = size
        self.world.later(5, answer)

    def do_discover(self, effect):
        host = self.peers[effect["link"]][0]
        self.world.later(5, lambda: self.give(
            "servicesDiscovered", link=effect["link"], service=effect["service"],
            characteristics=host.profile["characteristics"]))

    def do_subscribe(self, effect):
        host, other, _ = self.peers[effect["link"]]

        def answer():
            host.give("subscribed", link=other, characteristic=effect["characteristic"], on=True)
            self.give("subscribed", link=effect["link"], characteristic=effect["characteristic"], on=True)
        self.world.later(5, answer)

    def carry(self, effect):
        peer, other, size = self.peers[effect["link"]]
        assert len(effect["octets"]) <= 2 * (size - 3), "a value too long"

        def arrive():
            if other in peer.peers:
                peer.give(
                    "valueReceived", link=other, characteristic=effect["characteristic"], octets=effect["octets"])
        self.world.later(5, arrive)

    def do_write(self, effect):
        self.carry(effect)
        self.world.later(6, lambda: self.give(
            "writeCompleted", link=effect["link"], characteristic=effect["characteristic"], error=None))

    def do_notify(self, effect):
        link, name = effect["link"], effect["characteristic"]
        is_taken = self.refusals == 0
        if is_taken:
            self.carry(effect)
        else:
            self.refusals -= 1
            self.world.later(3, lambda: self.give("readyToSend", link=link))
        self.world.later(0, lambda: self.give("submitted", link=link, characteristic=name, accepted=is_taken))

    def do_disconnect(self, effect):
        if effect["link"] in self.peers:
            self.cut(effect["link"], 0x16, 0x13)

    def cut(self, link, reason, other_reason):
        """Ends a link, with the reasons the two ends see."""
        peer, other, _ = self.peers.pop(link)
        peer.peers.pop(other)
        self.world.later(1, lambda: self.give("disconnected", link=link, reason=reason))
        self.world.later(1, lambda: peer.give("disconnected", link=other, reason=other_reason))

    def do_setTimer(self, effect):
        number, at = effect["timer"], effect["at"]
        assert at >= self.world.now, "a timer in the past"
        self.timers[number] = at

        def fire():
            if self.timers.get(number) == at and self.world.now == at:
                del self.timers[number]
                self.give("timer", timer=number)
        self.world.at(at, fire)

    def do_cancelTimer(self, effect):
        self.timers.pop(effect["timer"], None)


class World:
    """One host, `host`, and some `clients`, launched."""

    def __init__(self, clients=1, total_lines=0, att_mtu=185, dialect="sdk", **game):
        self.now = 0
        self.events = []
        self.hides_names = False  # scan responses come too late
        self.count = 0
        self.att_mtu = att_mtu
        names = ["host"] + ["client-%d" % (index + 1) for index in range(clients)]
        self.devices = []
        for index, name in enumerate(names):
            hello = {
                "name": "hello", "protocol": 1, "role": "client" if index else "host", "dialect": dialect,
                "peerID": name, "displayName": name.title(), "seed": 1,
                "game": {"totalLines": total_lines, "script": [], "scenarios": SCENARIOS,
                         "heartbeatMilliseconds": 0, "earlierSessions": [], **game}}
            self.devices.append(Device(self, index + 1, Playing(hello) if index else Game(hello)))
        self.host, self.clients = self.devices[0], self.devices[1:]
        for device in self.devices:
            device.give("launched")

    def at(self, instant, action):
        self.count += 1
        heappush(self.events, (instant, self.count, action))

    def later(self, milliseconds, action):
        self.at(self.now + milliseconds * MILLISECOND, action)

    def run(self, milliseconds):
        """Lets virtual time pass."""
        end = self.now + milliseconds * MILLISECOND
        while self.events and self.events[0][0] <= end:
            self.now, _, action = heappop(self.events)
            action()
        self.now = end

    def by_address(self, address):
        return next((device for device in self.devices if device.address == address), None)

    def discover(self):
        """Every scanner sees every advertiser."""
        for scanner in self.devices:
            for device in self.devices:
                if scanner.is_scanning and device.advertisement and not device.is_gone:
                    name = None if self.hides_names else device.advertisement["localName"]
                    scanner.give(
                        "discovered", address=device.address, localName=name,
                        services=device.advertisement["services"], rssi=-50)

    def lobby(self):
        """Brings everybody into the lobby, in order."""
        self.host.user("startHosting")
        for client in self.clients:
            client.user("joinHost")
            self.run(1000)

    def game(self):
        """Starts a game with roles of a host and one client."""
        self.lobby()
        self.host.user("setLobbyScenario", scenario="coffee-shop")
        self.host.user("assignRole", player="host", role="barista")
        self.host.user("setReady", ready=True)
        self.clients[0].user("requestRole", role="customer")
        self.clients[0].user("setReady", ready=True)
        self.host.user("startMultiplayerGame")
