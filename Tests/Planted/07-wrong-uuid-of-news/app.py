import sys

sys.path.append("..")
import board
from board import *


class Room(board.Room):
    pass


class Guest(board.Guest):
    wanted = [TOLD, "B0A40014-7E57-4B0A-8D00-5A1D0C0FFEE0", ALARM, TITLE]


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
