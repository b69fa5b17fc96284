"""A parser of Bab packets that gives stars for lines, as a program with a loop for babbench fuzz parser --program.

The planted bug: JSON has numbers that a float takes for infinite, and an infinite number of stars is no integer.
"""

import json
import struct
import sys


def read(octets):
    try:
        packet = json.loads(octets)
    except (ValueError, RecursionError):
        return "no JSON"
    if not isinstance(packet, dict) or not isinstance(packet.get("payload"), dict):
        return "no packet"
    result = packet["payload"].get("result")
    if not isinstance(result, dict) or not isinstance(result.get("accuracy"), (int, float)):
        return "no line"
    return f"{int(5 * result['accuracy'])} stars"


while head := sys.stdin.buffer.read(4):
    octets = sys.stdin.buffer.read(struct.unpack("<I", head)[0])
    print(read(octets), flush=True)
