"""Processor seconds of several contenders on the same items, side by side, the best of rounds."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

import numpy as np

from structce.arrays import Floats
from structce.page import Page

T = TypeVar("T")
Work: TypeAlias = Callable[[], object]
Tell: TypeAlias = Callable[[str], None]

BATCH = 8
"""Items that one contender processes in a row."""

LEAST_MEMO = 1024
"""Values that a memo of texts has room for at least; tables have room for 256 and less."""


def fresh(page: Page) -> Page:
    """Return the same page as if just rendered: nothing that was derived from it is known."""
    elements, metadata = replace(page.elements), replace(page.metadata)
    return replace(page, elements=elements, metadata=metadata)


def forget_texts() -> None:
    """Empty the memos that features keep of texts and names from page to page.

    Tables that are made once for all pages, or once per language, have room for few values and
    stay.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("structce."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_parameters") and _is_memo(value.cache_parameters()):
                    value.cache_clear()


def _is_memo(parameters: Mapping[str, int | None]) -> bool:
    return (parameters["maxsize"] or 0) >= LEAST_MEMO


def seconds(work: Work) -> float:
    """Return the processor time that work takes in this process, in seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start


def best_of(
    rounds: int,
    items: Sequence[T],
    contenders: Mapping[str, Callable[[T], Work]],
    tell: Tell,
) -> dict[str, Floats]:
    """Return the least seconds of each contender on each item, shape (n_items,) each.

    Items are taken in batches. In every round each contender goes over the batch once, in an order
    that turns from round to round, so that whatever else the machine does affects all equally. It
    begins with empty memos, as a process does that was just started.

    Parameters
    ----------
    contenders
        Functions that prepare an item, untimed, and return the work that is timed.
    tell
        Function that receives a line before each batch.
    """
    best = {name: np.full(len(items), np.inf) for name in contenders}
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        names = list(contenders)
        tell(f"{', '.join(names)}: {start + len(batch)} of {len(items)}, {rounds} rounds")
        for _ in range(rounds):
            for name in names:
                forget_texts()
                gc.collect()
                taken = [seconds(contenders[name](item)) for item in batch]
                own = best[name][start : start + BATCH]
                np.minimum(own, taken, out=own)
            names = [*names[1:], names[0]]
    return best
