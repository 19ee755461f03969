"""Features of the boxes of images, videos and frames: the lead image, icons, advertisements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.features.class_names import element_meanings
from structce.features.cues import page_cues
from structce.features.dom import in_link
from structce.features.layout import region_boxes, surface
from structce.features.metadata_match import Names, in_figure, inside
from structce.features.registry import feature, once_a_page
from structce.features.text import widths
from structce.features.zones import zones
from structce.page import Page

_BOX_SIZES = (
    (300, 250),
    (336, 280),
    (250, 250),
    (728, 90),
    (970, 90),
    (970, 250),
    (468, 60),
    (234, 60),
    (120, 600),
    (160, 600),
    (120, 240),
    (300, 600),
    (300, 1050),
    (320, 50),
    (300, 50),
    (320, 100),
    (320, 480),
)
"""Width and height in CSS pixels that the Interactive Advertising Bureau has named."""

_SIZES = np.array(_BOX_SIZES, dtype=np.float64)
_NAMES = (*(f"{width}x{height}" for width, height in _BOX_SIZES), None)
_TOLERANCE = 2.0  # CSS pixels, for borders
_TINY = 3.0  # CSS pixels; a picture this narrow counts a visit
_ICON = 48.0  # CSS pixels; our choice


@once_a_page
def _size_numbers(page: Page) -> Integers:
    """Return each region's entry in ``_BOX_SIZES``, -1 for none, shape (n_regions,)."""
    numbers = np.full(len(page), -1, dtype=np.int64)
    media = np.flatnonzero(page.is_media)
    sizes = np.stack([region_boxes(page).width[media], region_boxes(page).height[media]], axis=1)
    near: Flags = np.abs(sizes[:, None, :] - _SIZES).max(axis=2) <= _TOLERANCE
    numbers[media] = np.where(near.any(axis=1), near.argmax(axis=1), -1)
    return numbers


@feature("style", needs="layout", source="IAB")
def advertisement_size(page: Page) -> list[str | None]:
    """Size of a medium, within 2 CSS pixels, among those agreed on for advertisements: 300x250."""
    return [_NAMES[number] for number in _size_numbers(page).tolist()]


@feature("style", needs="layout", source="IAB")
def has_advertisement_size(page: Page) -> Flags:
    """Medium in any of the sizes agreed on for advertisements: rare sizes count with the others."""
    return np.asarray(_size_numbers(page) >= 0)


@feature("style", bins=(0.2, 0.5, 0.7, 0.95, 1.05, 1.4, 1.6, 1.9, 2.5, 5), needs="layout")
def aspect_ratio(page: Page) -> Floats:
    """Width over height of a medium; unknown for text and where one of them is 0.

    Photographs are 3:2 or 16:9, portraits and icons square, banners flat, skyscrapers tall.
    """
    box = region_boxes(page)
    known = page.is_media & (box.width > 0) & (box.height > 0)
    return np.where(known, box.width, np.nan) / np.where(known, box.height, 1.0)


@feature("style", needs="layout")
def is_tiny(page: Page) -> Flags:
    """Medium at most 3 CSS pixels wide or high: pictures that count visits, unloaded frames."""
    box = region_boxes(page)
    return np.asarray(page.is_media & (np.minimum(box.width, box.height) <= _TINY))


@feature("style", needs="layout")
def is_icon(page: Page) -> Flags:
    """Medium of 4 to 48 CSS pixels in width and height: icons, avatars of authors, buttons."""
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
    """Area over that of the page's largest medium, from 0 to 1: a ratio holds for all designs."""
    areas = _media_areas(page)
    return areas / float(np.fmax.reduce(areas, initial=1.0))


@once_a_page
def _media_areas(page: Page) -> Floats:
    """Return the area of media in square CSS pixels, NaN for text, shape (n_regions,)."""
    return np.where(page.is_media, surface(page), np.nan)


_FRAME = frozenset({"kicker", "title", "head", "text", "foot"})
_DRAWN = frozenset({"svg", "canvas"})  # icons, mostly: they make no figure
_ALIEN = frozenset({"author", "advertisement", "related", "share", "navigation", "comment"})
_NOTHING: frozenset[str] = frozenset()


class ElementSums(NamedTuple):
    """What each element holds, with all that is below it; each of shape (n_elements,)."""

    media: Floats
    texts: Floats
    width: Floats
    linked: Floats


@once_a_page
def element_sums(page: Page) -> ElementSums:
    """Return the number of media and of texts, their width and the linked width, by element."""
    lengths = widths(page)
    drawn = np.array([tag in _DRAWN for tag in page.tag], dtype=bool)
    columns = [page.is_media & ~drawn, ~page.is_media, lengths, lengths * in_link(page)]
    sums = np.zeros((len(page.elements), 4))
    np.add.at(sums, page.element, np.stack(columns, axis=1).astype(np.float64))
    parents = page.elements.parent.tolist()
    rows = list(sums)
    for i in range(len(rows) - 1, 0, -1):
        rows[parents[i]] += rows[i]
    return ElementSums(*sums.T)


@once_a_page
def companions(page: Page) -> list[int]:
    """Return for each region the smallest element that holds both media and text, or -1."""
    sums, parents = element_sums(page), page.elements.parent.tolist()
    both = ((sums.media > 0) & (sums.texts > 0)).tolist()
    nearest: list[int] = []
    for i, parent in enumerate(parents):
        nearest.append(i if both[i] else nearest[parent] if parent >= 0 else -1)
    return [nearest[i] for i in page.element.tolist()]


