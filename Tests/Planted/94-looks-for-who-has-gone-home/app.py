import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Faithful(Playing):
    """Asks whether it had a seat, and not whether the game is over."""

    is_losing = False

    def lose(self, link, reason):
        self.is_losing = self.has_seat
        super().lose(link, reason)
        self.is_losing = False

    def is_finished(self):
        return not self.is_losing and super().is_finished()


serve(Faithful, "faithful", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
