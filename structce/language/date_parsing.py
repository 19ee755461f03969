"""Notations of days, and times of day, in a short text.

:func:`date_notation` is fast enough for every region of a page. The notations are the date formats
of the CLDR.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from structce.language.calendars import (
    LocaleNames,
    PatternToken,
    calendar,
    date_tokens,
    locale,
    pattern_tokens,
)
from structce.language.text import JOINED, TEXTS, fold_digits, language_code
from structce.patterns import lazy_pattern

TIME_OF_DAY = lazy_pattern(
    r"(?=\d)(?<![\d.,:/+€$£])(?<!\d-)([01]?\d|2[0-4])(?:"
    r"(?:[:.]|\s?[h時时點点시]\s?)([0-5]\d|\d(?=\s?[分분]|(?<=:\d)\s*$))(?::[0-5]\d)?"
    r"(?!\d|[.,:/-]\d|\s?[%€$£])[분分]?(?:\s?([ap])\.?\s?m\b)?"
    r"|\s?([ap])\.?\s?m\b|\s?uhr\b|\s?[時时點点시](?!間|间))",
    re.IGNORECASE,
)
"""Pattern of a time of day: hour, minute and half of the day, or hour and half of the day."""

NUMERIC_DATE = lazy_pattern(
    r"(?<!\d)(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d{2})|\d{4}[-./]\d{1,2}[-./]\d{1,2}"
    r"|\d{4}\s?[年년]\s?\d{1,2}\s?[月월])(?!\d)"
)
"""Pattern of a date in digits in any language."""

_NUMBER = lazy_pattern(r"\d+")
_TWO_NUMBERS = lazy_pattern(r"\d\D+\d")
_YEAR_FIRST = frozenset({"ja", "ko", "zh"})  # languages whose short dates begin with the year
_NO_SIGNS = lazy_pattern(r"\W+")
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|\.|º|ª)?"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:\d{4}|\d{2})"
_FIELDS = frozenset("yMLdEc")  # field letters of the CLDR; formats with others are not tried
_KINDS = ("weekday", "named", "numeric", "yearless", "monthly")  # fuller notations first
_ENGLISH = ("en-US", "en-GB")  # English pages seldom state which of the two they use


@lru_cache(maxsize=TEXTS)
def shown_numbers(text: str) -> frozenset[int]:
    """Return the numbers of at most four digits in a text."""
    return frozenset(int(n) for n in _NUMBER.findall(fold_digits(text)) if len(n) <= 4)


def find_clocks(text: str, code: str) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield start, end, and hour and minute of each time of day in a lower-case text.

    A word for the evening turns 8 into 20 o'clock.
    """
    for clock in TIME_OF_DAY.finditer(text):
        if clock[0][-2:-1] == ":" and code not in _YEAR_FIRST:
            continue  # "3:2" is a score, and a time of day in East Asia alone
        hour, minute = int(clock[1]), int(clock[2] or 0)
        half = clock[3] or clock[4]
        if half == "a" and code == "de":
            half = None  # "12:30 am Freitag"
        added = {"a": 0, "p": 12}[half] if half else _added_hours(text, clock, code)
        if added is not None and hour <= 12:
            hour = hour % 12 + added
        yield clock.start(), clock.end(), (hour % 24, minute)


def _added_hours(text: str, clock: re.Match[str], code: str) -> int | None:
    """Return the hours that a word directly before or after a time adds to it, or None."""
    hours = calendar(code).hours
    near = date_tokens(text[: clock.start()])[-1:] + date_tokens(text[clock.end() :])[:1]
    near += [word.replace(".", "") for word in text[clock.end() :].split(maxsplit=1)[:1]]
    for word in near:
        # "12:30 am" was already read; "am 5. Juni" is not morning.
        if word in hours and word != "am":
            return hours[word]
        if word and word[-1] >= JOINED:
            return next((n for name, n in hours.items() if word.endswith(name)), None)
    return None


@lru_cache(maxsize=128)
def date_pattern(tag: str, *, with_names: bool = True) -> re.Pattern[str]:
    """Return a pattern of a language's notations of a day, or of English if it is unknown.

    The name of the matched group is the notation: ``weekday``, ``named`` (with a month's name),
    ``numeric``, ``yearless``, ``monthly`` (a month and a year). Notations with names can be left
    out, without which the pattern is compiled in a fraction of the time.
    """
    kinds: dict[str, dict[str, None]] = {kind: {} for kind in _KINDS}
    for kind, tokens, names in _notations(tag):
        if with_names or not any(map(_is_name, tokens)):
            kinds[kind][_expression(tokens, names)] = None
    groups = [f"(?P<{kind}>{'|'.join(forms)})" for kind, forms in kinds.items() if forms]
    any_group = "|".join(groups) or "(?!)"
    # Notations without names begin with a number in all languages but Toki Pona and Zhuang.
    first = "" if with_names else r"(?=\d)"
    return re.compile(rf"{first}(?<![^\W_])(?:{any_group})(?![^\W_])", re.IGNORECASE)


