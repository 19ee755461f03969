"""Conjunctions of cues with the part of the page (zone) that a region is in.

A name right below the headline is a byline; the same name in a list of links is not. A linear
model cannot combine two cues by itself, so combinations have columns of their own. Zones are
determined by the headline and by the first and last region of running text.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import repeat
from operator import contains

import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats, Integers
from structce.features.class_names import element_meanings, meanings
from structce.features.cues import page_cues
from structce.features.dom import in_elements, in_figure_element, in_link
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    ancestor_steps,
    mark_up_numbers,
    named_bins,
    nearest_marked,
    sums_below,
)
from structce.features.landmarks import (
    heading_region,
    is_running,
    main_mask,
    main_text_rows,
    title_similarities,
)
from structce.features.metadata_match import author_match, date_match, stated_time
from structce.features.registry import JOINED_STRENGTH, NEAR, feature, once_a_page
from structce.features.text import capitalised_counts, digit_counts, lengths, widths
from structce.language import TEXTS
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
_CONTENT_MEANINGS = ("lead", "title", "caption", "author", "date")
_HEADLINE = 0.85  # similarity to a stated headline from which a text seems to be it
_AUTHOR = 0.6  # share of a text that is an author's name, from which it seems to be nothing else
_LABEL = 30  # columns; a shorter text is a label rather than a caption
_ARTICLE_PARTS = frozenset({"kicker", "title", "head", "text", "foot"})
_DRAWN = frozenset({"svg", "canvas"})  # mostly icons, which do not make a figure
_MARK_UPS = ("figcaption", "class", "figure", "none")  # of a caption
_FAR = 6  # regions from an image, where its caption no longer is
_SIGN_SHARES = (0.2, 0.1)  # of the main text: blocks, and elements around, whose signs count


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
    start = min(title, first)
    borders = (start - _FRAME_REGIONS, start, first, last + 1, last + 1 + _FRAME_REGIONS)
    parts = ("above", "kicker", "head", "text", "foot", "below")
    names = named_bins(np.arange(len(page)), borders, parts)
    if title < first:
        for i in np.flatnonzero(page.blocks == page.blocks[title]).tolist():
            names[i] = "title"
    return names


@feature("task", window=())
def zone_meaning(page: Page) -> list[NameSet]:
    """Part of the page joined with meanings of class names: a date in the head is the article's."""
    return kernels.map_rows(_prefixed, zones(page), meanings(page))


@lru_cache(maxsize=2 * TEXTS)
def _prefixed(part: str, names: NameSet) -> NameSet:
    return frozenset(f"{part}:{name}" for name in names)


@feature("task", window=())
def zone_tag(page: Page) -> list[str]:
    """Part of the page joined with the element's name."""
    return kernels.map_rows(_zone_tag, zones(page), page.tag)


@lru_cache(maxsize=1024)
def _zone_tag(part: str, tag: str) -> str:
    return f"{part}:{tag}"


@feature("task", window=NEAR)
def zone_text(page: Page) -> list[str]:
    """Part of the page joined with whether the region is running text, and whether it is a link.

    Running text in the article is a paragraph, whatever element a publisher puts it in.
    """
    columns = (page.is_media, is_running(page), in_link(page))
    return kernels.map_rows(_zone_text, zones(page), *(column.tolist() for column in columns))


@lru_cache(maxsize=128)
def _zone_text(part: str, is_media: bool, is_running: bool, is_link: bool) -> str:
    if is_media:
        return "media"
    return f"{part}:{'running' if is_running else 'short'}{':link' if is_link else ''}"


@feature("task")
def zone_cue(page: Page) -> list[NameSet]:
    """Part of the page joined with what the region seems to be: a name, a date, a headline."""
    return kernels.map_rows(_prefixed, zones(page), line_cues(page))


