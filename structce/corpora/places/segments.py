"""Short segments of text that stand anywhere on a page."""

from __future__ import annotations

from structce.corpora.places.body import similar
from structce.corpora.places.place import Place
from structce.gold import EXACT
from structce.text_index import Span, TextIndex


def find_segment(index: TextIndex, text: str) -> Place:
    """Return the regions that hold a segment, also such as it fills in part.

    Where it stands several times, the one in the longest block is taken, the others are rivals:
    a sentence of the main text may be quoted in a teaser.
    """
    spans = index.find(text) or index.find_inside(text)
    if not spans:
        return similar(index, text, Span(0, len(index.text)))
    best = max(spans, key=index.block_length)
    own = _touched(index, best)
    others = {i for span in spans if span != best for i in _touched(index, span)} - set(own)
    return Place(own, EXACT, 1.0, tuple(sorted(others)))


def _touched(index: TextIndex, span: Span) -> tuple[int, ...]:
    return tuple(i for i, _ in index.overlapping(span))
