import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Waiting(Playing):
    """Waits for the answer of a write that has none."""

    wants_response = property(lambda self: False, lambda self, wants: None)

    def on_submitted(self, given):
        pass


serve(Waiting, "waiting", [])