def _notations(tag: str) -> Iterator[tuple[str, list[PatternToken], LocaleNames]]:
    """Yield kind, parts and locale of each notation that pages in a language may use."""
    for names in filter(None, map(locale, _ENGLISH if _is_english(tag) else (tag,))):
        for pattern in (*names.formats, *filter(None, names.skeletons)):
            tokens = pattern_tokens(pattern)
            fields = {token[0] for token in tokens if isinstance(token, tuple)}
            if fields <= _FIELDS:
                yield _notation_kind(pattern, fields), tokens, names


def _is_english(tag: str) -> bool:
    """Return whether pages write dates as English ones do, as those in an unknown language may."""
    return language_code(tag) == "en" or locale(tag) is None


def _is_name(token: PatternToken) -> bool:
    """Return whether a part of a date format is a month's or a weekday's name."""
    return isinstance(token, tuple) and not (
        token[0] in "yd" or (token[0] in "ML" and token[1] < 3)
    )


@lru_cache(maxsize=64)
def _needed_names(tag: str) -> frozenset[str]:
    """Return names of which every date with a name contains one: months, if it has a month's."""
    needed: set[str] = set()
    for _, tokens, names in _notations(tag):
        if letters := {token[0] for token in tokens if _is_name(token)}:
            lists = names.days if letters.isdisjoint("ML") else names.months
            needed |= {_undotted(_folded(name)).rstrip(".") for own in lists for name in own}
    return frozenset(needed)


def _undotted(text: str) -> str:
    """Return a folded text without the dot of the Turkish capital, which patterns ignore."""
    return text.replace("i\u0307", "i")


def _notation_kind(pattern: str, fields: set[str]) -> str:
    if fields & {"E", "c"}:
        return "weekday"
    if "y" not in fields:
        return "yearless"
    if "d" not in fields:
        return "monthly"
    return "named" if "MMM" in pattern or "LLL" in pattern else "numeric"


def _expression(tokens: Iterable[PatternToken], names: LocaleNames) -> str:
    parts = []
    for token in tokens:
        if isinstance(token, tuple):
            parts.append(_field_expression(*token, names))
        else:
            literal = re.escape(_folded(token))
            parts.append(re.sub(r"(?:\\ |,)+", lambda _: r"[\s,.]*", literal))
    return "".join(parts)


def _field_expression(field: str, count: int, locale_names: LocaleNames) -> str:
    if field == "y":
        return _YEAR
    if field == "d":
        return _DAY
    if not _is_name((field, count)):
        return _MONTH
    return _any_name(locale_names.months if field in "ML" else locale_names.days)


@lru_cache(maxsize=128)
def _any_name(lists: tuple[tuple[str, ...], ...]) -> str:
    """Return an expression of the names in lists, longest first, that branches on the first letter.

    Where case is ignored, patterns try one branch after another.
    """
    names = {_folded(name).rstrip(".") for listed in lists for name in listed}
    rests: dict[str, list[str]] = {}
    for name in sorted(sorted(names), key=len, reverse=True):
        rests.setdefault(name[:1], []).append(re.escape(name[1:]))
    branches = (f"{re.escape(letter)}(?:{'|'.join(own)})" for letter, own in rests.items())
    return f"(?:{'|'.join(branches)})\\.?"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=TEXTS)
def date_notation(text: str, tag: str) -> tuple[str, float] | None:
    """Return the notation of the first day in a text, and the share of the text that it takes.

    The notation is a group of :func:`date_pattern`, or ``other`` if the day is in English or in
    plain numbers. The share is that of letters and digits, in [0, 1], times of day included.
    """
    folded = fold_digits(text)
    plain, has_two = _undotted(folded.casefold()), _TWO_NUMBERS.search(folded) is not None
    kind, match = "other", None
    for own in (tag,) if _is_english(tag) else (tag, "en"):
        has_name = any(map(plain.__contains__, _needed_names(own)))
        if has_name or has_two:
            match = date_pattern(own, with_names=has_name).search(folded)
        if match:
            kind = str(match.lastgroup) if own == tag else kind
            break
    if match is None and has_two:
        match = NUMERIC_DATE.search(folded)
    if match is None:
        return None
    rest = TIME_OF_DAY.sub("", folded[: match.start()] + folded[match.end() :])
    return kind, 1 - len(_NO_SIGNS.sub("", rest)) / len(_NO_SIGNS.sub("", folded))
