"""Conjunctions of cues with the part of the page (zone) that a region is in.

A name right below the headline is a byline; the same name in a list of links is not. A linear
model cannot combine two cues by itself, so combinations have columns of their own. Zones are
determined by the headline and by the first and last region of running text.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats, Integers, Integers32
from structce.features.class_names import meaning_bits
from structce.features.cues import cue_column, cue_columns, page_cues
from structce.features.dom import in_elements, in_figure_element, in_link
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    bin_codes,
    elements_called,
    mark_up_numbers,
    nearest_marked,
    sums_below,
    tag_numbers,
)
from structce.features.element_names import element_bits, kind_bits, kind_names
from structce.features.landmarks import (
    heading_region,
    is_running,
    main_mask,
    main_text_rows,
    running_widths,
    title_similarities,
)
from structce.features.metadata_match import author_match, matched_days, stated_time
from structce.features.registry import JOINED_STRENGTH, NEAR, feature, once_a_page
from structce.features.text import are_like_names, capitalised_counts, lengths, widths
from structce.language import TEXTS
from structce.page import Page

ZONES = ("above", "kicker", "head", "text", "foot", "below", "title", "none")
"""Parts of a page."""

_MAX_LINE = 120  # characters of a line that may be a byline or a date line
_LINE_CUES = "long date byline credit name author has-author day time-stated time-other headline"
_BITS = {name: 1 << n for n, name in enumerate(_LINE_CUES.split())}
_CUE_NAMES = {
    "numeric-date-cue": "date",
    "months-cue": "date",
    "author-cue": "byline",
    "agency-cue": "byline",
    "credit-cue": "credit",
}
_FRAME_REGIONS = 12  # above the headline and below the text that belong to the article's frame
_FRAMES = {"kicker": "head", "title": "head", "head": "head", "text": "text"}
_CONTENT_MEANINGS = ("lead", "title", "caption", "author", "date")  # the first one counts
_HEADLINE = 0.85  # similarity to a stated headline from which a text seems to be it
_AUTHOR = 0.6  # share of a text that is an author's name, from which it seems to be nothing else
_LABEL = 30  # columns; a shorter text is a label rather than a caption
_ARTICLE_PARTS = frozenset({"kicker", "title", "head", "text", "foot"})
_DRAWN = frozenset({"svg", "canvas"})  # mostly icons, which do not make a figure
_NEAR = ("1", "2", "3-5", "far")  # regions since an image
_MARK_UPS = ("figcaption", "class", "figure", "none")  # of a caption
_FAR = 6  # regions from an image, where its caption no longer is
_SIZES = ((121, 501), (2, 4, 9), (0.2, 0.7))  # borders of width, number of texts, linked share
_SIGN_SHARES = (0.2, 0.1)  # of the main text: blocks, and elements around, whose signs count


@once_a_page
def zone_codes(page: Page) -> Integers32:
    """Return the place of each region's part of the page in ``ZONES``, shape (n_regions,)."""
    running = main_text_rows(page)
    if not len(running):
        return np.full(len(page), ZONES.index("none"), dtype=np.int32)
    first, last = int(running[0]), int(running[-1])
    title = heading_region(page)
    title = title if 0 <= title <= last else first
    start = min(title, first)
    codes = np.zeros(len(page), dtype=np.int32)
    borders = (start - _FRAME_REGIONS, start, first, last + 1, last + 1 + _FRAME_REGIONS)
    for code, border in enumerate(borders, start=1):
        codes[max(border, 0) :] = code
    if title < first:
        codes[page.blocks == page.blocks[title]] = ZONES.index("title")
    return codes


@feature("task", name="zone", window=())
@once_a_page
def zones(page: Page) -> list[str]:
    """Part of the page: above, kicker, title, head, text, foot, below.

    ``above`` the headline, ``kicker`` just above it, ``title``, ``head`` between title and text,
    ``text``, ``foot`` just below the text, ``below``; ``none`` on a page without running text.
    """
    return [ZONES[code] for code in zone_codes(page).tolist()]


@feature("task", window=())
def zone_meaning(page: Page) -> list[NameSet]:
    """Part of the page joined with meanings of class names: a date in the head is the article's."""
    return kernels.map_codes(_zone_meanings, zone_codes(page), *meaning_bits(page))


