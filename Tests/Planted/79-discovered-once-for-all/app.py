import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Actor(Playing):
    """Remembers in the app, and not of a link, that it has discovered the services."""

    has_discovered = False

    def on_attMTU(self, given):
        link = self.current(given)
        if link and self.has_discovered:
            link.is_discovered = True
        self.has_discovered = True
        super().on_attMTU(given)


serve(Actor, "actor", [])
