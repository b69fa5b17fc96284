import sys
sys.path.append("..")

from board import Room, serve


class Shy(Room):
    def on_connected(self, given):
        super().on_connected(given)
        self.do("stopAdvertising")


serve(Shy)
