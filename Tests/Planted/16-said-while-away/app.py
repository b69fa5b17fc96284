import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def person(self, what, text):
        if self.link:
            super().person(what, text)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
