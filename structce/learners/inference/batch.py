"""Layout of a batch of pages by time step, so that one array operation serves every page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from structce.arrays import Labels


def places_in_runs(sizes: Labels) -> Labels:
    """Return the position, from 0, of each item in its run, for runs of these sizes."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


@dataclass(frozen=True)
class BatchLayout:
    """Order of the regions of several pages: all first regions, all second regions, and so on.

    Longer pages come first, so that those with a region at step ``t`` are the first at ``t - 1``.
    """

    lengths: Labels  # number of regions of each page
    order: Labels  # ``concatenated[order]`` is packed
    starts: Labels  # first packed row of each time step
    ends: Labels  # the row after its last one

    @classmethod
    def of(cls, lengths: Sequence[int] | Labels) -> Self:
        """Return the layout of pages with these numbers of regions; 0 is allowed."""
        sizes = np.array(lengths, dtype=np.int64)
        step = places_in_runs(sizes)
        order = np.lexsort((-np.repeat(sizes, sizes), step))
        counts = np.bincount(step)
        ends = np.cumsum(counts)
        return cls(sizes, order, ends - counts, ends)

    def __len__(self) -> int:
        """Return the number of time steps: the length of the longest page."""
        return len(self.ends)

    def rows(self, step: int) -> slice:
        """Return the packed rows of a time step."""
        return slice(int(self.starts[step]), int(self.ends[step]))

    def before(self, step: int) -> slice:
        """Return the rows of ``step - 1`` whose pages also have a region at ``step``."""
        start = int(self.starts[step - 1])
        return slice(start, start + int(self.ends[step] - self.starts[step]))

    def last(self) -> Labels:
        """Return the packed row of the last region of each page that has one, in page order."""
        lengths = self.lengths[self.lengths > 0]
        rank = np.empty_like(lengths)
        rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
        return self.starts[lengths - 1] + rank
