import sys
sys.path.append("..")

from board import SERVICE, Guest, Link, serve


class Small(Guest):
    def on_connected(self, given):
        self.attempt, self.link = None, Link(given["link"], given["address"])
        self.link.is_known = True
        self.do("discover", link=given["link"], service=SERVICE)

    def write(self, characteristic, octets):
        self.do("writeWithoutResponse", link=self.link.number, characteristic=characteristic, octets=octets.hex())

    def on_submitted(self, given):
        self.on_writeCompleted({"error": None if given["accepted"] else 1})


serve(Small)
