"""Packets and fragments against octets that others made.

The vectors are the published encoder's real output. They lie beside the repository (`../shared/vectors`, or what
BAB_VECTORS names); without them the excerpts below are tested, and a line says so.
"""

import base64
import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bab.framing import Reassembler, cut  # noqa: E402
from bab.jsontext import NotJSON, jvm_float, read  # noqa: E402
from bab.packets import NotAPacket, Packet, decode, encode  # noqa: E402

PREFIX = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."
EXCERPT = (
    '{"type":"VOTE_CAST","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"payload":'
    '{"type":"%sVoteCast","voterId":"peer-a","vote":true}}' % PREFIX)


def vectors(name):
    """The rows of a file of vectors; none, with a note, where it is absent."""
    folder = Path(os.environ.get("BAB_VECTORS") or HERE.parents[3] / "shared/vectors")
    if not (folder / name).exists():
        print("NOT RUN: %s is absent; only the embedded excerpts were tested" % (folder / name))
        return []
    lines = (folder / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


class PacketTests(unittest.TestCase):
    def test_excerpt(self):
        self.assertEqual(encode(decode(EXCERPT.encode())).decode(), EXCERPT)

    def test_every_vector_comes_back_octet_for_octet(self):
        for name, text in vectors("bab-packets.tsv"):
            with self.subTest(name):
                octets = base64.b64decode(text)
                self.assertEqual(encode(decode(octets)), octets)

    def test_what_we_take_the_published_decoder_takes_and_understands_alike(self):
        taken = 0
        for name, text, verdict, canonical in [row + [""] * (4 - len(row)) for row in vectors("bab-decode.tsv")]:
            with self.subTest(name):
                try:
                    packet = decode(base64.b64decode(text))
                except NotAPacket:
                    continue  # we are stricter, which is allowed
                taken += 1
                self.assertEqual(verdict, "ACCEPT")
                self.assertEqual(encode(packet), base64.b64decode(canonical))
        print("%d of the published decoder's inputs are taken" % taken)

    def test_numbers_as_the_jvm_prints_them(self):
        rows = [row[0] for row in vectors("jvm-floats.tsv")] or ["0.0", "0.85", "0.33333334", "1.0E-5", "1.0E7"]
        for text in rows + ["1.4E-45", "0.001", "9.999999E-4", "100.0", "9999999.0"]:
            self.assertEqual(jvm_float(float(text)), text)

    def test_what_is_no_packet_is_refused(self):
        octets = EXCERPT.encode()
        for end in range(len(octets)):
            with self.assertRaises(NotAPacket):
                decode(octets[:end])
        for bad in (b"[" * 100_000, b"\xff", b"{}", b"null", octets + b"x", octets.replace(b"true", b"1")):
            with self.assertRaises(NotAPacket):
                decode(bad)
        for bad in ("NaN", "01", "[1,]", '"\n"', ""):
            with self.assertRaises(NotJSON):
                read(bad)

    def test_a_lone_surrogate_is_written_as_a_question_mark(self):
        packet = Packet("GENERATE_REQUEST", "a", {}, {"prompt": "\ud800"})
        self.assertIn(b'"prompt":"?"', encode(packet))


class FramingTests(unittest.TestCase):
    def setUp(self):
        self.refusals = []
        self.reassembler = Reassembler(self.refusals.append)

    def take(self, *values, now=0):
        return [self.reassembler.take(value, now) for value in values]

    def test_header(self):
        self.assertEqual(cut(0x0102, b"abcdef", 12), [b"\x01\x02\x00\x02abcde", b"\x01\x02\x01\x02f"])
        self.assertEqual(cut(7, b"abc", 185), [b"\x00\x07\x00\x01abc"])

    def test_any_order(self):
        values = cut(1, b"0123456789", 11)
        self.assertEqual(self.take(*reversed(values)), [None, None, b"0123456789"])
        self.assertEqual(self.refusals, [])

    def test_what_is_wrong_is_refused(self):
        for value in (b"", b"\0\0\0", b"\0\0\0\0", b"\0\0\2\2x"):
            self.assertEqual(self.take(value), [None])
        self.assertEqual(len(self.refusals), 4)

    def test_contradictions_drop_the_packet(self):
        self.assertEqual(self.take(b"\0\1\0\2a", b"\0\1\0\3a", b"\0\1\1\2b"), [None] * 3)
        self.assertEqual(self.take(b"\0\2\0\2a", b"\0\2\0\2x", b"\0\2\1\2b"), [None] * 3)
        self.assertEqual(len(self.refusals), 2)

    def test_expiry(self):
        self.take(b"\0\1\0\2a")
        self.take(b"\0\1\0\2a", now=4_000_000_000)
        self.assertEqual(self.reassembler.deadline(), 5_000_000_000)
        self.reassembler.expire(5_000_000_000)
        self.assertEqual((len(self.refusals), self.reassembler.deadline()), (1, None))

    def test_bounds(self):
        for number in range(40):
            self.take(number.to_bytes(2, "big") + b"\0\2a")
        self.assertEqual((len(self.reassembler.partials), len(self.refusals)), (16, 24))
        for number in range(3000):
            self.take((number % 16).to_bytes(2, "big") + bytes((number // 16, 255)) + bytes(500))
        self.assertLessEqual(self.reassembler.octets, 262_144)

    def test_repeats_of_a_whole_packet(self):
        self.assertEqual(self.take(b"\0\1\0\1a", b"\0\1\0\1a", b"\0\1\0\1b"), [b"a", None, b"b"])


if __name__ == "__main__":
    unittest.main()
