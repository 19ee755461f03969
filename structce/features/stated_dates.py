"""Which region is the date line: the best place of the moment of publication.

The day alone stands in many places: on every teaser of the day, above readers' comments. What
also shows the minute, or states it in a ``datetime`` attribute, is the article's own date line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from structce.dates import parse_iso, parse_stated
from structce.features.memo import once_a_page
from structce.features.moments import modified_match, published_match
from structce.features.naming import meanings
from structce.features.registry import feature
from structce.features.stated_places import Names, distance
from structce.page import Page

_LONG = 150  # characters; a longer text is no date line
_MINUTE = 61  # seconds within which two moments are one
_NEAR = 12  # cost of a place that belongs to the article's frame
_DAYS = ("day", "day-time")

Moments = Sequence[datetime]


@feature("task")
def attribute_match(page: Page) -> Names:
    """Whether the ``time`` element around a region states the moment of publication, or change.

    To the minute, or its day; ``only`` where it is one of the two: the date of an update is not
    that of publication, though a text may show both alike.
    """
    return _attribute_matches(page)


@once_a_page
def _attribute_matches(page: Page) -> Names:
    stated = {
        "published": _moments(page.metadata.published_dates),
        "modified": _moments(page.metadata.modified_dates),
    }
    own: Names = []
    elements = page.elements
    rows = zip(elements.tag, elements.parent.tolist(), elements.attributes, strict=True)
    for tag, parent, row in rows:
        moment = parse_iso(row["datetime"]) if tag == "time" and row.get("datetime") else None
        above = own[parent] if parent >= 0 else frozenset[str]()
        own.append(_matches(moment, stated) if moment is not None else above)
    return [own[i] for i in page.element.tolist()]


def _moments(stated: Sequence[str]) -> Moments:
    return [moment for text in stated if (moment := parse_stated(text)) is not None]


def _matches(moment: datetime, stated: Mapping[str, Moments]) -> frozenset[str]:
    found = {f"{name}:{kind}" for name, all_ in stated.items() if (kind := _kind(moment, all_))}
    exact = {name.split(":")[0] for name in found if name.endswith(":minute")}
    return frozenset(found | {f"only-{name}" for name in exact if len(exact) == 1})


def _kind(moment: datetime, stated: Moments) -> str:
    """Return ``minute`` where a moment is stated, ``day`` where its day is, else nothing."""
    kinds = {_agreement(moment, other) for other in stated}
    return next((kind for kind in ("minute", "day") if kind in kinds), "")


def _agreement(one: datetime, other: datetime) -> str:
    if one.tzinfo is None or other.tzinfo is None:
        one, other = one.replace(tzinfo=None), other.replace(tzinfo=None)
    if abs((one - other).total_seconds()) < _MINUTE:
        return "minute"
    return "day" if one.date() == other.date() else ""


@feature("task")
def date_place(page: Page) -> Names:
    """Whether the region is the best place of the stated date of publication, or another one.

    The best is near the article, short, shows the minute too, and is not the date of a change.
    """
    costs = _costs(page)
    shown, attributes = published_match(page), _attribute_matches(page)
    found: Names = [frozenset()] * len(page)
    for n, i in enumerate(sorted(costs, key=lambda i: (costs[i], i))):
        rank = "again" if n else "best"
        exact = shown[i] == "day-time" or "published:minute" in attributes[i]
        names = {rank, f"{rank}:{'exact' if exact else 'day'}"}
        names.add(f"{rank}:{'near' if costs[i] < _NEAR else 'far'}")
        found[i] = frozenset(names | ({"second"} if n == 1 else set()))
    return found


def _costs(page: Page) -> dict[int, float]:
    """Return what speaks against each region that may be the date line; the weights are ours."""
    published, modified = published_match(page), modified_match(page)
    attributes, named = _attribute_matches(page), meanings(page)
    costs: dict[int, float] = {}
    for i, kinds in enumerate(attributes):
        shows = published[i] in _DAYS
        states = not kinds.isdisjoint(("published:minute", "published:day"))
        if (shows or states) and 0 < len(page.text[i]) <= _LONG:
            cost = distance(page, i) + len(page.text[i]) / 40
            cost -= 2 * (published[i] == "day-time" or "published:minute" in kinds)
            cost += 2 * (modified[i] == "day-time" and published[i] == "day")
            cost += 4 * (not shows) - 3 * (not named[i].isdisjoint(("date", "^date")))
            costs[i] = cost
    return costs
