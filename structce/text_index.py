"""Where a text stands in a page, whatever the mark-up inside it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from rapidfuzz import fuzz

from structce.page import Page
from structce.text import normalise

FUZZY = 90.0
"""Least similarity of a fuzzy match in per cent (normalised edit distance); our choice."""

_MIN_FUZZY = 25  # characters; shorter texts resemble one another by chance
_MAX_MATCHES = 60  # occurrences looked at of one text


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of a page's normalised text, from ``start`` to before ``end``."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


class TextIndex:
    """The normalised text of a page, with the way back to its regions.

    White space, punctuation, case and the borders between regions are gone, so that a paragraph
    is found although links and emphasis cut it into several regions.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        pieces = [normalise(text) for text in page.text]
        self.text = "".join(pieces)
        lengths = [len(piece) for piece in pieces]
        self.starts: list[int] = np.concatenate([[0], np.cumsum(lengths)]).astype(int).tolist()
        self._edges: dict[int, set[int]] = {}
        blocks = page.blocks
        borders = np.flatnonzero(blocks[1:] != blocks[:-1]) + 1
        self._block_edges = {0, len(self.text)} | {self.starts[i] for i in borders}

    def _is_word_edge(self, place: int) -> bool:
        """Return whether a word begins or ends at a place of the normalised text."""
        i = bisect_right(self.starts, place) - 1
        if self.starts[i] == place:
            return True
        if i not in self._edges:
            lengths = [len(normalise(word)) for word in self.page.text[i].split()]
            self._edges[i] = {self.starts[i] + end for end in accumulate(lengths)}
        return place in self._edges[i]

    def find(self, text: str) -> list[Span]:
        """Return the places where a text stands between words, in order.

        None for a text without letters or digits.
        """
        wanted = normalise(text)
        spans: list[Span] = []
        place = self.text.find(wanted) if wanted else -1
        while place >= 0 and len(spans) < _MAX_MATCHES:
            span = Span(place, place + len(wanted))
            if self._is_word_edge(span.start) and self._is_word_edge(span.end):
                spans.append(span)
            place = self.text.find(wanted, place + 1)
        return spans

    def find_fuzzy(self, text: str, within: Span) -> Span | None:
        """Return the most similar stretch inside a span, if it is similar enough."""
        wanted = normalise(text)
        if len(wanted) < _MIN_FUZZY or len(within) < len(wanted) // 2:
            return None
        window = self.text[within.start : within.end]
        found = fuzz.partial_ratio_alignment(wanted, window, score_cutoff=FUZZY)
        if found is None or found.dest_end == found.dest_start:
            return None
        return Span(within.start + found.dest_start, within.start + found.dest_end)

    def fills_block(self, span: Span) -> bool:
        """Return whether a span begins and ends at the borders of blocks."""
        return span.start in self._block_edges and span.end in self._block_edges

    def overlapping(self, span: Span) -> Iterator[tuple[int, float]]:
        """Yield each region that shares text with a span, and the covered share of the region."""
        i = bisect_right(self.starts, span.start) - 1
        while i < len(self.page) and self.starts[i] < span.end:
            start, end = self.starts[i], self.starts[i + 1]
            shared = min(end, span.end) - max(start, span.start)
            if shared > 0:
                yield i, shared / (end - start)
            i += 1

    def regions(self, span: Span, share: float = 0.5) -> list[int]:
        """Return the regions covered by a span to at least a share of their own text."""
        return [i for i, covered in self.overlapping(span) if covered >= share]


def in_order(index: TextIndex, texts: Sequence[str]) -> list[Span | None]:
    """Return a place for each text such that the places follow one another as the texts do.

    Of all ways to place some of the texts in order without overlap, the one that covers most
    characters; a match that fills whole blocks counts half as much again, so that a short
    paragraph is not found inside a longer one. Texts without a place there are None.
    """
    options = [(i, span) for i, text in enumerate(texts) for span in index.find(text)]
    best: list[float] = []
    before: list[int] = []
    for n, (i, span) in enumerate(options):
        weight = len(span) * (1.5 if index.fills_block(span) else 1.0)
        reach, previous = 0.0, -1
        for m in range(n):
            j, earlier = options[m]
            if j < i and earlier.end <= span.start and best[m] > reach:
                reach, previous = best[m], m
        best.append(weight + reach)
        before.append(previous)
    places: list[Span | None] = [None] * len(texts)
    n = int(np.argmax(best)) if best else -1
    while n >= 0:
        i, span = options[n]
        places[i] = span
        n = before[n]
    return places
