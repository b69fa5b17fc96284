"""JSON as the wire wants it (wire.md 4.3 to 4.12), and as the bench's pipe does.

The standard `json` imports `re` and `enum`, which would be half of a short process's life, and prints other floats; so
this reads and writes on its own.
"""

import struct


class NotJSON(Exception):
    """What was read is not one JSON value."""


_SPACE = " \t\n\r"
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_HEX = frozenset("0123456789abcdefABCDEF")


def read(text):
    """The value of one JSON text. Raises NotJSON, whatever is wrong with it."""
    try:
        value, at = _value(text, _skip(text, 0))
    except (IndexError, RecursionError):
        raise NotJSON("it ends too soon or is too deep") from None
    if _skip(text, at) != len(text):
        raise NotJSON("something follows at character %d" % at)
    return value


def _skip(text, at):
    while text[at:at + 1] in _SPACE and at < len(text):
        at += 1
    return at


def _value(text, at):
    first = text[at]
    if first == '"':
        return _string(text, at + 1)
    if first == "{":
        return _object(text, _skip(text, at + 1))
    if first == "[":
        return _list(text, _skip(text, at + 1))
    if first in _WORDS:
        word, value = _WORDS[first]
        if text.startswith(word, at):
            return value, at + len(word)
    if first == "-" or "0" <= first <= "9":
        return _number(text, at)
    raise NotJSON("no value at character %d" % at)


def _object(text, at):
    result = {}
    if text[at] == "}":
        return result, at + 1
    while True:
        if text[at] != '"':
            raise NotJSON("no key at character %d" % at)
        key, at = _string(text, at + 1)
        at = _skip(text, at)
        if text[at] != ":":
            raise NotJSON("no colon at character %d" % at)
        result[key], at = _value(text, _skip(text, at + 1))
        at = _skip(text, at)
        if text[at] == "}":
            return result, at + 1
        if text[at] != ",":
            raise NotJSON("no comma at character %d" % at)
        at = _skip(text, at + 1)


def _list(text, at):
    result = []
    if text[at] == "]":
        return result, at + 1
    while True:
        value, at = _value(text, at)
        result.append(value)
        at = _skip(text, at)
        if text[at] == "]":
            return result, at + 1
        if text[at] != ",":
            raise NotJSON("no comma at character %d" % at)
        at = _skip(text, at + 1)


def _string(text, at):
    parts = []
    while True:
        quote = text.find('"', at)
        if quote < 0:
            raise NotJSON("a string without end at character %d" % at)
        escape = text.find("\\", at, quote)
        part = text[at:quote if escape < 0 else escape]
        if part and min(part) < " ":
            raise NotJSON("a control in the string at character %d" % at)
        parts.append(part)
        if escape < 0:
            return "".join(parts), quote + 1
        part, at = _escaped(text, escape + 1)
        parts.append(part)


def _escaped(text, at):
    if text[at] in _ESCAPES:
        return _ESCAPES[text[at]], at + 1
    code = _unit(text, at)
    if 0xD800 <= code < 0xDC00 and text[at + 5:at + 7] == "\\u":
        low = _unit(text, at + 6)
        if 0xDC00 <= low < 0xE000:
            return chr(0x10000 + (code - 0xD800 << 10) + low - 0xDC00), at + 11
    return "?" if 0xD800 <= code < 0xE000 else chr(code), at + 5  # 4.31


def _unit(text, at):
    digits = text[at + 1:at + 5]
    if text[at] != "u" or len(digits) < 4 or not _HEX.issuperset(digits):
        raise NotJSON("no escape at character %d" % at)
    return int(digits, 16)


def _number(text, at):
    end = at + 1
    while text[end:end + 1] in "0123456789+-.eE" and end < len(text):
        end += 1
    number = text[at:end]
    whole = number.lstrip("-").replace("e", "E").split("E")[0].split(".")
    if len(number) > 400 or number[:2] == "--" or (whole[0][:1] == "0" and whole[0] != "0") or "" in whole:
        raise NotJSON("no number at character %d" % at)
    try:
        return (int(number) if number.lstrip("-").isdigit() else float(number)), end
    except ValueError:
        raise NotJSON("no number at character %d" % at) from None


_CONTROLS = {code: "\\u%04x" % code for code in range(0x20)}
_CONTROLS.update({8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"})


def quoted(text):
    """4.7: only quote, backslash and controls are escaped."""
    return '"' + text.translate(_CONTROLS) + '"'


def float32(value):
    """The 32-bit number nearest to a number; None when that is not finite."""
    try:
        value = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return None
    return value if value - value == 0 else None


def jvm_float(value):
    """4.11: a 32-bit number as the JVM prints it. 4.12: 0.0 for what is not finite."""
    value = float32(value)
    if value is None:
        return "0.0"
    if value == 0:
        return "-0.0" if str(value)[0] == "-" else "0.0"
    for digits in range(1, 10):
        text = "%.*e" % (digits, value)
        if float32(float(text)) == value:
            break
    mantissa, exponent = text.split("e")
    exponent = int(exponent)
    sign = "-" if mantissa[0] == "-" else ""
    figures = mantissa.lstrip("-").replace(".", "").rstrip("0") or "0"
    if exponent < -3 or exponent >= 7:
        return "%s%s.%sE%d" % (sign, figures[0], figures[1:] or "0", exponent)
    if exponent < 0:
        return "%s0.%s%s" % (sign, "0" * (-exponent - 1), figures)
    figures = figures.ljust(exponent + 2, "0")
    return "%s%s.%s" % (sign, figures[:exponent + 1], figures[exponent + 1:])


def write(value):
    """Any JSON value without spaces, keys in their order."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return jvm_float(value)
    if isinstance(value, dict):
        return "{%s}" % ",".join([quoted(key) + ":" + write(member) for key, member in value.items()])
    return "[%s]" % ",".join([write(member) for member in value])
