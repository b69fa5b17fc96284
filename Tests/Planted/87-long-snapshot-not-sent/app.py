import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve
from bab.packets import encode


class Silent(Game):
    """Drops a snapshot that does not fit."""

    def post_reduced(self, player, packet):
        octets = encode(packet)
        if self.fits(player.link, octets):
            self.post(player.link, packet, octets)
        return False


serve(Silent, "silent", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
