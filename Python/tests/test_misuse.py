"""What has no place in a room is named, and nothing hangs."""

import asyncio
import socket
import threading
import time

import pytest

import babbench
from babbench import Room


def end_of(app, within=5, **options):
    """What a room with this app ends by."""
    with pytest.raises(babbench.RoomError) as caught:
        with Room(patience=0.5, **options) as room:
            room.phone("bad", app=app)
            room.run_for(within)
    return caught.value


def test_an_exception_of_an_app_ends_the_room():
    async def app():
        await asyncio.sleep(1)
        raise ValueError("no such lamp")

    error = end_of(app)
    assert isinstance(error, babbench.AppFailed) and isinstance(error.__cause__, ValueError)
    assert str(error) == "at 1.000000000 s: bad: ValueError: no such lamp"


def test_an_exception_in_a_callback_ends_the_room():
    async def app():
        asyncio.get_running_loop().call_later(2, lambda: 1 // 0)

    error = end_of(app)
    assert isinstance(error, babbench.AppFailed) and "at 2.000000000 s: bad: ZeroDivisionError" in str(error)


def test_an_exception_in_a_constructor_ends_the_room():
    class App:
        def __init__(self):
            raise KeyError("x")

    assert isinstance(end_of(App), babbench.AppFailed)


def test_an_exception_in_an_input_ends_the_room():
    class App:
        def input(self, word):
            raise LookupError(word["name"])

    assert "LookupError: launched" in str(end_of(App))


def test_blocking_calls_are_named():
    async def app():
        time.sleep(1)

    error = end_of(app)
    assert isinstance(error, babbench.NotVirtual)
    assert "bad: time.sleep blocks; write “await asyncio.sleep(…)”" in str(error)


def test_time_that_was_taken_by_name_is_virtual_too():
    import sys
    import types

    module = types.ModuleType("takes_by_name")
    sys.modules["takes_by_name"] = module
    exec("from time import sleep, monotonic\nasync def app():\n  assert monotonic() == 0\n  sleep(1)\n", vars(module))
    assert isinstance(end_of(module.app), babbench.NotVirtual)


def test_threads_are_named():
    async def app():
        threading.Thread(target=print).start()

    error = end_of(app)
    assert isinstance(error, babbench.NotVirtual) and "a thread starts" in str(error)


def test_executors_run_at_once_in_the_same_thread():
    came = []

    async def app():
        came.append(await asyncio.get_running_loop().run_in_executor(None, threading.get_ident))

    with Room() as room:
        room.phone("a", app=app)
        room.run_for(1)
    assert came == [threading.get_ident()]


@pytest.mark.parametrize("kind", ["asyncio", "socket"])
def test_sockets_are_named(kind):
    async def app():
        if kind == "asyncio":
            await asyncio.open_connection("localhost", 80)
        else:
            socket.socket().connect(("localhost", 80))

    error = end_of(app)
    assert isinstance(error, babbench.NotVirtual) and "a socket of the system" in str(error)


def test_processes_are_named():
    async def app():
        await asyncio.create_subprocess_exec("true")

    assert isinstance(end_of(app), babbench.NotVirtual)


def test_an_app_that_never_yields_is_stopped():
    async def app():
        while True:
            pass

    error = end_of(app)
    assert isinstance(error, babbench.NeverYields)
    assert "without giving the event loop a turn; it was at" in str(error) and "test_misuse.py:" in str(error)


def test_an_app_that_catches_everything_and_never_yields_is_stopped():
    async def app():
        while True:
            try:
                sum(range(1000))
            except Exception:
                pass

    assert isinstance(end_of(app), babbench.NeverYields)


def test_an_app_that_waits_for_a_thread_is_stopped():
    import queue

    async def app():
        queue.Queue().get()

    error = end_of(app)
    assert isinstance(error, babbench.NeverYields) and "without giving the event loop a turn" in str(error)


def test_an_app_that_never_rests_is_stopped():
    async def app():
        while True:
            await asyncio.sleep(0)

    assert isinstance(end_of(app), babbench.NeverRests)


def test_a_room_that_waits_for_nothing_comes_to_its_limit():
    with pytest.raises(babbench.TimeLimit, match="10 s"):
        with Room(time_limit=10) as room:
            phone = room.phone("a")

            async def main():
                await asyncio.get_running_loop().create_future()

            phone.run(main())


def test_a_condition_that_raises_says_so():
    with Room() as room:
        room.phone("a")
        with pytest.raises(ZeroDivisionError):
            room.until(lambda: 1 // 0)


@pytest.mark.parametrize("make, message", [
    (lambda room: room.phone("A lamp"), "is no device name"),
    (lambda room: room.phone("a", "nokia"), "nokia"),
    (lambda room: room.phone("a", at=("x", 0)), "at"),
    (lambda room: room.phone("a", colour="red"), "colour"),
    (lambda room: room.player("a", engine="unheard-of"), "unheard-of"),
    (lambda room: None, "nobody is in the room"),
])
def test_what_is_wrong_with_a_room_is_said(make, message):
    room = Room()
    make(room)
    with pytest.raises(babbench.Refused, match=message):
        room.run_for(1)
    room.close()


@pytest.mark.parametrize("use, message", [
    (lambda room, phone: room.until(5), "5 is no condition"),
    (lambda room, phone: room.run_for("x"), "'x' is no time"),
    (lambda room, phone: room.run_for(-1), "-1 is no time"),
    (lambda room, phone: room.run_for(float("nan")), "nan is no time"),
    (lambda room, phone: room.run(5), "5 is no coroutine"),
    (lambda room, phone: phone.run(5), "5 does not run"),
    (lambda room, phone: room.at("x", print), "'x' is no time"),
    (lambda room, phone: room.at(1, "x"), "'x' is no function"),
    (lambda room, phone: room.phone(5), "5 is no name"),
    (lambda room, phone: room.expect(5), "5 is no expectation"),
    (lambda room, phone: phone.move_to("x"), "the place must be a point"),
    (lambda room, phone: phone.fail("connect", "zz"), "“zz” is no error code"),
])
def test_wrong_types_are_named(use, message):
    room = Room(patience=1)
    phone = room.phone("a")
    with pytest.raises(babbench.Refused, match=message):
        use(room, phone)
    room.close()


@pytest.mark.parametrize("seed", [-1, "one", 1.5, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(babbench.Refused, match="is no seed"):
        Room(seed=seed)


def test_words_that_are_none_are_refused_and_the_room_goes_on():
    with Room() as room:
        phone = room.phone("a")
        with pytest.raises(babbench.Refused, match="vanish"):
            phone.act("vanis")
        with pytest.raises(babbench.Refused):
            room.holds("everybody is happy")
        room.run_for(1)


def test_an_effect_that_is_none_is_refused():
    with pytest.raises(babbench.Refused, match="gatt.raed.*no effect"):
        with Room() as room:
            phone = room.phone("a")
            room.run_for(1)
            phone.ask("gatt.raed", link=0)
            room.run_for(1)


def test_a_room_that_is_over_does_nothing():
    with Room() as room:
        phone = room.phone("a")
        room.run_for(1)
    with pytest.raises(babbench.RoomError):
        room.run_for(1)
    with pytest.raises(babbench.Refused, match="over"):
        phone.vanish()


def test_a_bench_that_dies_is_named():
    room = Room()
    room.phone("a")
    room.run_for(1)
    room._pipe._process.kill()
    with pytest.raises(babbench.BenchFailed, match="exit code -9"):
        room.run_for(1)
    room.close()


def test_a_room_inside_of_another_loop_is_refused():
    async def main():
        room = Room()
        room.phone("a")
        with pytest.raises(babbench.RoomError, match="another event loop"):
            room.run_for(1)
        room.close()

    asyncio.run(main())
