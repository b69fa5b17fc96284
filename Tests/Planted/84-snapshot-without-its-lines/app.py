import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Forgetful(Playing):
    """Takes everything of a snapshot but its lines."""

    def take_FULL_STATE_SNAPSHOT(self, payload):
        super().take_FULL_STATE_SNAPSHOT({"state": {**payload["state"], "committedHistory": []}})


serve(Forgetful, "forgetful", [])
