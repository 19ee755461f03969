"""Time limit of a call, in whatever thread and on whatever system it runs."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from typing import TypeVar

from structce.errors import TimeLimitError

_INTERVAL = 1.0  # seconds after which a thread that goes on is interrupted once more
_STEPS = 1_000  # of Python, in one of which an interruption that was sent comes

T = TypeVar("T")


class _TimeIsUpError(BaseException):
    """Raised in a thread from outside; no ``except Exception`` on the way takes it for its own."""


def call_within(seconds: float, name: str, work: Callable[[], T]) -> T:
    """Return what a call returns, and interrupt it when its time is up.

    It is interrupted between two steps of Python; a single call into compiled code is not, so that
    whatever such calls are given must be bounded.

    Parameters
    ----------
    seconds
        Infinite for no limit.
    name
        What the error calls the page.

    Raises
    ------
    TimeLimitError
        If the call takes longer.
    """
    if math.isinf(seconds):
        return work()
    # No context manager: an interruption could come on the way to its exit, and nobody stopped it.
    watch = _Watch(seconds)
    try:
        try:
            watch.start()
            return work()
        finally:
            watch.stop()
    except _TimeIsUpError:
        is_stopped = False
        while not is_stopped:
            try:
                watch.stop()
                is_stopped = True
            except _TimeIsUpError:
                continue
    raise TimeLimitError(f"{name}: took more than {seconds:g} seconds, the limit")


class _Watch:
    """Thread that interrupts the one that made it, unless it is stopped in time."""

    def __init__(self, seconds: float) -> None:
        self._thread_id = threading.get_ident()
        self._seconds = seconds
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._has_sent = False

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._wait, name="time-limit", daemon=True).start()

    def stop(self) -> None:
        """Interrupt no more; may be called again.

        An interruption that was sent before comes here at the latest. It must not be taken back:
        Python 3.11 would then look for it at every step, and for ever under a profiler.
        """
        with self._lock:
            self._ended.set()
            is_waited_for = self._has_sent
        for _ in range(_STEPS if is_waited_for else 0):
            pass

    def _wait(self) -> None:
        seconds = self._seconds
        while not self._ended.wait(seconds):
            with self._lock:
                if not self._ended.is_set():
                    self._has_sent = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread_id), ctypes.py_object(_TimeIsUpError)
                    )
            seconds = _INTERVAL
