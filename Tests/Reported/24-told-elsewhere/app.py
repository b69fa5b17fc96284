import sys
sys.path.append("..")

from board import NEWS, TOLD, Guest, Room, serve


class Elsewhere(Room):
    def tell_all(self, characteristic, text):
        for link in self.links.values():
            self.tell(link, NEWS, text.encode())


class Listener(Guest):
    def on_servicesDiscovered(self, given):
        self.wanted = [TOLD]
        self.subscribe()


serve({"room": Elsewhere, "guest": Listener}[sys.argv[1]])
