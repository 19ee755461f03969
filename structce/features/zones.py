"""Features that join a cue with the part of the page that it stands in.

A name right below the headline is a byline; the same name in a list of links is not. A linear
model cannot join two cues by itself, so the joined ones are columns of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Integers
from structce.features.class_names import meanings
from structce.features.cues import page_cues
from structce.features.dom import in_link
from structce.features.landmarks import heading_region, is_running, main_mask
from structce.features.metadata_match import (
    Names,
    author_match,
    date_match,
    stated_time,
    text_index,
)
from structce.features.registry import feature, once_a_page
from structce.features.task import title_likeness
from structce.features.text import block_sums, widths
from structce.language import normalise
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
def in_figure(page: Page) -> Flags:
    """Region in a figure that lies in the article's frame."""
    inside = page.elements.lineage([tag == "figure" for tag in page.elements.tag])[page.element]
    framed = [part in ("title", "head", "text", "foot", "kicker") for part in zones(page)]
    return np.asarray(inside & np.array(framed, dtype=bool))


_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_KINDS = frozenset({"li", "figcaption", "td", "th", "blockquote", "dt", "dd", "button", "label"})
_PARTS = frozenset({"nav", "footer", "aside", "header"})
_TELLING_PROFILE = ("lead", "title", "caption", "author", "date")
_ALIEN = frozenset({"related", "share", "navigation", "comment", "tag", "advertisement"})
_ENDS = re.compile(r"[.!?…。！？\"”»]$")
_TAGS = re.compile(r"<[^>]*>")
_LEAST_BODY = 300  # letters of a stated text; what is shorter is an excerpt
_NOTHING: frozenset[str] = frozenset()


@once_a_page
def kinds(page: Page) -> list[str]:
    """Return what kind of text mark-up says each region is: h2, p, li, td; bold apart."""
    own: list[str] = []
    elements = page.elements
    for tag, parent in zip(elements.tag, elements.parent.tolist(), strict=True):
        above = own[parent] if parent >= 0 else ""
        if above in _HEADINGS:
            own.append(above)
        elif tag in _HEADINGS or tag in _KINDS or tag in _PARTS:
            own.append(tag)
        elif tag == "p":
            own.append(above if above in ("li", "blockquote") else "p")
        else:
            own.append(above)
    bold = elements.lineage([tag in ("b", "strong") for tag in elements.tag])[page.element]
    named = [own[i] for i in page.element.tolist()]
    return [f"{name}+b" if b else name for name, b in zip(named, bold.tolist(), strict=True)]


@once_a_page
def running_near(page: Page) -> list[str]:
    """Return how near running text follows and precedes each region: ``1``, ``2`` or ``far``.

    One region away, up to three, or farther; the region itself counts.
    """
    running = is_running(page)
    names = np.array(["1", "2", "far"])
    before = names[np.searchsorted((3, 5), _since(running), "right")]
    after = names[np.searchsorted((3, 5), _since(running[::-1])[::-1], "right")]
    return [f"{a}-{b}" for a, b in zip(after.tolist(), before.tolist(), strict=True)]


def _since(marks: Flags) -> Integers:
    """Return the number of regions since the last mark, counted from 1; 99 before the first."""
    places = np.arange(len(marks))
    last = np.maximum.accumulate(np.where(marks, places, -99))
    return np.asarray(places - last + 1)


@feature("task")
def profile(page: Page) -> Names:
    """Kind of text, part of the page, length, size, ending and running text around, joined."""
    parts, own, near, sizes = zones(page), kinds(page), running_near(page), _sizes(page)
    lengths, told = _lengths(page), _told(page)
    linked = in_link(page).tolist()
    found: Names = []
    for i, text in enumerate(page.text):
        if not text:
            found.append(_NOTHING)
            continue
        kind, part, length = own[i], parts[i], lengths[i]
        link = "link" if linked[i] else ""
        end = "." if _ENDS.search(text[-1:]) else ":" if text[-1:] in ":：" else ""
        found.append(
            frozenset(
                (
                    f"{kind}:{part}:{length}:{link}",
                    f"{kind}:{near[i]}:{link}:{sizes[i]}",
                    f"{kind}:{part}:{sizes[i]}:{end}",
                    f"{told[i]}:{part}:{length}:{end}",
                    f"{told[i]}:{kind}:{part}",
                    f"{told[i]}:{near[i]}:{part}:{length}",
                )
            )
        )
    return found


def _lengths(page: Page) -> list[str]:
    whole = block_sums(page, widths(page))
    names = np.array(["tiny", "short", "line", "lines", "long"])
    lengths: list[str] = names[np.searchsorted((16, 45, 110, 260), whole, "right")].tolist()
    return lengths


