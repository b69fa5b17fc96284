import sys

sys.path.append("..")
import board
import by_handle
from board import *


class Guest(by_handle.Guest):
    pass


class Room(by_handle.Room):
    def joined(self, parts):
        return parts[0]["octets"]


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
