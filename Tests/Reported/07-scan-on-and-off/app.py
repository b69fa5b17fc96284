import sys
sys.path.append("..")

from board import Guest, serve


class Toggle(Guest):
    def look(self):
        super().look()
        self.after(1, self.again)

    def again(self):
        if not self.attempt and not self.link:
            self.do("stopScanning")
            self.look()


serve(Toggle)
