import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def on_connected(self, given):
        super().on_connected(given)
        self.link = given["link"]

    def on_disconnected(self, given):
        super().on_disconnected({**given, "link": self.link})


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
