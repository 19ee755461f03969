"""Texts placed on a page so that the places follow one another as the texts do."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from structce.text_index import Span, TextIndex

_WHOLE = 1.5
"""Weight of a match that fills whole blocks, so that a short paragraph is not found inside a longer
one; our choice."""


def in_order(index: TextIndex, found: Sequence[Sequence[Span]]) -> list[Span | None]:
    """Return a place for each text such that the places follow one another as the texts do.

    Of all ways to place some of the texts in order without overlap, the one that covers most
    characters; a match that fills whole blocks counts half as much again. Texts without a place
    there are None. Takes ``n log n`` steps for ``n`` occurrences of all texts.

    Parameters
    ----------
    found
        Where each text occurs, text by text.

    References
    ----------
    P. M. Fenwick (1994). A new data structure for cumulative frequency tables. Software: Practice
    and Experience 24(3); maxima in place of sums.
    """
    options = [(i, span) for i, spans in enumerate(found) for span in spans]
    chains = _Chains([span.end for _, span in options])
    before: list[int] = []
    numbered = [(i, n, span) for n, (i, span) in enumerate(options)]
    for _, group in groupby(numbered, key=itemgetter(0)):
        scored = []
        for _, n, span in group:
            reach, previous = chains.best(span.start)
            weight = len(span) * (_WHOLE if index.fills_block(span) else 1.0)
            before.append(previous)
            scored.append((span.end, reach + weight, n))
        for end, score, n in scored:  # a text follows earlier texts alone, not itself
            chains.add(end, score, n)
    return _traced(options, before, chains.best(len(index.text))[1], len(found))


def _traced(
    options: Sequence[tuple[int, Span]], before: Sequence[int], n: int, n_texts: int
) -> list[Span | None]:
    places: list[Span | None] = [None] * n_texts
    while n >= 0:
        i, places[i] = options[n]
        n = before[n]
    return places


class _Chains:
    """The best chain of matches that ends at or before a place: a Fenwick tree of maxima."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._ends = sorted(set(ends))
        self._tree = [(0.0, -1)] * (len(self._ends) + 1)

    def best(self, place: int) -> tuple[float, int]:
        """Return score and last match of the best chain that ends at or before a place."""
        found = (0.0, -1)
        i = bisect_right(self._ends, place)
        while i > 0:
            found = max(found, self._tree[i])
            i -= i & -i
        return found

    def add(self, end: int, score: float, n: int) -> None:
        """Tell of the chain that match ``n`` ends."""
        i = bisect_right(self._ends, end)
        while i < len(self._tree):
            self._tree[i] = max(self._tree[i], (score, n))
            i += i & -i
