"""The client under test. All there is to it is in bab/; this file is not compiled ahead, so it stays short."""
from bab.loop import serve
from bab.playing import Playing

serve(Playing, "iut-python 1", [
    "roles", "turns", "generate", "votes", "scoring", "summary", "achievements", "reconnect", "screen",
    "refusals", "solo"])
