import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Reserved(Game):
    """Tells the lobby to those who were there before."""

    def post(self, link, packet, *octets):
        if packet.kind != "LOBBY_UPDATE" or link is not self.seated[-1].link:
            super().post(link, packet, *octets)


serve(Reserved, "reserved", [])
