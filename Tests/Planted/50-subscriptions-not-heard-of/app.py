import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Deaf(Game):
    """Compares the UUID of a subscription in lower case."""

    def on_subscribed(self, given):
        super().on_subscribed(dict(given, characteristic=given["characteristic"].lower()))


serve(Deaf, "lower case", [])
