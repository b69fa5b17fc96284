import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def advertise(self):
        name = self.local_name.encode()
        self.do("gap.advertise", data=(b"\x02\x01\x06" + bytes([len(name) + 1, 9]) + name).hex(), scanResponse="")


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
