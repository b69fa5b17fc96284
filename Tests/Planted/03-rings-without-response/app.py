import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def person(self, what, text):
        if what == "ring" and self.link and self.link.is_ready:
            self.do("writeWithoutResponse", link=self.link.number, characteristic=BELL, octets=text.encode().hex())
        else:
            super().person(what, text)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
