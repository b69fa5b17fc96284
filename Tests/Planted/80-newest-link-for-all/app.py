import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Newest(Game):
    """Takes each value for one of the newest link."""

    newest = None

    def on_connected(self, given):
        self.newest = given["link"]
        super().on_connected(given)

    def on_valueReceived(self, given):
        super().on_valueReceived({**given, "link": self.newest})


serve(Newest, "newest", [])
