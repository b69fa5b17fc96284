import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve
from bab.points import Stats

complete = Stats.complete


def never_ends(points, dialect, accuracy, *rest):
    """A completed line that ends no streak."""
    streak = points.streak + 1
    complete(points, dialect, accuracy, *rest)
    points.streak = streak


Stats.complete = never_ends

serve(Game, "streak", [])
