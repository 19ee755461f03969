"""Text search in a page: which regions contain a text, even if mark-up splits it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice

import msgspec
import numpy as np
from rapidfuzz import fuzz

from structce.language import normalise
from structce.page.page import Page

MIN_SIMILARITY = 90.0
"""Minimum similarity of a fuzzy match, in per cent (normalised edit distance)."""

MIN_COVERAGE = 0.5
"""Minimum share of a region's text, in [0, 1], that a match must cover to include the region."""

_MIN_FUZZY = 25  # characters; shorter texts resemble one another by chance
_MAX_MATCHES = 60  # occurrences examined per text


class Span(msgspec.Struct, frozen=True, order=True):
    """A stretch of a page's normalised text, from ``start`` to ``end`` (exclusive)."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


class TextIndex:
    """The normalised text of a page, with the positions of its regions.

    White space, punctuation, case and the borders between regions are removed, so that a
    paragraph is found even if links and emphasis split it into several regions.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        pieces = page.letters
        self.text = "".join(pieces)
        self.starts = [*accumulate(map(len, pieces), initial=0)]
        self._edges: dict[int, set[int]] = {}

    @cached_property
    def _block_edges(self) -> list[int]:
        borders = np.flatnonzero(np.diff(self.page.blocks)) + 1
        return sorted({0, len(self.text)} | {self.starts[i] for i in borders.tolist()})

    def _is_word_edge(self, position: int) -> bool:
        """Return whether a word begins or ends at a position of the normalised text."""
        i = bisect_right(self.starts, position) - 1
        if self.starts[i] == position:
            return True
        if i not in self._edges:
            lengths = [len(normalise(word)) for word in self.page.text[i].split()]
            self._edges[i] = {self.starts[i] + end for end in accumulate(lengths)}
        return position in self._edges[i]

    def find(self, text: str) -> list[Span]:
        """Return the occurrences of a text that begin and end at word boundaries, in order.

        A text without letters or digits has none.
        """
        spans = (
            span
            for span in self._occurrences(normalise(text))
            if self._is_word_edge(span.start) and self._is_word_edge(span.end)
        )
        return list(islice(spans, _MAX_MATCHES))

    def find_inside(self, text: str) -> list[Span]:
        """Return the occurrences of a text, also inside words, where a segment may be cut."""
        return list(islice(self._occurrences(normalise(text)), _MAX_MATCHES))

    def _occurrences(self, key: str) -> Iterator[Span]:
        position = self.text.find(key) if key else -1
        while position >= 0:
            yield Span(position, position + len(key))
            position = self.text.find(key, position + 1)

    def find_fuzzy(self, text: str, within: Span) -> Span | None:
        """Return the most similar stretch inside a span, if it is similar enough."""
        key = normalise(text)
        if len(key) < _MIN_FUZZY or len(within) < len(key) // 2:
            return None
        window = self.text[within.start : within.end]
        alignment = fuzz.partial_ratio_alignment(key, window, score_cutoff=MIN_SIMILARITY)
        if alignment is None or alignment.dest_end == alignment.dest_start:
            return None
        return Span(within.start + alignment.dest_start, within.start + alignment.dest_end)

    def fills_block(self, span: Span) -> bool:
        """Return whether a span begins and ends at the borders of blocks."""
        edges = self._block_edges
        return all(edges[bisect_left(edges, end)] == end for end in (span.start, span.end))

    def block_length(self, span: Span) -> int:
        """Return the number of characters from the block border before a span to the one after."""
        edges = self._block_edges
        return edges[bisect_left(edges, span.end)] - edges[bisect_right(edges, span.start) - 1]

    def overlapping(self, span: Span) -> Iterator[tuple[int, float]]:
        """Yield each region that shares text with a span, and the covered share of the region."""
        i = bisect_right(self.starts, span.start) - 1
        while i < len(self.page) and self.starts[i] < span.end:
            start, end = self.starts[i], self.starts[i + 1]
            shared = min(end, span.end) - max(start, span.start)
            if shared > 0:
                yield i, shared / (end - start)
            i += 1

    def regions(self, span: Span, share: float = MIN_COVERAGE) -> list[int]:
        """Return the regions covered by a span to at least a share of their own text."""
        return [i for i, covered in self.overlapping(span) if covered >= share]