def _sizes(page: Page) -> list[str]:
    """Return how large the font of each region is beside that of the running text."""
    sizes = page.styles["font-size"].astype(np.float64)
    weights = widths(page) * is_running(page)
    body = float(np.average(sizes, weights=weights)) if weights.sum() else 16.0
    names = np.array(["small", "same", "big"])
    found: list[str] = names[np.searchsorted((0.9 * body, 1.15 * body), sizes, "right")].tolist()
    return found


@once_a_page
def _told(page: Page) -> list[str]:
    """Return the most telling thing that class names near each region say."""
    known: dict[frozenset[str], str] = {}
    found = []
    for names in meanings(page):
        if names not in known:
            near = {name.lstrip("^") for name in names}
            alien = "alien" if near & _ALIEN else ""
            known[names] = next((name for name in _TELLING_PROFILE if name in near), alien)
        found.append(known[names])
    return found


@feature("task")
def meaning_cue(page: Page) -> Names:
    """What class names say joined with what the text seems to be, in or out of the article.

    A line that class names call an author and that looks like a name is a byline; one cue alone
    may be a portrait's credit, or a list of contributors.
    """
    frames = {"kicker": "head", "title": "head", "head": "head", "text": "text"}
    known: dict[tuple[str, str, frozenset[str]], frozenset[str]] = {}
    found: Names = []
    for part, told, cues in zip(zones(page), _told(page), line_cues(page), strict=True):
        key = frames.get(part, "out"), told, cues or frozenset({"none"})
        if key not in known:
            known[key] = (
                frozenset(f"{told}:{cue}:{key[0]}" for cue in key[2])
                if told in _TELLING_PROFILE
                else _NOTHING
            )
        found.append(known[key])
    return found


@feature("task")
def like_text(page: Page) -> Names:
    """Whether the block is built as the blocks of the main text are, or stands among them.

    By element and class names of the block and of the element around it. A paragraph too short
    to run on is told by this, and so is a heading that stands among paragraphs.
    """
    blocks, around = _signatures(page)
    elements, running = page.elements, is_running(page).tolist()
    linked = in_link(page).tolist()
    parents = elements.parent
    signs = _element_signs(page)
    found: Names = []
    for i, block in enumerate(page.block_element.tolist()):
        above = int(parents[block])
        same = "same" if signs[block] in blocks else "other"
        beside = "among" if above >= 0 and signs[above] in around else "apart"
        form = f"{'running' if running[i] else 'short'}:{'link' if linked[i] else ''}"
        place = f"{same}:{beside}"
        found.append(frozenset((place, f"{elements.tag[block]}:{place}", f"{form}:{place}")))
    return found


@once_a_page
def _element_signs(page: Page) -> list[str]:
    elements = page.elements
    rows = zip(elements.tag, elements.attributes, strict=True)
    return [f"{tag}.{row.get('class', '')}" for tag, row in rows]


def _signatures(page: Page) -> tuple[set[str], set[str]]:
    """Return names of the blocks of the main text and of what is around them.

    Those that hold a fifth, and a tenth, of the running text at least.
    """
    weights = widths(page) * is_running(page) * main_mask(page)
    parents, signs = page.elements.parent, _element_signs(page)
    blocks: dict[str, int] = {}
    around: dict[str, int] = {}
    for i in np.flatnonzero(weights).tolist():
        block, weight = int(page.block_element[i]), int(weights[i])
        blocks[signs[block]] = blocks.get(signs[block], 0) + weight
        if (above := int(parents[block])) >= 0:
            around[signs[above]] = around.get(signs[above], 0) + weight
    return _at_least(blocks, 0.2 * weights.sum()), _at_least(around, 0.1 * weights.sum())


def _at_least(counts: Mapping[str, int], least: float) -> set[str]:
    return {name for name, count in counts.items() if count >= least}


@feature("task")
def body_match(page: Page) -> list[str | None]:
    """Whether the text stands in the article's text as the page states it for machines.

    Unknown where nothing is stated; publishers state headings and captions there seldom.
    """
    stated = normalise(_TAGS.sub(" ", " ".join(page.metadata.linked("articleBody"))))
    if len(stated) < _LEAST_BODY:
        return [None] * len(page)
    index = text_index(page)
    found: list[str | None] = []
    for start, end in zip(index.starts[:-1], index.starts[1:], strict=True):
        text = index.text[start:end]
        kind = f"{'in' if text in stated else 'out'}:{'long' if end - start > 40 else 'short'}"
        found.append(kind if end - start >= 4 else None)
    return found
