"""Features of images, players and frames: size, source, caption, and the text around them.

An article's photographs are large, within its frame and captioned; portraits of authors, teaser
images, icons and logos lack at least one of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats
from structce.features.class_names import element_meanings
from structce.features.cues import page_cues
from structce.features.dom import in_elements, in_figure_element, in_link
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    ancestor_steps,
    at_regions,
    named_bins,
    nearest_marked,
    of_regions,
    sums_below,
)
from structce.features.layout import region_boxes, surface
from structce.features.registry import JOINED_STRENGTH, feature, once_a_page
from structce.features.text import widths
from structce.features.zones import zones
from structce.language import split_words
from structce.page import Page

_TINY = 3.0  # CSS pixels; a picture this narrow is a tracking pixel
_LABEL = 30  # columns; a shorter text is a label rather than a caption
_ICON = 48.0  # CSS pixels; avatars and buttons are smaller, thumbnails larger
_ARTICLE_PARTS = frozenset({"kicker", "title", "head", "text", "foot"})
_DRAWN = frozenset({"svg", "canvas"})  # mostly icons, which do not make a figure
_FOREIGN_MEANINGS = frozenset(
    {"author", "advertisement", "related", "share", "navigation", "comment"}
)
_PIXELS = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(?:px)?\s*")
_FILE_TYPE = re.compile(r"\.(jpe?g|png|gif|webp|avif|svg|bmp|ico|mp4|m3u8|webm|mp3)(?![a-z0-9])")
_SOURCE_ATTRIBUTES = ("src", "data-src", "srcset", "data-srcset", "data", "data-lazy-src", "poster")
_ADDRESS_LENGTH = 400  # characters of an address that are examined


@once_a_page
def _stated_sizes(page: Page) -> Floats:
    """Return the width and height stated in attributes, NaN if unknown, shape (n_regions, 2)."""
    sizes = np.full((len(page), 2), np.nan)
    for i in _media_rows(page):
        row = page.attributes[i]
        width, height = _pixels(row.get("width", "")), _pixels(row.get("height", ""))
        if width and height:
            sizes[i] = width, height
        elif len(box := row.get("viewBox", row.get("viewbox", "")).replace(",", " ").split()) == 4:
            sizes[i] = _pixels(box[2]) or np.nan, _pixels(box[3]) or np.nan
    return sizes


def _media_rows(page: Page) -> list[int]:
    return np.flatnonzero(page.is_media).tolist()


def _pixels(value: str) -> float:
    match = _PIXELS.fullmatch(value)
    return float(match[1]) if match else 0.0


@feature("dom", name="aspect-ratio", bins=(0.5, 0.8, 0.95, 1.05, 1.3, 1.45, 1.6, 1.85, 3, 6))
def stated_aspect_ratio(page: Page) -> Floats:
    """Stated width divided by height of an image; unknown elsewhere.

    Photographs are 3:2, 4:3 or 16:9, portraits of authors and icons square, banners long.
    """
    return _stated_sizes(page)[:, 0] / _stated_sizes(page)[:, 1]


@feature("dom", bins=(24, 48, 100, 200, 320, 500, 700, 1000))
def stated_width(page: Page) -> Floats:
    """Stated width of an image in CSS pixels; without a browser, the only sign of its size."""
    return _stated_sizes(page)[:, 0]


@feature("dom")
def alternative_text(page: Page) -> list[str | None]:
    """Kind of an image's ``alt`` text: absent, empty, a file name, or words; None elsewhere.

    An empty one marks the image as decoration; photographs of articles have words.
    """
    kinds = {i: _alternative_kind(page.attributes[i].get("alt")) for i in _media_rows(page)}
    return at_regions(page, kinds)


def _alternative_kind(text: str | None) -> str:
    if text is None:
        return "absent"
    if not text.strip():
        return "empty"
    return "file" if _FILE_TYPE.search(text.lower()) and " " not in text.strip() else "words"


@feature("dom", bins=(1, 2, 3, 5, 8, 13, 21))
def alternative_words(page: Page) -> Floats:
    """Number of words in an image's ``alt`` text; unknown without one."""
    stated = {i: page.attributes[i].get("alt") for i in _media_rows(page)}
    counts = {i: len(split_words(text)) for i, text in stated.items() if text is not None}
    return np.array(at_regions(page, counts), dtype=np.float64)


@feature("dom")
def media_source(page: Page) -> list[str | None]:
    """Type of file that an image or player shows: jpg, png, svg, gif, data, none; None elsewhere.

    Photographs are JPEG or WebP, logos and icons SVG, tracking images GIF, placeholders data URLs.
    """
    return at_regions(page, {i: _source_kind(page.attributes[i]) for i in _media_rows(page)})


def _source_kind(row: Mapping[str, str]) -> str:
    kinds = [_file_kind(value) for key in _SOURCE_ATTRIBUTES if (value := row.get(key, "").strip())]
    return next((kind for kind in kinds if kind not in ("data", "other")), (kinds or ["none"])[0])


