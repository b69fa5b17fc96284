import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Shy(Playing):
    """Joins once, and not when it comes back."""

    has_joined = False

    def tell(self, kind, payload):
        if kind != "CLIENT_JOIN" or not self.has_joined:
            super().tell(kind, payload)
        self.has_joined |= kind == "CLIENT_JOIN"


serve(Shy, "shy", [])
