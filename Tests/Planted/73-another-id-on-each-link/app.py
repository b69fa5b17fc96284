import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Actor(Playing):
    """Plays somebody else on each link."""

    links_so_far = 0

    def introduce(self, link):
        self.links_so_far += 1
        if self.links_so_far > 1:
            self.id = "guest-%d" % self.links_so_far
        super().introduce(link)


serve(Actor, "actor", [])
