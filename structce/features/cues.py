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
from structce.features.text import compact_words
from structce.language import (
    DIGIT,
    MAX_CUE_LENGTH,
    TEXTS,
    agencies,
    date_notation,
    find_cues,
    language_code,
    split_names,
    split_words,
    strip_byline_prefix,
)
from structce.page import Page

_TWO_NUMBERS = re.compile(r"\d\D+\d")
_LETTER = re.compile(r"[^\W\d_]")
_ORDINAL = re.compile(
    r"\W*(?:\d{1,3}(?:st|nd|rd|th|er|e|re|ère|ème|º|ª|\.º|\.ª|-й|-я|-е|[.)])(?=\s|$)"
    r"|(?:no|nr|nº|n°|№|#)\.?\s?\d{1,3}\b|第\s?\d{1,3})",
    re.IGNORECASE,
)
_MAX_BYLINE = 120  # characters of a byline
_MAX_NAMES = 60  # characters of names that are not introduced by "by"
_MAX_DATELINE = 120  # characters at the start of a text in which a dateline is looked for
_PARTICLES = frozenset(
    "von van de der den des del della di da do dos du la le bin ibn al el ter ten zu".split()
)
_MIN_WORDS, _MAX_WORDS = 2, 5  # words of a person's name
_CASED = "\u0590"  # first letter after the alphabets that have capitals
_NAME_SEPARATOR = re.compile(r"[,;/|&、・·•(]| (?:[^\W\d_]|\w\w|and|und|och|και|oraz|και|och) ")
_MAX_UNCASED = 4  # letters of a part of a name in scripts without capitals
_DATELINE = re.compile(
    r"\W{0,2}(?P<place>[^\W\d_][^()\n–—|]{1,58}?)\s*"
    r"(?:\((?P<agency>[^()]{2,25})\)|/(?P<wire>[^/()]{2,25})/)?\s*(?:\.?\s?[–—]|\.?\s-{1,2}\s|\.-|\s\|)"
)
_JOINED_DATELINE = re.compile(
    r"\s*(?:[（(]?\S{2,5}社\S{0,20}?[电電讯訊]|[【（(［\[]\S{1,10}[=＝]\S{1,12}[】）)］\]])"
)
_DASH = re.compile(r"[–—|]|\.-| --? ")
_MIN_SENTENCE = 40  # characters of a text that may begin with a dateline
_MIN_PLACE = 3  # letters of a place in capitals


@once_a_page
def page_cues(page: Page) -> list[frozenset[str]]:
    """Return the names of the cues in each region's text."""
    tag = page.lang
    return [find_cues(text, tag) for text in page.text]


@once_a_page
def with_digit(page: Page) -> list[int]:
    """Return the regions of at most ``MAX_CUE_LENGTH`` characters with a digit."""
    return [
        i for i, text in enumerate(page.text) if len(text) <= MAX_CUE_LENGTH and DIGIT.search(text)
    ]


def compact_text(text: str) -> str:
    """Return the words of a text without what separates them."""
    return "".join(split_words(text))


@once_a_page
def compact_texts(page: Page) -> list[str]:
    """Return the words of each text without what separates them; empty for long texts."""
    rows = zip(page.text, compact_words(page), strict=True)
    return [key if len(text) <= MAX_CUE_LENGTH else "" for text, key in rows]


def share_of_text(page: Page, names: set[str]) -> Floats:
    """Return the length of the longest compact name in each text as a share of the text."""
    shares = np.zeros(len(page))
    for i, text in enumerate(compact_texts(page) if names else ()):
        for name in names:
            if name in text:
                shares[i] = max(shares[i], len(name) / len(text))
    return shares


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


def _register_cue(name: str, doc: str) -> None:
    def compute(page: Page) -> Flags:
        return _cue_columns(page).get(name, np.zeros(len(page), dtype=bool))

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
    shares = at_regions(page, {i: share for i, (_, share) in _written_days(page).items()})
    return np.array(shares, dtype=np.float64)


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


