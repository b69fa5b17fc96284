"""The client's way to a host and back: scan, connect, set up, lose, return (bab.md 2, 5.1, 5.7, 8)."""

from .app import SECOND, App
from .dialects import NOTIFY, WRITE

WINDOW = 30 * SECOND  # 8.1
BACK_OFF = 100_000_000  # 8.7
MOST_REFUSALS = 3  # 8.10
CLEAN_END = 0x13  # remote user terminated connection


class Joining(App):
    """Everything about links. `Playing` (playing.py) adds what goes over them."""

    role = "client"

    def __init__(self, hello):
        super().__init__(hello)
        self.draws = int(hello.get("seed", 1)) & 0xFFFF_FFFF
        self.is_joining = False
        self.has_radio = True
        self.is_scanning = False
        self.attempt = None  # the address that a connection is asked for
        self.link = None
        self.host = None  # address and local name of the host that gave us a seat, or of the newest try
        self.has_seat = False  # on this link
        self.had_seat = False  # in this session
        self.excluded = set()  # 2.5
        self.failures = 0
        self.refusals = 0
        self.subscriptions = []  # characteristics still to subscribe to
        self.wants_response = True

    # Looking for a host

    def user_joinHost(self):
        if self.is_joining:
            return
        self.is_joining = True
        self.failures = self.refusals = 0
        self.excluded.clear()
        self.had_seat = False
        self.show("linkState", linkState="CONNECTING")
        self.look()

    def look(self):
        """2.4: scans, when there is nothing better to do."""
        if self.is_joining and self.has_radio and not self.is_scanning and not self.attempt and not self.link:
            self.is_scanning = True
            self.do("scan", services=self.dialect.scan_filter)
            if self.dialect.scan and not self.had_seat:
                self.set_timer("scan", self.now + self.dialect.scan, self.give_up_scan)  # 8.6

    def stop_looking(self):
        if self.is_scanning:
            self.is_scanning = False
            self.cancel_timer("scan")
            self.do("stopScanning")

    def give_up_scan(self):
        self.end_session("no host found")

    def on_discovered(self, given):
        address, name = given["address"], given["localName"]
        if not self.is_scanning or address in self.excluded:
            return
        if self.had_seat:
            if address != self.host[0] and (name is None or name != self.host[1]):  # 5.7.7
                return
            self.host = (address, name or self.host[1])
        elif self.dialect.is_host(name, given["services"]):
            self.host = (address, name)
        else:
            return
        self.stop_looking()
        self.connect()

    def connect(self):
        self.attempt = self.host[0]
        self.do("connect", address=self.attempt)
        self.set_timer("attempt", self.now + self.dialect.attempt, self.give_up_attempt)  # 8.5

    def give_up_attempt(self):
        self.do("cancelConnect", address=self.attempt)
        self.attempt = None
        self.failed()

    def on_connectFailed(self, given):
        if given["address"] == self.attempt:
            self.attempt = None
            self.cancel_timer("attempt")
            self.failed()

    def failed(self):
        """8.7: waits longer after each failure; every third attempt scans anew."""
        if not self.is_joining:
            return
        self.failures += 1
        wait = BACK_OFF + self.draw(BACK_OFF << min(self.failures, 4))
        again = self.look if self.failures % 3 == 0 else self.try_again
        self.set_timer("again", self.now + wait, again)

    def try_again(self):
        if self.is_joining and self.has_radio and not self.link and not self.attempt:
            if self.host and self.host[0] not in self.excluded:
                self.connect()
            else:
                self.look()

    def draw(self, bound):
        """A number from 0 to bound."""
        self.draws = (self.draws * 1_664_525 + 1_013_904_223) & 0xFFFF_FFFF
        return self.draws * (bound + 1) >> 32

    def on_radioPower(self, given):
        self.has_radio = given["on"]
        if self.has_radio:
            self.look()
            return
        self.is_scanning = False
        self.attempt = None
        self.cancel_timer("scan")
        self.cancel_timer("attempt")
        self.cancel_timer("again")
        if self.link:
            self.lose(self.link, None)

    # Setting a link up (5.1.4)

    def on_connected(self, given):
        if given["address"] != self.attempt:
            self.do("disconnect", link=given["link"])
            return
        self.cancel_timer("attempt")
        self.attempt = None
        self.link = self.add_link(given["link"], given["address"])
        self.has_seat = False
        self.do("exchangeMTU", link=self.link.number, attMTU=self.dialect.att_mtu)

    def on_attMTU(self, given):
        super().on_attMTU(given)
        link = self.current(given)
        if link and not link.is_discovered:
            link.is_discovered = True
            self.do("discover", link=link.number, service=self.dialect.service)

    def current(self, given):
        """The link that an input is about, if it is the one we use."""
        if self.link and self.link.number == given["link"] and not self.link.closing:
            return self.link
        return None

    def on_servicesDiscovered(self, given):
        link = self.current(given)
        if not link or given["service"] != self.dialect.service:
            return
        found = {row["uuid"]: row["properties"] for row in given["characteristics"]}
        if self.dialect.command not in found or not found.get(self.dialect.state, 0) & NOTIFY:
            self.excluded.add(link.address)  # 2.5
            self.end_link(link)
            return
        self.wants_response = bool(found[self.dialect.command] & WRITE)
        self.subscriptions = [uuid for uuid, bits in found.items() if bits & NOTIFY]
        self.subscribe(link)

    def subscribe(self, link):
        if self.subscriptions:
            self.do("subscribe", link=link.number, characteristic=self.subscriptions[0], on=True)
        else:
            link.may_send = True
            self.introduce(link)

    def on_subscribed(self, given):
        link = self.current(given)
        if link and self.subscriptions and given["characteristic"] == self.subscriptions[0]:
            if not given["on"]:
                self.end_link(link)
                return
            self.subscriptions.pop(0)
            self.subscribe(link)

    def introduce(self, link):
        """The first packets on a link."""
        raise NotImplementedError

    # Values

    def transmit(self, link, value):
        """2.8."""
        name = "write" if self.wants_response else "writeWithoutResponse"
        self.do(name, link=link.number, characteristic=self.dialect.command, octets=value.hex())

    def on_writeCompleted(self, given):
        link = self.current(given)
        if link and link.waiting:
            if given["error"] is None:
                self.taken(link)
            else:
                self.end_link(link)  # 5.9.6

    def on_valueReceived(self, given):
        link = self.current(given)
        if link:
            self.receive(link, bytes.fromhex(given["octets"]))

    # Losing a link

    def on_disconnected(self, given):
        link = self.links.get(given["link"])
        if link:
            self.lose(link, None if link.closing else given["reason"])

    def lose(self, link, reason):
        """5.7.7, 5.8.3, 5.1.15. The reason is None when we have ended the link."""
        self.forget_link(link)
        self.link = None
        self.subscriptions = []
        if not self.is_joining:
            return
        if self.is_finished():
            self.end_session("the game is over")
        elif self.has_seat:
            self.has_seat = False
            self.failures = 0
            self.show("linkState", linkState="RECONNECTING")
            self.set_timer("window", self.now + WINDOW, self.close_window)
            self.look()
        else:
            if reason == CLEAN_END:
                self.refusals += 1
                if self.refusals == MOST_REFUSALS:
                    self.end_session("refused by the host")
                    return
            self.failed()

    def close_window(self):
        """5.7.8."""
        self.end_session("the host did not come back")

    def seated(self):
        """We have a seat: nothing to look for any more."""
        self.has_seat = self.had_seat = True
        self.failures = self.refusals = 0
        self.cancel_timer("window")
        self.show("linkState", linkState="CONNECTED")

    def is_finished(self):
        raise NotImplementedError

    # The end

    def user_leave(self):
        """5.1.14."""
        if self.is_joining:
            self.end_session("left")

    def end_session(self, reason):
        """Leaves no scan, attempt, link or timer behind."""
        self.is_joining = False
        self.stop_looking()
        if self.attempt:
            self.do("cancelConnect", address=self.attempt)
            self.attempt = None
        if self.link:
            self.end_link(self.link)
        self.has_seat = False
        for key in list(self.timers):
            self.cancel_timer(key)
        self.show("linkState", linkState="DISCONNECTED")
        self.do("sessionEnded", reason=reason)
