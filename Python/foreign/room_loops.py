"""A plugin of pytest for suites of others: pytest-asyncio runs their tests on event loops of rooms, in virtual time.

    pytest -p room_loops …

Each loop is that of a room of its own with one computer without an app, and bleak has its radio. `room_of(loop)` is the
room; `conftest_bleak.py` puts a peripheral into it. pytest-asyncio 1.4 and later asks for loops in this way.
"""

import contextlib

import babbench
import pytest

_doors = contextlib.ExitStack()


def new_loop():
    room = babbench.Room(radio="ideal", patience=60)
    room.phone("computer", "linux", at=(1, 0))
    for prepare in preparations:
        prepare(room)
    # Its process starts now, and not inside of a test that looks for blocking calls.
    room._begin()
    return room.loop


#: Called with each new room before it begins.
preparations = []


def pytest_configure(config):
    _doors.enter_context(babbench.bleak.installed())


def pytest_unconfigure(config):
    _doors.close()


@pytest.hookimpl(optionalhook=True)
def pytest_asyncio_loop_factories(config, item):
    return {"room": new_loop}
