import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Loyal(Game):
    """Knows links that were ended, and none that were lost."""

    def on_disconnected(self, given):
        if given["reason"] in (0x13, 0x16):
            super().on_disconnected(given)


serve(Loyal, "loyal", [])
