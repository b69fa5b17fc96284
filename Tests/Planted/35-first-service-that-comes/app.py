import sys

sys.path.append("..")
import board
import by_handle
from board import *


class Room(by_handle.Room):
    def publish_by_key(self, members):
        board.App.do(self, "gatt.publish", service=20, type="180A", primary=True, included=[], characteristics=[
            {"attribute": 21, "type": "2A29", "properties": 2, "permissions": 1, "value": b"Boards Inc".hex(), "descriptors": []}])
        super().publish_by_key(members)


class Guest(by_handle.Guest):
    def discover_by_handle(self, link):
        board.App.do(self, "gatt.discoverServices", link=link, types=[])


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
