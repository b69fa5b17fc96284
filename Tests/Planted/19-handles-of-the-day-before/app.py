import sys

sys.path.append("..")
import board
import by_handle
from board import *


class Room(by_handle.Room):
    def characteristics(self):
        usual = super().characteristics()
        return usual if self.epoch == 1 else usual[2:] + usual[:2]


class Guest(by_handle.Guest):
    def discover_by_handle(self, link):
        if self.handles:
            self.found({"link": link})
        else:
            super().discover_by_handle(link)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
