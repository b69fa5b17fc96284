import sys

sys.path.append("..")
import board
import by_handle
from board import *


class Guest(by_handle.Guest):
    pass


class Room(by_handle.Room):
    permissions = {SAID: 8}


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
