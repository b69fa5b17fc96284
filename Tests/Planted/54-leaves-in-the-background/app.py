import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Leaving(Playing):
    """Ends its link when it goes to the background, and does not look for the host again."""

    def on_background(self, given):
        if given["suspended"] and self.link:
            self.is_joining = False
            self.end_link(self.link)


serve(Leaving, "leaves", [])