@lru_cache(maxsize=2 * TEXTS)
def _zone_meanings(part: int, own: int, near: int) -> NameSet:
    names = {f"{ZONES[part]}:{name}" for name in kind_names("meaning", own)}
    return frozenset(names | {f"{ZONES[part]}:^{name}" for name in kind_names("meaning", near)})


@feature("task", window=())
def zone_tag(page: Page) -> list[str]:
    """Part of the page joined with the element's name."""
    tags = [*elements_called(page)]  # in the order of their numbers
    return kernels.map_codes(
        lambda part, tag: f"{ZONES[part]}:{tags[tag]}",
        zone_codes(page), tag_numbers(page)[page.element],
    )  # fmt: skip


@feature("task", window=NEAR)
def zone_text(page: Page) -> list[str]:
    """Part of the page joined with whether the region is running text, and whether it is a link.

    Running text in the article is a paragraph, whatever element a publisher puts it in.
    """
    columns = zone_codes(page), page.is_media, is_running(page), in_link(page)
    return kernels.map_codes(_zone_text, *columns)


def _zone_text(part: int, is_media: int, is_running: int, is_link: int) -> str:
    if is_media:
        return "media"
    return f"{ZONES[part]}:{'running' if is_running else 'short'}{':link' if is_link else ''}"


@feature("task")
def zone_cue(page: Page) -> list[NameSet]:
    """Part of the page joined with what the region seems to be: a name, a date, a headline."""
    return kernels.map_codes(_zone_cues, zone_codes(page), line_cues(page))


@lru_cache(maxsize=TEXTS)
def _zone_cues(part: int, cues: int) -> NameSet:
    return frozenset(f"{ZONES[part]}:{name}" for name in cue_names(cues))


@once_a_page
def line_cues(page: Page) -> Integers:
    """Return what each region seems to be, by its text and by the metadata of the page.

    One of ``_BITS`` for each, shape (n_regions,).
    """
    has_cue = np.fromiter(map(bool, page_cues(page)), np.bool_, len(page))
    is_name = are_like_names(page) & ((capitalised_counts(page) > 1) | has_cue)
    in_line = is_name * _BITS["name"]
    for cue in _CUE_NAMES.keys() & cue_columns(page):
        in_line[cue_columns(page)[cue]] |= _BITS[_CUE_NAMES[cue]]
    bits = np.where(lengths(page) > _MAX_LINE, _BITS["long"], in_line)
    matched = author_match(page)
    bits |= np.where(matched >= _AUTHOR, _BITS["author"], (matched > 0) * _BITS["has-author"])
    bits |= (title_similarities(page) >= _HEADLINE) * _BITS["headline"]
    bits[[*matched_days(page)]] |= _BITS["day"]
    if "time" in elements_called(page):
        for i, kind in enumerate(stated_time(page)):
            bits[i] |= _BITS[f"time-{kind}"] if kind else 0
    return bits


def cue_names(cues: int) -> list[str]:
    """Return what the bits of a region in :func:`line_cues` stand for."""
    return [name for name, bit in _BITS.items() if cues & bit]


@feature("task", strength=JOINED_STRENGTH)
def meaning_cue(page: Page) -> list[NameSet]:
    """Meaning of class names joined with what the text seems to be, in or outside the article.

    A line that is an author by its class names and looks like a name is a byline; one cue alone
    may be the credit of a portrait, or a list of contributors.
    """
    own, near = meaning_bits(page)
    meant = (own | near) & kind_bits("meaning", *_CONTENT_MEANINGS)
    return kernels.map_codes(_meaning_cues, zone_codes(page), meant, line_cues(page))


@lru_cache(maxsize=4096)
def _meaning_cues(part: int, meanings: int, cues: int) -> NameSet:
    names = kind_names("meaning", meanings)
    meant = next((name for name in _CONTENT_MEANINGS if name in names), "")
    frame = _FRAMES.get(ZONES[part], "out")
    own = cue_names(cues) or ["none"]
    return frozenset(f"{meant}:{cue}:{frame}" for cue in own) if meant else NO_NAMES


