import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def advertise(self):
        self.do("advertise", localName=self.name, services=[SERVICE])


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
