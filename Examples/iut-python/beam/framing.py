"""Frames: the number of a body's octets, and the body (beamscribe.md 3)."""

MOST_BODY = 1_048_576


class BadFrame(Exception):
    """Why a stream is refused: `frameEmpty` or `frameTooLong`."""


def frame(body):
    return len(body).to_bytes(4, "big") + body


class FrameReader:
    """Finds the bodies in a stream, wherever it is cut. It never holds more than one frame (3.9)."""

    def __init__(self):
        self.held = bytearray()

    @property
    def is_within_frame(self):
        return len(self.held) > 0

    def bodies(self, octets):
        """The bodies that end in these octets, one by one. Raises BadFrame as soon as a length is wrong (3.5)."""
        at = 0
        while at < len(octets):
            missing = self.missing()
            self.held += octets[at:at + missing]
            at += missing
            if len(self.held) == 4:
                self.check()
            elif len(self.held) > 4 and self.missing() == 0:
                body = bytes(self.held[4:])
                self.held.clear()
                yield body

    def missing(self):
        """Octets to the end of the length, or of the body."""
        if len(self.held) < 4:
            return 4 - len(self.held)
        return 4 + int.from_bytes(self.held[:4], "big") - len(self.held)

    def check(self):
        length = int.from_bytes(self.held, "big")
        if length == 0:
            raise BadFrame("frameEmpty")
        if length > MOST_BODY:
            raise BadFrame("frameTooLong")
