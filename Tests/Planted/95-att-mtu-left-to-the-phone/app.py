import sys
sys.path.append("../../../Examples/iut-python")

from bab.loop import serve
from bab.playing import Playing


class Trusting(Playing):
    """Leaves the exchange of the ATT_MTU to the phone."""

    def do(self, name, **members):
        if name == "exchangeMTU":
            self.link.is_discovered = True
            super().do("discover", link=self.link.number, service=self.dialect.service)
        else:
            super().do(name, **members)


serve(Trusting, "trusting", ["roles", "turns", "votes", "scoring", "summary", "reconnect"])
