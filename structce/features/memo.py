"""What several features measure from is computed once a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from structce.page import Page

T = TypeVar("T")


def once_a_page(compute: Callable[[Page], T]) -> Callable[[Page], T]:
    """Make a pure function of a page remember its value for as long as the page lives.

    Pages never change, so this cannot be told from computing again, but for the time. Arrays are
    made read-only, since all callers share them.
    """
    known: WeakKeyDictionary[Page, T] = WeakKeyDictionary()

    @wraps(compute)
    def remembered(page: Page) -> T:
        if page not in known:
            value = compute(page)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            known[page] = value
        return known[page]

    return remembered
