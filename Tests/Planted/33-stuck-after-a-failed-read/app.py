import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def on_valueRead(self, given):
        if given["octets"] is not None:
            super().on_valueRead(given)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
