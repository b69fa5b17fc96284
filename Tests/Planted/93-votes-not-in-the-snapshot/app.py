import sys
sys.path.append("../../../Examples/iut-python")

from bab import game, snapshots
from bab.loop import serve


def without_votes(host, player):
    """The whole state, but for the votes that were cast."""
    return dict(snapshots.snapshot(host, player), voteResults={})


game.snapshot = without_votes
serve(game.Game, "without votes", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
