import sys
sys.path.append("../../../Examples/iut-python")

import bab.hosting
from bab.game import Game
from bab.loop import serve

bab.hosting.MEMORY = 45_000_000
serve(Game, "milliseconds", [])
