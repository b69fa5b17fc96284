"""The host: it offers an event, and sends all its guests what is spoken (beamscribe.md 5)."""

import json

from . import texts
from .app import KEEP_ALIVE, SECOND, SERVICE_TYPE, SERVICE_UUID, App, write
from .outbox import Alert, Chunk, Outbox
from .packets import MOST_TEXT

MOST_GUESTS = 7  # 8.12, without the host
GATE = 4 * SECOND  # 8.1
UNSTABLE_BEFORE = 5 * SECOND  # 8.2
FINISHED = 5 * SECOND  # 8.9
LISTEN_AGAIN = SECOND  # 5.1.3
SLOW = 30 * SECOND  # 8.8
MOST_KEPT = 1 << 18  # a transcript that is longer is not kept over a relaunch


class Stream:
    """A stream of a guest, from ready on."""

    def __init__(self, app, number, interface, peer):
        self.number = number
        self.interface = interface
        self.peer = peer
        self.ready_at = app.now
        self.is_viable = True
        self.is_gate_due = False  # its time came while it was not viable
        self.is_open = False
        self.is_ending = False  # the event is over; what waits still goes out
        self.out = Outbox(app, number)


class Host(App):
    """A host of the dialect `network`."""

    def __init__(self, hello):
        super().__init__(hello)
        self.event = None  # its name; None: there is none
        self.listener = None  # None, "asked", "ready" or "failed"
        self.shown_name = None
        self.advertised = None  # the name that is advertised
        self.is_battery_low = False
        self.finals = []
        self.final_lines = b""  # as they are kept
        self.streams = {}
        self.known = []  # guests that have had an open stream in this session
        self.owed = []  # those of them that are to be told that the session goes on
        self.unstable = {}
        self.shown_guests = (0, 0)
        self.is_kept = False

    def on_launched(self, given):
        self.show_state("IDLE")
        if self.resumes and self.kept:
            self.resume()

    # The event (5.1, 5.8)

    def user_startEvent(self, name):
        if self.event is None:
            self.finals, self.final_lines, self.known, self.owed = [], b"", [], []
            self.host(texts.start(name or self.display_name, 63))
            self.keep()

    def host(self, name):
        self.event = self.shown_name = name
        self.show_state("HOSTING")
        self.report("eventNamed", name=name)
        self.listen()
        self.update_advertising()

    def user_endEvent(self):
        if self.event is None:
            return
        self.event = None
        self.report("alertRaised", alert="hostDisconnected")
        for stream in list(self.streams.values()):
            if stream.is_ending:
                continue
            stream.is_ending = True
            stream.out.when_empty = lambda stream=stream: self.finish(stream)
            if stream.is_open:
                stream.out.add(Alert("hostDisconnected"))
            else:
                stream.out.pump()
        self.do("net.stopListening", type=SERVICE_TYPE)
        self.cancel_timer(("listen", None))
        self.listener = None
        if self.is_kept:
            self.is_kept = False
            self.do("keep", octets="")
        self.show_state("IDLE")
        self.guests_changed()

    def finish(self, stream):
        """Everything has been sent; the guest has 5 s for its side (5.8.3)."""
        stream.out.when_empty = None
        self.do("net.finish", connection=stream.number)
        self.set_timer(("finish", stream.number), self.now + FINISHED, lambda: self.end(stream))

    # The listener

    def listen(self):
        self.listener = "asked"
        self.do("net.listen", type=SERVICE_TYPE, instance=self.event, peerToPeer=True, keepAlive=KEEP_ALIVE)

    def on_net_listenerReady(self, given):
        if self.event is None or given["type"] != SERVICE_TYPE:
            return
        self.listener = "ready"
        if self.event != given["instance"]:
            self.event = given["instance"]
            self.keep()
        if self.shown_name != self.event:
            self.shown_name = self.event
            self.report("eventNamed", name=self.event)
        self.update_advertising()

    def on_net_listenerFailed(self, given):
        if self.event is None or given["type"] != SERVICE_TYPE:
            return
        self.listener = "failed"
        if given["reason"] == "reclaimed" and self.is_in_front:
            self.listen()
        else:
            self.set_timer(("listen", None), self.now + LISTEN_AGAIN, self.listen)

    def on_background(self, given):
        """In front again, it asks again for what its platform may have ended (5.10.3)."""
        self.is_in_front = not given["suspended"]
        if self.is_in_front:
            if self.listener == "failed":
                self.cancel_timer(("listen", None))
                self.listen()
            self.advertise_again()

    # BLE (5.2)

    def update_advertising(self):
        if not self.is_radio_on:
            return
        most = MOST_GUESTS if self.advertises_free_seats else 1
        name = None
        if self.event is not None and len({stream.peer for stream in self.streams.values()}) < most:
            name = texts.on_air(self.event)
        if name == self.advertised:
            return
        self.advertised = name
        if name is None:
            self.do("stopAdvertising")
        else:
            self.do("advertise", localName=name, services=[SERVICE_UUID])

    def advertise_again(self):
        """The platform may have stopped."""
        if self.advertised is not None:
            self.advertised = None
            self.update_advertising()

    def on_radioPower(self, given):
        self.is_radio_on, self.advertised = given["on"], None
        self.update_advertising()

    def on_advertisingStarted(self, given):
        if not given["started"]:
            self.advertised = None

    def on_connected(self, given):
        """Whoever connects over BLE ends advertising, and nothing else."""
        self.advertise_again()

    on_disconnected = on_connected

    # Streams (1.3, 5.4, 5.11.5)

    def on_net_incoming(self, given):
        number, peer = given["connection"], given["peer"]
        if self.event is None:
            self.do("net.cancel", connection=number)
            return
        if len({stream.peer for stream in self.streams.values()} - {peer}) >= MOST_GUESTS:
            self.report("refused", stream=number, reason="full")
            self.do("net.cancel", connection=number)
            return
        older = [
            stream for stream in self.streams.values()
            if stream.peer == peer and stream.interface == given["interface"]]
        stream = self.streams[number] = Stream(self, number, given["interface"], peer)
        for other in older:
            self.refuse(other, "superseded")
        self.set_timer(("gate", number), self.now + GATE, lambda: self.gate_is_due(stream))
        self.guests_changed()

    def gate_is_due(self, stream):
        if stream.is_ending:
            return
        if stream.is_viable:
            self.open(stream)
        else:
            stream.is_gate_due = True

    def open(self, stream):
        """From now on the stream gets what is spoken, after all finals that there are (5.6.1)."""
        stream.is_open, stream.is_gate_due = True, False
        self.report("gateOpened", stream=stream.number, peer=stream.peer)
        self.guests_changed()
        stream.out.begin(self.finals[:])
        stream.out.pump()
        if self.is_battery_low:
            stream.out.add(Alert("batteryLow"))
        if stream.peer in self.owed:
            self.owed.remove(stream.peer)
            stream.out.add(Alert("sessionResumed"))
        if stream.peer not in self.known:
            self.known.append(stream.peer)
            self.keep()

    def on_net_viable(self, given):
        stream = self.streams.get(given["connection"])
        if stream and self.watch_viability(stream, given) and stream.is_viable and stream.is_gate_due:
            self.open(stream)

    def on_net_received(self, given):
        stream = self.streams.get(given["connection"])
        if stream and given["octets"]:
            self.refuse(stream, "unexpectedData")

    def on_net_submitted(self, given):
        stream = self.streams.get(given["connection"])
        if stream and not stream.out.submitted(given["accepted"]):
            key = ("slow", stream.number)
            if key not in self.timers:
                self.set_timer(key, stream.out.since + SLOW, lambda: self.check_age(stream))

    def on_net_room(self, given):
        stream = self.streams.get(given["connection"])
        if stream:
            stream.out.has_room()

    def check_age(self, stream):
        """What has waited longest for a guest that does not read (5.5.6)."""
        if stream.out.is_too_old:
            self.refuse(stream, "slow")
        elif stream.out.kind is not None:
            self.set_timer(("slow", stream.number), stream.out.since + SLOW, lambda: self.check_age(stream))

    # Their ends

    def on_net_ended(self, given):
        stream = self.streams.get(given["connection"])
        if stream:
            self.give_up(stream)

    def on_net_failed(self, given):
        stream = self.streams.get(given["connection"])
        if stream:
            self.lost(stream)
            if given["reason"] == "reclaimed" and self.event is not None and not self.streams:
                self.owe_all()

    def lost(self, stream):
        if not stream.is_ending and self.now - stream.ready_at < UNSTABLE_BEFORE:
            self.unstable[stream.peer] = self.unstable.get(stream.peer, 0) + 1
            self.report("unstable", peer=stream.peer, count=self.unstable[stream.peer])
        self.forget(stream)

    def refuse(self, stream, reason):
        self.report("refused", stream=stream.number, reason=reason)
        self.end(stream)

    def end(self, stream):
        self.do("net.cancel", connection=stream.number)
        self.forget(stream)

    def forget(self, stream):
        del self.streams[stream.number]
        self.forget_timers(stream)
        self.guests_changed()

    def guests_changed(self):
        streams = self.streams.values()
        guests = (
            len({stream.peer for stream in streams}),
            len({stream.peer for stream in streams if stream.is_open and not stream.is_ending}))
        if guests != self.shown_guests:
            self.shown_guests = guests
            self.report("guests", count=guests[0], open=guests[1])
        self.update_advertising()

    # What is spoken (5.5, 5.7)

    def user_speakFinal(self, text):
        if self.event is None:
            return
        for piece in texts.pieces(text, MOST_TEXT):
            self.add_final(piece)
            self.report("finalShown", sequence=len(self.finals), text=piece)
            self.broadcast(Chunk(True, len(self.finals), piece, self.stamp))
        self.keep()

    def user_speakPartial(self, text):
        text = texts.start(text, MOST_TEXT)
        if self.event is not None and text:
            self.report("partialShown", sequence=len(self.finals) + 1, text=text)
            self.broadcast(Chunk(False, len(self.finals) + 1, text, self.stamp))

    def stamp(self):
        return self.wall_time if self.writes_sent_timestamp and self.wall_time >= 0 else None

    def broadcast(self, packet):
        for stream in list(self.streams.values()):
            if stream.is_open and not stream.is_ending:
                stream.out.add(packet)
                if stream.out.is_too_much:
                    self.refuse(stream, "slow")

    def user_batteryLow(self):
        if not self.is_battery_low:
            self.is_battery_low = True
            self.report("alertRaised", alert="batteryLow")
            self.broadcast(Alert("batteryLow"))
            self.keep()

    def user_batteryOK(self):
        if self.is_battery_low:
            self.is_battery_low = False
            self.keep()

    # A session that goes on after the app was away (5.7.3)

    def add_final(self, text):
        self.finals.append(text)
        if len(self.final_lines) <= MOST_KEPT:
            self.final_lines += write(text).encode("utf-8") + b"\n"

    def keep(self):
        """
        Keeps the session: a line about it, and one for each final. A transcript that has become too long is not kept
        at all, because an older state would be another session.
        """
        if not self.resumes or self.event is None:
            return
        octets = b""
        if len(self.final_lines) <= MOST_KEPT:
            line = write({"event": self.event, "batteryLow": self.is_battery_low, "guests": self.known})
            octets = line.encode("utf-8") + b"\n" + self.final_lines
        if octets or self.is_kept:
            self.is_kept = bool(octets)
            self.do("keep", octets=octets.hex())

    def resume(self):
        first, *finals = self.kept.splitlines()
        session = json.loads(first)
        for line in finals:
            self.add_final(json.loads(line))
        self.known, self.is_battery_low, self.is_kept = session["guests"], session["batteryLow"], True
        self.host(session["event"])
        self.owe_all()

    def owe_all(self):
        """Each guest that was there is to be told."""
        if self.known:
            self.owed = self.known[:]
            self.report("alertRaised", alert="sessionResumed")
