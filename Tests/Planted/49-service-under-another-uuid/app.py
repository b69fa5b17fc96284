import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Elsewhere(Game):
    """Advertises the service of Bab, and publishes its characteristics under another one."""

    def do(self, name, **members):
        if name == "publish":
            members["service"] = "BAB9"
        super().do(name, **members)


serve(Elsewhere, "another service", [])
