"""Packets: one JSON object each (beamscribe.md 4).

The standard `json` reads them; what it is too generous with is checked here. Numbers stay texts until it is known what
they are to be.
"""

import json

from .framing import MOST_BODY

MOST_TEXT = 8_192
MOST_SEQUENCE = (1 << 53) - 1
MOST_MILLISECONDS = 9_007_199_254_740_000
DEEPEST = 16
ALERTS = ("hostDisconnected", "batteryLow", "sessionResumed")


class NotAPacket(Exception):
    """What came is no packet (4.6)."""


# Writing

_ESCAPES = str.maketrans({
    **{chr(code): "\\u%04x" % code for code in range(0x20)},
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"})


def quoted(text):
    """A string as 4.3 wants it."""
    return '"%s"' % text.translate(_ESCAPES)


def seconds(milliseconds):
    """A time of 9.1, without zeros at its end."""
    return ("%d.%03d" % divmod(milliseconds, 1_000)).rstrip("0").rstrip(".")


def live_chunk(is_final, sequence, text, sent=None):
    """sent: milliseconds since 1970, or None."""
    stamp = "" if sent is None else '"sentTimestamp":%s,' % seconds(sent)
    return ('{"isFinal":%s,%s"sequence":%d,"text":%s,"type":"liveChunk"}' % (
        "true" if is_final else "false", stamp, sequence, quoted(text))).encode("utf-8")


def alert(name):
    return ('{"alert":"%s","type":"alert"}' % name).encode("utf-8")


def history_pages(finals):
    """The history of these finals: pages, each with as many of them as fit (5.6.2)."""
    begin, end = b'{"chunks":[', b'],"type":"fullHistory","upToSequence":%d}' % len(finals)
    page, size = [], len(begin) + len(end)
    for sequence, text in enumerate(finals, 1):
        chunk = ('{"sequence":%d,"text":%s}' % (sequence, quoted(text))).encode("utf-8")
        if page and size + 1 + len(chunk) > MOST_BODY:
            yield begin + b",".join(page) + end
            page, size = [], len(begin) + len(end)
        size += len(chunk) + (1 if page else 0)
        page.append(chunk)
    yield begin + b",".join(page) + end


# Reading

class _Number:
    """A number as it was written."""

    __slots__ = ["text"]

    def __init__(self, text):
        self.text = text


def _object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotAPacket("a key twice")
    return members


def _no_constant(name):
    raise NotAPacket(name)


_READER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_Number, parse_float=_Number, parse_constant=_no_constant)


def _check(value, depth):
    """Refuses what is nested too deeply, and halves of characters."""
    if isinstance(value, str):
        if not value.isascii():
            value.encode("utf-8")
    elif isinstance(value, (dict, list)):
        if depth > DEEPEST:
            raise NotAPacket("nested too deeply")
        if isinstance(value, dict):
            for key in value:
                _check(key, depth)
            value = value.values()
        for member in value:
            _check(member, depth + 1)


def _integer(value, least):
    if not isinstance(value, _Number) or not value.text.isdigit() or len(value.text) > 16:
        raise NotAPacket("no whole number")
    number = int(value.text)
    if not least <= number <= MOST_SEQUENCE:
        raise NotAPacket("%d is outside its limits" % number)
    return number


def _milliseconds(value):
    if not isinstance(value, _Number):
        raise NotAPacket("no time")
    whole, _, fraction = value.text.partition(".")
    if not whole.isdigit() or len(whole) > 13 or len(fraction) > 3 or fraction and not fraction.isdigit():
        raise NotAPacket("no time")
    milliseconds = int(whole + fraction.ljust(3, "0"))
    if milliseconds > MOST_MILLISECONDS:
        raise NotAPacket("a time outside its limits")
    return milliseconds


def _text(value):
    if not isinstance(value, str) or not 1 <= len(value.encode("utf-8")) <= MOST_TEXT:
        raise NotAPacket("no text, or none within its limits")
    return value


def _chunks(value):
    if not isinstance(value, list):
        raise NotAPacket("no list")
    chunks = []
    for chunk in value:
        if not isinstance(chunk, dict):
            raise NotAPacket("no chunk")
        sequence = _integer(chunk["sequence"], 1)
        if chunks and sequence != chunks[-1][0] + 1:
            raise NotAPacket("sequences that do not follow each other")
        chunks.append((sequence, _text(chunk["text"])))
    return chunks


def decode(body):
    """
    A packet: ("liveChunk", is_final, sequence, text, milliseconds or None), ("fullHistory", [(sequence, text)], up_to)
    or ("alert", name). Raises NotAPacket, whatever is wrong with the body.
    """
    try:
        members = _READER.decode(body.decode("utf-8"))
        _check(members, 1)
        if not isinstance(members, dict):
            raise NotAPacket("no object")
        return _packet(members)
    except (ValueError, RecursionError, KeyError) as error:
        raise NotAPacket(str(error)) from None


def _packet(members):
    kind = members["type"]
    if kind == "liveChunk":
        is_final = members["isFinal"]
        if not isinstance(is_final, bool):
            raise NotAPacket("isFinal is neither true nor false")
        sent = _milliseconds(members["sentTimestamp"]) if "sentTimestamp" in members else None
        return kind, is_final, _integer(members["sequence"], 1), _text(members["text"]), sent
    if kind == "fullHistory":
        chunks, up_to = _chunks(members["chunks"]), _integer(members["upToSequence"], 0)
        if up_to < chunks[-1][0] if chunks else up_to > 0:
            raise NotAPacket("chunks that do not end at upToSequence or below")
        return kind, chunks, up_to
    if kind == "alert" and members["alert"] in ALERTS:
        return kind, members["alert"]
    raise NotAPacket("an unknown type or alert")
