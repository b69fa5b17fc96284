import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Trusting(Playing):
    """Believes that what it has asked for is so."""

    def on_subscribed(self, given):
        super().on_subscribed(dict(given, on=True))


serve(Trusting, "trusting", [])
