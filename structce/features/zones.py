"""Conjunctions of cues with the part of the page (zone) that a region is in.

A name right below the headline is a byline; the same name in a list of links is not. A linear
model cannot combine two cues by itself, so combinations have columns of their own. Zones are
determined by the headline and by the first and last region of running text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Integers
from structce.features.author_match import author_match
from structce.features.class_names import meanings
from structce.features.cues import page_cues
from structce.features.date_match import date_match, stated_time
from structce.features.dom import in_elements, in_link
from structce.features.dom_tree import NO_NAMES, NameSet, named_bins, of_regions, parents
from structce.features.landmarks import heading_region, is_running, main_mask, main_text_rows
from structce.features.registry import JOINED_STRENGTH, NEAR, feature, once_a_page
from structce.features.task import title_likeness
from structce.features.text import block_sums, widths
from structce.language import SENTENCE_ENDS, TEXTS
from structce.page import Page

_MAX_LINE = 120  # characters of a line that may be a byline or a date line
_LONG_TEXT = frozenset({"long"})
_CUE_NAMES = {
    "numeric-date-cue": "date",
    "months-cue": "date",
    "author-cue": "byline",
    "agency-cue": "byline",
    "credit-cue": "credit",
}
_FRAME_REGIONS = 12  # above the headline and below the text that belong to the article's frame
_FRAMES = {"kicker": "head", "title": "head", "head": "head", "text": "text"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TEXT_TAGS = frozenset(
    {"li", "figcaption", "td", "th", "blockquote", "dt", "dd", "button", "label"}
)
_PART_TAGS = frozenset({"nav", "footer", "aside", "header"})
_CONTENT_MEANINGS = ("lead", "title", "caption", "author", "date")
_FOREIGN_MEANINGS = frozenset({"related", "share", "navigation", "comment", "tag", "advertisement"})
_LENGTHS = (16, 45, 110, 260)  # columns of a block
_LENGTH_NAMES = ("tiny", "short", "line", "lines", "long")
_END_MARKS = frozenset(f'{SENTENCE_ENDS}"”»')


@feature("task", name="zone", window=())
@once_a_page
def zones(page: Page) -> list[str]:
    """Part of the page: above, kicker, title, head, text, foot, below.

    ``above`` the headline, ``kicker`` just above it, ``title``, ``head`` between title and text,
    ``text``, ``foot`` just below the text, ``below``; ``none`` on a page without running text.
    """
    running = main_text_rows(page)
    if not len(running):
        return ["none"] * len(page)
    first, last = int(running[0]), int(running[-1])
    title = heading_region(page)
    title = title if 0 <= title <= last else first
    same = (page.blocks == page.blocks[title]).tolist()
    return [_zone(i, title, first, last, same[i]) for i in range(len(page))]


def _zone(i: int, title: int, first: int, last: int, same: bool) -> str:
    if same and title < first:
        return "title"
    if i < min(title, first):
        return "kicker" if i >= min(title, first) - _FRAME_REGIONS else "above"
    if i < first:
        return "head"
    if i <= last:
        return "text"
    return "foot" if i <= last + _FRAME_REGIONS else "below"


@feature("task", window=())
def zone_meaning(page: Page) -> list[NameSet]:
    """Part of the page joined with meanings of class names: a date in the head is the article's."""
    return _joined(zones(page), meanings(page))


def _joined(parts: Sequence[str], sets: Sequence[NameSet]) -> list[NameSet]:
    """Return each set with its names prefixed by the part."""
    return [_prefixed(part, names) for part, names in zip(parts, sets, strict=True)]


@lru_cache(maxsize=2 * TEXTS)
def _prefixed(part: str, names: NameSet) -> NameSet:
    return frozenset(f"{part}:{name}" for name in names)


@feature("task", window=())
def zone_tag(page: Page) -> list[str]:
    """Part of the page joined with the element's name."""
    return list(map(_zone_tag, zones(page), page.tag))


@lru_cache(maxsize=1024)
def _zone_tag(part: str, tag: str) -> str:
    return f"{part}:{tag}"


@feature("task", window=NEAR)
def zone_text(page: Page) -> list[str]:
    """Part of the page joined with whether the region is running text, and whether it is a link.

    Running text in the article is a paragraph, whatever element a publisher puts it in.
    """
    columns = (page.is_media, is_running(page), in_link(page))
    rows = zip(zones(page), *(column.tolist() for column in columns), strict=True)
    return ["media" if media else _zone_text(part, run, link) for part, media, run, link in rows]


@lru_cache(maxsize=128)
def _zone_text(part: str, is_running: bool, is_link: bool) -> str:
    return f"{part}:{'running' if is_running else 'short'}{':link' if is_link else ''}"


@feature("task")
def zone_cue(page: Page) -> list[NameSet]:
    """Part of the page joined with what the region seems to be: a name, a date, a headline."""
    return _joined(zones(page), line_cues(page))


