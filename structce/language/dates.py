"""Parse timestamps, and find dates in running text in the language of the page.

Notations of machines (ISO 8601, RFC 2822, Unix time) are parsed here; dates in running text by
dateparser. What :mod:`structce.language.date_parsing` offers is faster and returns every reading.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache

from structce.language.text import fold_digits

MAX_LENGTH = 200
"""Characters of the longest text that is searched for a date; bylines are far shorter."""

_ISO = re.compile(
    r"\b(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?"
)
_SECONDS = re.compile(r"1\d{9}")  # since 1970: 2001 to 2033
_YEAR_FIRST = re.compile(r"(\d{4})\s*[./年년-]\s*(\d{1,2})\s*[./月월-]\s*(\d{1,2})")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")
_DIRECTION = re.compile("[\u061c\u200e\u200f]")  # marks that Arabic and Hebrew dates have inside
# The search takes the dot of "6 déc. 2025" for an end and "jour" for a unit of time.
_DOT = re.compile(r"(?<=[^\W\d_]{3})\.(?=\s*\d{4})")
_REMARK = re.compile(r"^mis(?:e)? à jour\b", re.IGNORECASE)
_SETTINGS = {"RETURN_AS_TIMEZONE_AWARE": False, "REQUIRE_PARTS": ["day", "month"]}


def parse_iso(text: str) -> datetime | None:
    """Return the moment of an ISO 8601 text, or None.

    Words around it and a space before the offset from UTC are ignored.
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        found = _ISO.search(text)
    if found is None:
        return None
    day, clock, offset = found.groups("")
    try:
        return datetime.fromisoformat(f"{day}T{clock}{offset}" if clock else day)
    except ValueError:
        return None


def parse_timestamp(text: str) -> datetime | None:
    """Return the moment of a timestamp in metadata, or None.

    It may be in ISO 8601, in the notation of e-mail (RFC 2822), or in seconds since 1970.
    """
    moment = parse_iso(text)
    if moment is not None:
        return moment
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        pass
    return datetime.fromtimestamp(int(text), UTC) if _SECONDS.fullmatch(text.strip()) else None


def find_dates(text: str, lang: str = "", *, near: date | None = None) -> list[datetime]:
    """Return the dates in a short text, in order.

    Parameters
    ----------
    text
        At most ``MAX_LENGTH`` characters; a longer text gives no dates.
    lang
        Language of the page (``de-AT``); tried first.
    near
        A text without a year is read as the year nearest to this date; without it such a text
        gives nothing.

    Notes
    -----
    Notations that begin with the year are parsed here; all others by dateparser.
    """
    text = _REMARK.sub("", _DOT.sub("", _DIRECTION.sub("", fold_digits(text))))
    if len(text) > MAX_LENGTH or not any(character.isdigit() for character in text):
        return []
    if fixed := list(_year_first(text)):
        return fixed
    if near is None and not _YEAR.search(text):
        return []
    base = datetime(near.year, near.month, near.day) if near is not None else None
    return list(_search(text, lang.split("-")[0].lower(), base))


def _year_first(text: str) -> Iterator[datetime]:
    for found in _YEAR_FIRST.finditer(text):
        try:
            yield datetime(int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            continue


@lru_cache(maxsize=8192)
def _search(text: str, lang: str, base: datetime | None) -> tuple[datetime, ...]:
    """Return the dates that dateparser finds in the page's language, else in English."""
    from dateparser.search import search_dates  # 0.3 s to import

    settings: dict[str, object] = dict(_SETTINGS)
    if base is not None:
        settings["RELATIVE_BASE"] = base
    for language in dict.fromkeys((lang, "en")):
        if language not in _languages():
            continue
        ordered = settings | {"DATE_ORDER": _order(language)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            found = search_dates(text, languages=[language], settings=ordered)
        dates = [moment for words, moment in found or () if _is_date(words)]
        if dates:
            return tuple(dates)
    return ()


def _is_date(words: str) -> bool:
    """Return whether matched words can be a date; a lone number or time is not."""
    has_month = re.search(r"[^\W\d_]{3,}", words) is not None
    return any(c.isdigit() for c in words) and (
        has_month or re.search(r"\d{1,2}\s*[./-]\s*\d{1,2}", words) is not None
    )


@lru_cache(maxsize=64)
def _order(language: str) -> str:
    """Return a language's order of day, month and year; dateparser's search assumes English's."""
    from dateparser.languages.loader import default_loader

    return str(default_loader.get_locale(language).info.get("date_order", "MDY"))


@lru_cache(maxsize=1)
def _languages() -> frozenset[str]:
    from dateparser.data.languages_info import language_order

    return frozenset(language_order)
