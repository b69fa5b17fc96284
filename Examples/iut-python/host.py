"""The host under test. All there is to it is in bab/; this file is not compiled ahead, so it stays short."""
from bab.game import Game
from bab.loop import serve

serve(Game, "iut-python 1", [
    "roles", "turns", "generate", "votes", "scoring", "summary", "achievements", "reconnect", "screen",
    "refusals", "solo"])
