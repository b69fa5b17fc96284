"""Texts that are cut between characters, by their octets in UTF-8."""


def start(text, octets):
    """As many characters of the beginning as fit."""
    return text.encode("utf-8")[:octets].decode("utf-8", "ignore")


def pieces(text, octets):
    """The whole text, in pieces of as many characters as fit."""
    while text:
        piece = start(text, octets)
        yield piece
        text = text[len(piece):]


def on_air(name):
    """What of an event's name is advertised: 8 characters, as far as 8 octets hold them (5.2.1, 5.2.2)."""
    return start(name[:8], 8)