@once_a_page
def line_cues(page: Page) -> list[NameSet]:
    """Return what each region seems to be, by its text and by the metadata of the page."""
    own, texts = page_cues(page), page.text
    is_long = lengths(page) > _MAX_LINE
    cues = [_LONG_TEXT if long else NO_NAMES for long in is_long.tolist()]
    may_be_name = (capitalised_counts(page) > 1) & (digit_counts(page) == 0)
    has_cue = np.fromiter(map(bool, own), np.bool_, len(page))
    for i in np.flatnonzero((may_be_name | has_cue) & ~is_long).tolist():
        cues[i] = _cue_names(own[i], _is_like_a_name(texts[i]))
    matched, days, times = author_match(page), date_match(page), stated_time(page)
    is_headline = title_similarities(page) >= _HEADLINE
    is_dated = np.array([day or time for day, time in zip(days, times, strict=True)], dtype=bool)
    for i in np.flatnonzero((matched > 0) | is_headline | is_dated).tolist():
        more = {"author" if matched[i] >= _AUTHOR else "has-author"} if matched[i] > 0 else set()
        more |= {"day"} if days[i] else set()
        more |= {f"time-{times[i]}"} if times[i] else set()
        cues[i] = cues[i].union(more, {"headline"} if is_headline[i] else ())
    return cues


@lru_cache(maxsize=4096)
def _cue_names(cues: NameSet, is_name: bool) -> NameSet:
    names = {_CUE_NAMES[cue] for cue in cues if cue in _CUE_NAMES}
    return frozenset(names | ({"name"} if is_name else set()))


def _is_like_a_name(text: str) -> bool:
    """Return whether a text is two to four words that begin with a capital."""
    parts = text.split(maxsplit=4) if text.lstrip()[:1].isupper() else []  # mostly none
    is_capitalised = 2 <= len(parts) <= 4 and all(part[0].isupper() for part in parts)
    return is_capitalised and not any(map(str.isdigit, text))


@lru_cache(maxsize=4096)
def _main_meaning(names: NameSet) -> str:
    """Return the first content meaning among those near a region, or an empty string."""
    near = {name.lstrip("^") for name in names}
    return next((name for name in _CONTENT_MEANINGS if name in near), "")


@feature("task", strength=JOINED_STRENGTH)
def meaning_cue(page: Page) -> list[NameSet]:
    """Meaning of class names joined with what the text seems to be, in or outside the article.

    A line that is an author by its class names and looks like a name is a byline; one cue alone
    may be the credit of a portrait, or a list of contributors.
    """
    return kernels.map_rows(_meaning_cues, zones(page), meanings(page), line_cues(page))


@lru_cache(maxsize=4096)
def _meaning_cues(part: str, names: NameSet, cues: NameSet) -> NameSet:
    meant = _main_meaning(names)
    frame = _FRAMES.get(part, "out")
    return frozenset(f"{meant}:{cue}:{frame}" for cue in cues or ("none",)) if meant else NO_NAMES


@feature("task", strength=JOINED_STRENGTH)
def like_text(page: Page) -> list[NameSet]:
    """Whether the block has the same mark-up as the blocks of the main text, or is among them.

    By element and class names of the block and of the element around it. This identifies
    paragraphs too short to be running text, and headings among paragraphs.
    """
    marks, parent, held = mark_up_numbers(page), page.elements.parent, page.block_element
    own, above = marks[held], parent[held]
    around = np.where(above >= 0, marks[above] + 1, 0)  # 0 is no element
    weights = widths(page) * is_running(page) * main_mask(page)
    usual, usual_around = (
        _frequent(np.bincount(signs, weights=weights), share)
        for signs, share in zip((own, around), _SIGN_SHARES, strict=True)
    )
    usual_around[:1] = False
    columns = (usual[own], usual_around[around], is_running(page), in_link(page))
    tags = [page.elements.tag[i] for i in held.tolist()]
    return kernels.map_rows(_like_text_names, tags, *(column.tolist() for column in columns))


def _frequent(counts: Floats | Integers, share: float) -> Flags:
    """Return which counts are at least a share of all."""
    return np.asarray((counts > 0) & (counts >= share * float(counts.sum())))


@lru_cache(maxsize=4096)
def _like_text_names(
    tag: str, is_same: bool, is_among: bool, is_running: bool, is_linked: bool
) -> NameSet:
    place = f"{'same' if is_same else 'other'}:{'among' if is_among else 'apart'}"
    form = f"{'running' if is_running else 'short'}:{'link' if is_linked else ''}"
    return frozenset((place, f"{tag}:{place}", f"{form}:{place}"))


