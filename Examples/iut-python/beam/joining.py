"""The guest: it finds an event, joins it, and shows what its host has spoken (beamscribe.md 5)."""

from . import texts
from .app import KEEP_ALIVE, SECOND, SERVICE_TYPE, SERVICE_UUID, App
from .framing import BadFrame, FrameReader
from .packets import NotAPacket, decode

ATTEMPT = 10 * SECOND  # 8.4
PRIMED = 10 * SECOND  # 8.6
RETRIES = (SECOND, 2 * SECOND, 4 * SECOND)  # 8.3
STALLED = 30 * SECOND  # 8.7
MOST_FINALS = 1_000_000  # 7.7


class Refused(Exception):
    """A stream that is to be refused, and why."""


class Stream:
    """A stream to the host, from the attempt to connect on."""

    def __init__(self, number, is_second):
        self.number = number
        self.is_second = is_second  # over a better path, beside another one (5.11.3)
        self.interface = None
        self.reader = FrameReader()
        self.up_to = None  # of the history, once its first page is there
        self.next = 1  # where its next page begins
        self.is_complete = False
        self.is_viable = True
        self.dead_since = 0
        self.grown_at = 0  # a begun frame, later by the time in which nothing could come


class Guest(App):
    """A guest of the dialect `network`."""

    def __init__(self, hello):
        super().__init__(hello)
        self.is_joined = False
        self.wanted = None  # the name of the event; None: any
        self.ended = None  # the name of the event that has ended, and that it waits for (5.8.4)
        self.is_reading = True
        self.found = {}  # endpoint: name
        self.target = None  # (endpoint, name) of the event that it joins
        self.is_scanning = False
        self.primed_until = 0
        self.last_number = 0
        self.attempt = None
        self.streams = []  # that are up, the oldest first
        self.retries = 0  # since the last complete history
        self.is_waiting = False  # for the next retry
        self.knows_of_end = False
        self.finals = []

    # Joining and leaving (5.3, 5.8.5)

    def user_join(self):
        self.join(None)

    def user_joinEvent(self, name):
        self.join(name or None)

    def join(self, name):
        if self.is_joined and name == self.wanted:
            return
        self.user_leave()
        self.is_joined, self.wanted = True, name
        self.browse()
        self.update_scanning()
        self.show_state("LOOKING")

    def user_leave(self):
        if not self.is_joined:
            return
        self.is_joined = False
        self.cancel_all()
        self.do("net.stopBrowsing", type=SERVICE_TYPE)
        self.update_scanning()
        self.knows_of_end = False
        self.show_state("IDLE")

    def cancel_all(self):
        """Nothing of what was joined or tried is left."""
        for stream in self.streams[:]:
            self.do("net.cancel", connection=stream.number)
            self.forget(stream)
        self.cancel_attempt()
        self.stop_waiting()
        self.retries, self.target, self.ended = 0, None, None
        self.found.clear()

    def user_stopReading(self):
        self.read(False)

    def user_readAgain(self):
        self.read(True)

    def read(self, is_reading):
        if is_reading != self.is_reading:
            self.is_reading = is_reading
            for stream in self.streams:
                self.do("net.read", connection=stream.number, on=is_reading)

    # BLE (5.2, 5.3.3)

    def update_scanning(self):
        wants = self.is_joined and not self.streams
        if not self.is_radio_on or wants == self.is_scanning:
            return
        self.is_scanning = wants
        if wants:
            self.primed_until = self.now
            self.do("scan", services=[SERVICE_UUID])
        else:
            self.do("stopScanning")

    def on_radioPower(self, given):
        self.is_radio_on, self.is_scanning = given["on"], False
        self.update_scanning()

    def on_discovered(self, given):
        """Wakes peer to peer, so that the browser finds the host soon."""
        if not self.is_scanning or self.now < self.primed_until:
            return
        if SERVICE_UUID not in (service.upper() for service in given["services"]):
            return
        name, event = given["localName"], self.wanted or self.ended
        if event is None or name is None or name == texts.on_air(event):
            self.primed_until = self.now + PRIMED
            self.do("net.prime", duration=PRIMED)
            if self.state == "ENDED":
                # A browser finds nothing anew that came back before its goodbye had arrived.
                self.browse_again()

    def on_background(self, given):
        """In front again, it asks again for what may have ended, and does not wait any longer (5.10.3)."""
        if given["suspended"] or not self.is_joined:
            return
        self.is_scanning = False
        self.update_scanning()
        if not self.streams:
            self.retries = 0
            if self.is_waiting:
                self.stop_waiting()
                self.connect()

    # The browser (5.3.2, 5.9.3 to 5.9.6)

    def browse(self):
        self.do("net.browse", type=SERVICE_TYPE, peerToPeer=True)

    def on_net_found(self, given):
        if not self.is_joined or given["type"] != SERVICE_TYPE:
            return
        endpoint, name = given["endpoint"], given["instance"]
        self.found[endpoint] = name
        if self.target and self.target[1] == name and self.target[0] not in self.found:
            self.target = endpoint, name
        if self.attempt or self.streams:
            return
        if name == (self.target[1] if self.target else self.wanted or self.ended or name):
            self.target = endpoint, name
            self.stop_waiting()
            self.connect()

    def on_net_lost(self, given):
        self.found.pop(given["endpoint"], None)
        if self.is_waiting:
            self.drop_target_if_gone()

    def drop_target_if_gone(self):
        """Nobody waits for an event that is gone, unless it is there under another number."""
        if self.target[0] in self.found:
            return
        again = [endpoint for endpoint, name in self.found.items() if name == self.target[1]]
        if again:
            self.target = again[0], self.target[1]
        else:
            self.look_again()

    def look_again(self):
        self.stop_waiting()
        self.retries, self.target, self.ended = 0, None, None
        self.browse_again()
        self.show_state("LOOKING")

    def browse_again(self):
        self.found.clear()
        self.do("net.stopBrowsing", type=SERVICE_TYPE)
        self.browse()

    # Attempts (5.3.5, 5.3.6, 5.11.3)

    def connect(self, is_second=False):
        self.last_number += 2
        self.attempt = Stream(self.last_number, is_second)
        self.do(
            "net.connect", connection=self.last_number, endpoint=self.target[0],
            interfaces=["wifi"] if is_second else ["wifi", "awdl"], timeout=None, keepAlive=KEEP_ALIVE)
        self.set_timer(("attempt", None), self.now + ATTEMPT, self.attempt_is_due)
        if not is_second:
            self.show_state("CONNECTING")

    def attempt_is_due(self):
        self.do("net.cancel", connection=self.attempt.number)
        self.attempt_failed()

    def attempt_failed(self):
        is_second = self.attempt.is_second
        self.end_attempt()
        if not is_second:
            self.lose()

    def cancel_attempt(self):
        if self.attempt:
            self.do("net.cancel", connection=self.attempt.number)
            self.end_attempt()

    def end_attempt(self):
        self.attempt = None
        self.cancel_timer(("attempt", None))

    def on_net_ready(self, given):
        stream = self.attempt
        if not stream or stream.number != given["connection"]:
            return
        self.end_attempt()
        stream.interface = given["interface"]
        self.streams.append(stream)
        if not self.is_reading:
            self.do("net.read", connection=stream.number, on=False)
        self.update_scanning()
        if not stream.is_second:
            self.show_state("CONNECTED")

    def on_net_betterPath(self, given):
        stream = self.stream(given)
        if stream and given["available"] and stream.interface == "awdl" and not self.attempt and len(
                self.streams) == 1:
            self.connect(is_second=True)

    # Losses and retries (5.9)

    def on_net_failed(self, given):
        self.over(given, is_ended=False)

    def on_net_ended(self, given):
        self.over(given, is_ended=True)

    def over(self, given, is_ended):
        number, stream = given["connection"], self.stream(given)
        is_attempt = self.attempt and self.attempt.number == number
        if stream and stream.reader.is_within_frame:
            self.report("refused", stream=number, reason="truncated")
        if is_ended and (stream or is_attempt):
            self.do("net.cancel", connection=number)
        if stream:
            self.lost(stream)
        elif is_attempt:
            self.attempt_failed()

    def lost(self, stream):
        self.forget(stream)
        if self.streams:
            self.show_state("SHOWING" if self.streams[0].is_complete else "CONNECTED")
        else:
            self.cancel_attempt()
            self.lose()

    def lose(self):
        """There is no stream and no attempt any more."""
        self.update_scanning()
        self.show_state("LOST")
        if self.retries == len(RETRIES):
            if not self.knows_of_end:
                self.knows_of_end = True
                self.report("alertShown", alert="hostDisconnected", own=True)
            self.look_again()
            return
        self.is_waiting = True
        self.set_timer(("retry", None), self.now + RETRIES[self.retries], self.retry)
        self.retries += 1
        self.drop_target_if_gone()

    def retry(self):
        self.is_waiting = False
        self.connect()

    def stop_waiting(self):
        self.is_waiting = False
        self.cancel_timer(("retry", None))

    def forget(self, stream):
        self.streams.remove(stream)
        self.forget_timers(stream)

    def refuse(self, stream, reason):
        self.report("refused", stream=stream.number, reason=reason)
        self.give_up(stream)

    # What a stream brings (3, 5.11.6)

    def stream(self, given):
        """The stream of an input; None for one that is over (3.10)."""
        return next((stream for stream in self.streams if stream.number == given["connection"]), None)

    def on_net_received(self, given):
        stream = self.stream(given)
        if not stream:
            return
        try:
            for body in stream.reader.bodies(bytes.fromhex(given["octets"])):
                self.take(stream, body)
                if stream not in self.streams:
                    return
        except (BadFrame, Refused) as error:
            self.refuse(stream, str(error))
            return
        if stream.reader.is_within_frame:
            stream.grown_at = self.now
            self.watch_growth(stream)

    def watch_growth(self, stream):
        key = ("stall", stream.number)
        if stream.is_viable and key not in self.timers:
            self.set_timer(key, stream.grown_at + STALLED, lambda: self.check_growth(stream))

    def check_growth(self, stream):
        if stream.reader.is_within_frame:
            if self.now - stream.grown_at >= STALLED:
                self.refuse(stream, "stalled")
            else:
                self.watch_growth(stream)

    def on_net_viable(self, given):
        stream = self.stream(given)
        if not stream or not self.watch_viability(stream, given):
            return
        if stream.is_viable:
            stream.grown_at += self.now - stream.dead_since
            if stream.reader.is_within_frame:
                self.watch_growth(stream)
        else:
            stream.dead_since = self.now
            self.cancel_timer(("stall", stream.number))

    # Packets (5.5 to 5.7)

    def take(self, stream, body):
        try:
            packet = decode(body)
        except NotAPacket:
            raise Refused("notAPacket") from None
        kind, *parts = packet
        self.report("packetReceived", stream=stream.number, type=kind, octets=4 + len(body))
        if kind == "liveChunk":
            self.take_chunk(stream, *parts)
        elif kind == "fullHistory":
            self.take_history(stream, *parts)
        else:
            self.report("alertShown", alert=parts[0], own=False)
            if parts[0] == "hostDisconnected":
                self.event_ended()

    def event_ended(self):
        """It stays, and joins when the event is there again (5.8.4)."""
        name = self.target[1]
        self.cancel_all()
        self.knows_of_end, self.ended = True, name
        self.show_state("ENDED")
        self.update_scanning()

    def take_chunk(self, stream, is_final, sequence, text, sent):
        if sent is not None:
            self.report("latency", sequence=sequence, milliseconds=self.wall_time - sent)
        following = len(self.finals) + 1
        if not stream.is_complete or sequence > following:
            raise Refused("gap")
        if sequence < following:
            return
        if not is_final:
            self.report("partialShown", sequence=sequence, text=text)
        elif len(self.finals) == MOST_FINALS:
            raise Refused("notAPacket")
        else:
            self.show_final(text)

    def show_final(self, text):
        self.finals.append(text)
        self.report("finalShown", sequence=len(self.finals), text=text)

    def take_history(self, stream, chunks, up_to):
        if stream.is_complete or up_to > MOST_FINALS or stream.up_to not in (None, up_to):
            raise Refused("notAPacket")
        if chunks and chunks[0][0] != stream.next:
            raise Refused("gap" if chunks[0][0] > stream.next else "notAPacket")
        # Beside another stream of the session a shorter history is only older.
        if stream.up_to is None and up_to < len(self.finals) and not any(
                other.is_complete for other in self.streams):
            self.clear(0)
        stream.up_to = up_to
        for sequence, text in chunks:
            if sequence <= len(self.finals) and self.finals[sequence - 1] != text:
                self.clear(sequence - 1)
            if sequence > len(self.finals):
                self.show_final(text)
        stream.next += len(chunks)
        if stream.next > up_to:
            self.history_is_complete(stream)

    def clear(self, kept):
        """The history is of another session (5.6.8). What both begin with is shown again."""
        begin = self.finals[:kept]
        self.finals = []
        self.report("transcriptCleared")
        for text in begin:
            self.show_final(text)

    def history_is_complete(self, stream):
        stream.is_complete = True
        self.report("historyShown", upTo=stream.up_to)
        self.show_state("SHOWING")
        self.retries, self.knows_of_end = 0, False
        for older in self.streams[:self.streams.index(stream)]:
            self.do("net.cancel", connection=older.number)
            self.forget(older)
