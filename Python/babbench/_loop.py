"""An asyncio event loop whose clock is the room's."""

from __future__ import annotations

import asyncio
import contextvars
import random
import socket
from asyncio import base_events, events
from typing import Any, Callable, Deque, List, Optional, Type

from . import _virtual
from ._watchdog import Interrupted, Watchdog
from .errors import AppFailed, NeverRests, NeverYields, NotVirtual, RoomError, TimeLimit

#: The launch of an app in whose code we are; None: the code is the test's.
current_launch: "contextvars.ContextVar[Any]" = contextvars.ContextVar("babbench_launch", default=None)

#: Turns of the loop at one instant; more, and it never comes to rest.
TURNS_AT_ONE_INSTANT = 200_000


class _Ready(Deque[events.Handle]):
    """What is to run: not what belongs to apps that are suspended or over."""

    def append(self, handle: events.Handle) -> None:
        launch = _launch_of(handle)
        if launch is not None and launch.is_held:
            launch.hold(handle)
        else:
            super().append(handle)


def _launch_of(handle: events.Handle) -> Any:
    context = getattr(handle, "_context", None)
    return None if context is None else context.get(current_launch)


class _Selector:
    """What the loop asks for events: it lets the room's time pass."""

    def __init__(self, loop: "RoomLoop") -> None:
        self._loop = loop

    def select(self, timeout: Optional[float]) -> List[Any]:
        self._loop.pass_time(timeout)
        return []

    def close(self) -> None:
        pass


