"""A peripheral of a bitchat mesh, version 1: it shows the messages that are written to it."""
import struct

from gatt import NOTIFY, WRITE, WRITE_WITHOUT_RESPONSE, Program

MESH = "A1B2C3D4-E5F6-4A5B-8C9D-0E1F2A3B4C5D"
HEADER = struct.Struct(">BBBQBH8s")
MESSAGE = 2
HAS_RECIPIENT = 1


class Peripheral(Program):
    name = "mesh 1"
    service = "F47B5E2D-4A9E-4C5A-9B3F-8E1D2C3A4B5C"
    characteristics = {MESH: WRITE | WRITE_WITHOUT_RESPONSE | NOTIFY}

    def heard(self, link, characteristic, octets):
        if len(octets) < HEADER.size:
            return
        version, kind, _, _, flags, length, _ = HEADER.unpack(octets[:HEADER.size])
        start = HEADER.size + (8 if flags & HAS_RECIPIENT else 0)
        if version != 1 or kind != MESSAGE or len(octets) < start + length:
            return
        self.show("message", text=octets[start:start + length].decode("utf-8", "replace"))


Peripheral().run()
