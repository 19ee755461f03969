"""Which items have to go for another label to take the lead."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from structce.learners.arrays import Floats, Labels

ROUNDING = 1e-9
"""Scores nearer to each other than this, relative to 1 or to themselves, may be a tie."""


def smallest_sets(gains: Floats, leads: Floats) -> Iterator[tuple[Labels, int]]:
    """Yield small sets of items that may give another label the lead, smallest first.

    Parameters
    ----------
    gains : shape (n_items, n_labels)
        What each label gains on the present one by an item; gains of several items add up.
    leads : shape (n_labels,)
        By how much the present label leads each.

    Yields
    ------
    items
        Indices, the largest gain first. For one label no smaller set reaches the lead, since
        these are the items of the largest gains.
    label
        The label that catches up. It may merely draw level, which decoding decides; then a set
        that takes it past follows, if there is one.
    """
    order = np.argsort(-gains, axis=0, kind="stable")
    found: set[tuple[int, float, int]] = set()
    for label, lead in enumerate(leads.tolist()):
        sums = np.cumsum(gains[order[:, label], label])[: (gains[:, label] > 0).sum()]
        slack = ROUNDING * max(1.0, abs(lead))
        for least in (lead - slack, lead + slack):
            n = int(np.searchsorted(sums, least)) + 1
            if n <= len(sums):
                found.add((n, lead - float(sums[n - 1]), label))
    for n, _, label in sorted(found):
        yield order[:n, label], label
