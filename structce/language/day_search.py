"""Search for days and moments in a short text: notations in digits, and with names of months.

Where a number can be the day and the month, the order of the page's language and country decides,
and a year is always one that the text has. Notations in digits are read first; then times of day;
then names of months with the numbers beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import TypeGuard

from structce.language.calendars import PERSIAN_MONTH, month_names
from structce.language.cldr import FIELDS, locale
from structce.language.date_parsing import find_clocks
from structce.language.text import language_code

YEAR_FIRST = frozenset({"zh", "ja", "ko"})
"""Languages that write the year first, and else the month before the day."""

_BUDDHIST, _MINGUO = 543, 1911  # years between an era's count and the common one
_TERRITORIES = {"uk": "GB", "eu": "FR"}  # where the domain is no country's code
_CENTURIES = ("19", "20", "24", "25", "13", "14")  # the Buddhist and the Persian ones, too
_PERSIAN = range(1300, 1500)  # years of the Persian calendar that a page may be of
_PERSIAN_LEAP = frozenset({1, 5, 9, 13, 17, 22, 26, 30})  # of a cycle of 33 years
_PERSIAN_START = (1403, date(2024, 3, 20))  # a year and its first day
_TENS = {"十": 10, "百": 100, "廿": 20, "卅": 30}
_JAPANESE = {"令和": 2018, "平成": 1988}
_EARLIEST, _LATEST = 1900, 2099  # years that a page may be of
_MAX_GAP = 24  # characters between two parts of a date
_MAX_GAP_WORDS = 3
_SHORT = 3  # letters of a word that may stand between two parts: "de", "den", "of", "th"
_GAP_WORDS = frozenset({"gada"})
_MAX_NUMBERS = 40  # of a text that is a date; a table of numbers is none

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
    rf"(?<![历曆暦])(?:([{_NUMERALS}]{{4}})\s?年\s?"  # a date after "lunar calendar" is of another
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
_BREAK = re.compile(r"[|·•()\[\]:!?*=<>]")  # marks that no date has between its parts
_SHORT_YEAR = re.compile(r"\s?[-/'’.]\s?")
_ZONE = re.compile(r"(?:(?:utc|gmt)\s?[+−-]\d{1,2}(?::?\d{2})?|(?<=;)\s?[+−-]\d{1,2}:?\d{2})\b")
_JAPANESE_DAY = re.compile(r"\s?(\d{1,2})\s?月\s?(\d{1,2})")


@dataclass(frozen=True)
class Found:
    """A day in a text, and where it stands.

    Parameters
    ----------
    start, end
        Of the day's characters.
    """

    day: date
    start: int
    end: int


def search_moments(text: str, lang: str, country: str, near: date | None) -> Iterator[datetime]:
    """Yield the days in a text, with the time of day that stands beside each.

    Parameters
    ----------
    text
        In lower case, with digits 0 to 9.
    country
        Top-level domain of the page's site, which decides where the language does not.
    near
        Days without a year are of the year that brings them nearest to this one.
    """
    code = language_code(lang)
    found = list(_numeric(text, date_order(lang, country), code))
    rest = _masked(text, found)
    clocks = list(find_clocks(rest, code))
    for start, end, _ in clocks:
        rest = f"{rest[:start]}{';' * (end - start)}{rest[end:]}"
    rest = _ZONE.sub(lambda zone: ";" * len(zone[0]), rest) if clocks else rest
    found += _named(rest, code, near)
    if not found and near is not None:
        found = list(_yearless(rest, date_order(lang, country), near))
    found.sort(key=lambda one: one.start)
    for n, one in enumerate(found, start=1):
        end = found[n].start if n < len(found) else len(text)
        yield datetime.combine(one.day, _clock(clocks, one, end, is_alone=len(found) == 1))


def fold_numerals(text: str) -> str:
    """Return a text with its dates in Chinese numerals rewritten in digits.

    Other numerals stay: they count years and days as well as they date.
    """
    return _WRITTEN_DAY.sub(_in_digits, text) if "月" in text else text


def _in_digits(found: re.Match[str]) -> str:
    year, era, count, month, day = found.groups()
    month_day = f"{_numeral(month)}月{_numeral(day)}"
    if era:
        return f"{era}{_numeral(count)}年{month_day}"
    return f"{_numeral(year)}年{month_day}" if year else month_day


def _numeral(text: str) -> int:
    """Return the number that numerals write: digit by digit, or with signs for ten and hundred."""
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
    clocks: list[tuple[int, int, tuple[int, int]]], one: Found, end: int, *, is_alone: bool
) -> time:
    """Return the time of day behind a day, else that before the only day; midnight without one."""
    after = [clock for start, _, clock in clocks if one.end <= start < end]
    inside = [clock for start, _, clock in clocks if one.start <= start < one.end]
    before = [clock for _, _, clock in clocks] if is_alone else []
    return next((time(*clock) for clock in (*inside, *after, *before)), time())


def _masked(text: str, found: list[Found]) -> str:
    for one in found:
        text = f"{text[: one.start]}{'|' * (one.end - one.start)}{text[one.end :]}"
    return text


@lru_cache(maxsize=256)
def date_order(lang: str, country: str = "") -> str:
    """Return ``dm`` or ``md``: the order of day and month in dates of digits that end in a year.

    That of the country in a language's tag, else of the site's top-level domain, else of the
    language; the order of the United States where none is known.
    """
    code = language_code(lang)
    tags = [lang] if lang[-3:-2] in ("-", "_") else []
    if len(country) == len("us"):
        territory = _TERRITORIES.get(country, country.upper())
        tags += [f"{code}-{territory}"] if code else []
        tags += [f"und-{territory}"]
    exact = (one for tag in tags if (one := locale(tag)) is not None and one.territory)
    known = next(exact, locale(code) if code else None)
    if known is None:
        return "md"
    pattern = known.formats[FIELDS.index("short")].lower()
    is_month_first = pattern.find("m") < pattern.find("d")
    ends_in_year = pattern.rstrip(" .").endswith("y")
    may_be_month_first = ends_in_year or known.language in {*YEAR_FIRST, "en"}
    return "md" if is_month_first and may_be_month_first else "dm"


def _numeric(text: str, order: str, code: str) -> Iterator[Found]:
    """Yield the days in digits with a year; that of the Persian calendar on Persian pages only."""
    for match in _ERA.finditer(text):
        start = _JAPANESE.get(match[1], _MINGUO)
        later = _JAPANESE_DAY.match(text, match.end())
        if later is not None:
            yield from _found(start + int(match[2]), later[1], later[2], match.start(), later.end())
    for match in _YEAR_MONTH_DAY.finditer(text):
        month, day = match[2] or match[4] or match[7], match[3] or match[5] or match[8]
        if code == "fa" or int(match[1]) not in _PERSIAN:
            yield from _found(int(match[1]), month, day, *match.span())
    for match in _DAY_MONTH_YEAR.finditer(text):
        one, other, year = match[1], match[3] or match[6], match[4] or match[7]
        separator = match[2] or match[5]
        is_month_first = order == "md" and separator != "."
        month, day = (one, other) if is_month_first else (other, one)
        if int(month) > 12:
            month, day = day, month
        yield from _found(_full_year(year), month, day, *match.span())
    for match in _VIETNAMESE.finditer(text):
        yield from _found(int(match[3]), match[2], match[1], *match.span())
    for match in _YEAR_OF_TWO.finditer(text):
        yield from _found(2000 + int(match[1]), match[2], match[3], *match.span())


def _found(year: int, month: str, day: str, start: int, end: int) -> Iterator[Found]:
    year -= _BUDDHIST if year >= _EARLIEST + _BUDDHIST else 0
    if year in _PERSIAN:
        found = persian_day(year, int(month) % PERSIAN_MONTH, int(day))
        if found is not None:
            yield Found(found, start, end)
    elif _EARLIEST <= year <= _LATEST:
        try:
            yield Found(date(year, int(month), int(day)), start, end)
        except ValueError:
            return


def persian_day(year: int, month: int, day: int) -> date | None:
    """Return the day of a date in the Persian calendar, or None if there is no such day.

    Leap years follow a cycle of 33 years, as those of our centuries do.
    """
    if not (1 <= month <= 12 and 1 <= day <= (31 if month < 7 else 30)):
        return None
    first, start = _PERSIAN_START
    years = range(first, year) if year >= first else range(year, first)
    leaps = sum(one % 33 in _PERSIAN_LEAP for one in years)
    days = 365 * len(years) + leaps
    in_year = 31 * (month - 1) - max(0, month - 7) + day - 1
    return start + timedelta(days=(days if year >= first else -days) + in_year)


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 70 else 1900)


def _named(text: str, code: str, near: date | None) -> list[Found]:
    """Return the days with the name of a month: of the page's language, else of any."""
    text = _THAI_SHORT.sub(_without_dots, text)
    tokens = list(_TOKEN.finditer(text))
    days = sum(_is_day(token[0]) for token in tokens)
    if not 0 < days <= _MAX_NUMBERS or len(tokens) == days:
        return []
    has_year = any(_is_year(token[0]) for token in tokens)
    for names in (month_names(code), *([month_names("")] if has_year else [])):
        line = _Line(text, tokens, names)
        found = [one for i in range(len(tokens)) for one in line.day_at(i, code, near)]
        if found:
            return list({(one.day, one.start): one for one in found}.values())
    return []