@feature("task", window=(), strength=JOINED_STRENGTH)
def company(page: Page) -> list[NameSet]:
    """Size of the smallest element with both an image and text, and its part of the page.

    Short text that is entirely a link is a teaser, short text without a link is a caption, and
    long text is the article itself.
    """
    shown = widths(page)
    drawn = np.fromiter(map(_DRAWN.__contains__, page.tag), np.bool_, len(page))
    columns = (page.is_media & ~drawn, ~page.is_media, shown, shown * in_link(page))
    media, texts, width, linked = (sums_below(page, column) for column in columns)
    near = nearest_marked(page, (media > 0) & (texts > 0))[page.element]
    chosen = np.flatnonzero(np.bincount(near[near >= 0]))
    share = linked[chosen] / np.maximum(width[chosen], 1)
    rows = zip(
        named_bins(width[chosen], (121, 501), ("few", "some", "much")),
        named_bins(texts[chosen], (2, 4, 9), ("1", "2-3", "4-8", "many")),
        named_bins(share, (0.2, 0.7), ("plain", "mixed", "linked")),
        np.where(media[chosen] == 1, "one", "more").tolist(),
        strict=True,
    )
    sizes = dict(zip(chosen.tolist(), rows, strict=True))
    own = [sizes.get(i) for i in near.tolist()]
    flags = page.is_media.tolist(), in_figure_element(page).tolist()
    return kernels.map_rows(_company_names, own, zones(page), *flags)


@lru_cache(maxsize=4096)
def _company_names(
    size: tuple[str, str, str, str] | None, part: str, media: bool, figure: bool
) -> NameSet:
    if size is None:
        return NO_NAMES
    width, texts, links, images = size
    kind = "media" if media else "text"
    names = (
        f"{kind}:{width}:{texts}:{links}:{images}",
        f"{kind}:{width}:{links}:{images}:{part}",
        f"{kind}:{'figure' if figure else 'plain'}:{links}:{width}:{part}",
    )
    return frozenset(names)


@feature("task", strength=JOINED_STRENGTH)
def caption_place(page: Page) -> list[NameSet]:
    """Mark-up of a caption joined with the distance to the image before and the part of the page.

    The mark-up is ``figcaption``, a class name that means a caption, or a figure; without any, a
    short text right after an image may still be a caption.
    """
    places = np.arange(len(page))
    since = places - np.maximum.accumulate(np.where(page.is_media, places, -100))
    mark_up, parts, linked = _caption_mark_up(page), zones(page), in_link(page)
    is_long, cues = widths(page) >= _LABEL, page_cues(page)
    sets = [NO_NAMES] * len(page)
    chosen = np.flatnonzero(~page.is_media & ((mark_up < len(_MARK_UPS) - 1) | (since < _FAR)))
    near = named_bins(since[chosen], (2, 3, _FAR), ("1", "2", "3-5", "far"))
    columns = (mark_up[chosen], is_long[chosen], linked[chosen])
    for i, place, kind, *form in zip(
        chosen.tolist(), near, *(column.tolist() for column in columns), strict=True
    ):
        has_credit = "credit-cue" in cues[i]
        sets[i] = _caption_names(_MARK_UPS[kind], place, parts[i], *form, has_credit)
    return sets


def _caption_mark_up(page: Page) -> Integers:
    """Return the place of each region's mark-up among the kinds."""
    named = np.zeros(len(page.elements) + 1, dtype=bool)  # -1 is no element
    named[:-1] = list(map(contains, element_meanings(page), repeat("caption")))
    own, above = ancestor_steps(page)[:2, page.element]
    mark_up = np.where(in_figure_element(page), 2, 3)
    mark_up[named[own] | named[above]] = 1
    mark_up[in_elements(page, ["figcaption"])] = 0
    return mark_up


@lru_cache(maxsize=4096)
def _caption_names(
    mark_up: str, near: str, part: str, is_long: bool, is_linked: bool, has_credit: bool
) -> NameSet:
    form = f"{'long' if is_long else 'short'}{':link' if is_linked else ''}"
    form += ":credit" if has_credit else ""
    where = "in" if part in _ARTICLE_PARTS else "out"
    names = f"{mark_up}:{near}:{where}:{form}", f"{mark_up}:{where}:{form[:5]}"
    return frozenset((*names, f"{mark_up}:{part}:{near}"))
