import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Strict(Game):
    """Remembers how far a player had counted when its link ended."""

    def __init__(self, hello):
        super().__init__(hello)
        self.newest = {}

    def shake(self, link, packet):
        super().shake(link, packet)
        link.last_count = max(link.last_count, self.newest.get(link.peer, 0))

    def lose(self, link):
        self.newest[link.peer] = link.last_count
        super().lose(link)


serve(Strict, "strict", [])
