"""Time limit for a call, in any thread and on any system.

One thread of the process watches the deadlines of all limited calls, however they are nested, and
interrupts those whose time is up.
"""

from __future__ import annotations

import ctypes
import math
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
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
            _watcher().add(deadline)
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
        self.is_over = self._has_sent = False

    def cancel(self) -> None:
        """Send no more interruptions; may be called repeatedly.

        An interruption that was already sent arrives here at the latest. It must not be withdrawn:
        Python 3.11 would then check for it at every step, and forever under a profiler.
        """
        with self._lock:
            self.is_over = True
            is_waited_for = self._has_sent
        for _ in range(_STEPS if is_waited_for else 0):
            pass

    def interrupt(self) -> bool:
        """Interrupt the thread; return False if the deadline was cancelled."""
        with self._lock:
            if not self.is_over:
                self._has_sent = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread_id), ctypes.py_object(_TimeIsUpError)
                )
            return self._has_sent and not self.is_over


class _Watcher:
    """Thread that interrupts the calls whose deadlines pass, again and again until they end.

    It is woken only by a deadline before that of its next look, since waking a thread for every
    call would cost each call a switch of threads. The queues are in C: neither they nor what they
    lock can be left in between by an interruption.
    """

    def __init__(self) -> None:
        self._arrivals: deque[_Deadline] = deque()
        self._alarm: SimpleQueue[None] = SimpleQueue()
        self._looks_at = math.inf
        threading.Thread(target=self._watch, name=WATCHER, daemon=True).start()

    def add(self, deadline: _Deadline) -> None:
        """Watch a deadline."""
        self._arrivals.append(deadline)
        if deadline.at < self._looks_at:
            self._alarm.put(None)

    def _watch(self) -> None:
        waiting: list[_Deadline] = []
        while True:
            self._looks_at = math.inf  # what arrives from here on gives the alarm
            while self._arrivals:
                waiting.append(self._arrivals.popleft())
            waiting = [deadline for deadline in waiting if not deadline.is_over]
            now = monotonic()
            self._looks_at = min((deadline.at for deadline in waiting), default=now + _LONGEST_WAIT)
            with suppress(Empty):
                self._alarm.get(timeout=min(max(self._looks_at - now, 0), _LONGEST_WAIT))
            for deadline in waiting:
                if deadline.at <= monotonic() and deadline.interrupt():
                    deadline.at = monotonic() + _INTERVAL


@cache
def _watcher() -> _Watcher:
    """Return the watcher of this process, which is started by the first deadline."""
    return _Watcher()


if hasattr(os, "register_at_fork"):
    # A forked process has none of its parent's threads, and starts its own watcher.
    os.register_at_fork(after_in_child=_watcher.cache_clear)