@once_a_page
def line_cues(page: Page) -> list[NameSet]:
    """Return what each region seems to be, by its text and by the metadata of the page."""
    columns = zip(
        _text_cues(page),
        np.asarray(author_match(page)).tolist(),
        date_match(page),
        stated_time(page),
        (np.asarray(title_likeness(page)) >= 0.85).tolist(),
        strict=True,
    )
    cues: list[NameSet] = []
    for names, matched, day, time, headline in columns:
        if matched > 0 or day or time or headline:
            more = ["author" if matched >= 0.6 else "has-author"] if matched > 0 else []
            more += ["day"] if day else []
            more += [f"time-{time}"] if time else []
            names = names.union(more, ["headline"] if headline else [])
        cues.append(names)
    return cues


def _text_cues(page: Page) -> list[NameSet]:
    """Return what each text seems to be: date, name, byline, credit; ``long`` if it is long."""
    return [
        _LONG_TEXT if len(text) > _MAX_LINE else _cue_names(cues, _is_like_a_name(text))
        for text, cues in zip(page.text, page_cues(page), strict=True)
    ]


@lru_cache(maxsize=4096)
def _cue_names(cues: NameSet, is_name: bool) -> NameSet:
    names = {_CUE_NAMES[cue] for cue in cues if cue in _CUE_NAMES}
    return frozenset(names | ({"name"} if is_name else set()))


@lru_cache(maxsize=TEXTS)
def _is_like_a_name(text: str) -> bool:
    """Return whether a text is two to four words that begin with a capital."""
    parts = text.split()
    return (
        2 <= len(parts) <= 4
        and all(part[0].isupper() for part in parts)
        and not any(map(str.isdigit, text))
    )


@feature("task")
def first_of_kind(page: Page) -> list[NameSet]:
    """First region from the headline onwards that seems to be a date, a byline, a name, a day."""
    start = max(heading_region(page), 0)
    return _first_occurrences(line_cues(page), range(start, len(page)))


@feature("task")
def last_of_kind(page: Page) -> list[NameSet]:
    """Last region before the main text that seems to be a date, a byline, a name, a day."""
    start = next(iter(main_text_rows(page).tolist()), 0)
    return _first_occurrences(line_cues(page), range(start, -1, -1))


def _first_occurrences(cues: Sequence[NameSet], order: range) -> list[NameSet]:
    firsts: list[NameSet] = [frozenset()] * len(cues)
    seen: set[str] = set()
    for i in order:
        if i < len(cues):
            firsts[i] = frozenset(cues[i] - seen)
            seen |= cues[i]
    return firsts


@once_a_page
def text_kinds(page: Page) -> list[str]:
    """Return the kind of text by mark-up, such as h2, p, li or td; with ``+b`` if bold."""
    own: list[str] = []
    elements = page.elements
    for tag, parent in zip(elements.tag, elements.parents, strict=True):
        above = own[parent] if parent >= 0 else ""
        if above in _HEADINGS:
            own.append(above)
        elif tag in _HEADINGS or tag in _TEXT_TAGS or tag in _PART_TAGS:
            own.append(tag)
        elif tag == "p":
            own.append(above if above in ("li", "blockquote") else "p")
        else:
            own.append(above)
    bold = in_elements(page, ["b", "strong"]).tolist()
    return [f"{kind}+b" if b else kind for kind, b in zip(of_regions(page, own), bold, strict=True)]


@once_a_page
def running_near(page: Page) -> list[str]:
    """Return how soon running text follows and precedes each region: ``1``, ``2`` or ``far``.

    Up to one region away, up to three, or farther; a running region has distance 0 to itself.
    """
    running, borders, names = is_running(page), (3, 5), ("1", "2", "far")
    before = named_bins(_regions_since(running), borders, names)
    after = named_bins(_regions_since(running[::-1])[::-1], borders, names)
    return [f"{a}-{b}" for a, b in zip(after, before, strict=True)]


def _regions_since(marks: Flags) -> Integers:
    """Return the number of regions since the last mark, counted from 1; 99 before the first."""
    places = np.arange(len(marks))
    last = np.maximum.accumulate(np.where(marks, places, -99))
    return np.asarray(places - last + 1)


@feature("task", window=())
def profile(page: Page) -> list[NameSet]:
    """Kind of text, part of the page, length, size, ending and running text around, joined."""
    parts, own, near = zones(page), text_kinds(page), running_near(page)
    lengths = named_bins(block_sums(page, widths(page)), _LENGTHS, _LENGTH_NAMES)
    sizes = _font_size_names(page)
    meant = _main_meanings(page)
    linked = in_link(page).tolist()
    sets: list[NameSet] = []
    for i, text in enumerate(page.text):
        if not text:
            sets.append(NO_NAMES)
            continue
        link = "link" if linked[i] else ""
        end = "." if text[-1] in _END_MARKS else ":" if text[-1] in ":：" else ""
        sets.append(
            _profile_names(own[i], parts[i], lengths[i], link, near[i], sizes[i], end, meant[i])
        )
    return sets


