"""Time limit of a block of code, in whatever thread and on whatever system it runs."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from structce.errors import RenderError

_INTERVAL = 1.0  # seconds after which a thread that goes on is interrupted once more


class _TimeIsUpError(BaseException):
    """Raised in a thread from outside; no ``except Exception`` on the way takes it for its own."""


@contextmanager
def time_limit(seconds: float, name: str) -> Iterator[None]:
    """Interrupt the block when its time is up.

    The block is interrupted between two steps of Python; a single call into compiled code is not,
    so that whatever such calls are given must be bounded.

    Parameters
    ----------
    seconds
        Infinite for no limit.
    name
        What the error calls the page.

    Raises
    ------
    RenderError
        If the block takes longer.
    """
    if math.isinf(seconds):
        yield
        return
    watch = _Watch(seconds)
    try:
        try:
            yield
        finally:
            watch.stop()
    except _TimeIsUpError:
        watch.stop()  # it may have come while the watch was being stopped
        raise RenderError(f"{name}: took more than {seconds:g} seconds, the limit") from None


class _Watch:
    """Thread that interrupts the one that made it, unless it is stopped in time."""

    def __init__(self, seconds: float) -> None:
        self._thread_id = threading.get_ident()
        self._seconds = seconds
        self._lock = threading.Lock()
        self._ended = threading.Event()
        threading.Thread(target=self._wait, name="time-limit", daemon=True).start()

    def stop(self) -> None:
        """Interrupt no more; may be called again."""
        with self._lock:
            self._ended.set()
            _interrupt(self._thread_id, None)  # one that was sent and has not come yet

    def _wait(self) -> None:
        seconds = self._seconds
        while not self._ended.wait(seconds):
            with self._lock:
                if not self._ended.is_set():
                    _interrupt(self._thread_id, _TimeIsUpError)
            seconds = _INTERVAL


def _interrupt(thread_id: int, error: type[BaseException] | None) -> None:
    reference = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), reference)
