import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def __init__(self, hello):
        super().__init__(hello)
        self.guests = {}

    def greeted(self, link, hello):
        self.guests[hello["name"]] = link
        super().greeted(link, hello)

    def on_disconnected(self, given):
        link = self.links.get(given["link"])
        if link and self.guests.get(link.name) is link:
            del self.guests[link.name]
        super().on_disconnected(given)

    def add_line(self, text):
        self.lines.append(text)
        for link in list(self.guests.values()):
            self.tell_line(link, len(self.lines))


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
