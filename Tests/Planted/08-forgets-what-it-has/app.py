import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def on_connected(self, given):
        self.last = 0
        super().on_connected(given)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
