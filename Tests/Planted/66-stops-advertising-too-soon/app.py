import sys
sys.path.append("../../../Examples/iut-python")

import bab.hosting
from bab.game import Game
from bab.loop import serve

bab.hosting.MEMORY = 1_000_000_000
serve(Game, "one second", [])
