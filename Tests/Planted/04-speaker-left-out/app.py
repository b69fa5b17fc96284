import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def heard(self, link, text):
        self.lines.append(text)
        for other in list(self.links.values()):
            if other.is_greeted and other is not link:
                self.tell_line(other, len(self.lines))


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
