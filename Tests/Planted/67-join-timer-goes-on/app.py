import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Punctual(Game):
    """Ends each link 15 s after it was made, whoever has a seat by then."""

    is_seating = False

    def join(self, link, profile):
        self.is_seating = True
        super().join(link, profile)
        self.is_seating = False

    def cancel_timer(self, key):
        if not self.is_seating or key[0] != "join":
            super().cancel_timer(key)


serve(Punctual, "punctual", [])
