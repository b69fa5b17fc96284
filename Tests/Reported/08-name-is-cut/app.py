import sys
sys.path.append("..")

from board import Guest, Room, serve

NAME = "board-11111111-2222-3333-4444-123456789012"


class Named(Room):
    local_name = NAME


class Exact(Guest):
    def on_discovered(self, given):
        if given["localName"] == NAME:
            super().on_discovered(given)


serve({"room": Named, "guest": Exact}[sys.argv[1]])
