"""Pause of Python's search for garbage in cycles while one page is worked on.

Reading a page makes some hundred thousand objects and hardly a cycle, and Python looks through
the living ones again and again while they are made: a fifth of the time of a page. Objects outside
cycles are freed at once as ever; those in cycles wait until the page is done.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function during which no cycles are searched for.

    Nested calls and calls in several threads are safe: who found the search running starts it
    again, and where a program has switched it off it stays so.
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

    return call
