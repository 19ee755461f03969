"""Parse timestamps, and search running text for dates in the language of the page.

Machine notations are ISO 8601, RFC 2822 and Unix time. In running text, notations in digits are
read first; then times of day; then names of months with the numbers beside them. If a number can be
the day or the month, the order of the page's language and country decides. The notation of a
day, which is a feature, is in :mod:`structce.language.date_parsing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import compress, count
from typing import NamedTuple, TypeGuard

from structce.language.calendars import FIELDS, PERSIAN_MONTH, locale, month_names
from structce.language.date_parsing import find_clocks
from structce.language.text import TEXTS, fold_digits, language_code
from structce.language.vocabulary import phrases
from structce.patterns import lazy_pattern

MAX_LENGTH = 200
"""Greatest number of characters of a text that is searched; bylines are far shorter."""

_ISO = lazy_pattern(
    r"\b(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?"
)
_IN_SCRIPTS = lazy_pattern(
    r"^\s*(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) (\d\d?) (\d{4}) ([\d:]{8}) (?:GMT|UTC)(?=[+-])"
)
_IN_MAIL = lazy_pattern(
    r"\s*(?:[A-Z][a-z]{2}, )?\d\d? [A-Z][a-z]{2} \d{4} [\d:]{5,8} (?:GMT|UTC|[+-]\d{4})\s*"
)
_SECONDS = lazy_pattern(r"(1\d{9})(?:\d{3})?")  # since 1970, of the years 2001 to 2033, or in ms
_DIGIT = lazy_pattern(r"\d")
_HAS_YEAR = lazy_pattern(r"\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}|\d\s?年|[-/.'’]\d\d(?!\d)")
_WORD_START = lazy_pattern(r"(?<![^\W\d_])\S")
_DIRECTION = lazy_pattern("[\u061c\u200e\u200f]")  # marks inside Arabic and Hebrew dates

_YEAR_FIRST = frozenset({"zh", "ja", "ko"})  # then the month before the day

_BUDDHIST, _MINGUO = 543, 1911  # difference between the years of an era and of the common era
_TERRITORIES = {"uk": "GB", "eu": "FR"}  # of domains that are not country codes
_CENTURIES = ("19", "20", "24", "25", "13", "14")  # including Buddhist and Persian ones
_PERSIAN = range(1300, 1500)  # possible years of a page in the Persian calendar
_PERSIAN_LEAP = frozenset({1, 5, 9, 13, 17, 22, 26, 30})  # leap years of a cycle of 33 years
_PERSIAN_START = (1403, date(2024, 3, 20))  # a year and its first day
_JAPANESE = {"令和": 2018, "平成": 1988}
_EARLIEST, _LATEST = 1900, 2099  # possible years of a page
_MAX_GAP = 24  # characters between two parts of a date
_MAX_GAP_WORDS = 3
_SHORT = 3  # letters of a word between two parts of a date: "de", "den", "of", "th"
_GAP_WORDS = frozenset({"gada"})
_MAX_NUMBERS = 40  # of a text with a date; a table of numbers has more

_ERA_DAY = lazy_pattern(r"(令和|平成|民國|民国)\s?(\d{1,3})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})")
_YEAR_MONTH_DAY = lazy_pattern(
    r"(?<!\d)(?<!\d[.,/-])(\d{4})(?:\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})|\s?년\s?(\d{1,2})\s?월\s?(\d{1,2})"
    r"|\s?([./-])\s?(\d{1,2})\s?\6\s?(\d{1,2}))(?!\d)"
)
_DAY_MONTH_YEAR = lazy_pattern(
    r"(?<!\d)(?<!\d[.,/-])(\d{1,2})(?:\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4})"
    r"|([./-])(\d{1,2})\5(\d{2}))(?![\d]|[/-]\d|\.\d)"
)
_VIETNAMESE = lazy_pattern(
    r"(?<!\d)(\d{1,2})\s(?:tháng|thg)\s?(\d{1,2})(?:,|\snăm)?\s(\d{4})(?!\d)"
)
_YEAR_OF_TWO = lazy_pattern(r"(?<![\d年])(\d{2})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})(?!\d)")
_MONTH_DAY = lazy_pattern(
    r"(?<![\d.年년])(?<![年년]\s)(?:(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]"
    r"|(\d{1,2})(?:\.\s?(\d{1,2})\.|/(\d{1,2}))(?![\d/]))"
)
_THAI_SHORT = lazy_pattern(r"([ก-ฮ][ิี]?|เม)\.([ก-ฮ])\.?")
_TOKEN = lazy_pattern(r"\d+|[^\s\d_.,;:/|()\[\]'’`´·•–—+*=<>\"“”«»-]+")
_BREAK = lazy_pattern(r"[|·•()\[\]:!?*=<>]")  # marks that never separate the parts of a date
_SHORT_YEAR = lazy_pattern(r"\s?[-/'’.]\s?")
_ZONE = lazy_pattern(r"(?:(?:utc|gmt)\s?[+−-]\d{1,2}(?::?\d{2})?|(?<=;)\s?[+−-]\d{1,2}:?\d{2})\b")


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

    It may be in ISO 8601, in the notation of e-mail (RFC 2822) or of scripts, or in seconds or
    milliseconds since 1970.
    """
    moment = parse_iso(text)
    if moment is not None:
        return moment
    from email.utils import parsedate_to_datetime  # late: it takes 10 ms, for a rare notation

    try:
        return parsedate_to_datetime(_IN_SCRIPTS.sub(r"\2 \1 \3 \4 ", text))
    except (ValueError, OverflowError):
        pass
    seconds = _SECONDS.fullmatch(text.strip())
    return datetime.fromtimestamp(int(seconds[1]), UTC) if seconds else None


