import sys
sys.path.append("..")

from board import NEWS, TOLD, Guest, serve


class Early(Guest):
    def on_connected(self, given):
        super().on_connected(given)
        self.do("subscribe", link=given["link"], characteristic=TOLD, on=True)

    def on_servicesDiscovered(self, given):
        self.wanted = [NEWS]
        self.subscribe()

    def on_subscribed(self, given):
        if given["characteristic"] != TOLD:
            self.subscribe()


serve(Early)
