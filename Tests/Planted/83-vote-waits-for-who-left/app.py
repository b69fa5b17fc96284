import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Counting(Game):
    """Counts votes, and not who has cast them."""

    def count_votes(self):
        if self.vote is None:
            return
        if False in self.vote.cast.values():
            self.close_vote(False)
        elif len(self.vote.cast) >= self.vote.required:
            self.close_vote(True)


serve(Counting, "counting", [])
