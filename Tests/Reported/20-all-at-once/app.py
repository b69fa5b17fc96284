import sys
sys.path.append("..")

from board import SERVICE, Guest, serve


class Eager(Guest):
    def on_connected(self, given):
        super().on_connected(given)
        self.link.is_known = True
        self.do("discover", link=given["link"], service=SERVICE)


serve(Eager)
