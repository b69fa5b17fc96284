"""What host and client have in common: inputs in, effects out, timers, links, clocks.

An app does no input or output of its own, reads no clock and never waits; the bench hands it one input at a time
(Docs/Formats/iut-protocol.md).
"""

from . import framing
from .dialects import dialect
from .jsontext import write
from .packets import NotAPacket, Packet, decode, encode

SECOND = 1_000_000_000
WALL_TIME = 1_700_000_000_000  # 8.11, milliseconds
MOST_QUEUED = 4096  # 8.9
MOST_COUNT = (1 << 63) - 1


class Ignored(Exception):
    """A packet that is ignored: nothing has changed, nor will. With a clause, it is a violation (section 7), else refused."""

    def __init__(self, rule=None, detail=""):
        self.rule = rule
        self.detail = detail


class Link:
    """One connection, with what waits to be sent on it and what has come of packets."""

    def __init__(self, number, address, refuse):
        self.number = number
        self.address = address
        self.att_mtu = 23
        self.may_send = False
        self.closing = False
        self.is_discovered = False  # a client has asked for the services
        self.peer = None  # the id that the first packet bound to this link
        self.last_count = 0
        self.queue = []  # (type, octets)
        self.values = []  # of queue[0], once it is under way
        self.position = 0
        self.waiting = False  # for the answer to a value
        self.refused = False  # the platform's queue was full
        self.next_packet_id = 0
        self.sent = 0
        self.reassembler = framing.Reassembler(refuse)


