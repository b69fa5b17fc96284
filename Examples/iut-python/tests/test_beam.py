"""BeamScribe: packets and frames, and a host and guests of ours with each other."""

import unittest

from network import Network

from beam.framing import BadFrame, FrameReader, frame
from beam.packets import NotAPacket, alert, decode, history_pages, live_chunk, seconds
from beam import texts

LINE = b'{"isFinal":true,"sequence":7,"text":"Good morning.","type":"liveChunk"}'


class PacketTests(unittest.TestCase):
    def test_examples_of_the_specification(self):
        for text, length in [
            (live_chunk(False, 7, "good mor", 1_700_000_012_250), 0x61), (live_chunk(True, 7, "Good morning."), 0x47),
            (next(history_pages([])), 0x33), (alert("batteryLow"), 0x25),
        ]:
            self.assertEqual(frame(text)[:4], bytes([0, 0, 0, length]), text)
        self.assertEqual(live_chunk(True, 7, "Good morning."), LINE)
        self.assertEqual(
            next(history_pages(["Hi.", 'é/"\1'])),
            '{"chunks":[{"sequence":1,"text":"Hi."},{"sequence":2,"text":"é/\\"\\u0001"}],"type":"fullHistory",'
            '"upToSequence":2}'.encode("utf-8"))
        self.assertEqual([seconds(time) for time in (0, 10_000, 1_250, 7)], ["0", "10", "1.25", "0.007"])

    def test_what_is_written_is_read(self):
        text = "".join(map(chr, range(0x80))) + "é\u2028😀"
        self.assertEqual(decode(live_chunk(True, 3, text, 1_234)), ("liveChunk", True, 3, text, 1_234))
        self.assertEqual(decode(alert("sessionResumed")), ("alert", "sessionResumed"))

    def test_generous_reading(self):
        body = (
            rb' { "text" : "\u0041\/\ud83d\ude00" , "more":[{"a":NUM}], "type":"liveChunk",'
            rb'"sequence":7,"isFinal":false}')
        self.assertEqual(decode(body.replace(b"NUM", b"1" * 5_000)), ("liveChunk", False, 7, "A/😀", None))

    def test_wrong_bodies_are_refused(self):
        wrong = [
            b"", b"[]", b"null", b"{}", LINE[:-1], LINE + b"x", b"\xef\xbb\xbf" + LINE, b"\xff", b"[" * 100_000,
            LINE.replace(b"Good", b"\xed\xa0\x80"), LINE.replace(b"Good", rb"\ud800"),
            LINE.replace(b"{", b'{"\\ud800":1,', 1), LINE.replace(b"Good", b"\t"), LINE.replace(b"Good", rb"\x"),
            LINE.replace(b"{", b'{"a":' + b"[" * 16 + b"]" * 16 + b",", 1), LINE.replace(b"{", b'{"a":NaN,', 1),
            LINE.replace(b"{", b'{"isFinal":true,', 1), LINE.replace(b"{", b'{"a":{"b":1,"b":1},', 1),
            LINE.replace(b"{", b'{"sentTimestamp":null,', 1), LINE.replace(b"{", b'{"sentTimestamp":1.2345,', 1),
            LINE.replace(b"{", b'{"sentTimestamp":-1,', 1), LINE.replace(b"{", b'{"sentTimestamp":9007199254741,', 1),
        ]
        wrong += [
            LINE.replace(b"7", number)
            for number in (b"0", b"-7", b"-0", b"7.0", b"7e0", b"07", b'"7"', b"9" * 16, b"true")]
        wrong += [LINE.replace(b"true", value) for value in (b"1", b"null", b'"true"')]
        wrong += [LINE.replace(b'"Good morning."', value) for value in (b'""', b"1", b"null", b'"%s"' % (b"a" * 8_193))]
        wrong += [LINE.replace(name, b"other") for name in (b"isFinal", b"sequence", b"text", b"type", b"liveChunk")]
        wrong += [b'{"chunks":%s,"type":"fullHistory","upToSequence":%s}' % pair for pair in [
            (b"[]", b"1"), (b'[{"sequence":2,"text":"a"}]', b"1"), (b'[{"sequence":1}]', b"1"), (b"{}", b"0"),
            (b'[{"sequence":1,"text":"a"},{"sequence":3,"text":"a"}]', b"3"), (b"[1]", b"1"), (b"[]", b"-1")]]
        wrong += [alert("fire"), b'{"alert":["batteryLow"],"type":"alert"}', b'{"alert":"batteryLow","type":["alert"]}']
        for body in wrong:
            with self.assertRaises(NotAPacket, msg=body[:80]):
                decode(body)
        for body in (
            LINE.replace(b"{", b'{"a":' + b"[" * 15 + b"]" * 15 + b",", 1), LINE.replace(b"7", b"9007199254740991"),
            LINE.replace(b"{", b'{"sentTimestamp":9007199254740.00,', 1), LINE.replace(b"Good morning.", b"a" * 8_192),
        ):
            self.assertEqual(decode(body)[0], "liveChunk")

    def test_pages_are_full(self):
        for finals in (["x" * 8_192] * 300, ["é"] * 60_000):
            pages = list(history_pages(finals))
            self.assertGreater(len(pages), 1)
            chunks = [decode(page)[1] for page in pages]
            self.assertEqual([text for page in chunks for _, text in page], finals)
            for page, (sequence, text) in zip(pages, (page[0] for page in chunks[1:])):
                following = len('{"sequence":%d,"text":"%s"},' % (sequence, text)) + len(text.encode()) - len(text)
                self.assertLessEqual(len(page), 1_048_576)
                self.assertGreater(len(page) + following, 1_048_576)

    def test_texts_are_cut_between_characters(self):
        self.assertEqual(texts.on_air("Keynote 2026"), "Keynote ")
        self.assertEqual(texts.on_air("ÄÖÜäöü"), "ÄÖÜä")
        self.assertEqual(texts.start("😀" * 20, 63), "😀" * 15)
        self.assertEqual(list(texts.pieces("aé" * 3, 4)), ["aéa", "éa", "é"])


