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
from structce.features.landmarks import LIKENESS_BINS, block_texts
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
    for name in names:
        for i in [i for i, text in enumerate(compact_texts(page)) if name in text]:
            shares[i] = max(shares[i], len(name) / len(compact_texts(page)[i]))
    return shares


@feature("task", window=AROUND)
@once_a_page
def date_match(page: Page) -> list[str | None]:
    """Which numbers of a stated date the region shows: day, month and year, or day and year."""
    days = _stated_days(page)
    shown = {i: shown_numbers(page.text[i]) for i in with_digit(page)} if days else {}
    return at_regions(page, {i: _numbers_match(own, days) for i, own in shown.items()})


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
    texts = block_texts(page)
    shares = [_common_start(text, stated) if len(text) >= _MIN_BLOCK else 0.0 for text in texts]
    return np.array(shares, dtype=np.float64)[page.blocks]


def _common_start(text: str, stated: str) -> float:
    """Return the share of a text found in another: 1, or its common prefix with the other."""
    if text in stated:
        return 1.0
    if text[0] != stated[0]:
        return 0.0
    length = next((n for n, (a, b) in enumerate(zip(text, stated, strict=False)) if a != b), 0)
    return length / len(text)
