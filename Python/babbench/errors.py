"""What can go wrong in a room, by name."""

from __future__ import annotations


class RoomError(Exception):
    """Anything that ends a room, or keeps it from doing what was asked."""


class Refused(RoomError):
    """A name, a word or a value that is not for this room; the text says what there is instead."""


class TimeIsOver(RoomError, AssertionError):
    """A condition did not hold in time."""


class AppFailed(RoomError):
    """An app of the room raised an exception that it did not catch; the exception is the cause."""


class NeverYields(RoomError):
    """An app kept the processor: its code ran and ran, and gave the event loop no turn."""


class NeverRests(RoomError):
    """Something asks for another turn at the same instant without end, so that virtual time never passes."""


class NotVirtual(RoomError):
    """An app did what has no place in virtual time: it blocked, started a thread, or opened a socket."""


class TimeLimit(RoomError):
    """The room came to its limit of simulated time: something waits for what never comes."""


class BenchFailed(RoomError):
    """The program babbench ended, or said what is not in its protocol."""
