import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Shared(Game):
    """One place for the parts of packets, whoever sends them."""

    place = None

    def add_link(self, number, address):
        link = super().add_link(number, address)
        self.place = self.place or link.reassembler
        link.reassembler = self.place
        return link


serve(Shared, "one buffer", ["roles", "turns", "generate", "votes", "scoring", "summary"])
