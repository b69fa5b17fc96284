import sys
sys.path.append("..")

from board import Room, serve


class Newest(Room):
    def on_connected(self, given):
        super().on_connected(given)
        self.central = self.links[given["link"]]

    def tell_all(self, characteristic, text):
        self.tell(self.central, characteristic, text.encode())


serve(Newest)
