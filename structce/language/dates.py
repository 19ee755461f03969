"""Parse timestamps, and find dates in running text in the language of the page.

Machine notations (ISO 8601, RFC 2822, Unix time) are parsed here, dates in running text by
:mod:`structce.language.day_search`. Features use :mod:`structce.language.date_parsing`, which
returns all readings of a text, and its notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache

from structce.language.day_search import fold_numerals, search_moments
from structce.language.text import TEXTS, fold_digits, language_code, phrases, shared
from structce.language.vocabulary import word_list

MAX_LENGTH = 200
"""Greatest number of characters of a text that is searched; bylines are far shorter."""

_ISO = re.compile(
    r"\b(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?"
)
_IN_SCRIPTS = re.compile(
    r"^\s*(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) (\d\d?) (\d{4}) ([\d:]{8}) (?:GMT|UTC)(?=[+-])"
)
_IN_MAIL = re.compile(
    r"\s*(?:[A-Z][a-z]{2}, )?\d\d? [A-Z][a-z]{2} \d{4} [\d:]{5,8} (?:GMT|UTC|[+-]\d{4})\s*"
)
_SECONDS = re.compile(r"1\d{9}")  # seconds since 1970, of the years 2001 to 2033
_DIGIT = re.compile(r"\d|[一二三四五六七八九十元]\s?月")
_YEAR = re.compile(
    r"\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}|[\d〇零○一二三四五六七八九元]\s?年|[-/.'’]\d\d(?!\d)"
)
_WORD_START = re.compile(r"(?<![^\W\d_])\S")
_DIRECTION = re.compile("[\u061c\u200e\u200f]")  # marks inside Arabic and Hebrew dates


def parse_iso(text: str) -> datetime | None:
    """Return the moment of an ISO 8601 text, or None.

    Words around it and a space before the offset from UTC are ignored.
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        match = _ISO.search(text)
    if match is None:
        return None
    day, clock, offset = match.groups("")
    try:
        return datetime.fromisoformat(f"{day}T{clock}{offset}" if clock else day)
    except ValueError:
        return None


def parse_timestamp(text: str) -> datetime | None:
    """Return the moment of a timestamp in metadata, or None.

    It may be in ISO 8601, in the notation of e-mail (RFC 2822) or of scripts, or in seconds since
    1970.
    """
    moment = parse_iso(text)
    if moment is not None:
        return moment
    from email.utils import parsedate_to_datetime  # late: it takes 10 ms, for a rare notation

    try:
        return parsedate_to_datetime(_IN_SCRIPTS.sub(r"\2 \1 \3 \4 ", text))
    except (ValueError, OverflowError):
        pass
    return datetime.fromtimestamp(int(text), UTC) if _SECONDS.fullmatch(text.strip()) else None


def find_dates(
    text: str, lang: str = "", *, near: date | None = None, country: str = ""
) -> list[datetime]:
    """Return the dates in a short text, in order.

    Parameters
    ----------
    text
        Text of at most ``MAX_LENGTH`` characters; a longer text gives no dates.
    lang
        Language of the page (``de-AT``), which decides what 3/4/2026 means.
    near
        Reference date: a date without a year gets the year that brings it nearest to this one. If
        None, dates without a year are ignored.
    country
        Top-level domain of the page's site, which decides if the language does not: ``uk``.

    Notes
    -----
    Times relative to now, "3 hours ago", are not dates.

    >>> find_dates("Tom Rost, 3 May 2026 at 9:30am")
    [datetime.datetime(2026, 5, 3, 9, 30)]
    """
    if len(text) > MAX_LENGTH or not _DIGIT.search(text):
        return []
    if near is None and not _YEAR.search(text):
        return []
    if _IN_MAIL.fullmatch(text) and (moment := parse_timestamp(text)):
        return [moment]
    day = None if near is None else date(near.year, near.month, near.day)
    return list(_search(text, lang, country, day))


@lru_cache(maxsize=TEXTS)
def _search(text: str, lang: str, country: str, near: date | None) -> tuple[datetime, ...]:
    folded = fold_numerals(_DIRECTION.sub("", fold_digits(text)).casefold())
    return tuple(search_moments(folded, lang, country, near))


@lru_cache(maxsize=TEXTS)
def date_occasion(text: str, lang: str = "") -> int:
    """Return 1 if the first date of a text is that of a change, -1 of publication, otherwise 0.

    The last word for publication or change before the first digit decides, "Updated: 3 May 2026";
    otherwise the first such word after it: "3 May 2026 (updated)".
    """
    folded = fold_digits(text).casefold()
    words = list(_occasions(folded, language_code(lang)))
    first = _DIGIT.search(folded)
    start = len(folded) if first is None else first.start()
    before = [occasion for place, occasion in words if place < start]
    return before[-1] if before else next((occasion for _, occasion in words), 0)


def _occasions(folded: str, code: str) -> Iterator[tuple[int, int]]:
    """Yield the places of words for a change, with 1, and of words for publication, with -1.

    The longest word counts, and words inside it do not. A regular expression would find them as
    fast, but takes 3 ms to compile for each language.
    """
    end, words = 0, _occasion_words(code)
    for match in _WORD_START.finditer(folded):
        start = match.start()
        if start >= end:
            for word, occasion in words.get(match[0], ()):
                if folded.startswith(word, start):
                    yield start, occasion
                    end = start + len(word)
                    break


@lru_cache(maxsize=64)
def _occasion_words(code: str) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return words for change, then for publication, the longest first, by first letter."""
    words_of: dict[str, list[tuple[str, int]]] = {}
    for name, occasion in (("updated", 1), ("published", -1)):
        for word in sorted(phrases(word_list(name), code), key=len, reverse=True):
            words_of.setdefault(word[0], []).append((word, occasion))
    return {letter: shared(tuple(words)) for letter, words in words_of.items()}
