import sys

sys.path.append("..")
import board
import by_handle
from board import *


class Room(by_handle.Room):
    pass


class Guest(by_handle.Guest):
    def do(self, name, **members):
        if name == "subscribe":
            self.on_the_way = members["characteristic"]
            super().do("gatt.write", link=members["link"], handle=self.handles[members["characteristic"]] + 1, type="2902", octets="0100")
        else:
            super().do(name, **members)

    def on_gatt_valueWritten(self, given):
        if given["type"] == "2902":
            self.completed()
        else:
            super().on_gatt_valueWritten(given)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
