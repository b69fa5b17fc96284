import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Nostalgic(Game):
    """Remembers the first link of each address."""

    def on_connected(self, given):
        self.first = getattr(self, "first", {})
        self.numbers = getattr(self, "numbers", {})
        self.first.setdefault(given["address"], given["link"])
        self.numbers[given["link"]] = self.first[given["address"]]
        super().on_connected(given)

    def transmit(self, link, value):
        number = self.numbers[link.number]
        self.do("notify", link=number, characteristic=self.dialect.state, octets=value.hex())


serve(Nostalgic, "nostalgic", [])
