"""The ways in which a language writes a day, from the date formats of the CLDR."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from babel import Locale
from babel.dates import tokenize_pattern
from babel.localedata import LocaleDataDict

from structce.features.calendars import locale
from structce.features.shown import CLOCK
from structce.text import fold_digits, language

_SKELETONS = ("yMMMEd", "yMMMd", "yMd", "MMMMd", "MMMd", "yMMMM", "yMMM")
PLAIN_DATE = re.compile(
    r"(?<!\d)(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d{2})|\d{4}[-./]\d{1,2}[-./]\d{1,2}"
    r"|\d{4}\s?[年년]\s?\d{1,2}\s?[月월])(?!\d)"
)
"""A date in digits, as it is written in any language."""

_SIGN = re.compile(r"\w")
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|\.|º|ª)?"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:\d{4}|\d{2})"
_FIELDS = frozenset("yMLdEc")
_KINDS = ("weekday", "named", "numeric", "yearless", "monthly")  # the fuller one first
_ENGLISH = ("en-US", "en-GB")  # pages in English seldom say which of the two they write

Token = tuple[str, str | tuple[str, int]]


@lru_cache(maxsize=64)
def notation(tag: str) -> re.Pattern[str]:
    """Return a pattern of the ways to write a day in a language; in English if it is not known.

    The name of the matched group says which way: ``weekday``, ``named`` for a month's name,
    ``numeric``, ``yearless``, ``monthly`` for a month and a year.
    """
    known = locale(tag)
    tags = _ENGLISH if known is None or language(tag) == "en" else (tag,)
    kinds: dict[str, dict[str, None]] = {kind: {} for kind in _KINDS}
    for one in filter(None, map(locale, tags)):
        for pattern in _patterns(one):
            tokens = tokenize_pattern(pattern)
            fields = {value[0] for _, value in tokens if isinstance(value, tuple)}
            if fields <= _FIELDS:
                kinds[_kind(pattern, fields)][_expression(tokens, one)] = None
    groups = (f"(?P<{kind}>{'|'.join(found)})" for kind, found in kinds.items() if found)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(groups)})(?![^\W_])", re.IGNORECASE)


def _patterns(known: Locale) -> list[str]:
    formats = [known.date_formats[name].pattern for name in ("full", "long", "medium", "short")]
    skeletons = known.datetime_skeletons
    return formats + [skeletons[name].pattern for name in _SKELETONS if name in skeletons]


def _kind(pattern: str, fields: set[str]) -> str:
    if fields & {"E", "c"}:
        return "weekday"
    if "y" not in fields:
        return "yearless"
    if "d" not in fields:
        return "monthly"
    return "named" if "MMM" in pattern or "LLL" in pattern else "numeric"


def _expression(tokens: Iterable[Token], known: Locale) -> str:
    made = []
    for _, value in tokens:
        if isinstance(value, tuple):
            made.append(_field(*value, known))
        else:
            literal = re.escape(unicodedata.normalize("NFKC", value).casefold())
            made.append(re.sub(r"(?:\\ |,)+", lambda _: r"[\s,.]*", literal))
    return "".join(made)


def _field(field: str, count: int, known: Locale) -> str:
    if field == "y":
        return _YEAR
    if field == "d":
        return _DAY
    if field in "ML" and count < 3:
        return _MONTH
    names = sorted(_names(known.months if field in "ML" else known.days), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, names))})\\.?"


def _names(table: LocaleDataDict) -> set[str]:
    """Return all wide and abbreviated names, case folded, without a dot at the end."""
    return {
        unicodedata.normalize("NFKC", name).casefold().rstrip(".")
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for name in table[context][width].values()
    }


@lru_cache(maxsize=16384)
def written_day(text: str, tag: str) -> tuple[str, float] | None:
    """Return how the first day in a text is written, and the share of the text that dates take.

    In ways of the language, else as ``other``: in English or in plain numbers. The share is that
    of letters and digits, times of day included.
    """
    folded = fold_digits(text)
    found = notation(tag).search(folded)
    kind = found.lastgroup if found else None
    if found is None or kind is None:
        found, kind = notation("en").search(folded) or PLAIN_DATE.search(folded), "other"
    if found is None:
        return None
    rest = CLOCK.sub("", folded[: found.start()] + folded[found.end() :])
    return kind, 1 - len(_SIGN.findall(rest)) / len(_SIGN.findall(folded))
