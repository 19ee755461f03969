"""Features of stated dates: which texts show a stated date, and which one is the date line.

Dates are compared in local time, in the time zones that a page may use.
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
_MAX_DATE_LINE = 150  # characters; a longer text is not a date line
_MINUTE = 61  # seconds; moments less than this apart count as the same
_NEAR_COST = 12  # cost of a place that belongs to the article's frame
_DAYS = ("day", "day-time")


@feature("task")
def published_match(page: Page) -> list[str | None]:
    """Part of the stated time of publication that a text shows: ``day``, ``day-time`` or ``time``.

    In digits or with month names, in the time zone of the statement, in UTC, in one that the page
    uses elsewhere, or in that of the language's country. ``other`` where a text shows another day,
    such as the date of another article.
    """
    return _agreed_parts(page, page.metadata.published_dates)


@feature("task")
def modified_match(page: Page) -> list[str | None]:
    """Part of the stated time of the last change that a text shows, as for the publication."""
    return _agreed_parts(page, page.metadata.modified_dates)


def _agreed_parts(page: Page, stated: Sequence[str]) -> list[str | None]:
    moments = [moment for moment in _parsed(stated) if moment.year in _YEARS]
    if not moments:
        return [None] * len(page)
    zones = _page_zones(page) | set(country_zones(page.lang))
    usual = _local_times(moments, zones)
    parts: dict[int, str | None] = {}
    for i, shown in enumerate(shown_moments(page)):
        if shown is not NO_DATES:
            zone = None if shown.offset is None else timezone(timedelta(minutes=shown.offset))
            parts[i] = _agreed_part(shown, _local_times(moments, {zone}) if zone else usual)
    return at_regions(page, parts)


@once_a_page
def shown_moments(page: Page) -> list[WrittenDates]:
    """Return the dates and times that each short text shows."""
    code = language_code(page.lang)
    dates = [NO_DATES] * len(page)
    for i in with_digit(page):
        dates[i] = parse_written_dates(page.text[i], code)
    return dates


def _page_zones(page: Page) -> set[tzinfo]:
    """Return UTC and the time zones of all moments that the page states."""
    texts = (*page.metadata.dates, *page.metadata.times)
    moments = (parse_iso(text) for text in texts)
    offsets = {moment.utcoffset() for moment in moments if moment is not None}
    return {UTC, *(timezone(offset) for offset in offsets if offset is not None)}


@lru_cache(maxsize=64)
def country_zones(tag: str) -> tuple[tzinfo, ...]:
    """Return the time zones of a language tag's country; none for a country with many.

    For a tag without a country, that of most speakers of the language, according to the CLDR.
    """
    return tuple(map(ZoneInfo, time_zones(tag)))


def _local_times(moments: Iterable[datetime], zones: set[tzinfo]) -> set[datetime]:
    """Return the local times of moments in all zones; those without a time zone as stated."""
    local = {moment for moment in moments if moment.tzinfo is None}
    aware = [moment for moment in moments if moment.tzinfo is not None]
    return local | {
        moment.astimezone(zone).replace(tzinfo=None) for moment in aware for zone in zones
    }


def _agreed_part(shown: WrittenDates, local: set[datetime]) -> str | None:
    days = {
        moment
        for moment in local
        for year, month, day in shown.days
        if (month, day) == (moment.month, moment.day) and year in (0, moment.year)
    }
    if days:
        return "day-time" if any((m.hour, m.minute) in shown.clocks for m in days) else "day"
    if shown.days:
        return "other"
    return "time" if any((m.hour, m.minute) in shown.clocks for m in local) else None


@feature("task", window=AROUND)
@once_a_page
def date_match(page: Page) -> list[str | None]:
    """Which numbers of a stated date the region shows: day, month and year, or day and year."""
    days = _stated_days(page)
    moments = shown_moments(page)
    return [None if shown is NO_DATES else _numbers_match(shown.numbers, days) for shown in moments]


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
    """Whether the ``time`` element around a region has a date that the page states for itself."""
    days = _stated_days(page)
    kinds = {
        i: "stated" if moment is not None and moment.date() in days else "other"
        for i, moment in _time_elements(page).items()
    }
    return [kinds.get(i) for i in innermost(page, kinds)]


def _time_elements(page: Page) -> dict[int, datetime | None]:
    """Return the times of the ``time`` elements, None where ``datetime`` is not a time."""
    rows = page.elements.attributes
    called = elements_called(page).get("time", ())
    return {i: parse_iso(rows[i].get("datetime", "")) for i in called}


@feature("task")
@once_a_page
def attribute_match(page: Page) -> list[NameSet]:
    """Whether the ``time`` element around a region states the time of publication or last change.

    To the minute or to the day; ``only`` where it is just one of the two: the date of an update is
    not that of publication, though a text may show both in the same way.
    """
    stated = {
        "published": _parsed(page.metadata.published_dates),
        "modified": _parsed(page.metadata.modified_dates),
    }
    moments = _time_elements(page).items()
    matches = {i: _matches(moment, stated) for i, moment in moments if moment is not None}
    return [matches.get(i, NO_NAMES) for i in innermost(page, matches)]


def _parsed(stated: Sequence[str]) -> Sequence[datetime]:
    return [moment for text in stated if (moment := parse_timestamp(text)) is not None]


def _matches(moment: datetime, stated: Mapping[str, Sequence[datetime]]) -> NameSet:
    kinds = {
        name: {_precision(moment, other) for other in others} for name, others in stated.items()
    }
    exact = [name for name, precisions in kinds.items() if "minute" in precisions]
    days = [name for name, precisions in kinds.items() if "day" in precisions and name not in exact]
    only = [f"only-{name}" for name in exact] if len(exact) == 1 else []
    return frozenset([*only, *(f"{n}:minute" for n in exact), *(f"{n}:day" for n in days)])


def _precision(moment: datetime, other: datetime) -> str:
    if moment.tzinfo is None or other.tzinfo is None:
        moment, other = moment.replace(tzinfo=None), other.replace(tzinfo=None)
    if abs((moment - other).total_seconds()) < _MINUTE:
        return "minute"
    return "day" if moment.date() == other.date() else ""


@feature("task", strength=JOINED_STRENGTH)
def date_place(page: Page) -> list[NameSet]:
    """Whether the region is the best place of the stated date of publication, or another one.

    The best place is near the article and short, shows the time too, and is not a date of change.
    """
    costs = _date_line_costs(page)
    shown, attributes = published_match(page), attribute_match(page)
    names_at: list[NameSet] = [NO_NAMES] * len(page)
    for n, i in enumerate(sorted(costs, key=lambda i: (costs[i], i))):
        rank = "again" if n else "best"
        exact = shown[i] == "day-time" or "published:minute" in attributes[i]
        names = {rank, f"{rank}:{'exact' if exact else 'day'}"}
        names.add(f"{rank}:{'near' if costs[i] < _NEAR_COST else 'far'}")
        names_at[i] = frozenset(names | ({"second"} if n == 1 else set()))
    return names_at


def _date_line_costs(page: Page) -> dict[int, float]:
    """Return the cost of each region that may be the date line, in regions of distance.

    Besides the distance, these raise the cost: long text, a day without the time, the day of a
    change, a date that is stated but not shown, and no class name that means a date.
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