@lru_cache(maxsize=4096)
def _profile_names(
    kind: str, part: str, length: str, link: str, near: str, size: str, end: str, meant: str
) -> NameSet:
    names = (
        f"{kind}:{part}:{length}:{link}",
        f"{kind}:{near}:{link}:{size}",
        f"{kind}:{part}:{size}:{end}",
        f"{meant}:{part}:{length}:{end}",
        f"{meant}:{kind}:{part}",
        f"{meant}:{near}:{part}:{length}",
    )
    return frozenset(names)


def _font_size_names(page: Page) -> list[str]:
    """Return the font size of each region relative to that of the running text, by name."""
    sizes = page.styles["font-size"].astype(np.float64)
    weights = widths(page) * is_running(page)
    body = float(np.average(sizes, weights=weights)) if weights.sum() else 16.0
    return named_bins(sizes, (0.9 * body, 1.15 * body), ("small", "same", "big"))


@once_a_page
def _main_meanings(page: Page) -> list[str]:
    """Return the first content meaning near each region, or else ``alien`` if one is foreign."""
    return [_main_meaning(names) for names in meanings(page)]


@lru_cache(maxsize=4096)
def _main_meaning(names: NameSet) -> str:
    near = {name.lstrip("^") for name in names}
    alien = "alien" if near & _FOREIGN_MEANINGS else ""
    return next((name for name in _CONTENT_MEANINGS if name in near), alien)


@feature("task", strength=JOINED_STRENGTH)
def meaning_cue(page: Page) -> list[NameSet]:
    """Meaning of class names joined with what the text seems to be, in or outside the article.

    A line that is an author by its class names and looks like a name is a byline; one cue alone
    may be the credit of a portrait, or a list of contributors.
    """
    columns = zip(zones(page), _main_meanings(page), line_cues(page), strict=True)
    return [_meaning_cues(*row) for row in columns]


@lru_cache(maxsize=4096)
def _meaning_cues(part: str, meant: str, cues: NameSet) -> NameSet:
    if meant not in _CONTENT_MEANINGS:
        return NO_NAMES
    frame = _FRAMES.get(part, "out")
    return frozenset(f"{meant}:{cue}:{frame}" for cue in cues or ("none",))


@feature("task", strength=JOINED_STRENGTH)
def like_text(page: Page) -> list[NameSet]:
    """Whether the block has the same mark-up as the blocks of the main text, or is among them.

    By element and class names of the block and of the element around it. This identifies
    paragraphs too short to be running text, and headings among paragraphs.
    """
    blocks, around = _text_signs(page)
    elements, running = page.elements, is_running(page).tolist()
    linked = in_link(page).tolist()
    above = parents(page)
    signs = _element_signs(page)
    places: dict[int, str] = {}  # by element of the block
    sets: list[NameSet] = []
    for i, block in enumerate(page.block_element.tolist()):
        place = places.get(block)
        if place is None:
            same = "same" if signs[block] in blocks else "other"
            is_beside = above[block] >= 0 and signs[above[block]] in around
            place = places[block] = f"{same}:{'among' if is_beside else 'apart'}"
        sets.append(_like_text_names(elements.tag[block], place, running[i], linked[i]))
    return sets


@lru_cache(maxsize=4096)
def _like_text_names(tag: str, place: str, is_running: bool, is_linked: bool) -> NameSet:
    form = f"{'running' if is_running else 'short'}:{'link' if is_linked else ''}"
    return frozenset((place, f"{tag}:{place}", f"{form}:{place}"))


@once_a_page
def _element_signs(page: Page) -> dict[int, str]:
    """Return name and classes of each block's element and of its parent."""
    tags, rows, over = page.elements.tag, page.elements.attributes, parents(page)
    blocks = set(page.block_element.tolist())
    near = blocks.union([over[i] for i in blocks]) - {-1}
    return {i: f"{tags[i]}.{rows[i].get('class', '')}" for i in near}


def _text_signs(page: Page) -> tuple[set[str], set[str]]:
    """Return names and classes of the blocks of the main text and of the elements around them.

    Those with at least a fifth (blocks) or a tenth (elements around) of the running text.
    """
    weights = widths(page) * is_running(page) * main_mask(page)
    over, signs = parents(page), _element_signs(page)
    blocks, around = Counter[str](), Counter[str]()
    rows = np.flatnonzero(weights)
    held = zip(page.block_element[rows].tolist(), weights[rows].tolist(), strict=True)
    for block, weight in held:
        blocks[signs[block]] += weight
        if (above := over[block]) >= 0:
            around[signs[above]] += weight
    total = weights.sum()
    return (
        {sign for sign, count in blocks.items() if count >= 0.2 * total},
        {sign for sign, count in around.items() if count >= 0.1 * total},
    )
