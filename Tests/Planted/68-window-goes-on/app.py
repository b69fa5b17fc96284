import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Hasty(Playing):
    """Ends the session when its window is over, though it is back."""

    def seated(self):
        action = self.timers.pop("window", None)
        super().seated()
        if action:
            self.timers["window"] = action


serve(Hasty, "hasty", [])
