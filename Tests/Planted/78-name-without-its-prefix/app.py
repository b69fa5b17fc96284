import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Bare(Game):
    """Advertises what its person is called, and nothing else."""

    def do(self, name, **members):
        if name == "advertise":
            members["localName"] = self.name
        super().do(name, **members)


serve(Bare, "bare", [])