class App:
    """A sans-IO app. Subclasses have a method `on_<input name>(input)` for each input they care about."""

    role = None

    def __init__(self, hello):
        self.id = hello["peerID"]
        self.name = hello["displayName"]
        self.dialect = dialect(hello["dialect"])
        game = hello.get("game", {})
        self.total_lines = game.get("totalLines", 0)
        self.script = game.get("script", [])
        self.scenarios = game.get("scenarios", [])
        self.heartbeat = game.get("heartbeatMilliseconds", 0) * 1_000_000
        self.earlier_sessions = {row["peerID"]: row["count"] for row in game.get("earlierSessions", [])}
        self.now = 0
        self.effects = []
        self.timers = {}  # key: (number, action)
        self.timer_keys = {}  # number: key
        self.last_timer = 0
        self.links = {}
        self.clock = {}
        self.solo = None
        self.solo_lines = 0
        self.shown = {}  # the newest report of each name that is shown only when it changes

    # The bench's side

    def handle(self, given):
        """The effects of one input."""
        self.now = given["at"]
        self.effects = []
        clock = dict(self.clock)
        handler = getattr(self, "on_" + given["name"], None)
        if handler:
            handler(given)
        if clock != self.clock:
            entries = [{"peerID": peer, "count": count} for peer, count in self.clock.items()]
            self.do("vectorClock", entries=entries)
        return self.effects

    def do(self, name, **members):
        """Asks something of the platform, or reports something."""
        members["name"] = name
        self.effects.append(write(members))

    def show(self, name, **members):
        """Reports what the screen shows, when that has changed."""
        if self.shown.get(name) != members:
            self.shown[name] = members
            self.do(name, **members)

    def set_timer(self, key, at, action):
        """Has `action` called at an instant; a timer of the same key is moved."""
        number = self.timers[key][0] if key in self.timers else self.last_timer + 1
        self.last_timer = max(self.last_timer, number)
        self.timers[key] = (number, action)
        self.timer_keys[number] = key
        self.do("setTimer", timer=number, at=at)

    def cancel_timer(self, key):
        number, _ = self.timers.pop(key, (None, None))
        if number is not None:
            del self.timer_keys[number]
            self.do("cancelTimer", timer=number)

    def on_timer(self, given):
        key = self.timer_keys.pop(given["timer"], None)
        if key is not None:
            self.timers.pop(key)[1]()

    def on_user(self, given):
        """A person did something: a method `user_<action>`, if this role has it."""
        action = getattr(self.solo or self, "user_" + given["action"], None)
        if action:
            action(**{key: value for key, value in given.items() if key not in ("name", "at", "action")})

    def user_startSolo(self):
        if not self.links:
            from .solo import Solo  # most cases need none
            self.solo = Solo(self)

    def on_launched(self, given):
        self.do("identity", role=self.role, peerID=self.id, displayName=self.name)
        self.show("phase", phase="LOBBY")
        self.show("linkState", linkState="DISCONNECTED")

    @property
    def wall_time(self):
        return WALL_TIME + self.now // 1_000_000

    def scenario(self, scenario_id):
        """What is known about a scenario, or None."""
        for scenario in self.scenarios:
            if scenario["id"] == scenario_id:
                return scenario
        return None

    def role_of(self, scenario_id, role_id):
        """The role of this scenario, or None."""
        for role in (self.scenario(scenario_id) or {"roles": []})["roles"]:
            if role["id"] == role_id:
                return role
        return None

    # Links

    def add_link(self, number, address):
        link = self.links[number] = Link(
            number, address, lambda reason: self.do("refused", link=number, reason=reason))
        return link

    def forget_link(self, link):
        """A link is over: what waited for it is dropped, and its partial packets (5.9.5, 3.16)."""
        self.links.pop(link.number, None)
        link.closing = True
        link.queue.clear()
        self.cancel_timer(("partial", link.number))

    def end_link(self, link):
        """Ends a link cleanly; `disconnected` will say when it is gone."""
        if not link.closing:
            link.closing = True
            link.queue.clear()
            self.cancel_timer(("partial", link.number))
            self.do("disconnect", link=link.number)

    def on_attMTU(self, given):
        link = self.links.get(given["link"])
        if link:
            link.att_mtu = given["attMTU"]

    # Sending: one value at a time, the next one when the platform has taken it (5.9)

    def stamped(self, kind, payload):
        """A new packet, counted (5.6.1)."""
        self.clock[self.id] = min(self.clock.get(self.id, 0) + 1, MOST_COUNT)
        return Packet(kind, self.id, dict(self.clock), payload)

    def fits(self, link, octets):
        return framing.fragment_count(len(octets), link.att_mtu) <= framing.MOST_FRAGMENTS

    def post(self, link, packet, octets=None):
        """Queues a packet for a link."""
        octets = octets or encode(packet)
        if link.closing or not self.fits(link, octets):
            return
        if len(link.queue) >= MOST_QUEUED:
            self.end_link(link)
            return
        link.queue.append((packet.kind, octets))
        self.pump(link)

    def pump(self, link):
        """Hands the platform the next value, when nothing is on the way."""
        if link.waiting or link.closing or not link.may_send or not link.queue:
            return
        if not link.values:
            link.values = framing.cut(link.next_packet_id, link.queue[0][1], link.att_mtu)
            link.position = 0
            link.next_packet_id = (link.next_packet_id + 1) & 0xFFFF
        link.waiting = True
        self.transmit(link, link.values[link.position])

    def transmit(self, link, value):
        """How this role sends a value."""
        raise NotImplementedError

    def taken(self, link):
        """The platform has taken the value that was on the way."""
        link.waiting = False
        if link.closing or not link.queue:
            return
        link.position += 1
        if link.position == len(link.values):
            kind, _ = link.queue.pop(0)
            link.sent += 1
            self.do("packetSent", link=link.number, type=kind, packet=link.sent - 1, fragments=len(link.values))
            link.values = []
            if not link.queue:
                self.drained(link)
        self.pump(link)

    def drained(self, link):
        """Everything that was queued for a link has been sent."""

    def on_submitted(self, given):
        link = self.links.get(given["link"])
        if link and link.waiting:
            if given["accepted"]:
                self.taken(link)
            else:
                link.refused = True

    def on_readyToSend(self, given):
        link = self.links.get(given["link"])
        if link and link.refused:
            link.refused = link.waiting = False
            self.pump(link)

    # Receiving

    def receive(self, link, value):
        """One value of a packet came."""
        octets = link.reassembler.take(value, self.now)
        self.watch_partials(link)
        if octets is not None:
            self.receive_packet(link, octets)

    def receive_packet(self, link, octets):
        """A whole packet came."""
        try:
            packet = decode(octets)
        except NotAPacket as error:
            self.do("refused", link=link.number, reason=str(error))
            return
        mark = len(self.effects)
        try:
            self.accept(link, packet)
            if packet.envelope != packet.kind:
                self.violation(link, "BAB 7.8", "envelope says %s, payload %s" % (packet.envelope, packet.kind))
        except Ignored as ignored:
            if ignored.rule:
                self.violation(link, ignored.rule, ignored.detail)
            else:
                self.do("refused", link=link.number, reason="%s is ignored" % packet.kind)
            return
        report = {
            "name": "packetReceived", "link": link.number, "type": packet.kind, "senderID": packet.sender,
            "json": encode(packet).decode("utf-8")}
        self.effects.insert(mark, write(report))

    def accept(self, link, packet):
        """Checks and handles a packet; raises Ignored before anything has changed."""
        raise NotImplementedError

    def violation(self, link, rule, detail):
        self.do("violation", link=link.number, rule=rule, detail=detail)

    def in_order(self, link, packet):
        """5.6.4: late news is not taken."""
        if packet.count < link.last_count:
            raise Ignored()
        link.last_count = packet.count

    def watch_partials(self, link):
        """3.14: a timer for what has begun and may never be finished."""
        key, deadline = ("partial", link.number), link.reassembler.deadline()
        if deadline is None:
            self.cancel_timer(key)
        else:
            self.set_timer(key, deadline, lambda: self.expire(link))

    def expire(self, link):
        link.reassembler.expire(self.now)
        self.watch_partials(link)

    def merge(self, clock, known):
        """5.6.2 for the entries of peers that `known` says yes to."""
        for peer, count in clock.items():
            if count > self.clock.get(peer, 0) and known(peer):
                self.clock[peer] = count
