import sys

sys.path.append("..")
import board
import by_handle
from board import *


class Guest(by_handle.Guest):
    pass


class Room(by_handle.Room):
    poster = "Fair on Sunday " + "bring your cakes " * 7 + "END"

    def from_offset(self, value, offset):
        return value


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