class FramingTests(unittest.TestCase):
    def test_every_cut(self):
        bodies = [b"a", b"bc" * 300, LINE]
        stream = b"".join(map(frame, bodies))
        for size in range(1, 40):
            reader = FrameReader()
            found = [
                body for at in range(0, len(stream), size) for body in reader.bodies(stream[at:at + size])]
            self.assertEqual(found, bodies)
            self.assertFalse(reader.is_within_frame)

    def test_wrong_lengths(self):
        for octets, reason in ((b"\0\0\0\0", "frameEmpty"), (b"\0\x10\0\1", "frameTooLong")):
            reader = FrameReader()
            self.assertEqual(list(reader.bodies(octets[:3])), [])
            with self.assertRaisesRegex(BadFrame, reason):
                list(reader.bodies(octets[3:]))
        self.assertEqual(list(FrameReader().bodies(frame(bytes(1 << 20)))), [bytes(1 << 20)])


class EventTests(unittest.TestCase):
    def test_gate_history_and_live(self):
        for pieces in (1, 7, 65_536):
            network = Network(guests=2, pieces=pieces)
            network.host.user("startEvent", name_="Keynote 2026")
            network.guests[0].user("join")
            network.run(100)
            network.host.user("speakFinal", text="One.")
            network.run(1_000)
            self.assertEqual(network.host.all("net.send"), [])
            network.run(3_000)
            network.guests[1].user("joinEvent", name_="Keynote 2026")
            network.host.user("speakPartial", text="Tw")
            network.host.user("speakFinal", text="Two.")
            network.run(4_100)
            ready, sent = network.guests[0].at("state")[2], network.host.at("net.send")[0]
            self.assertEqual(sent - ready, 4_000)
            for guest in network.guests:
                self.assertEqual(guest.finals(), ["One.", "Two."])
                self.assertEqual(guest.states(), ["LOOKING", "CONNECTING", "CONNECTED", "SHOWING"])
                self.assertEqual(guest.all("net.send"), [])
            self.assertEqual(network.guests[0].all("partialShown")[0]["text"], "Tw")
            self.assertEqual(network.guests[0].all("latency")[-1]["milliseconds"], 1)
            self.assertEqual(
                [(row["count"], row["open"]) for row in network.host.all("guests")], [(1, 0), (1, 1), (2, 1), (2, 2)])

    def test_eighth_guest_is_refused(self):
        network = Network(guests=8)
        network.begin()
        refused = network.host.all("refused")
        self.assertEqual([row["reason"] for row in refused[:1]], ["full"])
        network.host.user("speakFinal", text="Hello.")
        network.run(10)
        self.assertEqual([guest.finals() for guest in network.guests], [["Hello."]] * 7 + [[]])

    def test_end(self):
        network = Network(guests=2)
        network.begin()
        network.host.user("speakFinal", text="Bye.")
        network.host.user("endEvent")
        network.run(10_000)
        self.assertEqual(network.host.ends, {})
        for guest in network.guests:
            self.assertEqual(guest.states()[-1], "ENDED")
            self.assertEqual(guest.all("alertShown"), [
                {"name": "alertShown", "alert": "hostDisconnected", "own": False}])
            self.assertEqual(len(guest.all("net.connect")), 1)
        network.begin()
        self.assertEqual([guest.states()[-1] for guest in network.guests], ["SHOWING"] * 2)
        self.assertEqual(network.guests[0].finals(), [])

    def test_retries(self):
        network = Network(guests=1)
        network.begin()
        guest = network.guests[0]
        network.takes_connections = False
        network.host.do_net_cancel({"connection": 1})
        network.run(1)
        lost = guest.at("state")[-1]
        network.host.service = None
        network.run(20_000)
        self.assertEqual([at - lost for at in guest.at("net.connect")[1:]], [1_000, 3_002, 7_004])
        self.assertEqual(guest.states()[-3:], ["CONNECTING", "LOST", "LOOKING"])
        self.assertEqual(guest.all("alertShown")[0]["own"], True)

    def test_lost_in_the_gate_is_unstable(self):
        network = Network(guests=1)
        network.host.user("startEvent", name_="A")
        network.guests[0].user("join")
        network.run(2_000)
        network.guests[0].user("leave")
        network.run(3_000)
        self.assertEqual(network.host.all("unstable"), [{"name": "unstable", "peer": "guest-1", "count": 1}])
        self.assertEqual(network.host.all("net.send"), [])
        self.assertEqual(network.host.timers, {})
        self.assertEqual(network.guests[0].timers, {})

    def test_slow_guest_is_refused_and_delays_nobody(self):
        network = Network(guests=2)
        network.begin()
        network.guests[0].user("stopReading")
        for number in range(600):
            network.host.user("speakFinal", text="%d" % number + "x" * 8_000)
            network.run(10)
            self.assertEqual(len(network.guests[1].finals()), number + 1)
        self.assertEqual([row["reason"] for row in network.host.all("refused")], ["slow"])
        self.assertEqual(network.host.finals(), network.guests[1].finals())

    def test_long_history_in_many_answers(self):
        network = Network(guests=1, buffer=65_536, beamscribe={"resumes": False})
        network.host.user("startEvent", name_="A")
        for number in range(20_000):
            network.host.user("speakFinal", text="%d" % number)
        network.guests[0].user("join")
        network.run(5_000)
        self.assertEqual(network.guests[0].finals(), network.host.finals())
        self.assertEqual(network.guests[0].states()[-1], "SHOWING")

    def test_better_path(self):
        network = Network(guests=1)
        network.interface = "awdl"
        network.begin()
        network.interface = "wifi"
        guest = network.guests[0]
        network.host.user("speakFinal", text="One.")
        guest.give("net.betterPath", connection=2, available=True)
        network.run(2_000)
        network.host.user("speakFinal", text="Two.")
        self.assertEqual(sorted(guest.ends), [2, 4])
        network.run(3_000)
        self.assertEqual(list(guest.ends), [4])
        self.assertEqual(guest.finals(), ["One.", "Two."])
        self.assertEqual(network.host.all("guests")[-1]["count"], 1)
        self.assertEqual(guest.states()[-1], "SHOWING")

    def test_relaunch(self):
        network = Network(guests=1)
        network.begin()
        network.host.user("speakFinal", text="One.")
        network.run(10)
        for end in list(network.host.ends):
            network.host.do_net_cancel({"connection": end})
        network.host.launch()
        network.run(6_000)
        network.host.user("speakFinal", text="Two.")
        network.run(10)
        self.assertEqual(network.guests[0].finals(), ["One.", "Two."])
        self.assertEqual([row["alert"] for row in network.guests[0].all("alertShown")], ["sessionResumed"])

    def test_bad_streams_are_refused(self):
        for octets, reason in [
            ("00000000", "frameEmpty"), ("00100001", "frameTooLong"), (frame(b"{}").hex(), "notAPacket"),
            (frame(LINE).hex(), "gap"), (frame(next(history_pages([]))).hex(), "notAPacket"),
        ]:
            network = Network(guests=1)
            network.begin()
            guest = network.guests[0]
            guest.give("net.received", connection=2, octets=octets)
            guest.give("net.received", connection=2, octets=frame(alert("batteryLow")).hex())
            self.assertEqual([row["reason"] for row in guest.all("refused")], [reason])
            self.assertEqual(guest.all("alertShown"), [])
            network.run(6_000)
            self.assertEqual(guest.states()[-4:], ["LOST", "CONNECTING", "CONNECTED", "SHOWING"])

    def test_stalled_frame(self):
        network = Network(guests=1)
        network.begin()
        guest = network.guests[0]
        for _ in range(3):
            guest.give("net.received", connection=2, octets="00")
            network.run(29_000)
        self.assertEqual(guest.all("refused"), [])
        network.run(1_000)
        self.assertEqual([row["reason"] for row in guest.all("refused")], ["stalled"])

    def test_not_viable(self):
        network = Network(guests=1)
        network.begin()
        guest = network.guests[0]
        guest.give("net.viable", connection=2, viable=False)
        network.run(9_000)
        guest.give("net.viable", connection=2, viable=True)
        network.run(9_000)
        self.assertEqual(guest.states()[-1], "SHOWING")
        guest.give("net.viable", connection=2, viable=False)
        network.run(10_000)
        self.assertEqual(guest.states()[-1], "LOST")


if __name__ == "__main__":
    unittest.main()
