import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Forgetful(Game):
    """Sends snapshots without what was read so far."""

    def post_reduced(self, player, packet):
        packet.payload["state"] = dict(packet.payload["state"], committedHistory=[])
        return super().post_reduced(player, packet)


serve(Forgetful, "no history", [])
