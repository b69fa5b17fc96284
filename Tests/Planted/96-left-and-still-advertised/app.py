import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Lingering(Game):
    """Does not stop advertising when its person leaves."""

    def advertise(self, **how):
        if not self.is_leaving:
            super().advertise(**how)


serve(Lingering, "lingering", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
