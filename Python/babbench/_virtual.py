"""Clocks, random numbers and what blocks: virtual while a room's event loop runs, real at any other time.

Functions of the standard library are replaced once by functions that ask which it is. Modules that have taken a
function by `from time import monotonic` before get the same replacement when a room is made.
"""

from __future__ import annotations

import os
import random
import socket
import sys
import threading
import time
from asyncio import _get_running_loop
from typing import Any, Callable, Dict, List, Set, Tuple

from .errors import NotVirtual

#: The time of the day at which every room begins: 2026-01-01 00:00:00 UTC.
EPOCH = 1_767_225_600

_replaced: Dict[int, Tuple[Any, Any]] = {}
_scanned: Set[str] = set()
_loop_type: Any = None
_is_installed = False
_SKIPPED = ("babbench", "asyncio", "threading", "time", "random", "os", "posix", "socket", "subprocess", "_pytest",
            "pytest", "pluggy", "xdist", "execnet", "selectors", "concurrent", "queue", "multiprocessing", "sched",
            "tempfile", "importlib", "uuid")


def _room_loop() -> Any:
    """The loop of a room, if one runs in this thread."""
    loop = _get_running_loop()
    return loop if type(loop) is _loop_type else None


def _clock(real: Callable[[], Any], virtual: Callable[[Any], Any]) -> Callable[[], Any]:
    def clock() -> Any:
        loop = _get_running_loop()
        return virtual(loop) if type(loop) is _loop_type else real()

    clock.__name__ = clock.__qualname__ = getattr(real, "__name__", "clock")
    clock.__doc__ = real.__doc__
    return clock


def _drawn(real: Callable[..., Any], name: str) -> Callable[..., Any]:
    def draw(*arguments: Any, **options: Any) -> Any:
        loop: Any = _get_running_loop()
        if type(loop) is _loop_type:
            return getattr(loop.random(), name)(*arguments, **options)
        return real(*arguments, **options)

    draw.__name__ = draw.__qualname__ = name
    draw.__doc__ = real.__doc__
    return draw


def _refused(real: Callable[..., Any], what: str, instead: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **options: Any) -> Any:
        loop = _room_loop()
        if loop is None or loop.is_on_the_bench:
            return real(*arguments, **options)
        raise loop.failure_of(NotVirtual, f"{what}; {instead}")

    refuse.__name__ = refuse.__qualname__ = getattr(real, "__name__", what)
    refuse.__doc__ = real.__doc__
    return refuse


def _without_bus(real: Callable[..., Any], refuse: Callable[..., Any]) -> Callable[..., Any]:
    """A room has no D-Bus, as some machines; packages are prepared for that."""
    def connect(self: Any, address: Any, *more: Any) -> Any:
        if _room_loop() is not None and "dbus" in str(address):
            raise FileNotFoundError(2, "No such file or directory", address)
        return refuse(self, address, *more)

    connect.__name__ = connect.__qualname__ = getattr(real, "__name__", "connect")
    return connect


def install(loop_type: Any) -> None:
    """Once in a process."""
    global _is_installed, _loop_type
    if _is_installed:
        return
    _is_installed = True
    _loop_type = loop_type

    def replace(owner: Any, name: str, new: Any) -> None:
        old = getattr(owner, name)
        _replaced[id(old)] = (old, new)
        setattr(owner, name, new)

    for name in ("monotonic", "perf_counter"):
        replace(time, name, _clock(getattr(time, name), lambda loop: loop.nanoseconds / 1e9))
    for name in ("monotonic_ns", "perf_counter_ns"):
        replace(time, name, _clock(getattr(time, name), lambda loop: loop.nanoseconds))
    replace(time, "time", _clock(time.time, lambda loop: loop.of_day() / 1e9))
    replace(time, "time_ns", _clock(time.time_ns, lambda loop: loop.of_day()))
    replace(time, "sleep", _refused(time.sleep, "time.sleep blocks", "write “await asyncio.sleep(…)”"))
    for name in ("random", "uniform", "triangular", "randint", "choice", "randrange", "sample", "shuffle", "choices",
                 "normalvariate", "lognormvariate", "expovariate", "vonmisesvariate", "gammavariate", "gauss",
                 "betavariate", "paretovariate", "weibullvariate", "getrandbits", "randbytes"):
        if hasattr(random, name):
            replace(random, name, _drawn(getattr(random, name), name))
    real_urandom = os.urandom

    def urandom(size: int) -> bytes:
        loop = _room_loop()
        return loop.random().getrandbits(8 * size).to_bytes(size, "big") if loop and size else real_urandom(size)

    urandom.__doc__ = os.urandom.__doc__
    replace(os, "urandom", urandom)
    # Taken by name when random was imported, and what SystemRandom, secrets and uuid draw from.
    setattr(random, "_urandom", urandom)
    setattr(threading.Thread, "start", _refused(
        threading.Thread.start, "a thread starts", "a room has one thread; write “asyncio.create_task(…)”"))
    for name in ("connect", "connect_ex", "bind"):
        setattr(socket.socket, name, _without_bus(getattr(socket.socket, name), _refused(
            getattr(socket.socket, name), f"a socket of the system ({name})",
            "a room has no network of the system; give the app what it would fetch")))


def scan() -> None:
    """Gives modules that were imported since the last time the replacements for what they took by name."""
    names = [name for name in list(sys.modules) if name not in _scanned]
    for name in names:
        _scanned.add(name)
        if name.split(".")[0] in _SKIPPED:
            continue
        module = sys.modules.get(name)
        try:
            items: List[Tuple[str, Any]] = list(vars(module).items())
        except TypeError:
            continue
        for key, value in items:
            pair = _replaced.get(id(value))
            if pair is not None and pair[0] is value:
                try:
                    setattr(module, key, pair[1])
                except (AttributeError, TypeError):
                    pass
