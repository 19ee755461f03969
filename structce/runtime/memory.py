"""Memory of a process that reads many pages: Python's collector paused, freed memory returned.

Reading a page creates some hundred thousand objects and hardly any cycles, and the collector scans
the live ones again and again as they are created: a fifth of the time per page. Objects outside
cycles are still freed at once; those in cycles are freed after the page.

The C library keeps memory that a program frees as long as anything behind it on its heap is in use,
such as the few words of each page that stay in tables. The GNU C library can give back free memory
from between what is in use, in about a millisecond.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache, wraps
from itertools import count
from typing import ParamSpec, TypeVar

PERIOD = 32
"""Pages between two returns of memory, which then take some two thousandths of the time."""

P = ParamSpec("P")
T = TypeVar("T")

_n_done = count(1)  # of the whole process, whose threads share a heap


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap the work on one page so that cyclic garbage collection is off while it runs.

    Nested calls and calls in several threads are safe: the call that switched collection off
    switches it on again, and if the program has disabled it, it stays disabled. After every
    ``PERIOD`` of such calls, free memory is returned to the system.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()
            if next(_n_done) % PERIOD == 0:
                return_memory()

    return call


def return_memory() -> None:
    """Return free memory to the system, where the C library can."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    """Return ``malloc_trim`` of the GNU C library; elsewhere a function that does nothing."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library; Windows, which loads no None
        return bool
