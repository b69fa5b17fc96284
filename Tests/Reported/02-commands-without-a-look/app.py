import sys
sys.path.append("..")

from board import SAID, Guest, serve


class Fast(Guest):
    def proceed(self):
        while self.link and SAID in self.link.wants and self.unsaid:
            characteristic, octets = self.unsaid.pop(0)
            self.do("writeWithoutResponse", link=self.link.number, characteristic=characteristic, octets=octets.hex())


serve(Fast)