def find_dates(
    text: str, lang: str = "", *, near: date | None = None, country: str = ""
) -> list[datetime]:
    """Return the dates in a short text, in order, without times relative to now: "3 hours ago".

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

    >>> find_dates("Tom Rost, 3 May 2026 at 9:30am")
    [datetime.datetime(2026, 5, 3, 9, 30)]
    """
    if len(text) > MAX_LENGTH or not _DIGIT.search(text):
        return []
    if near is None and not _HAS_YEAR.search(text):
        return []
    if _IN_MAIL.fullmatch(text) and (moment := parse_timestamp(text)):
        return [moment]
    day = None if near is None else date(near.year, near.month, near.day)
    return list(_find_moments(text, lang, country, day))


@lru_cache(maxsize=TEXTS)
def _find_moments(text: str, lang: str, country: str, near: date | None) -> tuple[datetime, ...]:
    folded = _DIRECTION.sub("", fold_digits(text)).casefold()
    return tuple(_moments(folded, lang, country, near))


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
    before = [occasion for index, occasion in words if index < start]
    return before[-1] if before else next((occasion for _, occasion in words), 0)


def _occasions(folded: str, code: str) -> Iterator[tuple[int, int]]:
    """Yield the places of words for a change, with 1, and of words for publication, with -1."""
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
def _occasion_words(code: str) -> Mapping[str, list[tuple[str, int]]]:
    """Return words for change, then for publication, the longest first, by first letter."""
    words_of: dict[str, list[tuple[str, int]]] = {}
    for name, occasion in (("updated", 1), ("published", -1)):
        for word in sorted(phrases(name, code), key=len, reverse=True):
            words_of.setdefault(word[0], []).append((word, occasion))
    return words_of


class DayMatch(NamedTuple):
    """A day in a text, and its range of characters."""

    day: date
    start: int
    end: int


def _moments(text: str, lang: str, country: str, near: date | None) -> Iterator[datetime]:
    """Yield the days in a lower-case text with digits 0 to 9, each with the time beside it."""
    code = language_code(lang)
    matches = list(_numeric_days(text, _date_order(lang, country), code))
    rest = _masked(text, ((match.start, match.end) for match in matches), "|")
    clocks = list(find_clocks(rest, code))
    rest = _masked(rest, ((start, end) for start, end, _ in clocks), ";")
    rest = _ZONE.sub(lambda zone: ";" * len(zone[0]), rest) if clocks else rest
    matches += _named_days(rest, code, near)
    if not matches and near is not None:
        matches = list(_yearless_days(rest, _date_order(lang, country), near))
    matches.sort(key=lambda match: match.start)
    for n, match in enumerate(matches, start=1):
        end = matches[n].start if n < len(matches) else len(text)
        inside = [clock for start, _, clock in clocks if match.start <= start < match.end]
        after = [clock for start, _, clock in clocks if match.end <= start < end]
        before = [clock for _, _, clock in clocks] if len(matches) == 1 else []
        clock = next((time(*clock) for clock in (*inside, *after, *before)), time())
        yield datetime.combine(match.day, clock)


def _masked(text: str, spans: Iterable[tuple[int, int]], mark: str) -> str:
    for start, end in spans:
        text = f"{text[:start]}{mark * (end - start)}{text[end:]}"
    return text


