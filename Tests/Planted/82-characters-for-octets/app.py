import sys
sys.path.append("../../../Examples/iut-python")

from bab import framing
from bab.game import Game
from bab.loop import serve

cut = framing.cut
framing.cut = lambda number, octets, att_mtu: cut(number, octets[:len(octets.decode())], att_mtu)

serve(Game, "characters", [])
