"""Return of freed memory to the operating system.

The C library keeps memory that a program frees as long as anything behind it on its heap is in use.
After each page a few words and names stay in tables, somewhere among the megabytes that the page
took, so that the memory of a process would keep growing towards what its largest pages took
together. The GNU C library can give back free memory from between what is in use, in about a
millisecond.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from itertools import count

PERIOD = 32
"""Pages between two returns of memory, which then take some two thousandths of the time."""

_n_done = count(1)  # of the whole process, whose threads share a heap


def page_done() -> None:
    """Count a page, and return free memory to the system after every ``PERIOD`` of them."""
    if next(_n_done) % PERIOD == 0:
        return_memory()


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
