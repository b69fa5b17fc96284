"""A network in virtual time: BeamScribe hosts and guests in one process, octets in pieces, nothing lost by itself.

It is no judge; the bench is. It lets the apps' own tests run without the bench, and keeps what they show.
"""

import json
import sys
from heapq import heappop, heappush
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from beam.hosting import Host  # noqa: E402
from beam.joining import Guest  # noqa: E402

MILLISECOND = 1_000_000


class End:
    """One end of a connection."""

    def __init__(self, device, number):
        self.device, self.number = device, number
        self.other = None
        self.under_way = 0  # octets that the other end has not taken
        self.held = b""  # what came while the app did not read
        self.is_reading = True
        self.was_refused = False
        self.has_finished = False


class Device:
    """One phone: an app, and what its platform keeps for it."""

    def __init__(self, network, name, make_app):
        self.network, self.name, self.make_app = network, name, make_app
        self.kept = ""
        self.launch()

    def launch(self):
        hello = {"role": "host", "dialect": "network", "peerID": self.name, "displayName": self.name, "seed": "1"}
        self.app = self.make_app({**hello, "kept": self.kept, **self.network.hello})
        self.ends = {}
        self.timers = {}
        self.service = None
        self.is_browsing = False
        self.seen = []  # (instant in ms, effect)
        self.last_number = -1
        self.give("launched")

    def give(self, name, **members):
        given = json.loads(json.dumps({"name": name, "at": self.network.now, **members}))
        effects = [json.loads(text) for text in self.app.handle(given)]
        assert len(effects) <= 10_000
        for effect in effects:
            self.seen.append((self.network.now // MILLISECOND, effect))
            perform = getattr(self, "do_" + effect["name"].replace(".", "_"), None)
            if perform:
                perform(effect)

    def user(self, action, **members):
        self.give("user", action=action, **members)

    def all(self, name):
        return [effect for _, effect in self.seen if effect["name"] == name]

    def at(self, name):
        """When there was one, in milliseconds."""
        return [instant for instant, effect in self.seen if effect["name"] == name]

    def finals(self):
        """What is on the screen."""
        shown = []
        for _, effect in self.seen:
            if effect["name"] == "transcriptCleared":
                shown = []
            if effect["name"] == "finalShown":
                shown.append(effect["text"])
                assert effect["sequence_"] == len(shown)
        return shown

    def states(self):
        return [effect["state"] for effect in self.all("state")]

    # Effects

    def do_setTimer(self, effect):
        number, at = effect["timer"], effect["at"]
        assert at >= self.network.now
        self.timers[number] = at
        self.network.later((at - self.network.now) / MILLISECOND, lambda: self.ring(number, at))

    def ring(self, number, at):
        if self.timers.get(number) == at:
            del self.timers[number]
            self.give("timer", timer=number)

    def do_cancelTimer(self, effect):
        self.timers.pop(effect["timer"], None)

    def do_keep(self, effect):
        self.kept = effect["octets"]

    def do_net_listen(self, effect):
        self.service = effect["instance"]
        self.network.later(1, lambda: self.give(
            "net.listenerReady", type=effect["type"], instance=self.service, port=49152))
        self.network.later(2, self.network.announce)

    def do_net_stopListening(self, effect):
        self.service = None
        for device in self.network.devices:
            if device.is_browsing:
                self.network.later(2, lambda device=device: device.give("net.lost", endpoint=self.endpoint))

    @property
    def endpoint(self):
        return self.network.devices.index(self)

    def do_net_browse(self, effect):
        assert effect["peerToPeer"] and effect["type"] == "_beamscribe._tcp"
        self.is_browsing = True
        self.network.later(2, lambda: self.network.announce(self))

    def do_net_stopBrowsing(self, effect):
        self.is_browsing = False

    def do_net_connect(self, effect):
        number = effect["connection"]
        assert number % 2 == 0 and number not in self.ends
        self.ends[number] = End(self, number)
        self.network.later(2, lambda: self.network.join(self, number, effect["endpoint"]))

    def do_net_send(self, effect):
        end = self.ends.get(effect["connection"])
        octets = bytes.fromhex(effect["octets"])
        is_taken = bool(end and end.other) and end.under_way + len(octets) <= self.network.buffer
        if is_taken:
            end.under_way += len(octets)
            self.network.later(1, lambda: self.network.carry(end, octets))
        elif end:
            end.was_refused = True
        self.network.later(0, lambda: self.give("net.submitted", connection=effect["connection"], accepted=is_taken))

    def do_net_finish(self, effect):
        end = self.ends[effect["connection"]]
        end.has_finished = True
        self.network.later(1.5, lambda: end.other and end.other.device.tell(end.other, "net.ended"))

    def do_net_cancel(self, effect):
        end = self.ends.pop(effect["connection"], None)
        if end and end.other:
            other = end.other
            other.other = None
            if not other.has_finished:
                self.network.later(1, lambda: other.device.over(other))
        self.network.later(0, lambda: self.give("net.cancelled", connection=effect["connection"]))

    def do_net_read(self, effect):
        end = self.ends[effect["connection"]]
        end.is_reading = effect["on"]
        if end.is_reading and end.held:
            octets, end.held = end.held, b""
            self.network.carry(end.other, octets)

    def tell(self, end, name, **members):
        if self.ends.get(end.number) is end:
            self.give(name, connection=end.number, **members)

    def over(self, end):
        if self.ends.get(end.number) is end:
            del self.ends[end.number]
            self.give("net.failed", connection=end.number, reason="reset")


class Network:
    """The devices, and the time."""

    def __init__(self, guests=0, pieces=65_536, buffer=131_072, **hello):
        self.now = 0
        self.queue = []
        self.count = 0
        self.pieces, self.buffer = pieces, buffer
        self.interface = "wifi"
        self.takes_connections = True
        self.hello = hello
        self.devices = []
        self.host = self.add("Keynote 2026", Host)
        self.guests = [self.add("guest-%d" % number, Guest) for number in range(1, guests + 1)]

    def add(self, name, make_app):
        self.devices.append(Device(self, name, make_app))
        return self.devices[-1]

    def later(self, milliseconds, action):
        self.count += 1
        heappush(self.queue, (self.now + int(milliseconds * MILLISECOND), self.count, action))

    def run(self, milliseconds):
        end = self.now + milliseconds * MILLISECOND
        while self.queue and self.queue[0][0] <= end:
            self.now, _, action = heappop(self.queue)
            action()
        self.now = end

    def announce(self, browser=None):
        for device in [browser] if browser else self.devices:
            if device.is_browsing and self.host.service:
                device.give(
                    "net.found", endpoint=0, type="_beamscribe._tcp", instance=self.host.service,
                    interfaces=["wifi", "awdl"])

    def join(self, device, number, endpoint):
        end = device.ends.get(number)
        if not end:
            return
        host = self.devices[endpoint]
        if not self.takes_connections or not host.service:
            del device.ends[number]
            device.give("net.failed", connection=number, reason="refused")
            return
        host.last_number += 2
        other = host.ends[host.last_number] = End(host, host.last_number)
        end.other, other.other = other, end
        device.give("net.ready", connection=number, interface=self.interface)
        if end.other:
            host.give("net.incoming", connection=other.number, interface=self.interface, peer=device.name)

    def carry(self, end, octets):
        """What was sent arrives, in pieces."""
        other = end.other
        if not other:
            return
        if not other.is_reading:
            other.held += octets
            return
        for at in range(0, len(octets), self.pieces):
            other.device.tell(other, "net.received", octets=octets[at:at + self.pieces].hex())
        end.under_way -= len(octets)
        if end.was_refused and end.under_way * 2 <= self.buffer:
            end.was_refused = False
            end.device.tell(end, "net.room")

    def begin(self):
        """An event, and everybody in it."""
        self.host.user("startEvent", name_="Keynote 2026")
        for guest in self.guests:
            guest.user("join")
        self.run(4_100)
