import sys
sys.path.append("..")

from board import Room, serve


class Named(Room):
    local_name = "board-11111111-2222-3333-4444-123456789012"


serve(Named)
