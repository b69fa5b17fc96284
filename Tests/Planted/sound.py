import sys
import board


class Room(board.Room):
    pass


class Guest(board.Guest):
    pass


board.serve({"room": Room, "guest": Guest}[sys.argv[1]])
