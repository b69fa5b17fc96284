import sys

sys.path.append("..")
import board
from board import *


class Guest(board.Guest):
    pass


class Room(board.Room):
    def greeted(self, link, hello):
        link.name, link.is_greeted = hello["name"], True
        self.show("entered", link.name)
        last, upto = hello["last"] if hello["epoch"] == self.epoch else 0, len(self.lines)

        def history():
            for number in range(last + 1, upto + 1):
                if link.number in self.links:
                    self.tell_line(link, number)
        self.after(2, history)


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
