import sys
sys.path.append("..")

from board import TOLD, Room, serve


class Handlers(Room):
    count = 0

    def on_subscribed(self, given):
        super().on_subscribed(given)
        if given["characteristic"] == TOLD:
            self.count += 1

    def tell_all(self, characteristic, text):
        for _ in range(self.count):
            super().tell_all(characteristic, text)


serve(Handlers)
