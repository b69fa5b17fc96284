import sys
sys.path.append("..")

from board import Guest, serve


class Once(Guest):
    def on_connectFailed(self, given):
        self.attempt = None


serve(Once)
