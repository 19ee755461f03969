"""Features that join a cue with the part of the page that it stands in.

A name right below the headline is a byline; the same name in a list of links is not. A linear
model cannot join two cues by itself, so the joined ones are columns of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.dom import in_link
from structce.features.landmarks import heading_region, is_running, main_mask
from structce.features.lines import page_cues
from structce.features.memo import once_a_page
from structce.features.naming import meanings
from structce.features.registry import feature
from structce.features.task import author_match, date_match, stated_time, title_likeness
from structce.page import Page

_SHORT = 120  # characters of a line that may be a byline or a date line
_LONG = frozenset({"long"})
_TELLING = {
    "numeric-date-cue": "date",
    "months-cue": "date",
    "author-cue": "byline",
    "agency-cue": "byline",
    "credit-cue": "credit",
}
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
    """Part of the page joined with what class names say: a date in the head is the article's."""
    return _joined(zones(page), meanings(page))


def _joined(parts: Sequence[str], sets: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return each set with its names prefixed by the part; each distinct pair is made once."""
    known: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
    found = []
    for key in zip(parts, sets, strict=True):
        if key not in known:
            known[key] = frozenset(f"{key[0]}:{name}" for name in key[1])
        found.append(known[key])
    return found


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
    return _joined(zones(page), line_cues(page))


@once_a_page
def line_cues(page: Page) -> list[frozenset[str]]:
    """Return what each region seems to be, by its text and by what the page states of itself."""
    columns = zip(
        _text_cues(page),
        np.asarray(author_match(page)).tolist(),
        date_match(page),
        stated_time(page),
        (np.asarray(title_likeness(page)) >= 0.85).tolist(),
        strict=True,
    )
    found: list[frozenset[str]] = []
    for names, matched, day, time, headline in columns:
        if matched > 0 or day or time or headline:
            more = ["author" if matched >= 0.6 else "has-author"] if matched > 0 else []
            more += ["day"] if day else []
            more += [f"time-{time}"] if time else []
            names = names.union(more, ["headline"] if headline else [])
        found.append(names)
    return found


def _text_cues(page: Page) -> list[frozenset[str]]:
    """Return what each text seems to be: date, name, byline, credit; ``long`` if it is long."""
    known: dict[tuple[frozenset[str], bool], frozenset[str]] = {}
    found: list[frozenset[str]] = []
    for text, cues in zip(page.text, page_cues(page), strict=True):
        if len(text) > _SHORT:
            found.append(_LONG)
            continue
        key = cues, _is_like_a_name(text)
        if key not in known:
            names = {_TELLING[cue] for cue in cues if cue in _TELLING}
            known[key] = frozenset(names | ({"name"} if key[1] else set()))
        found.append(known[key])
    return found


@lru_cache(maxsize=16384)
def _is_like_a_name(text: str) -> bool:
    """Return whether a text is two to four words that begin with a capital."""
    parts = text.split()
    return (
        2 <= len(parts) <= 4
        and all(part[0].isupper() for part in parts)
        and not any(c.isdigit() for c in text)
    )


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


def _firsts(found: Sequence[frozenset[str]], order: range) -> list[frozenset[str]]:
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
