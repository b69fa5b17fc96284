import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Closed(Game):
    """Has no seat for anybody once the game has begun."""

    def join(self, link, profile):
        if self.in_lobby:
            super().join(link, profile)
        else:
            self.end_link(link)


serve(Closed, "closed", [])
