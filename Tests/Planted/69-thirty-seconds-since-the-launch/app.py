import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Early(Playing):
    """Takes the instant of a timer for the time until then."""

    def set_timer(self, key, at, action):
        super().set_timer(key, at - self.now if key == "window" else at, action)


serve(Early, "early", [])
