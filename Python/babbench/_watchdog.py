"""One thread for the process that looks whether apps give the event loop its turn, by the wall clock."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from typing import Any, Optional

_real_monotonic = time.monotonic
_real_sleep = time.sleep


class Interrupted(BaseException):
    """Raised in the middle of code that never yields; not an Exception, so that few catch it."""


class Watchdog:
    _shared: Optional["Watchdog"] = None

    def __init__(self) -> None:
        self._process = os.getpid()
        self._loop: Any = None
        self._thread_id = 0
        self._turn = -1
        self._since = 0.0
        self._wake = threading.Event()
        threading.Thread(target=self._watch, name="babbench-watchdog", daemon=True).start()

    @classmethod
    def watch(cls, loop: Any) -> None:
        # Jobs in the background of a shell ignore SIGINT, by which an app that waits in the system is ended.
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        # A process that was forked has no thread of its parent's.
        if cls._shared is None or cls._shared._process != os.getpid():
            cls._shared = cls()
        dog = cls._shared
        dog._thread_id = threading.get_ident()
        dog._turn = -1
        dog._loop = loop
        dog._wake.set()

    @classmethod
    def rest(cls) -> None:
        if cls._shared is not None:
            cls._shared._loop = None
            cls._shared._wake.clear()

    def _watch(self) -> None:
        while True:
            self._wake.wait()
            loop = self._loop
            if loop is None:
                _real_sleep(0.05)
                continue
            turn = loop.turn
            now = _real_monotonic()
            if turn != self._turn or loop.is_on_the_bench:
                self._turn, self._since = turn, now
            elif now - self._since > loop.patience:
                self._since = now
                if self._loop is loop and not loop.is_on_the_bench:
                    self._interrupt(loop)
            _real_sleep(min(0.1, loop.patience / 4))

    def _interrupt(self, loop: Any) -> None:
        thread = ctypes.c_ulong(self._thread_id)
        if not loop.was_interrupted:
            loop.was_interrupted = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(Interrupted))
        elif self._thread_id == threading.main_thread().ident:
            # It waits in the system, for a lock or a queue: only a signal ends that.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)
            signal.pthread_kill(self._thread_id, signal.SIGINT)
