"""Search for days and moments in a short text: notations in digits, and with names of months.

If a number can be the day or the month, the order of the page's language and country decides.
Notations in digits are read first; then times of day; then names of months with the numbers beside
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import TypeGuard

from structce.language.calendars import PERSIAN_MONTH, month_names
from structce.language.cldr import FIELDS, locale
from structce.language.date_parsing import find_clocks
from structce.language.text import language_code

YEAR_FIRST = frozenset({"zh", "ja", "ko"})
"""Languages that write the year first, and then the month before the day."""

_BUDDHIST, _MINGUO = 543, 1911  # difference between the years of an era and of the common era
_TERRITORIES = {"uk": "GB", "eu": "FR"}  # of domains that are not country codes
_CENTURIES = ("19", "20", "24", "25", "13", "14")  # including Buddhist and Persian ones
_PERSIAN = range(1300, 1500)  # possible years of a page in the Persian calendar
_PERSIAN_LEAP = frozenset({1, 5, 9, 13, 17, 22, 26, 30})  # leap years of a cycle of 33 years
_PERSIAN_START = (1403, date(2024, 3, 20))  # a year and its first day
_TENS = {"十": 10, "百": 100, "廿": 20, "卅": 30}
_JAPANESE = {"令和": 2018, "平成": 1988}
_EARLIEST, _LATEST = 1900, 2099  # possible years of a page
_MAX_GAP = 24  # characters between two parts of a date
_MAX_GAP_WORDS = 3
_SHORT = 3  # letters of a word between two parts of a date: "de", "den", "of", "th"
_GAP_WORDS = frozenset({"gada"})
_MAX_NUMBERS = 40  # of a text with a date; a table of numbers has more

_ERA = re.compile(r"(令和|平成|民國|民国)\s?(\d{1,3})\s?年")
_YEAR_MONTH_DAY = re.compile(
    r"(?<!\d)(?<!\d[.,/-])(\d{4})(?:\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})|\s?년\s?(\d{1,2})\s?월\s?(\d{1,2})"
    r"|\s?([./-])\s?(\d{1,2})\s?\6\s?(\d{1,2}))(?!\d)"
)
_DAY_MONTH_YEAR = re.compile(
    r"(?<!\d)(?<!\d[.,/-])(\d{1,2})(?:\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4})"
    r"|([./-])(\d{1,2})\5(\d{2}))(?![\d]|[/-]\d|\.\d)"
)
_NUMERALS = "〇零○一二三四五六七八九"  # the first three are zero
_WRITTEN_DAY = re.compile(
    rf"(?<![历曆暦])(?:([{_NUMERALS}]{{4}})\s?年\s?"  # not after "lunar calendar"
    rf"|(令和|平成|民國|民国)\s?([{_NUMERALS}十百元]{{1,5}})\s?年\s?)?"
    rf"([{_NUMERALS}十元]{{1,3}})\s?月\s?([{_NUMERALS}十廿卅]{{1,4}})(?=\s?[日號号])"
)
_VIETNAMESE = re.compile(r"(?<!\d)(\d{1,2})\s(?:tháng|thg)\s?(\d{1,2})(?:,|\snăm)?\s(\d{4})(?!\d)")
_YEAR_OF_TWO = re.compile(r"(?<![\d年])(\d{2})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})(?!\d)")
_MONTH_DAY = re.compile(
    r"(?<![\d.年년])(?<![年년]\s)(?:(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]"
    r"|(\d{1,2})(?:\.\s?(\d{1,2})\.|/(\d{1,2}))(?![\d/]))"
)
_THAI_SHORT = re.compile(r"([ก-ฮ][ิี]?|เม)\.([ก-ฮ])\.?")
_TOKEN = re.compile(r"\d+|[^\s\d_.,;:/|()\[\]'’`´·•–—+*=<>\"“”«»-]+")
_BREAK = re.compile(r"[|·•()\[\]:!?*=<>]")  # marks that never separate the parts of a date
_SHORT_YEAR = re.compile(r"\s?[-/'’.]\s?")
_ZONE = re.compile(r"(?:(?:utc|gmt)\s?[+−-]\d{1,2}(?::?\d{2})?|(?<=;)\s?[+−-]\d{1,2}:?\d{2})\b")
_JAPANESE_DAY = re.compile(r"\s?(\d{1,2})\s?月\s?(\d{1,2})")


@dataclass(frozen=True)
class DayMatch:
    """A day in a text, and its place from ``start`` to ``end`` (exclusive)."""

    day: date
    start: int
    end: int


def search_moments(text: str, lang: str, country: str, near: date | None) -> Iterator[datetime]:
    """Yield the days in a text, each with the time of day beside it.

    The text is in lower case, with digits 0 to 9; ``country`` and ``near`` are as for
    :func:`structce.language.find_dates`.
    """
    code = language_code(lang)
    matches = list(_numeric(text, date_order(lang, country), code))
    rest = _masked(text, ((match.start, match.end) for match in matches), "|")
    clocks = list(find_clocks(rest, code))
    rest = _masked(rest, ((start, end) for start, end, _ in clocks), ";")
    rest = _ZONE.sub(lambda zone: ";" * len(zone[0]), rest) if clocks else rest
    matches += _named(rest, code, near)
    if not matches and near is not None:
        matches = list(_yearless(rest, date_order(lang, country), near))
    matches.sort(key=lambda match: match.start)
    for n, match in enumerate(matches, start=1):
        end = matches[n].start if n < len(matches) else len(text)
        yield datetime.combine(match.day, _clock(clocks, match, end, is_alone=len(matches) == 1))


def fold_numerals(text: str) -> str:
    """Return a text with its dates in Chinese numerals rewritten in digits.

    Other numerals are kept, since they may be durations or counts.
    """
    return _WRITTEN_DAY.sub(_in_digits, text) if "月" in text else text


def _in_digits(match: re.Match[str]) -> str:
    year, era, count, month, day = match.groups()
    month_day = f"{_numeral(month)}月{_numeral(day)}"
    if era:
        return f"{era}{_numeral(count)}年{month_day}"
    return f"{_numeral(year)}年{month_day}" if year else month_day


def _numeral(text: str) -> int:
    """Return the number of numerals, written digit by digit or with signs for ten and hundred."""
    values = [max(0, _NUMERALS.find(sign) - 2) for sign in text]
    if len(text) > 1 and all(sign in _NUMERALS for sign in text):
        return int("".join(map(str, values)))
    total = digit = 0
    for sign, value in zip(text, values, strict=True):
        if sign in _TENS:
            total += (digit or 1) * _TENS[sign]
            digit = 0
        else:
            digit = 1 if sign == "元" else value
    return total + digit


def _clock(
    clocks: list[tuple[int, int, tuple[int, int]]], match: DayMatch, end: int, *, is_alone: bool
) -> time:
    """Return the time of day after a day, or before it if it is the only day, or midnight."""
    after = [clock for start, _, clock in clocks if match.end <= start < end]
    inside = [clock for start, _, clock in clocks if match.start <= start < match.end]
    before = [clock for _, _, clock in clocks] if is_alone else []
    return next((time(*clock) for clock in (*inside, *after, *before)), time())


def _masked(text: str, spans: Iterable[tuple[int, int]], mark: str) -> str:
    for start, end in spans:
        text = f"{text[:start]}{mark * (end - start)}{text[end:]}"
    return text


@lru_cache(maxsize=256)
def date_order(lang: str, country: str = "") -> str:
    """Return ``dm`` or ``md``: the order of day and month in numeric dates that end in a year.

    It is the order of the country in the language tag, otherwise of the site's top-level domain,
    otherwise of the language; the order of the United States if none is known.
    """
    code = language_code(lang)
    tags = [lang] if lang[-3:-2] in ("-", "_") else []
    if len(country) == len("us"):
        territory = _TERRITORIES.get(country, country.upper())
        tags += [f"{code}-{territory}"] if code else []
        tags += [f"und-{territory}"]
    exact = (own for tag in tags if (own := locale(tag)) is not None and own.territory)
    known = next(exact, locale(code) if code else None)
    if known is None:
        return "md"
    pattern = known.formats[FIELDS.index("short")].lower()
    is_month_first = pattern.find("m") < pattern.find("d")
    ends_in_year = pattern.rstrip(" .").endswith("y")
    may_be_month_first = ends_in_year or known.language in {*YEAR_FIRST, "en"}
    return "md" if is_month_first and may_be_month_first else "dm"


def _numeric(text: str, order: str, code: str) -> Iterator[DayMatch]:
    """Yield the days in digits with a year; Persian years count only on Persian pages."""
    for match in _ERA.finditer(text):
        start = _JAPANESE.get(match[1], _MINGUO)
        later = _JAPANESE_DAY.match(text, match.end())
        if later is not None:
            yield from _valid_day(
                start + int(match[2]), later[1], later[2], match.start(), later.end()
            )
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
    for match in _VIETNAMESE.finditer(text):
        yield from _valid_day(int(match[3]), match[2], match[1], *match.span())
    for match in _YEAR_OF_TWO.finditer(text):
        yield from _valid_day(2000 + int(match[1]), match[2], match[3], *match.span())


def _valid_day(year: int, month: str, day: str, start: int, end: int) -> Iterator[DayMatch]:
    year -= _BUDDHIST if year >= _EARLIEST + _BUDDHIST else 0
    if year in _PERSIAN:
        converted = persian_day(year, int(month) % PERSIAN_MONTH, int(day))
        if converted is not None:
            yield DayMatch(converted, start, end)
    elif _EARLIEST <= year <= _LATEST:
        try:
            yield DayMatch(date(year, int(month), int(day)), start, end)
        except ValueError:
            return


def persian_day(year: int, month: int, day: int) -> date | None:
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


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 70 else 1900)


def _named(text: str, code: str, near: date | None) -> list[DayMatch]:
    """Return the days with a month's name in the page's language, otherwise in any language."""
    text = _THAI_SHORT.sub(lambda name: (name[1] + name[2]).ljust(len(name[0])), text)
    tokens = list(_TOKEN.finditer(text))
    days = sum(_is_day(token[0]) for token in tokens)
    if not 0 < days <= _MAX_NUMBERS or len(tokens) == days:
        return []
    has_year = any(_is_year(token[0]) for token in tokens)
    for names in (month_names(code), *([month_names("")] if has_year else [])):
        line = _Line(text, tokens, names)
        matches = [match for i in range(len(tokens)) for match in line.day_at(i, code, near)]
        if matches:
            return list({(match.day, match.start): match for match in matches}.values())
    return []


def _is_day(number: str) -> bool:
    return len(number) <= 2 and number.isdecimal() and 1 <= int(number) <= 31


def _is_year(number: str) -> bool:
    return len(number) == 4 and number.isdecimal() and number[:2] in _CENTURIES


@dataclass(frozen=True)
class _Line:
    """Words and numbers of a text, and the months that words may mean."""

    text: str
    tokens: list[re.Match[str]]
    months: Mapping[str, frozenset[int]]

    def day_at(self, i: int, code: str, near: date | None) -> Iterator[DayMatch]:
        """Yield the day whose month is the word at an index, if there is one."""
        months = self.months.get(self.tokens[i][0])
        if months is None:
            return
        parts = self._parts(i)
        if parts is None and near is not None:
            parts = self._without_year(i, code, min(months), near)
        if parts is not None:
            year, day, places = parts
            start = min(self.tokens[n].start() for n in (i, *places))
            end = max(self.tokens[n].end() for n in (i, *places))
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
                year = nearest_year(month, int(self.tokens[day][0]), near)
                return None if year is None else (year, day, (day,))
        return None


def nearest_year(month: int, day: int, near: date) -> int | None:
    """Return the year that brings a day and month nearest to a date; None for an invalid day."""
    days = []
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    best = min(days, key=lambda day: abs(day - near), default=None)
    return None if best is None else best.year


def _yearless(text: str, order: str, near: date) -> Iterator[DayMatch]:
    """Yield days and months in digits without a year, in the year nearest to a date."""
    for match in _MONTH_DAY.finditer(text):
        month, day = match[1] or match[3], match[2] or match[4] or match[5]
        if match[3] and (match[4] or order == "dm"):
            month, day = day, month
        if int(month) > 12 and match[3]:
            month, day = day, month
        if (year := nearest_year(int(month), int(day), near)) is not None:
            yield from _valid_day(year, month, day, *match.span())
