"""The host of Examples/iut-python with a planted bug: it puts a fragment in its place among the parts before anybody
has looked at whether there is such a place."""
import sys

sys.path.insert(0, "../../iut-python")

from bab import framing
from bab.game import Game
from bab.loop import serve

careful = framing.Reassembler.take


def take(self, value, now):
    if len(value) >= framing.HEADER:
        index, count = value[2], value[3]
        parts = [None] * count
        parts[index] = value[framing.HEADER:]
    return careful(self, value, now)


framing.Reassembler.take = take
serve(Game, "careless 1", ["roles", "turns"])
