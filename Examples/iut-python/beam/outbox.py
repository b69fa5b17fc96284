"""What waits to be sent on one stream: the history, then packets, in pieces that the platform takes (5.5, 5.6)."""

from . import packets
from .framing import frame

MOST_PIECE = 32_768  # octets of one net.send: a frame is longer than any buffer
MOST_WAITING = 4_194_304  # 8.8
MOST_AGE = 30_000_000_000  # 8.8


class Chunk:
    """A live chunk on its way to all open streams. Its time is that of the first hand-over, the same for all (9.1)."""

    kind = "liveChunk"

    def __init__(self, is_final, sequence, text, stamp):
        self.is_partial = not is_final
        self.parts = is_final, sequence, text
        self.stamp = stamp  # the time to write now, or None
        self.sent = None
        self.size = 4 + len(packets.live_chunk(*self.parts, stamp()))

    def body(self):
        if self.sent is None:
            self.sent = packets.live_chunk(*self.parts, self.stamp())
        return self.sent


class Alert:
    kind = "alert"
    is_partial = False

    def __init__(self, name):
        self.text = packets.alert(name)
        self.size = 4 + len(self.text)

    def body(self):
        return self.text


class Outbox:
    """Hands frames to the platform, one piece at a time, the next one when it has taken the one before."""

    def __init__(self, app, number):
        self.app = app
        self.number = number
        self.pages = iter(())  # of the history
        self.queue = []  # (packet, since)
        self.waiting = 0  # octets of the queue
        self.history_sent_at = 0
        self.kind = None  # of the frame that is on its way
        self.octets = b""
        self.taken = 0
        self.since = 0
        self.is_asking = False  # the platform has yet to answer
        self.is_full = False  # it has no room
        self.when_empty = None

    def begin(self, finals):
        """The history comes first."""
        self.pages = packets.history_pages(finals)

    def add(self, packet):
        """Queues a packet. A partial that still waits is replaced by what comes (5.5.4)."""
        if packet.kind == "liveChunk":
            self.drop_partial()
        self.queue.append((packet, self.app.now))
        self.waiting += packet.size
        self.pump()

    def drop_partial(self):
        for index in range(len(self.queue) - 1, -1, -1):
            packet, _ = self.queue[index]
            if packet.kind == "liveChunk":
                if packet.is_partial:
                    del self.queue[index]
                    self.waiting -= packet.size
                return

    @property
    def is_too_much(self):
        return self.waiting + len(self.octets) - self.taken > MOST_WAITING

    @property
    def is_too_old(self):
        return self.kind is not None and self.app.now - self.since >= MOST_AGE

    def pump(self):
        """Hands the next piece over, if nothing is on its way."""
        if self.is_asking or self.is_full:
            return
        if self.kind is None and not self.next_frame():
            if self.when_empty:
                self.when_empty()
            return
        self.is_asking = True
        piece = self.octets[self.taken:self.taken + MOST_PIECE]
        self.app.do("net.send", connection=self.number, octets=piece.hex())

    def next_frame(self):
        page = next(self.pages, None)
        if page is not None:
            self.kind, self.octets, self.since = "fullHistory", frame(page), self.app.now
        elif self.queue:
            packet, since = self.queue.pop(0)
            self.waiting -= packet.size
            # What had to wait for a long history is as old as the history's end.
            self.kind, self.octets, self.since = packet.kind, frame(packet.body()), max(since, self.history_sent_at)
        else:
            return False
        self.taken = 0
        return True

    def submitted(self, is_accepted):
        """The platform's answer. Returns whether there was room."""
        self.is_asking = False
        if not is_accepted:
            self.is_full = True
            return False
        self.taken += MOST_PIECE
        if self.taken >= len(self.octets):
            self.app.report("packetSent", stream=self.number, type=self.kind, octets=len(self.octets))
            if self.kind == "fullHistory":
                self.history_sent_at = self.app.now
            self.kind, self.octets, self.taken = None, b"", 0
        self.pump()
        return True

    def has_room(self):
        self.is_full = False
        self.pump()
