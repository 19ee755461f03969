"""Forms of dates and numbers in short texts."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.lines import page_cues, with_digit
from structce.features.memo import once_a_page
from structce.features.notations import written_day
from structce.features.registry import feature
from structce.page import Page

_TWO_NUMBERS = re.compile(r"\d\D+\d")
_LETTER = re.compile(r"[^\W\d_]")
_ORDINAL = re.compile(
    r"\W*(?:\d{1,3}(?:st|nd|rd|th|er|e|re|ère|ème|º|ª|\.º|\.ª|-й|-я|-е|[.)])(?=\s|$)"
    r"|(?:no|nr|nº|n°|№|#)\.?\s?\d{1,3}\b|第\s?\d{1,3})",
    re.IGNORECASE,
)


@feature("task", source="Spengler et al. (2010)")
def number_cue(page: Page) -> list[str | None]:
    """What a number is to a short text: it is ``only`` one, an ``ordinal``, ``starts``, ``inside``.

    Counts of comments and places in a list are numbers alone; titles hold them inside.
    """
    found: list[str | None] = [None] * len(page)
    for i in with_digit(page):
        found[i] = _number(page.text[i])
    return found


@lru_cache(maxsize=16384)
def _number(text: str) -> str:
    if not _LETTER.search(text):
        return "only"
    if _ORDINAL.match(text):
        return "ordinal"
    return "starts" if text.lstrip("(#+-–").startswith(tuple("0123456789")) else "inside"


@feature("task")
def date_pattern(page: Page) -> list[str | None]:
    """How a day is written, by the CLDR's date formats of the page's language.

    With a ``weekday``, the month ``named`` or ``numeric``, ``yearless``, ``monthly`` without a
    day, or in an ``other`` way. A site writes the dates of its articles in one way.
    """
    found: list[str | None] = [None] * len(page)
    for i, (kind, _) in _days(page).items():
        found[i] = kind
    return found


@feature("task", bins=(0.2, 0.4, 0.6, 0.8, 0.95))
def date_share(page: Page) -> NDArray[np.float64]:
    """Share of the text's letters and digits that a day and times of day take; unknown without.

    A date line says little else; a sentence that mentions a day says more.
    """
    found = np.full(len(page), np.nan)
    for i, (_, share) in _days(page).items():
        found[i] = share
    return found


@once_a_page
def _days(page: Page) -> dict[int, tuple[str, float]]:
    """Return notation and share of the day in each region that has one."""
    cues = page_cues(page)
    found = {
        i: written_day(page.text[i], page.lang)
        for i in with_digit(page)
        if "months-cue" in cues[i] or _TWO_NUMBERS.search(page.text[i])
    }
    return {i: day for i, day in found.items() if day is not None}
