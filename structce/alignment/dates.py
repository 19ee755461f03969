"""Alignment of the day of publication, in whatever notation a page shows it.

Recognised are numbers in either order of day and month, a date split into pieces of one line, words
such as "3 hours ago" if the page states the moment beside them, and moments in UTC that appear as
the day before or after in the publisher's own time zone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

import numpy as np

from structce.alignment.location import (
    NOT_FOUND,
    Location,
    lines_of_blocks,
    tags_around,
    text_distance,
)
from structce.gold import READ
from structce.language import (
    calendar,
    date_tokens,
    find_dates,
    fold_digits,
    language_code,
    parse_iso,
)
from structce.page import Page

MAX_DATE = 150
"""Characters of a line that shows a date; a longer region is a paragraph that mentions one."""

_NUMBERS = re.compile(r"\d{1,4}")
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{4}|\d{2})(?!\d)")
_STATED = "datetime title content data-datetime data-date data-time data-timestamp".split()
_ORDINAL = re.compile(r"0?(\d{1,2})[^\W\d_]{0,2}")
_CLOCK = re.compile(r"(?<!\d)\d{1,2}\s?[:.h時시点]\s?(\d{2})(?!\d)")
_NO_NUMBER = 6.0  # cost, in regions, of a text without digits: "yesterday", but also "Published"
_OTHER_TIME = 3.0  # worth, in regions, of the right time of day, which is not that of an update
_AROUND = 3  # words between the parts of a date, such as "14 de marzo de 2026"
_MAX_PIECES = 5  # greatest number of regions of a date
_MARGIN = 3.0  # regions; a place whose cost is within this of the best is a rival


def find_date(
    page: Page, moment: date, within: tuple[int, int], costs: Mapping[int, float]
) -> Location:
    """Return the regions that show the day of publication.

    Other places that show it, and the rest of its line, such as a time of day, are touched.

    ``within`` are the first and last region of headline and text; ``costs`` are those of finding a
    date in a region that has another label, from 0 to infinity.
    """
    days = _days(moment)
    cost_of: dict[tuple[int, ...], float] = {}
    for regions, text in _candidates(page, costs, {str(day.year) for day in days}):
        if any(set(other) <= set(regions) or set(regions) <= set(other) for other in cost_of):
            continue
        shown = shown_days(text, days, page.lang)
        stated = {day for i in regions for day in stated_days(page, i)}
        n = next((n for n, day in enumerate(days) if day in shown or day in stated), None)
        if n is not None:
            cost = text_distance(regions[0], within) + len(text) / 40 + 3 * n
            cost += _clock_cost(text, moment) + _NO_NUMBER * (not _has_digit(text))
            shared = max(costs.get(i, 0.0) for i in regions)
            cost_of[regions] = shared + cost + 4 * (days[n] not in shown)
    if not cost_of:
        return NOT_FOUND
    best = min(cost_of, key=cost_of.__getitem__)
    rivals: set[int] = set()
    touched = set(np.flatnonzero(page.blocks == page.blocks[best[0]]).tolist())
    for regions, cost in cost_of.items():
        # "Published" inside a date's element shows no number
        is_close = cost - cost_of[best] < _MARGIN and any(_has_digit(page.text[i]) for i in regions)
        (rivals if is_close else touched).update(regions)
    rivals -= set(best)
    touched -= rivals | set(best)
    return Location(best, READ, 1.0, tuple(sorted(rivals)), tuple(sorted(touched)))


def _candidates(
    page: Page, costs: Mapping[int, float], years: set[str]
) -> list[tuple[tuple[int, ...], str]]:
    """Return short regions, and runs of regions of a line, with their texts.

    Those that show a year come first, as "14 March" and "2026" may appear side by side; otherwise,
    shorter runs precede longer ones.
    """
    free = [i for i, text in enumerate(page.text) if text and costs.get(i, 0.0) < math.inf]
    places: list[tuple[int, ...]] = [
        (i,) for i in free if _has_digit(page.text[i]) or "time" in tags_around(page, i)
    ]
    places += [regions for line in lines_of_blocks(page, free) for regions in _runs_of(line)]
    texts = [(regions, " ".join(page.text[i] for i in regions)) for regions in places]
    short = [(regions, text) for regions, text in texts if len(text) <= MAX_DATE]
    return sorted(short, key=lambda pair: not any(year in fold_digits(pair[1]) for year in years))


def _runs_of(line: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield runs of two to five regions of a line, the shortest first."""
    for size in range(2, min(len(line), _MAX_PIECES) + 1):
        for first in range(len(line) - size + 1):
            yield tuple(line[first : first + size])


def _clock_cost(text: str, moment: date) -> float:
    """Return the cost of a line's time of day, by minutes, which nearly all time zones share.

    Another line may show the day of an update, which is often the day of publication.
    """
    minutes = {int(clock[1]) for clock in _CLOCK.finditer(_NUMERIC.sub("", text))}
    if not isinstance(moment, datetime) or not minutes:
        return 0.0
    return -_OTHER_TIME if moment.minute in minutes else _OTHER_TIME


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _days(moment: date) -> list[date]:
    """Return the calendar days as which a day or moment may appear, its own first."""
    if not isinstance(moment, datetime):
        return [moment]
    days = [moment.date()]
    if moment.utcoffset() == timedelta(0):
        days += [(moment + timedelta(hours=hours)).date() for hours in (13, -10)]
    return list(dict.fromkeys(days))


def shown_days(text: str, days: Sequence[date], lang: str) -> set[date]:
    """Return the dates that a text shows; empty unless it has the number of a given day."""
    folded = fold_digits(text)
    numbers = {int(n) for n in _NUMBERS.findall(folded)}
    if not any(day.day in numbers for day in days):
        return set()
    plain = {*_numeric(folded), *(day for day in days if _spells(folded, day, lang))}
    return plain or {moment.date() for moment in find_dates(text, lang, near=days[0])}


def _spells(text: str, day: date, lang: str) -> bool:
    """Return whether a text has the number of a day, the name of its month and its year together.

    They may be in any order, and in any language, since pages often do not state theirs.
    """
    words = date_tokens(text)
    names = [calendar(code).months for code in dict.fromkeys((language_code(lang), ""))]
    for n, word in enumerate(words):
        if any(day.month in months.get(word, ()) for months in names):
            near = words[max(0, n - _AROUND) : n + _AROUND + 1]
            if str(day.year) in near and any(_is_number(word, day.day) for word in near):
                return True
    return False


def _is_number(word: str, number: int) -> bool:
    """Return whether a word stands for a number, such as ``4``, ``04`` or ``4th`` for 4."""
    ordinal = _ORDINAL.fullmatch(word)
    return ordinal is not None and int(ordinal[1]) == number


def _numeric(text: str) -> Iterator[date]:
    """Yield the readings of numeric dates, day first and month first."""
    for match in _NUMERIC.finditer(text):
        first, second, year = (int(part) for part in match.groups())
        year += 2000 if year < 70 else 1900 if year < 100 else 0
        for month, day in ((second, first), (first, second)):
            try:
                yield date(year, month, day)
            except ValueError:
                continue


def stated_days(page: Page, i: int) -> set[date]:
    """Return the days stated by attributes of a region's element or of a ``time`` above it."""
    rows = []
    for n, above in enumerate(page.elements.ancestors(int(page.element[i]))):
        if n == 0 or page.elements.tag[above] == "time":
            rows.append(page.elements.attributes[above])
    values = (row[name] for row in rows for name in _STATED if name in row)
    moments = (parse_iso(value) for value in values)
    return {moment.date() for moment in moments if moment is not None}