def _file_kind(address: str) -> str:
    start = address[:_ADDRESS_LENGTH].lower()
    if start.startswith(("data:", "blob:")):
        return "data"
    file = _FILE_TYPE.search(start)
    return file[1].replace("jpeg", "jpg") if file else "other"


@feature("style", bins=(0.2, 0.5, 0.7, 0.95, 1.05, 1.4, 1.6, 1.9, 2.5, 5), needs="layout")
def aspect_ratio(page: Page) -> Floats:
    """Width divided by height of a medium; unknown for text and if either is 0.

    Photographs are 3:2 or 16:9, portraits and icons square, banners flat, skyscrapers tall.
    """
    box = region_boxes(page)
    known = page.is_media & (box.width > 0) & (box.height > 0)
    return np.where(known, box.width, np.nan) / np.where(known, box.height, 1.0)


@feature("style", needs="layout")
def is_tiny(page: Page) -> Flags:
    """Medium at most 3 CSS pixels wide or high: tracking pixels, frames that were not loaded."""
    box = region_boxes(page)
    return np.asarray(page.is_media & (np.minimum(box.width, box.height) <= _TINY))


@feature("style", needs="layout")
def is_icon(page: Page) -> Flags:
    """Medium of over 3 and up to 48 CSS pixels in width and height: icons, avatars, buttons."""
    box = region_boxes(page)
    small = np.maximum(box.width, box.height) <= _ICON
    return np.asarray(page.is_media & small & (np.minimum(box.width, box.height) > _TINY))


@feature("style", bins=(1, 2, 3, 5, 9, 17), needs="layout")
def media_rank(page: Page) -> Floats:
    """Number of media on the page with a larger area: 0 for the lead image; unknown for text."""
    areas = _media_areas(page)
    ordered = np.sort(areas[~np.isnan(areas)])
    larger = len(ordered) - np.searchsorted(ordered, areas, side="right")
    return np.where(np.isnan(areas), np.nan, larger)


@feature("style", bins=(0.001, 0.01, 0.05, 0.2, 0.5, 0.999), needs="layout")
def media_area_ratio(page: Page) -> Floats:
    """Area divided by that of the page's largest medium, from 0 to 1: a ratio suits all designs."""
    areas = _media_areas(page)
    return areas / float(np.fmax.reduce(areas, initial=1.0))


@once_a_page
def _media_areas(page: Page) -> Floats:
    """Return the areas of media in square CSS pixels, NaN for text, shape (n_regions,)."""
    return np.where(page.is_media, surface(page), np.nan)


@feature("task", window=())
def nearest_media(page: Page) -> list[str | None]:
    """Distance to the medium before, in regions, within the article's frame: captions follow."""
    return [
        f"{part}:{count}" if count <= 5 and part in ("title", "head", "text", "foot") else None
        for part, count in zip(zones(page), _since_media(page), strict=True)
    ]


def _since_media(page: Page) -> list[int]:
    """Return the number of regions since the last medium; 100 or more before the first."""
    places = np.arange(len(page))
    last = np.maximum.accumulate(np.where(page.is_media, places, -100))
    distances: list[int] = (places - last).tolist()
    return distances


@feature("task")
def in_figure(page: Page) -> Flags:
    """Region is inside a figure within the article's frame."""
    framed = np.array([part in _ARTICLE_PARTS for part in zones(page)], dtype=bool)
    return np.asarray(in_elements(page, ["figure"]) & framed)


class ElementSums(NamedTuple):
    """Totals over each element with everything below it; each of shape (n_elements,)."""

    media: Floats
    texts: Floats
    width: Floats
    linked: Floats


@once_a_page
def element_sums(page: Page) -> ElementSums:
    """Return number of media, number of texts, text width and linked width for each element."""
    lengths = widths(page)
    drawn = np.array([tag in _DRAWN for tag in page.tag], dtype=bool)
    columns = (page.is_media & ~drawn, ~page.is_media, lengths, lengths * in_link(page))
    return ElementSums(*(sums_below(page, column) for column in columns))


@once_a_page
def companions(page: Page) -> list[int]:
    """Return for each region the smallest element that contains both media and text, or -1."""
    sums = element_sums(page)
    return of_regions(page, nearest_marked(page, (sums.media > 0) & (sums.texts > 0)).tolist())


@feature("task", window=(), strength=JOINED_STRENGTH)
def company(page: Page) -> list[NameSet]:
    """Size of the smallest element with both an image and text, and its part of the page.

    Short text that is entirely a link is a teaser, short text without a link is a caption, and
    long text is the article itself.
    """
    near, parts, figures = companions(page), zones(page), in_figure_element(page)
    chosen = sorted({i for i in near if i >= 0})
    sums = ElementSums(*(column[chosen] for column in element_sums(page)))
    sizes = dict(zip(chosen, _element_size_names(sums), strict=True))
    rows = zip(near, parts, page.is_media.tolist(), figures.tolist(), strict=True)
    return [_company_names(sizes.get(i), part, media, figure) for i, part, media, figure in rows]


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


