"""Location of a gold value among the regions of a page, and the simplest ways to find it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from rapidfuzz import fuzz

from structce.arrays import Flags
from structce.gold import EXACT, SIMILAR
from structce.language import normalise
from structce.page import Page, Span, TextIndex


@dataclass(frozen=True)
class Location:
    """Regions that contain a gold value; none if the value was not found."""

    regions: tuple[int, ...] = ()  # in document order
    method: str = ""  # one of ``structce.gold.MATCH_METHODS``; empty if the value was not found
    score: float = 0.0  # similarity of the value and the text found, in [0, 1]
    rivals: tuple[int, ...] = ()  # regions of other places that are as good, or nearly so
    touched: tuple[int, ...] = ()  # regions of which a smaller part belongs to the value


NOT_FOUND = Location()
"""Location of a value that is not on the page."""


def find_segment(index: TextIndex, text: str) -> Location:
    """Return the regions that contain a segment, including those that it fills only in part.

    If it occurs several times, the place in the longest block is taken and the others are rivals: a
    sentence of the main text may be quoted in a teaser.
    """
    spans = index.find(text) or index.find_inside(text)
    if not spans:
        return find_similar(index, text, Span(0, len(index.text)))
    best = max(spans, key=index.block_length)
    regions = tuple(i for i, _ in index.overlapping(best))
    others = {i for span in spans if span != best for i, _ in index.overlapping(span)}
    return Location(regions, EXACT, 1.0, tuple(sorted(others - set(regions))))


def find_similar(index: TextIndex, text: str, within: Span) -> Location:
    """Return the most similar text inside a span, if it is similar enough."""
    span = index.find_fuzzy(text, within)
    if span is None:
        return NOT_FOUND
    score = fuzz.ratio(normalise(text), index.text[span.start : span.end]) / 100
    return Location(tuple(index.regions(span)), SIMILAR, score)


def lines_of_blocks(page: Page, regions: Iterable[int]) -> list[list[int]]:
    """Return the given regions grouped by block."""
    lines: dict[int, list[int]] = {}
    for i in regions:
        lines.setdefault(int(page.blocks[i]), []).append(i)
    return list(lines.values())


def inside(
    page: Page,
    tags: Set[str],
    names: re.Pattern[str] | None = None,
    keys: Sequence[str] = ("class", "id"),
) -> Flags:
    """Return whether each region is in an element with one of the tags, or a matching attribute."""
    is_container = [
        tag in tags or (names is not None and any(names.search(row.get(k, "")) for k in keys))
        for tag, row in zip(page.elements.tag, page.elements.attributes, strict=True)
    ]
    return page.elements.lineage(is_container)[page.element]


def tags_around(page: Page, i: int) -> set[str]:
    """Return the tag names of the elements around a region."""
    return {page.elements.tag[n] for n in page.elements.ancestors(int(page.element[i]))}


def text_distance(i: int, within: tuple[int, int]) -> float:
    """Return the number of regions between a region and the text, doubled for those below it."""
    first, last = within
    return (first - i) if i < first else max(0, i - last) * 2 + (i > last)
