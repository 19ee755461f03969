"""Features of images and other media, by what their attributes say."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.text import words
from structce.page import Page

_NUMBER = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(?:px)?\s*")
_FILE = re.compile(r"\.(jpe?g|png|gif|webp|avif|svg|bmp|ico|mp4|m3u8|webm|mp3)(?![a-z0-9])")
_SOURCES = ("src", "data-src", "srcset", "data-srcset", "data", "data-lazy-src", "poster")
_LONGEST = 400  # characters of an address that are looked at
Floats = NDArray[np.float64]


@once_a_page
def _sizes(page: Page) -> Floats:
    """Return the width and height that attributes state, shape (n_regions, 2); else unknown."""
    sizes = np.full((len(page), 2), np.nan)
    for i in _media(page):
        row = page.attributes[i]
        width, height = _number(row.get("width", "")), _number(row.get("height", ""))
        if width and height:
            sizes[i] = width, height
        elif len(box := row.get("viewBox", row.get("viewbox", "")).replace(",", " ").split()) == 4:
            sizes[i] = _number(box[2]) or np.nan, _number(box[3]) or np.nan
    return sizes


def _media(page: Page) -> list[int]:
    return np.flatnonzero(page.is_media).tolist()


def _number(value: str) -> float:
    found = _NUMBER.fullmatch(value)
    return float(found[1]) if found else 0.0


@feature("dom", bins=(0.5, 0.8, 0.95, 1.05, 1.3, 1.45, 1.6, 1.85, 3, 6))
def aspect_ratio(page: Page) -> Floats:
    """Stated width over height of an image; unknown elsewhere.

    Photographs are 3:2, 4:3 or 16:9, portraits of authors and icons square, banners long.
    """
    return _sizes(page)[:, 0] / _sizes(page)[:, 1]


@feature("dom", bins=(24, 48, 100, 200, 320, 500, 700, 1000))
def stated_width(page: Page) -> Floats:
    """Stated width of an image in CSS pixels; without a browser the only sign of its size."""
    return _sizes(page)[:, 0]


@feature("dom")
def alternative_text(page: Page) -> list[str | None]:
    """Kind of an image's ``alt``: absent, empty, a file's name, or words; None elsewhere.

    An empty one says that the image is decoration; photographs of articles have words.
    """
    found: list[str | None] = [None] * len(page)
    for i in _media(page):
        found[i] = _alternative(page.attributes[i].get("alt"))
    return found


def _alternative(text: str | None) -> str:
    if text is None:
        return "absent"
    if not text.strip():
        return "empty"
    return "file" if _FILE.search(text.lower()) and " " not in text.strip() else "words"


@feature("dom", bins=(1, 2, 3, 5, 8, 13, 21))
def alternative_words(page: Page) -> Floats:
    """Number of words in an image's ``alt``; unknown where there is none."""
    counts = np.full(len(page), np.nan)
    for i in _media(page):
        if "alt" in page.attributes[i]:
            counts[i] = len(words(page.attributes[i]["alt"]))
    return counts


@feature("dom")
def media_source(page: Page) -> list[str | None]:
    """Kind of file that an image or a player shows: jpg, png, svg, gif, data, none; None elsewhere.

    Photographs are JPEG or WebP, logos and icons SVG, tracking images GIF, placeholders data.
    """
    found: list[str | None] = [None] * len(page)
    for i in _media(page):
        found[i] = _source(page.attributes[i])
    return found


def _source(row: Mapping[str, str]) -> str:
    kinds = [_kind(value) for key in _SOURCES if (value := row.get(key, "").strip())]
    return next((kind for kind in kinds if kind not in ("data", "other")), (kinds or ["none"])[0])


def _kind(address: str) -> str:
    start = address[:_LONGEST].lower()
    if start.startswith(("data:", "blob:")):
        return "data"
    file = _FILE.search(start)
    return file[1].replace("jpeg", "jpg") if file else "other"
