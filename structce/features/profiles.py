"""Features that join what a text looks like with where it stands among the running text.

A heading between two paragraphs is a subtitle, the same heading above a list of links is not; a
short line that is built as the paragraphs are is one of them. A linear model cannot join such
cues by itself, so they are joined here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from structce.features.dom import in_link
from structce.features.landmarks import is_running, main_mask
from structce.features.memo import once_a_page
from structce.features.naming import meanings
from structce.features.registry import feature
from structce.features.stated_places import Names, text_index
from structce.features.text import block_sums, widths
from structce.features.zones import line_cues, zones
from structce.page import Page
from structce.text import normalise

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_KINDS = frozenset({"li", "figcaption", "td", "th", "blockquote", "dt", "dd", "button", "label"})
_PARTS = frozenset({"nav", "footer", "aside", "header"})
_TELLING = ("lead", "title", "caption", "author", "date")
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


def _since(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
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
            known[names] = next((name for name in _TELLING if name in near), alien)
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
                if told in _TELLING
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
