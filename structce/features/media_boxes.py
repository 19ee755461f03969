"""Features of the boxes of images, videos and frames: the lead image, icons, advertisements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.computed_style import Floats
from structce.features.layout import boxes_of, surface
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page

ADVERTISEMENT_SIZES = (
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

_SIZES = np.array(ADVERTISEMENT_SIZES, dtype=np.float64)
_NAMES = (*(f"{width}x{height}" for width, height in ADVERTISEMENT_SIZES), None)
_TOLERANCE = 2.0  # CSS pixels, for borders
_TINY = 3.0  # CSS pixels; a picture this narrow counts a visit
_ICON = 48.0  # CSS pixels; our choice


@once_a_page
def _size_numbers(page: Page) -> NDArray[np.int64]:
    """Return each region's entry in ``ADVERTISEMENT_SIZES``, -1 for none, shape (n_regions,)."""
    numbers = np.full(len(page), -1, dtype=np.int64)
    media = np.flatnonzero(page.is_media)
    sizes = np.stack([boxes_of(page).width[media], boxes_of(page).height[media]], axis=1)
    near: NDArray[np.bool_] = np.abs(sizes[:, None, :] - _SIZES).max(axis=2) <= _TOLERANCE
    numbers[media] = np.where(near.any(axis=1), near.argmax(axis=1), -1)
    return numbers


@feature("style", needs="layout", source="IAB")
def advertisement_size(page: Page) -> list[str | None]:
    """Size of a medium, within 2 CSS pixels, among those agreed on for advertisements: 300x250."""
    return [_NAMES[number] for number in _size_numbers(page).tolist()]


@feature("style", needs="layout", source="IAB")
def has_advertisement_size(page: Page) -> NDArray[np.bool_]:
    """Medium in any of the sizes agreed on for advertisements: rare sizes count with the others."""
    return np.asarray(_size_numbers(page) >= 0)


@feature("style", bins=(0.2, 0.5, 0.7, 0.95, 1.05, 1.4, 1.6, 1.9, 2.5, 5), needs="layout")
def aspect_ratio(page: Page) -> Floats:
    """Width over height of a medium; unknown for text and where one of them is 0.

    Photographs are 3:2 or 16:9, portraits and icons square, banners flat, skyscrapers tall.
    """
    box = boxes_of(page)
    known = page.is_media & (box.width > 0) & (box.height > 0)
    return np.where(known, box.width, np.nan) / np.where(known, box.height, 1.0)


@feature("style", needs="layout")
def is_tiny(page: Page) -> NDArray[np.bool_]:
    """Medium at most 3 CSS pixels wide or high: pictures that count visits, unloaded frames."""
    box = boxes_of(page)
    return np.asarray(page.is_media & (np.minimum(box.width, box.height) <= _TINY))


@feature("style", needs="layout")
def is_icon(page: Page) -> NDArray[np.bool_]:
    """Medium of 4 to 48 CSS pixels in width and height: icons, avatars of authors, buttons."""
    box = boxes_of(page)
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
