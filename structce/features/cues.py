"""Features of cue words: phrases that are typical of bylines, dates, credits and notices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Floats
from structce.features.dom_tree import at_regions
from structce.features.registry import SPENGLER, feature, once_a_page
from structce.features.tables import text_table
from structce.features.text import compact_words, digit_counts, lengths
from structce.language import (
    MAX_CUE_LENGTH,
    TEXTS,
    cues_of_texts,
    date_notation,
    split_words,
)
from structce.page import Page
from structce.patterns import lazy_pattern

_TWO_NUMBERS = lazy_pattern(r"\d\D+\d")
_LETTER = lazy_pattern(r"[^\W\d_]")
_ORDINAL = lazy_pattern(
    r"\W*(?:\d{1,3}(?:st|nd|rd|th|er|e|re|ère|ème|º|ª|\.º|\.ª|-й|-я|-е|[.)])(?=\s|$)"
    r"|(?:no|nr|nº|n°|№|#)\.?\s?\d{1,3}\b|第\s?\d{1,3})",
    re.IGNORECASE,
)


@once_a_page
def page_cues(page: Page) -> list[frozenset[str]]:
    """Return the names of the cues in each region's text."""
    return cues_of_texts(page.text, page.lang, page.text_counts[3])


@once_a_page
def with_digit(page: Page) -> list[int]:
    """Return the regions of at most ``MAX_CUE_LENGTH`` characters with a digit."""
    has_digit = (lengths(page) <= MAX_CUE_LENGTH) & (digit_counts(page) > 0)
    return np.flatnonzero(has_digit).tolist()


def compact_text(text: str) -> str:
    """Return the words of a text without what separates them."""
    return "".join(split_words(text))


@once_a_page
def compact_texts(page: Page) -> list[str]:
    """Return the words of each text without what separates them; empty for long texts."""
    rows = zip(page.text, compact_words(page), strict=True)
    return [key if len(text) <= MAX_CUE_LENGTH else "" for text, key in rows]


@once_a_page
def _cue_columns(page: Page) -> Mapping[str, Flags]:
    """Return which regions have each cue, for all cues that occur on the page."""
    places: dict[str, list[int]] = {}
    for i, cues in enumerate(page_cues(page)):
        for name in cues:
            places.setdefault(name, []).append(i)
    columns = {name: np.zeros(len(page), dtype=bool) for name in places}
    for name, rows in places.items():
        columns[name][rows] = True
    return columns


def cue_column(page: Page, name: str) -> Flags:
    """Return which regions have a cue, shape (n_regions,)."""
    column = _cue_columns(page).get(name)
    return np.zeros(len(page), dtype=bool) if column is None else column


def _register_cue(name: str, doc: str) -> None:
    def compute(page: Page) -> Flags:
        return cue_column(page, name)

    compute.__doc__ = doc
    source = SPENGLER if name in text_table("spengler2010")["task"].split() else "ours"
    aliases = ["month-cue"] if name == "months-cue" else []
    feature("task", name=name, source=source, aliases=aliases)(compute)


for _name, _doc in text_table("cues").items():
    _register_cue(_name, _doc)


@feature("task", source=SPENGLER)
def number_cue(page: Page) -> list[str | None]:
    """Role of a number in a short text: ``only`` content, ``ordinal``, ``starts`` it, ``inside``.

    Counts of comments and places in a list are numbers alone; titles contain them inside.
    """
    return at_regions(page, {i: _number_role(page.text[i]) for i in with_digit(page)})


@lru_cache(maxsize=TEXTS)
def _number_role(text: str) -> str:
    if not _LETTER.search(text):
        return "only"
    if _ORDINAL.match(text):
        return "ordinal"
    return "starts" if text.lstrip("(#+-–").startswith(tuple("0123456789")) else "inside"


@feature("task", name="date-pattern")
def day_notation(page: Page) -> list[str | None]:
    """Notation of a date, according to the CLDR's date formats of the page's language.

    With a ``weekday``, with the month ``named`` or ``numeric``, ``yearless``, ``monthly`` without a
    day, or in an ``other`` way. A site writes the dates of all its articles in one way.
    """
    return at_regions(page, {i: kind for i, (kind, _) in _written_days(page).items()})


@feature("task", bins=(0.2, 0.4, 0.6, 0.8, 0.95))
def date_share(page: Page) -> Floats:
    """Share of the text's letters and digits that belong to a date and its time; else unknown.

    A date line contains little else; a sentence that mentions a date contains more.
    """
    shares = np.full(len(page), np.nan)
    for i, (_, share) in _written_days(page).items():
        shares[i] = share
    return shares


@once_a_page
def _written_days(page: Page) -> dict[int, tuple[str, float]]:
    """Return notation and share of the date in each region that contains one."""
    cues = page_cues(page)
    days = {
        i: date_notation(page.text[i], page.lang)
        for i in with_digit(page)
        if "months-cue" in cues[i] or _TWO_NUMBERS.search(page.text[i])
    }
    return {i: day for i, day in days.items() if day is not None}
