import sys
sys.path.append("..")

from board import Guest, serve


class Hasty(Guest):
    """Waits for 300 ms after it was told, as a workaround for another phone, and then has no time left."""

    def on_discovered(self, given):
        if not self.attempt and not self.link:
            self.do("stopScanning")
            self.attempt = given["address"]
            self.after(0.3, lambda: self.connect(given["address"]))

    def connect(self, address):
        super().connect(address)
        self.after(0.1, self.give_up)

    def give_up(self):
        if self.attempt:
            self.do("cancelConnect", address=self.attempt)
            self.on_connectFailed({})


serve(Hasty)
