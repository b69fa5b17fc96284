import sys
sys.path.append("..")

from board import Room, serve


class Late(Room):
    waits = False

    def proceed(self, link):
        if not self.waits:
            for characteristic, octets in link.waiting[:]:
                self.do("notify", link=link.number, characteristic=characteristic, octets=octets.hex())

    def tell(self, link, characteristic, octets):
        link.waiting.append((characteristic, octets))
        if not self.waits:
            self.do("notify", link=link.number, characteristic=characteristic, octets=octets.hex())

    def on_submitted(self, given):
        link = self.links[given["link"]]
        if given["accepted"]:
            link.waiting.pop(0)
        elif not self.waits:
            self.waits = True
            self.after(0.5, self.wait)

    def wait(self):
        self.is_listening = True

    def on_readyToSend(self, given):
        if getattr(self, "is_listening", False):
            self.waits = self.is_listening = False
            super().on_readyToSend(given)


serve(Late)
