import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def enter(self):
        for characteristic in self.wanted:
            self.do("subscribe", link=self.link.number, characteristic=characteristic, on=True)
        self.do("read", link=self.link.number, characteristic=TITLE)
        self.greet()

    def on_subscribed(self, given):
        pass

    def on_writeCompleted(self, given):
        if given["characteristic"] == NAME:
            self.link.is_ready = True
            self.completed()
        else:
            super().on_writeCompleted(given)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