@lru_cache(maxsize=256)
def _date_order(lang: str, country: str = "") -> str:
    """Return ``dm`` or ``md``: the order of day and month in numeric dates that end in a year.

    It is that of the country in the language tag, otherwise of the site's top-level domain,
    otherwise of the language; that of the United States if none is known.
    """
    code = language_code(lang)
    tags = [lang] if lang[-3:-2] in ("-", "_") else []
    if len(country) == len("us"):
        territory = _TERRITORIES.get(country, country.upper())
        tags += [f"{code}-{territory}"] if code else []
        tags += [f"und-{territory}"]
    locales = (names for tag in tags if (names := locale(tag)) is not None and names.territory)
    locale_names = next(locales, locale(code) if code else None)
    if locale_names is None:
        return "md"
    pattern = locale_names.formats[FIELDS.index("short")].lower()
    is_month_first = pattern.find("m") < pattern.find("d")
    ends_in_year = pattern.rstrip(" .").endswith("y")
    may_be_month_first = ends_in_year or locale_names.language in {*_YEAR_FIRST, "en"}
    return "md" if is_month_first and may_be_month_first else "dm"


def _numeric_days(text: str, order: str, code: str) -> Iterator[DayMatch]:
    """Yield the days in digits with a year; Persian years count only on Persian pages."""
    has_year_sign = "年" in text
    for match in _ERA_DAY.finditer(text) if has_year_sign else ():
        common = _JAPANESE.get(match[1], _MINGUO) + int(match[2])
        yield from _valid_day(common, match[3], match[4], *match.span())
    for match in _YEAR_MONTH_DAY.finditer(text):
        month, day = match[2] or match[4] or match[7], match[3] or match[5] or match[8]
        if code == "fa" or int(match[1]) not in _PERSIAN:
            yield from _valid_day(int(match[1]), month, day, *match.span())
    for match in _DAY_MONTH_YEAR.finditer(text):
        first, second, year = match[1], match[3] or match[6], match[4] or match[7]
        separator = match[2] or match[5]
        is_month_first = order == "md" and separator != "."
        month, day = (first, second) if is_month_first else (second, first)
        if int(month) > 12:
            month, day = day, month
        yield from _valid_day(_full_year(year), month, day, *match.span())
    for match in _VIETNAMESE.finditer(text) if "th" in text else ():
        yield from _valid_day(int(match[3]), match[2], match[1], *match.span())
    for match in _YEAR_OF_TWO.finditer(text) if has_year_sign else ():
        yield from _valid_day(2000 + int(match[1]), match[2], match[3], *match.span())


def _valid_day(year: int, month: str, day: str, start: int, end: int) -> Iterator[DayMatch]:
    year -= _BUDDHIST if year >= _EARLIEST + _BUDDHIST else 0
    if year in _PERSIAN:
        converted = _persian_day(year, int(month) % PERSIAN_MONTH, int(day))
        if converted is not None:
            yield DayMatch(converted, start, end)
    elif _EARLIEST <= year <= _LATEST:
        try:
            yield DayMatch(date(year, int(month), int(day)), start, end)
        except ValueError:
            return


def _persian_day(year: int, month: int, day: int) -> date | None:
    """Return the day of a date in the Persian calendar, or None if there is no such day.

    Leap years follow a cycle of 33 years, which is right for present centuries.
    """
    if not (1 <= month <= 12 and 1 <= day <= (31 if month < 7 else 30)):
        return None
    first, start = _PERSIAN_START
    years = range(first, year) if year >= first else range(year, first)
    leaps = sum(n % 33 in _PERSIAN_LEAP for n in years)
    days = 365 * len(years) + leaps
    in_year = 31 * (month - 1) - max(0, month - 7) + day - 1
    return start + timedelta(days=(days if year >= first else -days) + in_year)


def _named_days(text: str, code: str, near: date | None) -> list[DayMatch]:
    """Return the days with a month's name in the page's language, otherwise in any language."""
    text = _THAI_SHORT.sub(lambda name: (name[1] + name[2]).ljust(len(name[0])), text)
    tokens = list(_TOKEN.finditer(text))
    days = sum(_is_day(token[0]) for token in tokens)
    if not 0 < days <= _MAX_NUMBERS or len(tokens) == days:
        return []
    has_year = any(_is_year(token[0]) for token in tokens)
    for names in (month_names(code), *([month_names("")] if has_year else [])):
        line, named = _DatedLine(text, tokens, names), (token[0] in names for token in tokens)
        matches = [match for i in compress(count(), named) for match in line.day_at(i, code, near)]
        if matches:
            return list({(match.day, match.start): match for match in matches}.values())
    return []


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 70 else 1900)


