import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def prepare(self):
        self.greet()
        super().prepare()

    def enter(self):
        for characteristic in self.wanted:
            self.operate("subscribe", characteristic=characteristic, on=True)
        self.operate("read", characteristic=TITLE)
        self.link.is_ready = True

    def on_writeCompleted(self, given):
        if given["characteristic"] == NAME:
            self.completed()
        else:
            super().on_writeCompleted(given)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
