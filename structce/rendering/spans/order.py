"""Two sequences side by side: which of their pairs keep the order of both.

Regions are numbered as the page has them, places as the source does. ``options`` are the places
that each region may have, rising; regions that are alike share one list of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

import numpy as np


def rising(places: Mapping[int, int]) -> dict[int, int]:
    """Return a largest part of the regions whose places rise with them."""
    ends: list[int] = []  # the lowest place that a chain of each length ends with
    chains: list[int] = []  # and the region there
    before: dict[int, int] = {}
    for i in sorted(places):
        k = bisect_left(ends, places[i])
        before[i] = chains[k - 1] if k else -1
        ends[k : k + 1] = [places[i]]
        chains[k : k + 1] = [i]
    result = {}
    i = chains[-1] if chains else -1
    while i >= 0:
        result[i] = places[i]
        i = before[i]
    return result


def earliest(
    order: Sequence[int], options: Mapping[int, list[int]], fixed: Mapping[int, int], end: int
) -> dict[int, int]:
    """Return the first place of each region behind those of the regions before it.

    One that would not stand before the next fixed region is left out.
    """
    result: dict[int, int] = {}
    bounds: list[int] = []
    for i in reversed(order):
        end = fixed.get(i, end)
        bounds.append(end)
    before = -1
    for i, bound in zip(order, reversed(bounds), strict=True):
        if i in fixed:
            before = fixed[i]
            continue
        k = bisect_right(options[i], before)
        if k < len(options[i]) and options[i][k] < bound:
            before = result[i] = options[i][k]
    return result


def latest(
    order: Sequence[int], options: Mapping[int, list[int]], fixed: Mapping[int, int], end: int
) -> dict[int, int]:
    """Return the last place of each region before those of the regions behind it."""
    turned: dict[int, list[int]] = {}  # regions share their lists, so do these
    for same in options.values():
        if id(same) not in turned:
            turned[id(same)] = [end - 1 - place for place in reversed(same)]
    found = earliest(
        order[::-1],
        {i: turned[id(same)] for i, same in options.items()},
        {i: end - 1 - place for i, place in fixed.items()},
        end,
    )
    return {i: end - 1 - place for i, place in found.items()}


def uncrossed(found: Mapping[int, int]) -> dict[int, int]:
    """Return the regions, given in order, whose places rise above all before and below all after.

    Two that cross, or claim one place, cannot both be right, and nothing says which is.
    """
    places = np.array(list(found.values()), dtype=np.int64)
    if not len(places):
        return {}
    highest = np.concatenate(([-1], np.maximum.accumulate(places)[:-1]))
    lowest = np.concatenate((np.minimum.accumulate(places[::-1])[::-1][1:], [places.max() + 1]))
    keep = (highest < places) & (places < lowest)
    return {i: place for (i, place), good in zip(found.items(), keep, strict=True) if good}
