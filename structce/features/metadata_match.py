"""Features of stated metadata: which texts name an author, a publisher or a date of the page.

Metadata and byline seldom write a name in exactly the same way, so names are compared by their
letters.
"""

from __future__ import annotations

from datetime import date, datetime

import numpy as np

from structce.arrays import Flags, Floats
from structce.features.cues import compact_text, compact_texts, with_digit
from structce.features.dom_tree import at_regions, elements_called, innermost_values
from structce.features.landmarks import LIKENESS_BINS, block_borders, text_index
from structce.features.registry import AROUND, SPENGLER, feature, once_a_page
from structce.language import normalise, parse_iso, shown_numbers
from structce.page import Page

_SEARCHED_LENGTHS = range(4, 61)  # letters of a name that is looked for inside a text
_MIN_STATED = 3  # letters of a stated publisher that is looked for
_MIN_BLOCK = 20  # letters of a block that may be the description


@feature("task", bins=LIKENESS_BINS, window=AROUND)
@once_a_page
def author_match(page: Page) -> Floats:
    """Longest stated author's name found in the region, as a share of the region's text."""
    stated = map(compact_text, page.metadata.authors)
    return _share_of_text(page, {name for name in stated if len(name) in _SEARCHED_LENGTHS})


@feature("task", source=SPENGLER)
def publisher_cue(page: Page) -> Flags:
    """Region contains the stated publisher's name: bylines of agencies and staff, footers."""
    stated = map(compact_text, page.metadata.publishers)
    return _share_of_text(page, {name for name in stated if len(name) >= _MIN_STATED}) > 0


def _share_of_text(page: Page, names: set[str]) -> Floats:
    """Return the length of the longest compact name in each text as a share of the text."""
    shares = np.zeros(len(page))
    texts = compact_texts(page)
    every = "\n".join(texts) if names else ""
    for name in names:
        for i in [i for i, text in enumerate(texts) if name in text] if name in every else ():
            shares[i] = max(shares[i], len(name) / len(texts[i]))
    return shares


@feature("task", window=AROUND)
def date_match(page: Page) -> list[str | None]:
    """Which numbers of a stated date the region shows: day, month and year, or day and year."""
    return at_regions(page, matched_days(page))


@once_a_page
def matched_days(page: Page) -> dict[int, str]:
    """Return which numbers of a stated date each region shows that shows such numbers."""
    days = _stated_days(page)
    shown = {i: shown_numbers(page.text[i]) for i in with_digit(page)} if days else {}
    kinds = {i: _numbers_match(own, days) for i, own in shown.items()}
    return {i: kind for i, kind in kinds.items() if kind is not None}


@once_a_page
def _stated_days(page: Page) -> set[date]:
    stated = (parse_iso(text) for text in page.metadata.dates)
    return {moment.date() for moment in stated if moment is not None}


def _numbers_match(numbers: frozenset[int], days: set[date]) -> str | None:
    kind = None
    for day in days if numbers else ():
        if day.day in numbers and {day.year, day.year % 100} & numbers:
            if day.month in numbers:
                return "full"
            kind = "day-year"
    return kind


def stated_time(page: Page) -> list[str | None]:
    """Return whether the ``time`` element around each region has a date of the page itself.

    ``stated`` or ``other``; None outside such elements.
    """
    called, rows = elements_called(page).get("time", ()), page.elements.attributes
    moments: dict[int, datetime | None] = {
        i: parse_iso(rows[i].get("datetime", "")) for i in called
    }
    days = _stated_days(page)
    kinds = {
        i: "stated" if moment is not None and moment.date() in days else "other"
        for i, moment in moments.items()
    }
    return innermost_values(page, kinds)


@feature("task", bins=LIKENESS_BINS)
def description_match(page: Page) -> Floats:
    """Share of the block's letters that also begin the page's description: high in standfirsts."""
    stated = normalise(page.metadata.description)
    if not stated:
        return np.zeros(len(page))
    text, borders = text_index(page).text, block_borders(page)
    lengths, shares = np.diff(borders), np.zeros(len(borders) - 1)
    for block in np.flatnonzero(lengths >= _MIN_BLOCK).tolist():
        start, end = borders[block : block + 2].tolist()
        if text[start] == stated[0] or end - start <= len(stated):
            shares[block] = _common_start(text[start:end], stated)
    return shares[page.blocks]


def _common_start(text: str, stated: str) -> float:
    """Return the share of a text found in another: 1, or its common prefix with the other."""
    if text in stated:
        return 1.0
    if text[0] != stated[0]:
        return 0.0
    length = next((n for n, (a, b) in enumerate(zip(text, stated, strict=False)) if a != b), 0)
    return length / len(text)
