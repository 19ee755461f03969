"""Time limit for a call, in any thread and on any system.

One thread of the process watches the deadlines of all limited calls, however they are nested, and
interrupts those whose time is up.
"""

from __future__ import annotations

import ctypes
import math
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TypeVar

from structce.errors import TimeLimitError

WATCHER = "time-limit"
"""Name of the watching thread, which holds no lock while it waits."""

_INTERVAL = 1.0  # seconds after which a thread that is still running is interrupted again
_LONGEST_WAIT = 3600.0  # seconds of one wait for a new deadline
_STEPS = 1_000  # bytecode steps, within which a sent interruption arrives

T = TypeVar("T")


class _TimeIsUpError(BaseException):
    """Raised in a thread from outside; not an ``Exception``, so that no handler swallows it."""


def call_within(seconds: float, name: str, work: Callable[[], T]) -> T:
    """Return the result of a call, or interrupt it when its time is up: TimeLimitError.

    It is interrupted between two bytecode steps, but never inside a call into compiled code, so
    the input of such calls must be bounded; nor should it start threads, one of which CPython 3.11
    may interrupt in its place. An infinite time is no limit; the name is that of the page.
    """
    if math.isinf(seconds):
        return work()
    # Not a context manager: an interruption could arrive before its exit cancels the deadline.
    deadline = _Deadline(seconds)
    try:
        try:
            _watched().put(deadline)
            return work()
        finally:
            deadline.cancel()
    except _TimeIsUpError:
        is_cancelled = False
        while not is_cancelled:
            try:
                deadline.cancel()
                is_cancelled = True
            except _TimeIsUpError:
                continue
    raise TimeLimitError(f"{name}: took longer than the limit of {seconds:g} seconds")


class _Deadline:
    """Time at which the thread that created it is interrupted, unless it is cancelled before."""

    def __init__(self, seconds: float) -> None:
        self.at = monotonic() + seconds
        self._thread_id = threading.get_ident()
        self._lock = threading.Lock()
        self._is_over = self._has_sent = False

    def cancel(self) -> None:
        """Send no more interruptions; may be called repeatedly.

        An interruption that was already sent arrives here at the latest. It must not be withdrawn:
        Python 3.11 would then check for it at every step, and forever under a profiler.
        """
        with self._lock:
            self._is_over = True
            is_waited_for = self._has_sent
        for _ in range(_STEPS if is_waited_for else 0):
            pass

    def interrupt(self) -> bool:
        """Interrupt the thread; return False if the deadline was cancelled."""
        with self._lock:
            if not self._is_over:
                self._has_sent = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread_id), ctypes.py_object(_TimeIsUpError)
                )
            return self._has_sent and not self._is_over


def _watch(arrivals: SimpleQueue[_Deadline]) -> None:
    """Interrupt the calls whose deadlines pass, again and again until they end."""
    numbers = count()  # deadlines at the same time are not compared
    waiting: list[tuple[float, int, _Deadline]] = []
    while True:
        with suppress(Empty):
            seconds = waiting[0][0] - monotonic() if waiting else _LONGEST_WAIT
            deadline = arrivals.get(timeout=min(max(seconds, 0), _LONGEST_WAIT))
            heappush(waiting, (deadline.at, next(numbers), deadline))
        while waiting and waiting[0][0] <= monotonic():
            _, number, deadline = heappop(waiting)
            if deadline.interrupt():
                heappush(waiting, (monotonic() + _INTERVAL, number, deadline))


_arrivals: SimpleQueue[_Deadline] | None = None
_starting = threading.Lock()


def _watched() -> SimpleQueue[_Deadline]:
    """Return the queue of new deadlines, whose thread is started by the first of them.

    A queue in C: neither it nor what it locks can be left in between by an interruption.
    """
    global _arrivals
    if _arrivals is None:
        with _starting:
            if _arrivals is None:
                arrivals = SimpleQueue[_Deadline]()
                threading.Thread(target=_watch, args=(arrivals,), name=WATCHER, daemon=True).start()
                _arrivals = arrivals
    return _arrivals


def _forget_watcher() -> None:
    """Let a forked process, which has none of its parent's threads, start its own watcher."""
    global _arrivals, _starting
    _arrivals, _starting = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_watcher)