@feature("task")
def byline_pattern(page: Page) -> list[str | None]:
    """Form of byline that the text has: ``by``, ``by-name``, ``name``, ``names``, ...

    ``name-role`` is a name with the person's role, ``name-more`` one with a place or similar.

    A name alone is a byline on one site and a menu entry on another; a name after "by" is a byline
    nearly everywhere. ``capitals`` is a name in capitals, ``by-other`` is "by" before something
    that does not look like a person's name.
    """
    return [
        _byline_form(text, page.lang) if len(text) <= _MAX_BYLINE else None for text in page.text
    ]


@lru_cache(maxsize=4096)
def _byline_form(text: str, tag: str) -> str | None:
    cues = find_cues(text, tag)
    code = language_code(tag)
    if "author-cue" not in cues:
        may_be = len(text) <= _MAX_NAMES and _may_be_name(text)
        return _name_form(text, code) if may_be else None
    rest = strip_byline_prefix(text, code)
    if rest == text and "role-cue" not in cues and len(text.split()) < 3:
        return "by"
    pieces = [piece for piece in split_names(rest, code) if piece.strip()]
    named = [_is_name(piece) for piece in pieces]
    if rest != text:
        return "by-name" if named and named[0] else "by-other"
    return "name-role" if named and named[0] and not all(named) else _name_form(text, code)


def _name_form(text: str, code: str) -> str | None:
    """Return the form of a text that begins with a name: one name, in capitals, or several."""
    pieces = [text]
    if _NAME_SEPARATOR.search(text):
        pieces = [piece for piece in split_names(text.split("(")[0], code) if piece.strip()]
    if not pieces or not _is_name(pieces[0]):
        return None
    if len(pieces) == 1:
        return "capitals" if text.isupper() else "name"
    return "names" if all(map(_is_name, pieces)) else "name-more"


def _may_be_name(text: str) -> bool:
    """Return whether a text begins with a capital, or is short in a script without them."""
    first = text[:1]
    if first.isupper():
        return " " in text
    return first > _CASED and first.isalpha() and len(text) <= 2 * _MAX_UNCASED


def _is_name(text: str) -> bool:
    """Return whether a text has the form of a person's name: capitals and particles."""
    parts = text.strip(" .:–—-").split()
    if not _MIN_WORDS <= len(parts) <= _MAX_WORDS or any(c.isdigit() for c in text):
        return False
    if not parts[0][0].isupper():
        return all(part.isalpha() and len(part) <= _MAX_UNCASED for part in parts) and (
            parts[0][0] > _CASED
        )
    capitals = sum(part[0].isupper() for part in parts)
    small = [part for part in parts if not part[0].isupper()]
    return capitals >= _MIN_WORDS and all(part.lower() in _PARTICLES for part in small)


@feature("task")
def dateline(page: Page) -> list[str | None]:
    """Dateline before the first sentence: a place with an ``agency``, or in ``capitals``.

    "BERLIN (dpa) -" occurs only at the beginning of an agency report's main text.
    """
    return [
        _dateline_kind(text[:_MAX_DATELINE]) if len(text) >= _MIN_SENTENCE else None
        for text in page.text
    ]


@lru_cache(maxsize=4096)
def _dateline_kind(text: str) -> str | None:
    if _JOINED_DATELINE.match(text):
        return "agency"
    match = _DATELINE.match(text) if _DASH.search(text) else None
    if match is None or not match["place"][0].isupper():
        return None
    agency = match["agency"] or match["wire"] or ""
    if agency.casefold() in agencies() or agency.isupper():
        return "agency"
    place = re.split(r"[\s,]", match["place"])[0]
    shouts = len(place) >= _MIN_PLACE and place.isupper()
    return "capitals" if shouts and len(text) > 2 * len(match[0]) and not text.isupper() else None