@feature("task", strength=JOINED_STRENGTH)
def like_text(page: Page) -> list[NameSet]:
    """Whether the block has the same mark-up as the blocks of the main text, or is among them.

    By element and class names of the block and of the element around it. This identifies
    paragraphs too short to be running text, and headings among paragraphs.
    """
    marks, parent, held = mark_up_numbers(page), page.elements.parent, page.block_element
    own, above = marks[held], parent[held]
    around = np.where(above >= 0, marks[above] + 1, 0)  # 0 is no element
    weights = running_widths(page) * main_mask(page)
    usual, usual_around = (
        _frequent(np.bincount(signs, weights=weights), share)
        for signs, share in zip((own, around), _SIGN_SHARES, strict=True)
    )
    usual_around[:1] = False
    tags = [*elements_called(page)]  # in the order of their numbers
    columns = usual[own], usual_around[around], is_running(page), in_link(page)
    return kernels.map_codes(
        lambda tag, *flags: _like_text_names(tags[tag], *flags), tag_numbers(page)[held], *columns
    )


def _frequent(counts: Floats | Integers, share: float) -> Flags:
    """Return which counts are at least a share of all."""
    return np.asarray((counts > 0) & (counts >= share * float(counts.sum())))


@lru_cache(maxsize=4096)
def _like_text_names(
    tag: str, is_same: int, is_among: int, is_running: int, is_linked: int
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
    media, texts, width, linked = sums_below(page, np.array(columns))
    near = nearest_marked(page, (media > 0) & (texts > 0))[page.element]
    chosen = np.flatnonzero(np.bincount(near[near >= 0]))
    share = linked[chosen] / np.maximum(width[chosen], 1)
    codes = map(bin_codes, (width[chosen], texts[chosen], share), _SIZES)
    sizes = np.zeros((4, len(page.elements) + 1), dtype=np.int32)  # the last is of no element
    sizes[:, chosen] = *codes, media[chosen] == 1
    sizes[0, chosen] += 1
    flags = page.is_media, in_figure_element(page)
    return kernels.map_codes(_company_names, *sizes[:, near], zone_codes(page), *flags)


@lru_cache(maxsize=4096)
def _company_names(
    size: int, n_texts: int, links: int, is_one: int, part: int, is_media: int, is_figure: int
) -> NameSet:
    if size == 0:
        return NO_NAMES
    width, kind = ("few", "some", "much")[size - 1], "media" if is_media else "text"
    form = f"{('plain', 'mixed', 'linked')[links]}:{'one' if is_one else 'more'}"
    names = (
        f"{kind}:{width}:{('1', '2-3', '4-8', 'many')[n_texts]}:{form}",
        f"{kind}:{width}:{form}:{ZONES[part]}",
        f"{kind}:{'figure' if is_figure else 'plain'}:{form.split(':')[0]}:{width}:{ZONES[part]}",
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
    near, mark_up = bin_codes(since, (2, 3, _FAR)), _caption_mark_up(page)
    is_far = page.is_media | ((mark_up == len(_MARK_UPS) - 1) & (since >= _FAR))
    near[is_far] = len(_NEAR)
    flags = widths(page) >= _LABEL, in_link(page), cue_column(page, "credit-cue")
    return kernels.map_codes(_caption_names, mark_up, near, zone_codes(page), *flags)


def _caption_mark_up(page: Page) -> Integers:
    """Return the place of each region's mark-up among the kinds."""
    named = np.append(
        element_bits(page) & kind_bits("meaning", "caption") > 0, False
    )  # -1 is no element
    mark_up = np.where(in_figure_element(page), 2, 3)
    mark_up[named[page.element] | named[page.elements.parent[page.element]]] = 1
    mark_up[in_elements(page, ["figcaption"])] = 0
    return mark_up


@lru_cache(maxsize=4096)
def _caption_names(
    mark_up: int, near: int, part: int, is_long: int, is_linked: int, has_credit: int
) -> NameSet:
    if near == len(_NEAR):
        return NO_NAMES
    kind, place, zone = _MARK_UPS[mark_up], _NEAR[near], ZONES[part]
    form = f"{'long' if is_long else 'short'}{':link' if is_linked else ''}"
    form += ":credit" if has_credit else ""
    where = "in" if zone in _ARTICLE_PARTS else "out"
    names = f"{kind}:{place}:{where}:{form}", f"{kind}:{where}:{form[:5]}"
    return frozenset((*names, f"{kind}:{zone}:{place}"))
