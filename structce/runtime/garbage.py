"""Pause Python's cyclic garbage collection while one page is processed.

Reading a page creates some hundred thousand objects and hardly any cycles, and the collector scans
the live ones again and again as they are created: a fifth of the time per page. Objects outside
cycles are still freed at once; those in cycles are freed later.

When collection is switched on again, the objects of the page would all be scanned at once. They are
moved to the oldest generation instead, which takes no time, and every thousandth page all
generations are scanned.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_BETWEEN = 1000  # calls between two full collections, each of which takes some 50 ms
_calls = count(1)


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function so that cyclic garbage collection is off while it runs.

    Nested calls and calls in several threads are safe: the call that switched collection off
    switches it on again, and if the program has disabled it, it stays disabled.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            result = function(*args, **kwargs)
            _pass_over_new_objects()
            return result
        finally:
            gc.enable()

    return call


def _pass_over_new_objects() -> None:
    """Move all objects to the oldest generation, unscanned; every thousandth time, scan them.

    Nothing is moved if the program has frozen objects, since they would be thawed.
    """
    if next(_calls) % _BETWEEN == 0:
        gc.collect()
    elif not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
