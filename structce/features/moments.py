"""Where the page shows the moments at which it says it was published and changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from babel.core import get_global
from babel.dates import get_timezone

from structce.dates import parse_iso, parse_stated
from structce.features.calendars import locale
from structce.features.lines import with_digit
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.shown import NOTHING, Shown, shown
from structce.page import Page
from structce.text import language

_MOST_ZONES = 4  # time zones of a country whose clocks are tried; our choice
_YEARS = range(1900, 2200)  # a system without a date states the year 1


@once_a_page
def shown_moments(page: Page) -> list[Shown]:
    """Return the days and times that each short text shows."""
    code = language(page.lang)
    found = [NOTHING] * len(page)
    for i in with_digit(page):
        found[i] = shown(page.text[i], code)
    return found


@feature("task")
def published_match(page: Page) -> list[str | None]:
    """What of the stated moment of publication a text shows: its ``day``, ``day-time``, ``time``.

    In digits or names of months, in the statement's time zone, in UTC, in one that the page uses
    elsewhere, or in that of the language's country. ``other`` where a text shows another day: the
    date of another article.
    """
    return _agreements(page, page.metadata.published_dates)


@feature("task")
def modified_match(page: Page) -> list[str | None]:
    """What of the stated moment of the last change a text shows, as for the publication."""
    return _agreements(page, page.metadata.modified_dates)


def _agreements(page: Page, stated: Sequence[str]) -> list[str | None]:
    parsed = (parse_stated(text) for text in stated)
    moments = [one for one in parsed if one is not None and one.year in _YEARS]
    if not moments:
        return [None] * len(page)
    zones = _zones(page) | set(country_zones(page.lang))
    usual = _local(moments, zones)
    found: list[str | None] = []
    for one in shown_moments(page):
        if one is NOTHING:
            found.append(None)
        elif one.offset is None:
            found.append(_agreement(one, usual))
        else:
            named = timezone(timedelta(minutes=one.offset))
            found.append(_agreement(one, _local(moments, {named})))
    return found


def _zones(page: Page) -> set[tzinfo]:
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
    known = locale(tag)
    likely = get_global("likely_subtags").get(language(tag), "").split("_")[-1]
    territory = known.territory if known is not None and known.territory else likely
    names = get_global("territory_zones").get(territory, ())
    return tuple(map(get_timezone, names)) if len(names) <= _MOST_ZONES else ()


def _local(moments: Iterable[datetime], zones: set[tzinfo]) -> set[datetime]:
    """Return what calendars and clocks show at some moments; as stated without a time zone."""
    local = {moment for moment in moments if moment.tzinfo is None}
    aware = [moment for moment in moments if moment.tzinfo is not None]
    return local | {one.astimezone(zone).replace(tzinfo=None) for one in aware for zone in zones}


def _agreement(one: Shown, local: set[datetime]) -> str | None:
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


@feature("task")
def date_match(page: Page) -> list[str | None]:
    """Region shows the numbers of a stated date: day, month and year, or day and year."""
    stated = (parse_iso(text) for text in page.metadata.dates)
    days = {moment.date() for moment in stated if moment is not None}
    return [_numbers_match(one.numbers, days) for one in shown_moments(page)]


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
    moments = {m.date() for text in page.metadata.dates if (m := parse_iso(text)) is not None}
    elements = page.elements
    own: list[str | None] = []
    rows = zip(elements.tag, elements.parent.tolist(), elements.attributes, strict=True)
    for tag, parent, row in rows:
        kind = own[parent] if parent >= 0 else None
        if tag == "time":
            moment = parse_iso(row.get("datetime", ""))
            known = moment is not None and moment.date() in moments
            kind = "stated" if known else "other"
        own.append(kind)
    return [own[i] for i in page.element.tolist()]