def _without_dots(name: re.Match[str]) -> str:
    return (name[1] + name[2]).ljust(len(name[0]))


def _is_day(number: str) -> bool:
    return len(number) <= 2 and number.isdecimal() and 1 <= int(number) <= 31


def _is_year(number: str) -> bool:
    return len(number) == 4 and number.isdecimal() and number[:2] in _CENTURIES


@dataclass(frozen=True)
class _Line:
    """Words and numbers of a text, and the months that words may name."""

    text: str
    tokens: list[re.Match[str]]
    months: Mapping[str, frozenset[int]]

    def day_at(self, i: int, code: str, near: date | None) -> Iterator[Found]:
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
                yield from _found(year, str(min(months)), self.tokens[day][0], start, end)

    def _parts(self, i: int) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the year, the index of the day and the indices of both, by the numbers near."""
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
        """Return whether a number of two digits is joined to the part before it: ``-Mar-26``."""
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
        """Return the year nearest to a date for a day and month alone, as :meth:`_parts` does."""
        left, right = self._near(i, -1), self._near(i, 1)
        for day in (right, left) if code == "en" else (left, right):
            if self._day(day):
                year = nearest_year(month, int(self.tokens[day][0]), near)
                return None if year is None else (year, day, (day,))
        return None


def nearest_year(month: int, day: int, near: date) -> int | None:
    """Return the year in which a day and month are nearest to a date; None for no day."""
    days = []
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    best = min(days, key=lambda one: abs(one - near), default=None)
    return None if best is None else best.year


def _yearless(text: str, order: str, near: date) -> Iterator[Found]:
    """Yield days and months in digits without a year, in the year nearest to a date."""
    for match in _MONTH_DAY.finditer(text):
        month, day = match[1] or match[3], match[2] or match[4] or match[5]
        if match[3] and (match[4] or order == "dm"):
            month, day = day, month
        if int(month) > 12 and match[3]:
            month, day = day, month
        if (year := nearest_year(int(month), int(day), near)) is not None:
            yield from _found(year, month, day, *match.span())