@feature("task")
def company(page: Page) -> Names:
    """Size of the smallest element with both an image and text, and its part of the page.

    Little text that is all a link is a teaser, a little that is none is a caption, and much is
    the article itself.
    """
    sums, parts, figures = element_sums(page), zones(page), in_figure(page)
    sizes = _figure_sizes(sums)
    known: dict[tuple[int, str, bool, bool], frozenset[str]] = {}
    found: Names = []
    for i, element in enumerate(companions(page)):
        key = element, parts[i], bool(page.is_media[i]), bool(figures[i])
        if key not in known:
            known[key] = _company(sizes, *key)
        found.append(known[key])
    return found


def _company(
    sizes: Sequence[tuple[str, str, str, str]], element: int, part: str, media: bool, figure: bool
) -> frozenset[str]:
    if element < 0:
        return _NOTHING
    width, texts, links, images = sizes[element]
    kind = "media" if media else "text"
    return frozenset(
        (
            f"{kind}:{width}:{texts}:{links}:{images}",
            f"{kind}:{width}:{links}:{images}:{part}",
            f"{kind}:{'figure' if figure else 'plain'}:{links}:{width}:{part}",
        )
    )


def _figure_sizes(sums: ElementSums) -> list[tuple[str, str, str, str]]:
    """Return names for how much text, how many texts, how linked, how many media, by element."""
    width = np.array(["few", "some", "much"])[np.searchsorted((121, 501), sums.width, "right")]
    texts = np.array(["1", "2-3", "4-8", "many"])[np.searchsorted((2, 4, 9), sums.texts, "right")]
    share = sums.linked / np.maximum(sums.width, 1)
    links = np.array(["plain", "mixed", "linked"])[np.searchsorted((0.2, 0.7), share, "right")]
    images = np.where(sums.media == 1, "one", "more")
    return list(zip(width.tolist(), texts.tolist(), links.tolist(), images.tolist(), strict=True))


@feature("task")
def caption_place(page: Page) -> Names:
    """Mark-up of a caption joined with the distance to the image before and the part of the page.

    Mark-up is ``figcaption``, a class name that speaks of captions, or a figure; where there is
    none, a short text right after an image still may be one.
    """
    mark_up, parts, linked = _caption_mark_up(page), zones(page), in_link(page).tolist()
    lengths, cues = widths(page).tolist(), page_cues(page)
    found: Names = []
    since = 99
    for i, media in enumerate(page.is_media.tolist()):
        since = 0 if media else since + 1
        near = "1" if since <= 1 else "2" if since == 2 else "3-5" if since <= 5 else "far"
        if media or (mark_up[i] == "none" and near == "far"):
            found.append(_NOTHING)
            continue
        where = "in" if parts[i] in _FRAME else "out"
        form = f"{'long' if lengths[i] >= 30 else 'short'}{':link' if linked[i] else ''}"
        form += ":credit" if "credit-cue" in cues[i] else ""
        names = f"{mark_up[i]}:{near}:{where}:{form}", f"{mark_up[i]}:{where}:{form[:5]}"
        found.append(frozenset((*names, f"{mark_up[i]}:{parts[i]}:{near}")))
    return found


def _caption_mark_up(page: Page) -> list[str]:
    captioned, figures = inside(page, "figcaption"), in_figure(page)
    own, parents = element_meanings(page), page.elements.parent
    found = []
    for i, element in enumerate(page.element.tolist()):
        above = int(parents[element])
        named = "caption" in own[element] or (above >= 0 and "caption" in own[above])
        kinds = (("figcaption", captioned[i]), ("class", named), ("figure", figures[i]))
        found.append(next((kind for kind, is_so in kinds if is_so), "none"))
    return found


@feature("task")
def media_place(page: Page) -> Names:
    """Kind and size of media joined with the part of the page and what class names say.

    The images of an article are large and stand in its frame; portraits of authors, teasers and
    advertisements stand there too, and are told by their size and by their names.
    """
    parts, figures, linked = zones(page), in_figure(page), in_link(page)
    alien, sizes, spare = _alien(page), _media_sizes(page), inside(page, "noscript")
    found = [_NOTHING] * len(page)
    for i in np.flatnonzero(page.is_media).tolist():
        tag, part, size = page.tag[i], parts[i], sizes[i]
        figure, link = "figure" if figures[i] else "", "link" if linked[i] else ""
        alt = len(page.attributes[i].get("alt", "").strip())
        found[i] = frozenset(
            (
                f"{tag}:{part}:{figure}:{size}:{link}",
                f"{part}:{size}:{alien[i] or 'clean'}",
                f"{tag}:{size}:{figure}:{bool(alien[i])}:{part in _FRAME}",
                f"{'spare' if spare[i] else 'shown'}:{tag}:{part}",
                f"alt-{'none' if not alt else 'short' if alt < 24 else 'long'}:{part}",
            )
        )
    return found


def _alien(page: Page) -> dict[int, str]:
    """Return what the names around each media region say that an article's image is not."""
    own, elements = element_meanings(page), page.elements
    found = {}
    for i in np.flatnonzero(page.is_media).tolist():
        near = list(elements.ancestors(int(page.element[i])))[:5]
        found[i] = ",".join(sorted(_ALIEN & _NOTHING.union(*(own[n] for n in near))))
    return found


def _media_sizes(page: Page) -> list[str]:
    """Return a name for the size of each region; empty without layout."""
    if not page.has_layout:
        return [""] * len(page)
    width = np.nan_to_num(page.boxes[:, 2])
    names = np.array(["small", "medium", "large"])[np.searchsorted((200, 450), width, "right")]
    tiny = width * np.nan_to_num(page.boxes[:, 3]) < 2500
    sizes: list[str] = np.where(tiny, "tiny", names).tolist()
    return sizes
