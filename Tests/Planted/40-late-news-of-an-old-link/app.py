import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def on_disconnected(self, given):
        ended = self.links.get(given["link"])
        super().on_disconnected(given)
        if ended and ended.name:
            for link in [each for each in self.links.values() if each.name == ended.name]:
                del self.links[link.number]


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
