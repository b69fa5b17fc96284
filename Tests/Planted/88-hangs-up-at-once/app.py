import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Hasty(Game):
    """Takes what its platform has taken for sent."""

    def drained(self, link):
        if self.is_leaving and not (link.queue and link.may_send):
            self.end_link(link)


serve(Hasty, "hasty", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
