import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    def on_connectFailed(self, given):
        self.attempt = None
        self.cancel(self.limit)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
