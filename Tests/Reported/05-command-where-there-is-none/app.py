import sys
sys.path.append("..")

from board import Guest, serve


class Commands(Guest):
    def write(self, characteristic, octets):
        self.do("writeWithoutResponse", link=self.link.number, characteristic=characteristic, octets=octets.hex())

    def on_submitted(self, given):
        self.on_writeCompleted({"error": None if given["accepted"] else 1})


serve(Commands)
