"""Time limit for a call, in any thread and on any system."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from typing import TypeVar

from structce.errors import TimeLimitError

_INTERVAL = 1.0  # seconds after which a thread that is still running is interrupted again
_STEPS = 1_000  # bytecode steps, within which a sent interruption arrives

T = TypeVar("T")


class _TimeIsUpError(BaseException):
    """Raised in a thread from outside; not an ``Exception``, so that no handler swallows it."""


def call_within(seconds: float, name: str, work: Callable[[], T]) -> T:
    """Return the result of a call, or interrupt it when its time is up.

    It is interrupted between two bytecode steps, but never inside a call into compiled code, so
    the input of such calls must be bounded. An infinite time is no limit; the name is that of the
    page in the error message.

    Raises
    ------
    TimeLimitError
        If the call takes longer.
    """
    if math.isinf(seconds):
        return work()
    # Not a context manager: an interruption could arrive before its exit stops the watch.
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
    raise TimeLimitError(f"{name}: took longer than the limit of {seconds:g} seconds")


class _Watch:
    """Thread that interrupts the one that created it, unless it is stopped in time."""

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
        """Send no more interruptions; may be called repeatedly.

        An interruption that was already sent arrives here at the latest. It must not be withdrawn:
        Python 3.11 would then check for it at every step, and forever under a profiler.
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