class RoomLoop(base_events.BaseEventLoop):
    """The event loop of one room.

    `time()` is the room's. `asyncio.sleep`, timeouts and timers of apps are in virtual time; while nothing is ready,
    the radio goes on to the next timer, or until an app is told something.
    """

    def __init__(self, advance: Callable[[int], None], seed: int, limit: int, patience: float) -> None:
        super().__init__()
        #: Where the room's clock is.
        self.nanoseconds = 0
        #: The furthest that it may go.
        self.limit = limit
        #: How long, by the wall clock, code may run without a turn of the loop, in seconds.
        self.patience = patience
        #: Turns so far, for the watchdog.
        self.turn = 0
        #: The bench computes, and no app.
        self.is_on_the_bench = False
        self.was_interrupted = False
        #: The room whose loop it is.
        self.room: Any = None
        #: What ended the room.
        self.failure: Optional[BaseException] = None
        self._advance = advance
        self._turns_here = 0
        self._own_random = random.Random(f"{seed}/room")
        self._selector = _Selector(self)
        self._clock_resolution = 1e-9
        self._ready = _Ready()
        self.set_debug(False)
        self.set_exception_handler(RoomLoop._handle_exception)

    # Time

    def time(self) -> float:
        return self.nanoseconds / 1e9

    def of_day(self) -> int:
        """Nanoseconds since 1970 on the phone whose app asks."""
        launch = current_launch.get()
        return _virtual.EPOCH * 1_000_000_000 + self.nanoseconds + (launch.clock_offset if launch else 0)

    def random(self) -> random.Random:
        """Random numbers of the app that asks, from the room's seed."""
        launch = current_launch.get()
        return launch.random if launch else self._own_random

    def pass_time(self, timeout: Optional[float]) -> None:
        self.turn += 1
        if timeout == 0:
            self._turns_here += 1
            if self._turns_here > TURNS_AT_ONE_INSTANT:
                self._turns_here = 0
                self.fail(NeverRests(
                    f"at {self.time():.9f} s: {TURNS_AT_ONE_INSTANT} turns of the event loop and no end; something "
                    "asks for another turn without waiting, for example by “await asyncio.sleep(0)” in a loop"))
            # What was asked for goes out with the next line, unless somebody waits for it at this instant.
            return
        self._turns_here = 0
        to = self.limit
        if timeout is not None:
            to = min(to, self.nanoseconds + max(1, round(timeout * 1e9)))
        if self.nanoseconds >= self.limit:
            self.fail(TimeLimit(
                f"the room came to its limit of simulated time, {self.limit / 1e9:g} s: something waits for what never "
                "comes"))
            return
        self.is_on_the_bench = True
        try:
            self._advance(to)
        except RoomError as error:
            self.fail(error)
        finally:
            self.is_on_the_bench = False

    # Driving

    def drive(self, awaitable: Any) -> Any:
        """Runs until the awaitable is done, or something ended the room."""
        if self.failure is not None:
            _close(awaitable)
            raise self.failure
        if events._get_running_loop() is not None:
            _close(awaitable)
            raise RoomError(
                "another event loop runs in this thread; in a coroutine write “await room.sleep(…)” and “await "
                "room.until(…)”, and begin with room.run(main()) or the fixture “room” outside of other loops")
        main = self.create_task(awaitable)
        main.add_done_callback(lambda _: self.stop())
        Watchdog.watch(self)
        try:
            self.run_forever()
        except (Interrupted, KeyboardInterrupt) as stop:
            if not self.was_interrupted:
                raise
            self.fail(self._never_yields(stop))
        finally:
            Watchdog.rest()
        if self.failure is not None:
            discard(main)
            raise self.failure
        return main.result()

    def fail(self, error: BaseException) -> None:
        """Ends what goes on; the first failure counts."""
        if self.failure is None:
            self.failure = error
        self.stop()

    def failure_of(self, kind: Type[RoomError], text: str) -> RoomError:
        """An error in the code of an app, with its name and the instant; it is the room's too."""
        launch = current_launch.get()
        who = f"{launch.phone.name}: " if launch else ""
        error = kind(f"at {self.time():.9f} s: {who}{text}")
        if launch is not None:
            self.fail(error)
        return error

    def _never_yields(self, stop: BaseException) -> RoomError:
        place = ""
        trace = stop.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if "/asyncio/" not in code.co_filename and "/babbench/" not in code.co_filename:
                place = f"{code.co_filename}:{trace.tb_lineno}"
            trace = trace.tb_next
        self.was_interrupted = False
        return NeverYields(
            f"at {self.time():.9f} s: code ran for {self.patience:g} s without giving the event loop a turn"
            + (f"; it was at {place}" if place else ""))

    def app_failed(self, launch: Any, error: BaseException) -> None:
        """An exception that an app did not catch."""
        if isinstance(error, Interrupted) or self.was_interrupted:
            return self.fail(self._never_yields(error))
        if isinstance(error, RoomError):
            return self.fail(error)
        name = launch.phone.name if launch else "the room"
        failure = AppFailed(f"at {self.time():.9f} s: {name}: {type(error).__name__}: {error}")
        failure.__cause__ = error
        self.fail(failure)

    @staticmethod
    def _handle_exception(loop: asyncio.AbstractEventLoop, context: Any) -> None:
        assert isinstance(loop, RoomLoop)
        error = context.get("exception")
        handle = context.get("handle")
        source = context.get("task") or context.get("future")
        launch = _launch_of(handle) if handle is not None else getattr(source, "babbench_launch", None)
        if error is None:
            return
        if launch is None and handle is None and source is not None:
            # A task that nobody looked at; asyncio would log it.
            launch = current_launch.get()
        loop.app_failed(launch, error)

    # What has no place in virtual time

    def _process_events(self, event_list: List[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        raise NotVirtual("a thread calls into the event loop of a room; a room has one thread")

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """The function runs at once, in this thread: it takes no virtual time, and the order is always the same."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            if isinstance(error, RoomError):
                raise
            future.set_exception(error)
        return future

    async def getaddrinfo(self, *args: Any, **kwargs: Any) -> Any:
        raise self._no_network()

    async def create_connection(self, *args: Any, **kwargs: Any) -> Any:
        raise self._no_network()

    async def create_server(self, *args: Any, **kwargs: Any) -> Any:
        raise self._no_network()

    async def create_datagram_endpoint(self, *args: Any, **kwargs: Any) -> Any:
        raise self._no_network()

    async def create_unix_connection(self, *args: Any, **kwargs: Any) -> Any:
        raise self._no_network()

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        if "dbus" in str(address):
            # As on a machine without D-Bus, which packages are prepared for.
            raise FileNotFoundError(2, "No such file or directory", address)
        raise self._no_network()

    def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:  # type: ignore[override]
        raise self._no_network()

    def remove_reader(self, fd: Any) -> bool:
        return False

    def add_writer(self, fd: Any, callback: Any, *args: Any) -> None:  # type: ignore[override]
        raise self._no_network()

    def remove_writer(self, fd: Any) -> bool:
        return False

    async def subprocess_exec(self, *args: Any, **kwargs: Any) -> Any:
        raise self.failure_of(NotVirtual, "a process starts; a room has no processes of the system")

    async def subprocess_shell(self, *args: Any, **kwargs: Any) -> Any:
        raise self.failure_of(NotVirtual, "a process starts; a room has no processes of the system")

    def _no_network(self) -> RoomError:
        return self.failure_of(
            NotVirtual, "a socket of the system; a room has no network of the system: give the app what it would fetch")


def discard(task: "asyncio.Task[Any]") -> None:
    """Lets go of a task whose app is over, as the end of a process does: nothing of it runs any more."""
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    _close(task.get_coro())


def _close(coroutine: Any) -> None:
    close = getattr(coroutine, "close", None)
    if close is None:
        return
    try:
        close()
    except BaseException:
        # What it does at its end is nobody's any more: it may be running, or refuse to end.
        pass


__all__ = ["RoomLoop", "current_launch", "discard"]
