import sys
sys.path.append("..")

from board import TOLD, Room, serve


class Early(Room):
    def on_connected(self, given):
        super().on_connected(given)
        self.tell(self.links[given["link"]], TOLD, b"welcome")


serve(Early)
