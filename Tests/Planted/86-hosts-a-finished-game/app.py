import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Unwiped(Game):
    """Begins its second session with the game of the first."""

    is_over = False

    def gone(self):
        self.is_over = True
        super().gone()
        self.is_over = False

    def reset(self):
        if not self.is_over:
            super().reset()


serve(Unwiped, "unwiped", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
