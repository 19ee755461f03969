"""Things that belong together because a row of links leads from one to the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def group_numbers(links: Sequence[tuple[int, int]], n: int) -> list[int]:
    """Return the number of the group of each of ``n`` things; things without links are alone."""
    ends = np.array(links, dtype=np.intp).reshape(-1, 2).T
    graph = coo_array((np.ones(len(links)), (ends[0], ends[1])), shape=(n, n))
    numbers: list[int] = connected_components(graph, directed=False)[1].tolist()
    return numbers
