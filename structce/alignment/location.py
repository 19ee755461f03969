"""Location of a gold value among the regions of a page, and the plainest ways to find one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from structce.gold import EXACT, SIMILAR
from structce.language import normalise
from structce.page import Page
from structce.text_index import Span, TextIndex


@dataclass(frozen=True)
class Location:
    """Regions that hold a gold value.

    Parameters
    ----------
    regions
        In document order; none where nothing was found.
    method
        One of ``structce.gold.MATCH_METHODS``; empty where nothing was found.
    score
        Likeness of the value and what stands there, in [0, 1].
    rivals
        Regions of other places that are as good, or nearly.
    touched
        Regions of which a smaller part belongs to the value.
    """

    regions: tuple[int, ...] = ()
    method: str = ""
    score: float = 0.0
    rivals: tuple[int, ...] = ()
    touched: tuple[int, ...] = ()


NOT_FOUND = Location()
"""The location of what is not on the page."""


def find_segment(index: TextIndex, text: str) -> Location:
    """Return the regions that hold a segment, also such as it fills in part.

    Where it stands several times, the one in the longest block is taken, the others are rivals:
    a sentence of the main text may be quoted in a teaser.
    """
    spans = index.find(text) or index.find_inside(text)
    if not spans:
        return find_similar(index, text, Span(0, len(index.text)))
    best = max(spans, key=index.block_length)
    own = _touched(index, best)
    others = {i for span in spans if span != best for i in _touched(index, span)} - set(own)
    return Location(own, EXACT, 1.0, tuple(sorted(others)))


def _touched(index: TextIndex, span: Span) -> tuple[int, ...]:
    return tuple(i for i, _ in index.overlapping(span))


def find_similar(index: TextIndex, text: str, within: Span) -> Location:
    """Return the most similar stretch inside a span, if it is similar enough."""
    span = index.find_fuzzy(text, within)
    if span is None:
        return NOT_FOUND
    score = fuzz.ratio(normalise(text), index.text[span.start : span.end]) / 100
    return Location(tuple(index.regions(span)), SIMILAR, score)


def lines_of_blocks(page: Page, regions: Iterable[int]) -> list[list[int]]:
    """Return the regions of each block together."""
    lines: dict[int, list[int]] = {}
    for i in regions:
        lines.setdefault(int(page.blocks[i]), []).append(i)
    return list(lines.values())


def tags_around(page: Page, i: int) -> set[str]:
    """Return the names of the elements around a region."""
    return {page.elements.tag[n] for n in page.elements.ancestors(int(page.element[i]))}


def text_distance(i: int, within: tuple[int, int]) -> float:
    """Return how many regions lie between a region and the text; less weight above than below."""
    first, last = within
    return (first - i) if i < first else max(0, i - last) * 2 + (i > last)