def _element_size_names(sums: ElementSums) -> list[tuple[str, str, str, str]]:
    """Return names for the amount of text, number of texts, share of links and number of media."""
    width = named_bins(sums.width, (121, 501), ("few", "some", "much"))
    texts = named_bins(sums.texts, (2, 4, 9), ("1", "2-3", "4-8", "many"))
    share = sums.linked / np.maximum(sums.width, 1)
    links = named_bins(share, (0.2, 0.7), ("plain", "mixed", "linked"))
    images = np.where(sums.media == 1, "one", "more").tolist()
    return list(zip(width, texts, links, images, strict=True))


@feature("task", strength=JOINED_STRENGTH)
def caption_place(page: Page) -> list[NameSet]:
    """Mark-up of a caption joined with the distance to the image before and the part of the page.

    The mark-up is ``figcaption``, a class name that means a caption, or a figure; without any, a
    short text right after an image may still be a caption.
    """
    mark_up, parts, linked = _caption_mark_up(page), zones(page), in_link(page).tolist()
    is_long, cues = (widths(page) >= _LABEL).tolist(), page_cues(page)
    nearness = named_bins(_since_media(page), (2, 3, 6), ("1", "2", "3-5", "far"))
    names_at = [NO_NAMES] * len(page)
    media = page.is_media.tolist()
    for i, near in enumerate(nearness):
        if media[i] or (mark_up[i] == "none" and near == "far"):
            continue
        has_credit = "credit-cue" in cues[i]
        names_at[i] = _caption_names(mark_up[i], near, parts[i], is_long[i], linked[i], has_credit)
    return names_at


@lru_cache(maxsize=4096)
def _caption_names(
    mark_up: str, near: str, part: str, is_long: bool, is_linked: bool, has_credit: bool
) -> NameSet:
    form = f"{'long' if is_long else 'short'}{':link' if is_linked else ''}"
    form += ":credit" if has_credit else ""
    where = "in" if part in _ARTICLE_PARTS else "out"
    names = f"{mark_up}:{near}:{where}:{form}", f"{mark_up}:{where}:{form[:5]}"
    return frozenset((*names, f"{mark_up}:{part}:{near}"))


def _caption_mark_up(page: Page) -> list[str]:
    named = np.array(["caption" in names for names in element_meanings(page)] + [False])
    own, above = ancestor_steps(page)[:2, page.element]
    kinds = {
        "figcaption": in_elements(page, ["figcaption"]),
        "class": named[own] | named[above],
        "figure": in_figure_element(page),
    }
    mark_up: list[str] = np.select(list(kinds.values()), list(kinds), "none").tolist()
    return mark_up


@feature("task", strength=JOINED_STRENGTH)
def media_place(page: Page) -> list[NameSet]:
    """Kind and size of media joined with the part of the page and the meanings of class names.

    The images of an article are large and within its frame; portraits of authors, teasers and
    advertisements are there too, but can be recognised by their size and class names.
    """
    parts, figures, linked = zones(page), in_figure_element(page), in_link(page)
    alien, sizes = _foreign_names(page), _media_size_names(page)
    spare = in_elements(page, ["noscript"])
    names_at = [NO_NAMES] * len(page)
    for i in _media_rows(page):
        tag, part, size = page.tag[i], parts[i], sizes[i]
        figure, link = "figure" if figures[i] else "", "link" if linked[i] else ""
        alt = len(page.attributes[i].get("alt", "").strip())
        names = (
            f"{tag}:{part}:{figure}:{size}:{link}",
            f"{part}:{size}:{alien[i] or 'clean'}",
            f"{tag}:{size}:{figure}:{bool(alien[i])}:{part in _ARTICLE_PARTS}",
            f"{'spare' if spare[i] else 'shown'}:{tag}:{part}",
            f"alt-{'none' if not alt else 'short' if alt < 24 else 'long'}:{part}",
        )
        names_at[i] = frozenset(names)
    return names_at


def _foreign_names(page: Page) -> dict[int, str]:
    """Return the meanings around each medium that exclude an article's image, such as author."""
    own, elements = element_meanings(page), page.elements
    names_at = {}
    for i in _media_rows(page):
        near = list(elements.ancestors(int(page.element[i])))[:5]
        names_at[i] = ",".join(sorted(_FOREIGN_MEANINGS & NO_NAMES.union(*(own[n] for n in near))))
    return names_at


def _media_size_names(page: Page) -> list[str]:
    """Return a name for the size of each region, empty without layout."""
    if not page.has_layout:
        return [""] * len(page)
    width, height = np.nan_to_num(page.boxes[:, 2:]).T
    names = named_bins(width, (200, 450), ("small", "medium", "large"))
    tiny = (width * height < 2500).tolist()
    return ["tiny" if is_tiny else name for is_tiny, name in zip(tiny, names, strict=True)]
