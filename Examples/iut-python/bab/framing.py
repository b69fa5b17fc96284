"""Fragments (wire.md 3): cutting packets into values, and putting them together again."""

HEADER = 4
LONGEST_VALUE = 512
MOST_FRAGMENTS = 255
MOST_PARTIALS = 16
MOST_OCTETS = 262_144
PATIENCE = 5_000_000_000  # nanoseconds without progress (3.14)


def body_size(att_mtu):
    """3.4: what of a value is left for the body."""
    return min(att_mtu - 3, LONGEST_VALUE) - HEADER


def fragment_count(length, att_mtu):
    """How many fragments octets of this length need."""
    return max(1, -(-length // body_size(att_mtu)))


def cut(packet_id, octets, att_mtu):
    """The values of one packet, in order (3.1 to 3.6)."""
    size = body_size(att_mtu)
    count = fragment_count(len(octets), att_mtu)
    head = packet_id.to_bytes(2, "big")
    return [head + bytes((index, count)) + octets[index * size:(index + 1) * size] for index in range(count)]


class _Partial:
    __slots__ = ("bodies", "count", "octets", "deadline")

    def __init__(self, count):
        self.bodies = {}
        self.count = count
        self.octets = 0
        self.deadline = 0


class Reassembler:
    """The receiving side of one direction of one link (3.9 to 3.19)."""

    def __init__(self, refuse):
        self.partials = {}  # by packetID, the one begun first in front
        self.octets = 0
        self.refuse = refuse
        self.completed = []  # the 16 completed last: instant, packetID, bodies (3.17)

    def take(self, value, now):
        """The octets of a packet that this value completes, else None."""
        if len(value) < HEADER:
            self.refuse("a value of %d octets" % len(value))
            return None
        packet_id, index, count, body = int.from_bytes(value[:2], "big"), value[2], value[3], value[HEADER:]
        if count == 0 or index >= count:
            self.refuse("fragment %d of %d" % (index, count))
            self._drop(packet_id)
            return None
        partial = self.partials.get(packet_id)
        if partial is None:
            if self._is_repeat(packet_id, index, count, body, now):
                return None
            partial = self.partials[packet_id] = _Partial(count)
        elif partial.count != count:
            self.refuse("packet %d changed its count" % packet_id)
            self._drop(packet_id)
            return None
        if index in partial.bodies:
            if partial.bodies[index] != body:
                self.refuse("packet %d has two fragments %d" % (packet_id, index))
                self._drop(packet_id)
            return None
        partial.bodies[index] = body
        partial.octets += len(body)
        partial.deadline = now + PATIENCE
        self.octets += len(body)
        if len(partial.bodies) == count:
            return self._complete(packet_id, partial, now)
        while len(self.partials) > MOST_PARTIALS or self.octets > MOST_OCTETS:
            oldest = next(iter(self.partials))
            self.refuse("too much that is unfinished; packet %d dropped" % oldest)
            self._drop(oldest)
        return None

    def expire(self, now):
        """Drops what has had no progress for five seconds (3.14)."""
        late = [packet_id for packet_id, partial in self.partials.items() if partial.deadline <= now]
        for packet_id in late:
            self.refuse("packet %d never came whole" % packet_id)
            self._drop(packet_id)

    def deadline(self):
        """When something expires next; None without partial packets."""
        return min([partial.deadline for partial in self.partials.values()], default=None)

    def _complete(self, packet_id, partial, now):
        self._drop(packet_id)
        if partial.octets > MOST_OCTETS:
            self.refuse("a packet of %d octets" % partial.octets)
            return None
        self.completed = self.completed[-15:] + [(now, packet_id, partial.bodies)]
        return b"".join([partial.bodies[index] for index in range(partial.count)])

    def _is_repeat(self, packet_id, index, count, body, now):
        for instant, other, bodies in self.completed:
            if other == packet_id and len(bodies) == count and now - instant < PATIENCE and bodies[index] == body:
                return True
        return False

    def _drop(self, packet_id):
        partial = self.partials.pop(packet_id, None)
        if partial:
            self.octets -= partial.octets
