import sys
import board
import by_handle


class Room(by_handle.Room):
    pass


class Guest(by_handle.Guest):
    pass


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
