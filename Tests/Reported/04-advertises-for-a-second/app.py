import sys
sys.path.append("..")

from board import Room, serve


class Short(Room):
    def advertise(self):
        super().advertise()
        self.after(1, lambda: self.do("stopAdvertising"))


serve(Short)
