"""Plays the bench to calls of Kable and of Android's server that the lobby does not make, and compares the words.

    python3 -m unittest discover -s test        after ./compile or gradle installDist
"""

import json
import pathlib
import subprocess
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "build/install/lobby-client/bin/lobby-client"
ADDRESS = "D1:DB:B1:4F:4C:00"
LEVEL = {"type": "2A19", "properties": 26, "handle": 3, "end": 5}


class Calls(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.line({"name": "hello", "protocol": 1, "role": "calls", "seed": "1"})
        self.at = 0

    def tearDown(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.assertEqual(self.process.wait(10), 0)

    def line(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def give(self, name, **members):
        """The effects, each as its name and what else it has."""
        self.at += 1_000_000
        answer = self.line({"at": self.at, "name": name, **members})
        self.assertEqual(answer["at"], self.at)
        return [(effect.pop("name"), effect) for effect in answer["effects"]]

    def said(self, effects):
        return [members["text"] for name, members in effects if name == "said"]

    def asked(self, effects, name):
        """The members of the one effect that is no report."""
        found = [(what, members) for what, members in effects if what != "said"]
        self.assertEqual([what for what, _ in found], [name])
        return found[0][1]

    def test_client(self):
        link = {"link": 0}
        self.assertEqual(self.asked(self.give("user", action="client"), "connect"), {"address": ADDRESS})
        effects = self.give("connected", address=ADDRESS, **link)
        self.assertEqual(self.asked(effects, "gatt.discoverServices"), {"types": [], **link})
        service = {"type": "180F", "primary": True, "start": 1, "end": 5}
        effects = self.give("gatt.services", services=[service], error=None, **link)
        self.assertEqual(self.asked(effects, "gatt.discoverCharacteristics"), {**service, **link})
        level = {**LEVEL, "properties": 30}
        effects = self.give("gatt.characteristics", characteristics=[level], error=None, **service, **link)
        self.assertEqual(self.asked(effects, "gatt.discoverDescriptors"), {**level, **link})
        found = [{"type": "2901", "handle": 4}, {"type": "2902", "handle": 5}]
        effects = self.give("gatt.descriptors", descriptors=found, error=None, **level, **link)
        self.assertEqual(self.said(effects), ["length 20"])
        self.assertEqual(self.asked(effects, "gatt.read")["handle"], 3)
        effects = self.give("gatt.valueRead", handle=3, type="2A19", octets="64", error=None, **link)
        self.assertEqual(self.said(effects), ["level 64"])
        self.assertEqual(self.asked(effects, "gatt.read"), {"handle": 4, "type": "2901", **link})
        effects = self.give("gatt.valueRead", handle=4, type="2901", octets="6e", error=None, **link)
        self.assertEqual(self.said(effects), ["note 6e"])
        expected = {"handle": 4, "type": "2901", "octets": "0102", **link}
        self.assertEqual(self.asked(effects, "gatt.write"), expected)
        effects = self.give("gatt.valueWritten", handle=4, type="2901", error=None, **link)
        self.assertEqual(self.asked(effects, "gatt.readRSSI"), link)
        effects = self.give("gatt.rssi", rssi=-61, **link)
        self.assertEqual(self.said(effects), ["signal -61"])
        value = self.asked(effects, "gatt.writeWithoutResponse")
        self.assertEqual(value["octets"], "03")
        # There is no room: the value is given again when there is some.
        self.assertEqual(self.give("gatt.submitted", handle=3, type="2A19", accepted=False, **link), [])
        self.assertEqual(self.asked(self.give("readyToSend", **link), "gatt.writeWithoutResponse"), value)
        effects = self.give("gatt.submitted", handle=3, type="2A19", accepted=True, **link)
        self.assertEqual(len(self.asked(effects, "gatt.write")["octets"]), 80)
        effects = self.give("gatt.valueWritten", handle=3, type="2A19", error=13, **link)
        self.assertEqual(self.said(effects), ["status 13"])
        self.assertEqual(self.asked(effects, "disconnect"), link)
        effects = self.give("disconnected", reason=22, **link)
        self.assertEqual(self.said(effects), ["state Disconnected(status=CentralDisconnected)"])

    def test_server(self):
        service = self.asked(self.give("user", action="server"), "gatt.publish")
        own = service["characteristics"][0]
        self.assertEqual((own["properties"], own["permissions"]), (26, 1 + 2 + 8))
        self.assertEqual([d["type"] for d in own["descriptors"]], ["2901"])
        self.give("gatt.published", service=service["service"], error=None)
        self.give("connected", link=1, address=ADDRESS)
        here = {"link": 1, "attribute": own["attribute"], "type": "2A19"}
        answer = self.asked(self.give("gatt.readAsked", request=5, offset=22, **here), "gatt.answer")
        self.assertEqual(answer, {"request": 5, "value": "161718191a1b1c1d", "error": None})

        def write(request, *parts):
            parts = [{"attribute": own["attribute"], "offset": at, "octets": octets} for at, octets in parts]
            return self.give(
                "gatt.writesAsked", request=request, link=1, type="2A19", parts=parts, needsAnswer=True)

        effects = write(6, (0, ""))
        self.assertEqual(self.asked(effects, "gatt.answer"), {"request": 6, "value": "", "error": 13})
        effects = write(7, (0, "0102"), (2, "03"))
        self.assertEqual(self.said(effects), ["write true 0 0102", "write true 2 03"])
        self.assertEqual(self.asked(effects, "gatt.answer"), {"request": 7, "value": "", "error": None})
        value = self.asked(self.give("gatt.subscription", on=True, **here), "gatt.notify")
        self.assertEqual(value, {**here, "type": "2a19", "octets": "07"})
        self.assertEqual(self.give("gatt.notifySubmitted", accepted=False, **here), [])
        self.assertEqual(self.asked(self.give("readyToSend", link=1), "gatt.notify"), value)
        self.assertEqual(self.said(self.give("gatt.notifySubmitted", accepted=True, **here)), ["sent 0"])
