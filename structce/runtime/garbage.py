"""Pause Python's cyclic garbage collection while one page is processed.

Reading a page creates some hundred thousand objects and hardly any cycles, and the collector scans
the live ones again and again as they are created: a fifth of the time per page. Objects outside
cycles are still freed at once; those in cycles are freed after the page. All work on a page is
wrapped as a whole, so that the page is gone before the collector looks again; its parts are wrapped
as well, for those who call them one by one.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from structce.runtime.heap import page_done

P = ParamSpec("P")
T = TypeVar("T")


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function so that cyclic garbage collection is off while it runs.

    Nested calls and calls in several threads are safe: the call that switched collection off
    switches it on again, and if the program has disabled it, it stays disabled. Each such call
    counts as a page for :func:`structce.runtime.heap.page_done`.
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
            page_done()

    return call
