import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Elsewhere(Game):
    """Takes values of its last characteristic only, and clients write to its first."""

    def on_valueReceived(self, given):
        if given["characteristic"] == self.dialect.characteristics[-1][0]:
            super().on_valueReceived(given)


serve(Elsewhere, "elsewhere", [])
