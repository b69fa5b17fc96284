import sys
sys.path.append("../../../Examples/iut-python")

from bab.game import Game
from bab.loop import serve


class Patient(Game):
    """Waits for the line of a player who has left."""

    def seat_lost(self, player, index):
        pass


serve(Patient, "patient", [])
