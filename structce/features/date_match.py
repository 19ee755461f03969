"""Features of stated dates: which texts show a stated moment, and which one is the date line.

Dates are compared as calendars and clocks show them, in the time zones that a page may use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from structce.features.class_names import meanings
from structce.features.cues import with_digit
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    at_regions,
    elements_called,
    innermost,
)
from structce.features.landmarks import article_distance
from structce.features.registry import AROUND, JOINED_STRENGTH, feature, once_a_page
from structce.language import (
    NO_DATES,
    WrittenDates,
    language_code,
    parse_iso,
    parse_timestamp,
    parse_written_dates,
    time_zones,
)
from structce.page import Page

_YEARS = range(1900, 2200)  # a system without a date states the year 1
_MAX_DATE_LINE = 150  # characters; a longer text is no date line
_MINUTE = 61  # seconds within which two moments are one
_NEAR_COST = 12  # cost of a place that belongs to the article's frame
_DAYS = ("day", "day-time")


@feature("task")
def published_match(page: Page) -> list[str | None]:
    """What of the stated moment of publication a text shows: its ``day``, ``day-time``, ``time``.

    In digits or names of months, in the statement's time zone, in UTC, in one that the page uses
    elsewhere, or in that of the language's country. ``other`` where a text shows another day: the
    date of another article.
    """
    return _agreed_parts(page, page.metadata.published_dates)


@feature("task")
def modified_match(page: Page) -> list[str | None]:
    """What of the stated moment of the last change a text shows, as for the publication."""
    return _agreed_parts(page, page.metadata.modified_dates)


def _agreed_parts(page: Page, stated: Sequence[str]) -> list[str | None]:
    moments = [moment for moment in _parsed(stated) if moment.year in _YEARS]
    if not moments:
        return [None] * len(page)
    zones = _page_zones(page) | set(country_zones(page.lang))
    usual = _local_times(moments, zones)
    found: dict[int, str | None] = {}
    for i, one in enumerate(shown_moments(page)):
        if one is not NO_DATES:
            zone = None if one.offset is None else timezone(timedelta(minutes=one.offset))
            found[i] = _agreed_part(one, _local_times(moments, {zone}) if zone else usual)
    return at_regions(page, found)


@once_a_page
def shown_moments(page: Page) -> list[WrittenDates]:
    """Return the days and times that each short text shows."""
    code = language_code(page.lang)
    found = [NO_DATES] * len(page)
    for i in with_digit(page):
        found[i] = parse_written_dates(page.text[i], code)
    return found


def _page_zones(page: Page) -> set[tzinfo]:
    """Return UTC and the time zones of all moments that the page states."""
    texts = (*page.metadata.dates, *page.metadata.times)
    found = (parse_iso(text) for text in texts)
    offsets = {moment.utcoffset() for moment in found if moment is not None}
    return {UTC, *(timezone(offset) for offset in offsets if offset is not None)}


@lru_cache(maxsize=64)
def country_zones(tag: str) -> tuple[tzinfo, ...]:
    """Return the time zones of the country of a language tag; none of a country of many.

    Without a country it is the one where most people speak the language, by the CLDR.
    """
    return tuple(map(ZoneInfo, time_zones(tag)))


def _local_times(moments: Iterable[datetime], zones: set[tzinfo]) -> set[datetime]:
    """Return what calendars and clocks show at some moments; as stated without a time zone."""
    local = {moment for moment in moments if moment.tzinfo is None}
    aware = [moment for moment in moments if moment.tzinfo is not None]
    return local | {one.astimezone(zone).replace(tzinfo=None) for one in aware for zone in zones}


def _agreed_part(one: WrittenDates, local: set[datetime]) -> str | None:
    days = {
        moment
        for moment in local
        for year, month, day in one.days
        if (month, day) == (moment.month, moment.day) and year in (0, moment.year)
    }
    if days:
        return "day-time" if any((m.hour, m.minute) in one.clocks for m in days) else "day"
    if one.days:
        return "other"
    return "time" if any((m.hour, m.minute) in one.clocks for m in local) else None


@feature("task", window=AROUND)
@once_a_page
def date_match(page: Page) -> list[str | None]:
    """Region shows the numbers of a stated date: day, month and year, or day and year."""
    days = _stated_days(page)
    shown = shown_moments(page)
    return [None if one is NO_DATES else _numbers_match(one.numbers, days) for one in shown]


def _stated_days(page: Page) -> set[date]:
    stated = (parse_iso(text) for text in page.metadata.dates)
    return {moment.date() for moment in stated if moment is not None}


def _numbers_match(numbers: frozenset[int], days: set[date]) -> str | None:
    kind = None
    for day in days if numbers else ():
        if day.day in numbers and {day.year, day.year % 100} & numbers:
            if day.month in numbers:
                return "full"
            kind = "day-year"
    return kind


@feature("task")
def stated_time(page: Page) -> list[str | None]:
    """Region in a ``time`` element: whether its moment is one that the page states for itself."""
    days = _stated_days(page)
    kinds = {
        i: "stated" if moment is not None and moment.date() in days else "other"
        for i, moment in _time_elements(page).items()
    }
    return [kinds.get(i) for i in innermost(page, kinds)]


def _time_elements(page: Page) -> dict[int, datetime | None]:
    """Return what the ``time`` elements state, None where that is no moment."""
    rows = page.elements.attributes
    called = elements_called(page).get("time", ())
    return {i: parse_iso(rows[i].get("datetime", "")) for i in called}


@feature("task")
@once_a_page
def attribute_match(page: Page) -> list[NameSet]:
    """Whether the ``time`` element around a region states the moment of publication, or change.

    To the minute, or its day; ``only`` where it is one of the two: the date of an update is not
    that of publication, though a text may show both alike.
    """
    stated = {
        "published": _parsed(page.metadata.published_dates),
        "modified": _parsed(page.metadata.modified_dates),
    }
    moments = _time_elements(page).items()
    found = {i: _matches(moment, stated) for i, moment in moments if moment is not None}
    return [found.get(i, NO_NAMES) for i in innermost(page, found)]


def _parsed(stated: Sequence[str]) -> Sequence[datetime]:
    return [moment for text in stated if (moment := parse_timestamp(text)) is not None]


def _matches(moment: datetime, stated: Mapping[str, Sequence[datetime]]) -> NameSet:
    kinds = {name: {_precision(moment, one) for one in all_} for name, all_ in stated.items()}
    exact = [name for name, found in kinds.items() if "minute" in found]
    days = [name for name, found in kinds.items() if "day" in found and name not in exact]
    only = [f"only-{name}" for name in exact] if len(exact) == 1 else []
    return frozenset([*only, *(f"{n}:minute" for n in exact), *(f"{n}:day" for n in days)])


def _precision(one: datetime, other: datetime) -> str:
    if one.tzinfo is None or other.tzinfo is None:
        one, other = one.replace(tzinfo=None), other.replace(tzinfo=None)
    if abs((one - other).total_seconds()) < _MINUTE:
        return "minute"
    return "day" if one.date() == other.date() else ""


@feature("task", strength=JOINED_STRENGTH)
def date_place(page: Page) -> list[NameSet]:
    """Whether the region is the best place of the stated date of publication, or another one.

    The best is near the article, short, shows the minute too, and is not the date of a change.
    """
    costs = _date_line_costs(page)
    shown, attributes = published_match(page), attribute_match(page)
    found: list[NameSet] = [NO_NAMES] * len(page)
    for n, i in enumerate(sorted(costs, key=lambda i: (costs[i], i))):
        rank = "again" if n else "best"
        exact = shown[i] == "day-time" or "published:minute" in attributes[i]
        names = {rank, f"{rank}:{'exact' if exact else 'day'}"}
        names.add(f"{rank}:{'near' if costs[i] < _NEAR_COST else 'far'}")
        found[i] = frozenset(names | ({"second"} if n == 1 else set()))
    return found


def _date_line_costs(page: Page) -> dict[int, float]:
    """Return what speaks against each region that may be the date line, in regions of distance.

    Besides the distance: long text, a day without the minute, the day of a change, a place that
    states the date without showing it, and no class name that speaks of dates.
    """
    published, modified = published_match(page), modified_match(page)
    attributes, named = attribute_match(page), meanings(page)
    costs: dict[int, float] = {}
    for i, kinds in enumerate(attributes):
        shows = published[i] in _DAYS
        states = not kinds.isdisjoint(("published:minute", "published:day"))
        if (shows or states) and 0 < len(page.text[i]) <= _MAX_DATE_LINE:
            cost = article_distance(page, i) + len(page.text[i]) / 40
            cost -= 2 * (published[i] == "day-time" or "published:minute" in kinds)
            cost += 2 * (modified[i] == "day-time" and published[i] == "day")
            cost += 4 * (not shows) - 3 * (not named[i].isdisjoint(("date", "^date")))
            costs[i] = cost
    return costs
