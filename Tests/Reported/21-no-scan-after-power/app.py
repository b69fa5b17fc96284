import sys
sys.path.append("..")

from board import Guest, serve


class Still(Guest):
    def on_radioPower(self, given):
        self.attempt = self.link = None


serve(Still)
