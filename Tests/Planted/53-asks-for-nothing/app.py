import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Waiting(Playing):
    """Waits for the ATT_MTU before it discovers anything, and has never asked for one."""

    def do(self, name, **members):
        if name != "exchangeMTU":
            super().do(name, **members)


serve(Waiting, "waits", [])
