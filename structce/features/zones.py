"""Features that join a cue with the part of the page that it stands in.

A name right below the headline is a byline; the same name in a list of links is not. A linear
model cannot join two cues by itself, so the joined ones are columns of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structce.features import cues
from structce.features.dom import in_link
from structce.features.landmarks import heading_region, is_running, main_mask
from structce.features.memo import once_a_page
from structce.features.naming import meanings
from structce.features.registry import feature
from structce.features.task import author_match, date_match, stated_time, title_likeness
from structce.features.text import words
from structce.page import Page

_SHORT = 120  # characters of a line that may be a byline or a date line
_NEAR = 12  # regions above the headline and below the text that belong to the article's frame


@once_a_page
def zones(page: Page) -> list[str]:
    """Return the part of the page that each region stands in.

    ``above`` the headline, ``kicker`` just above it, ``title``, ``head`` between it and the
    text, ``text``, ``foot`` just below the text, ``below``; ``none`` on a page without text.
    """
    running = np.flatnonzero(main_mask(page) & is_running(page))
    if not len(running):
        return ["none"] * len(page)
    first, last = int(running[0]), int(running[-1])
    title = heading_region(page)
    title = title if 0 <= title <= last else first
    blocks = page.blocks
    return [_zone(i, title, first, last, blocks[i] == blocks[title]) for i in range(len(page))]


def _zone(i: int, title: int, first: int, last: int, same: bool) -> str:
    if same and title < first:
        return "title"
    if i < min(title, first):
        return "kicker" if i >= min(title, first) - _NEAR else "above"
    if i < first:
        return "head"
    if i <= last:
        return "text"
    return "foot" if i <= last + _NEAR else "below"


@feature("task")
def zone(page: Page) -> list[str]:
    """Part of the page: above, kicker, title, head, text, foot, below."""
    return zones(page)


@feature("task")
def zone_meaning(page: Page) -> list[frozenset[str]]:
    """Part of the page joined with what class names say."""
    return [
        frozenset(f"{part}:{name}" for name in names)
        for part, names in zip(zones(page), meanings(page), strict=True)
    ]


@feature("task")
def zone_tag(page: Page) -> list[str]:
    """Part of the page joined with the element's name."""
    return [f"{part}:{tag}" for part, tag in zip(zones(page), page.tag, strict=True)]


@feature("task")
def zone_text(page: Page) -> list[str]:
    """Part of the page joined with whether the text runs on, and whether it is a link.

    Running text in the article is a paragraph whatever element a publisher puts it in.
    """
    linked, running = in_link(page), is_running(page)
    return [
        "media" if media else f"{part}:{'running' if run else 'short'}{':link' if link else ''}"
        for part, media, run, link in zip(zones(page), page.is_media, running, linked, strict=True)
    ]


@feature("task")
def zone_cue(page: Page) -> list[frozenset[str]]:
    """Part of the page joined with what the region seems to be: a name, a date, a headline."""
    found = line_cues(page)
    return [
        frozenset(f"{part}:{name}" for name in names)
        for part, names in zip(zones(page), found, strict=True)
    ]


@once_a_page
def line_cues(page: Page) -> list[set[str]]:
    """Return what each region seems to be, by its text and by what the page states of itself."""
    matched, dates, stated = author_match(page), date_match(page), stated_time(page)
    likeness = title_likeness(page)
    found: list[set[str]] = []
    for i, text in enumerate(page.text):
        names = text_cues(text)
        names |= {"author"} if matched[i] >= 0.6 else {"has-author"} if matched[i] > 0 else set()
        names |= {"day"} if dates[i] else set()
        names |= {f"time-{stated[i]}"} if stated[i] else set()
        names |= {"headline"} if likeness[i] >= 0.85 else set()
        found.append(names)
    return found


def text_cues(text: str) -> set[str]:
    """Return what a short text seems to be: date, name, byline, credit."""
    if not text or len(text) > _SHORT:
        return {"long"} if text else set()
    found = set()
    has_month = any(word in cues.month_names() for word in words(text))
    digits = any(c.isdigit() for c in text)
    if cues.NUMERIC_DATE.search(text) or (has_month and digits):
        found.add("date")
    if cues.AUTHOR.search(text):
        found.add("byline")
    if cues.CREDIT.search(text):
        found.add("credit")
    parts = text.split()
    if 2 <= len(parts) <= 4 and not digits and all(part[0].isupper() for part in parts):
        found.add("name")
    return found


@feature("task")
def first_of_kind(page: Page) -> list[frozenset[str]]:
    """First region from the headline on that seems to be a date, a byline, a name, a day."""
    start = max(heading_region(page), 0)
    return _firsts(line_cues(page), range(start, len(page)))


@feature("task")
def last_of_kind(page: Page) -> list[frozenset[str]]:
    """Last region above the main text that seems to be a date, a byline, a name, a day."""
    running = np.flatnonzero(main_mask(page) & is_running(page))
    return _firsts(line_cues(page), range(int(running[0]) if len(running) else 0, -1, -1))


def _firsts(found: Sequence[set[str]], order: range) -> list[frozenset[str]]:
    firsts: list[frozenset[str]] = [frozenset()] * len(found)
    seen: set[str] = set()
    for i in order:
        if i < len(found):
            firsts[i] = frozenset(found[i] - seen)
            seen |= found[i]
    return firsts


@feature("task")
def nearest_media(page: Page) -> list[str | None]:
    """Distance of a text to the media before it, inside the article's frame: captions follow."""
    since: list[str | None] = []
    count = 99
    for media, part in zip(page.is_media, zones(page), strict=True):
        count = 0 if media else count + 1
        near = count <= 5 and part in ("title", "head", "text", "foot")
        since.append(f"{part}:{count}" if near else None)
    return since


@feature("task")
def in_figure(page: Page) -> NDArray[np.bool_]:
    """Region in a figure that lies in the article's frame."""
    inside = page.elements.lineage([tag == "figure" for tag in page.elements.tag])[page.element]
    framed = [part in ("title", "head", "text", "foot", "kicker") for part in zones(page)]
    return np.asarray(inside & np.array(framed, dtype=bool))