def _is_day(number: str) -> bool:
    return len(number) <= 2 and number.isdecimal() and 1 <= int(number) <= 31


def _is_year(number: str) -> bool:
    return len(number) == 4 and number.isdecimal() and number[:2] in _CENTURIES


class _DatedLine(NamedTuple):
    """Words and numbers of a text, and the months that words may mean."""

    text: str
    tokens: list[re.Match[str]]
    months: Mapping[str, frozenset[int]]

    def day_at(self, i: int, code: str, near: date | None) -> Iterator[DayMatch]:
        """Yield the day whose month is the word at an index, if there is one."""
        months, parts = self.months[self.tokens[i][0]], self._parts(i)
        if parts is None and near is not None:
            parts = self._without_year(i, code, min(months), near)
        if parts is not None:
            year, day, numbers = parts
            start = min(self.tokens[n].start() for n in (i, *numbers))
            end = max(self.tokens[n].end() for n in (i, *numbers))
            if (year in _PERSIAN) == (min(months) > PERSIAN_MONTH):
                yield from _valid_day(year, str(min(months)), self.tokens[day][0], start, end)

    def _parts(self, i: int) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the year, the index of the day, and both indices, from the numbers nearby."""
        left, right = self._near(i, -1), self._near(i, 1)
        before = self._near(left, -1) if left is not None else None
        after = self._near(right, 1) if right is not None else None
        last = self._near(after, 1) if after is not None and self._day(after) else None
        orders = ((left, right), (right, after), (right, last), (right, left), (left, before))
        for day, year in orders:
            if self._day(day) and self._year(year):
                return int(self.tokens[year][0]), day, (day, year)
        for day, year, month in ((left, right, i), (right, after, right)):
            if self._day(day) and year is not None and self._is_short_year(month, year):
                return _full_year(self.tokens[year][0]), day, (day, year)
        return None

    def _day(self, i: int | None) -> TypeGuard[int]:
        return i is not None and _is_day(self.tokens[i][0])

    def _year(self, i: int | None) -> TypeGuard[int]:
        return i is not None and _is_year(self.tokens[i][0])

    def _is_short_year(self, i: int | None, year: int) -> bool:
        """Return whether a two-digit number is joined to the part before it: ``-Mar-26``."""
        if i is None or len(self.tokens[year][0]) != 2:
            return False
        between = self.text[self.tokens[i].end() : self.tokens[year].start()]
        return _SHORT_YEAR.fullmatch(between) is not None

    def _near(self, i: int, step: int) -> int | None:
        """Return the index of the next number to the left or right with short words between."""
        for n in range(i + step, i + step * (_MAX_GAP_WORDS + 2), step):
            if not 0 <= n < len(self.tokens):
                return None
            word = self.tokens[n][0]
            first, last = sorted((self.tokens[i], self.tokens[n]), key=lambda token: token.start())
            between = self.text[first.end() : last.start()]
            if len(between) > _MAX_GAP or _BREAK.search(between):
                return None
            if word.isdecimal():
                return n
            is_same = self.months.get(word) == self.months.get(self.tokens[i][0], word)
            is_gap = len(word) <= _SHORT and word not in self.months
            if not is_gap and not is_same and word not in _GAP_WORDS:
                return None
        return None

    def _without_year(
        self, i: int, code: str, month: int, near: date
    ) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the same as :meth:`_parts` for a day without a year, in the nearest year."""
        left, right = self._near(i, -1), self._near(i, 1)
        for day in (right, left) if code == "en" else (left, right):
            if self._day(day):
                year = _nearest_year(month, int(self.tokens[day][0]), near)
                return None if year is None else (year, day, (day,))
        return None


def _nearest_year(month: int, day: int, near: date) -> int | None:
    """Return the year that brings a day and month nearest to a date; None for an invalid day."""
    days = []
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    best = min(days, key=lambda day: abs(day - near), default=None)
    return None if best is None else best.year


def _yearless_days(text: str, order: str, near: date) -> Iterator[DayMatch]:
    for match in _MONTH_DAY.finditer(text):
        month, day = match[1] or match[3], match[2] or match[4] or match[5]
        if match[3] and (match[4] or order == "dm"):
            month, day = day, month
        if int(month) > 12 and match[3]:
            month, day = day, month
        if (year := _nearest_year(int(month), int(day), near)) is not None:
            yield from _valid_day(year, month, day, *match.span())
