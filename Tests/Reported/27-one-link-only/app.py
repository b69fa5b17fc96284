import sys
sys.path.append("..")

from board import Guest, serve


class Greedy(Guest):
    """Wants everybody that it finds, one after the other, and keeps all."""

    def on_discovered(self, given):
        if self.attempt or self.link and given["address"] == self.link.address:
            return
        self.do("stopScanning")
        self.connect(given["address"])

    def ready(self):
        super().ready()
        self.look()


serve(Greedy)
