import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def on_radioPower(self, given):
        if not given["on"]:
            self.attempt = self.link = None


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
