import sys
sys.path.append("../../../Examples/iut-python")

from bab.app import Ignored
from bab.game import Game
from bab.loop import serve


class Nominal(Game):
    """Takes two players of one name for one."""

    def join(self, link, profile):
        if any(player.name == profile["displayName"] for player in self.players):
            raise Ignored()
        super().join(link, profile)


serve(Nominal, "nominal", [])
