"""Evidence of a page for its fields: label probabilities, blocks, headings and their places.

Candidates of all fields look at the same page; what more than one of them needs is computed here
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.article.joining import join_regions
from structce.language import normalise
from structce.page import Page

HEADINGS: Mapping[str, int] = {f"h{level}": level for level in range(1, 7)}
"""Level of each heading element."""

LANDMARKS: Mapping[str, int] = {
    **{"main": 1, "article": 2, "header": 3, "nav": 4, "footer": 5, "aside": 6, "form": 7},
    **{"dialog": 8, "figure": 9},
}
"""Elements that say what a part of a page is for, by number; the innermost counts."""

_BODY = ("Paragraph", "Subtitle")


@dataclass(frozen=True, eq=False)
class Evidence:
    """A labelled page as the candidates of its fields see it.

    Parameters
    ----------
    marginals : shape (n_regions, n_labels)
        Probability of each label at each region, in [0, 1].
    labels
        Names of the labels, in the order of the columns.
    """

    page: Page
    marginals: Floats
    labels: Sequence[str]

    def probability(self, label: str) -> Floats:
        """Return the probability of a label at each region, shape (n_regions,); 0 if unheard of."""
        if label not in self.labels:
            return np.zeros(len(self.page))
        return self.marginals[:, list(self.labels).index(label)]

    @cached_property
    def body(self) -> Floats:
        """Probability of each region to be text of the body, shape (n_regions,)."""
        return sum((self.probability(label) for label in _BODY), np.zeros(len(self.page)))

    @cached_property
    def starts(self) -> Integers:
        """First region of each block, shape (n_blocks,)."""
        blocks = self.page.blocks
        return np.flatnonzero(np.diff(blocks, prepend=-1)).astype(np.int64)

    @cached_property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.starts)

    def regions_of(self, block: int) -> range:
        """Return the regions of a block."""
        end = self.starts[block + 1] if block + 1 < self.n_blocks else len(self.page)
        return range(int(self.starts[block]), int(end))

    def highest(self, values: Floats) -> Floats:
        """Return the highest value of the regions of each block, shape (n_blocks,)."""
        return np.maximum.reduceat(values, self.starts) if self.n_blocks else np.zeros(0)

    def text_of(self, regions: Sequence[int] | range) -> str:
        """Return the text of neighbouring regions in one line."""
        return join_regions(self.page, regions)

    @cached_property
    def lengths(self) -> Integers:
        """Characters of each region's text, shape (n_regions,)."""
        return np.fromiter(map(len, self.page.text), np.int64, len(self.page))

    @cached_property
    def heading_level(self) -> Integers:
        """Level of the nearest heading above or at each element, 0 without, (n_elements,)."""
        elements = self.page.elements
        levels = [HEADINGS.get(tag, 0) for tag in elements.tag]
        for i, parent in enumerate(elements.parent.tolist()):
            if not levels[i] and parent >= 0:
                levels[i] = levels[parent]
        return np.array(levels, dtype=np.int64)

    @cached_property
    def level(self) -> Integers:
        """Level of the heading that each region is in, 0 without, shape (n_regions,)."""
        return self.heading_level[self.page.element]

    @cached_property
    def in_link(self) -> Flags:
        """Whether each region is inside a link, shape (n_regions,)."""
        elements = self.page.elements
        own = [tag == "a" for tag in elements.tag]
        return elements.lineage(own)[self.page.element]

    @cached_property
    def landmark(self) -> Integers:
        """Number of the landmark that each element is in, 0 without, shape (n_elements,)."""
        elements = self.page.elements
        numbers = [LANDMARKS.get(tag, 0) for tag in elements.tag]
        for i, parent in enumerate(elements.parent.tolist()):
            if not numbers[i] and parent >= 0:
                numbers[i] = numbers[parent]
        return np.array(numbers, dtype=np.int64)

    @cached_property
    def region_ranges(self) -> tuple[Integers, Integers]:
        """First region inside each element, and the one behind the last, shapes (n_elements,).

        Regions stand in the order of the document, so those of an element are neighbours.
        """
        n_elements, n_regions = len(self.page.elements), len(self.page)
        first, end = [n_regions] * n_elements, [0] * n_elements
        for region, element in enumerate(self.page.element.tolist()):
            first[element] = min(first[element], region)
            end[element] = region + 1
        parents = self.page.elements.parent.tolist()
        for i in range(n_elements - 1, 0, -1):
            parent = parents[i]
            if parent >= 0:
                first[parent] = min(first[parent], first[i])
                end[parent] = max(end[parent], end[i])
        found = np.array(first, dtype=np.int64), np.array(end, dtype=np.int64)
        return np.minimum(found[0], found[1]), found[1]

    @cached_property
    def begin(self) -> int:
        """First region of the body's first long run of text; the number of regions without one."""
        mass = self.body * np.minimum(self.lengths, 400)
        total = mass.sum()
        if total < 1:
            return len(self.page)
        return int(np.searchsorted(np.cumsum(mass), 0.05 * total))

    @cached_property
    def end(self) -> int:
        """Region by which nearly all of the body is over."""
        mass = self.body * np.minimum(self.lengths, 400)
        total = mass.sum()
        if total < 1:
            return len(self.page)
        return int(np.searchsorted(np.cumsum(mass), 0.98 * total))

    @cached_property
    def normalised(self) -> list[str]:
        """Normalised text of each region of at most 200 characters; empty for longer ones."""
        known: dict[str, str] = {}
        for text in self.page.text:
            if text not in known:
                known[text] = normalise(text) if len(text) <= 200 else ""
        return [known[text] for text in self.page.text]

    @cached_property
    def publishers(self) -> frozenset[str]:
        """Normalised names of the site as its metadata states them."""
        return frozenset(normalise(name) for name in self.page.metadata.publishers) - {""}


def likely_blocks(
    evidence: Evidence, probability: Floats, *, least: float, n_most: int
) -> list[int]:
    """Return the blocks in which a label is likeliest, the likeliest first.

    Parameters
    ----------
    least
        Blocks of a lower probability are left out.
    n_most
        At most so many are returned.
    """
    highest = evidence.highest(probability)
    order = np.argsort(-highest, kind="stable")[:n_most]
    return [int(block) for block in order if highest[block] >= least]
