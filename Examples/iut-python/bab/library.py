"""The engines as libraries: they know peers and whole packets, and no radio.

For `seam: messages` (Docs/Formats/iut-protocol.md, "A library without a radio"): the bench provides everything below.
What is here replaces the BLE half of hosting.py and joining.py, and nothing of the game.
"""

from .game import Game
from .packets import encode
from .playing import Playing


class Library:
    """Whole packets in, whole packets out."""

    def on_message(self, given):
        link = self.links.get(given["peer"])
        if link and not link.closing:
            # A packet that is no UTF-8 comes as octets.
            octets = given["text"].encode("utf-8") if "text" in given else bytes.fromhex(given["octets"])
            self.receive_packet(link, octets)

    def post(self, link, packet, octets=None):
        octets = octets or encode(packet)
        if not link.closing:
            self.do("send", peer=link.number, text=octets.decode("utf-8"))

    def fits(self, link, octets):
        """The bench alone knows how much a link carries."""
        return True

    def end_link(self, link):
        """The bench lets go what was sent before."""
        if not link.closing:
            link.closing = True
            self.do("endPeer", peer=link.number)

    def on_connected(self, given):
        raise AssertionError("the bench must be told seam: messages")


class LibraryHost(Library, Game):
    """A whole host without a radio."""

    def on_peerConnected(self, given):
        Game.on_connected(self, {"link": given["peer"], "address": given["address"]})

    def on_peerDisconnected(self, given):
        self.on_disconnected({"link": given["peer"]})

    def open_shop(self):
        """The bench publishes, and advertises from the start."""
        self.is_advertising = True

    def advertise(self, again=False):
        """Whether somebody may still come; the bench knows how many links are free, and when to ask again."""
        wanted = self.is_hosting and (self.in_lobby or bool(self.remembered))
        if wanted != self.is_advertising:
            self.is_advertising = wanted
            self.do("advertise", on=wanted)

    def do(self, name, **members):
        """What a characteristic answers to reads (2.9) is not the library's."""
        if name != "setValue":
            super().do(name, **members)

    def on_radioPower(self, given):
        """All peers have been disconnected, or may come again."""

    def tell_all(self, kind, payload):
        """In one line where all who are connected have a seat."""
        if self.seated and len(self.seated) == len(self.links) and not any(
                link.closing for link in self.links.values()):
            octets = encode(self.stamped(kind, payload))
            self.do("send", text=octets.decode("utf-8"))
        else:
            super().tell_all(kind, payload)


class LibraryClient(Library, Playing):
    """A whole client without a radio."""

    def on_peerConnected(self, given):
        if not self.is_joining:
            self.do("endPeer", peer=given["peer"])
            return
        self.cancel_timer("scan")
        self.link = self.add_link(given["peer"], given["address"])
        self.has_seat = False
        self.introduce(self.link)

    def on_peerDisconnected(self, given):
        self.on_disconnected({"link": given["peer"], "reason": given["reason"]})

    def look(self):
        """The bench looks by itself, from joinHost on and after a loss."""
        if self.is_joining and self.dialect.scan and not self.had_seat and not self.link:
            self.set_timer("scan", self.now + self.dialect.scan, self.give_up_scan)  # 8.6

    def failed(self):
        """The bench waits, and looks again."""

    def stop_looking(self):
        self.cancel_timer("scan")

    def on_radioPower(self, given):
        """The peer has been disconnected before; the bench looks again when the radio is back."""

    def end_session(self, reason):
        super().end_session(reason)
        self.do("search", on=False)
