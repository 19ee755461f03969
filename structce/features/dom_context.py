"""Features of lists and tables: entries of menus, teasers, comments and data stand in them."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from structce.arrays import Floats, Integers, Integers32
from structce.features.dom import in_link
from structce.features.dom_tree import (
    ancestor_steps,
    counts_above,
    elements_called,
    elements_with,
    innermost,
    parents,
    regions_below,
    sums_below,
    tags_opened,
)
from structce.features.registry import feature, once_a_page
from structce.features.text import block_sums, lengths, share_of, widths, word_counts
from structce.language import split_words
from structce.page import Page

_ENTRIES = frozenset({"li", "dt", "dd", "option"})
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_CELLS = frozenset({"td", "th"})
_ENTRY_ROLES = frozenset({"listitem"})
_CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_COUNTS = (1, 2, 3, 5, 9, 17, 33)


@once_a_page
def _entries(page: Page) -> list[int]:
    """Return the innermost entry of a list that each region lies in, or -1."""
    return innermost(page, _called(page, _ENTRIES) | _with_role(page, _ENTRY_ROLES))


@once_a_page
def _cells(page: Page) -> list[int]:
    """Return the innermost cell of a table that each region lies in, or -1."""
    return innermost(page, _called(page, _CELLS) | _with_role(page, _CELL_ROLES))


def _called(page: Page, names: frozenset[str]) -> set[int]:
    return {i for name in names for i in elements_called(page).get(name, ())}


def _with_role(page: Page, roles: frozenset[str]) -> set[int]:
    rows = page.elements.attributes
    return {i for i in elements_with(page).get("role", ()) if rows[i]["role"] in roles}


def _column(places: list[int], values: Integers32) -> Floats:
    """Return the values of elements, unknown for -1."""
    return np.append(values.astype(np.float64), np.nan)[places]


@feature("dom", bins=_COUNTS)
def list_place(page: Page) -> Floats:
    """Place of the region's entry in its list, from 0; unknown outside lists."""
    return _column(_entries(page), page.elements.position)


@feature("dom", bins=_COUNTS)
def list_length(page: Page) -> Floats:
    """Number of entries of the innermost list: long ones are menus, or teasers."""
    return _column(_entries(page), page.elements.n_siblings)


@feature("dom", bins=(1, 2, 3, 4))
def list_depth(page: Page) -> Integers:
    """Number of lists around the region: menus nest, lists of an article hardly."""
    return counts_above(page, list(_called(page, _LISTS)))[page.element]


@feature("dom", bins=(1, 2, 3, 5))
def table_column(page: Page) -> Floats:
    """Column of the innermost table that the region stands in, from 0; unknown outside tables."""
    return _column(_cells(page), page.elements.position)


@feature("dom", bins=(1, 2, 3, 5))
def table_width(page: Page) -> Floats:
    """Number of cells in the row of the innermost table: one where a table only sets the page."""
    return _column(_cells(page), page.elements.n_siblings)


_SIBLING_COUNTS = (1, 2, 3, 5, 9, 17)


@once_a_page
def _places(page: Page) -> tuple[Integers, Integers]:
    """Return how many regions below the same parent stand before and after each region.

    The parent is the element above the region's own, as for ``dom.parent-tag``: in its own element
    most text is alone. A region of the root is counted among those of the root.
    """
    above = ancestor_steps(page)[1, page.element]
    parent = np.where(above >= 0, above, page.element)
    first, count = (column[parent] for column in regions_below(page))
    before = np.arange(len(page)) - first
    return before, count - 1 - before


@feature(
    "text", bins=_SIBLING_COUNTS, aliases=["output-siblings-next"], source="Spengler et al. (2010)"
)
def next_in_parent(page: Page) -> Integers:
    """Number of regions after this one below the same parent element."""
    return _places(page)[1]


@feature("text", bins=_SIBLING_COUNTS)
def previous_in_parent(page: Page) -> Integers:
    """Number of regions before this one below the same parent element."""
    return _places(page)[0]


@feature("dom")
def place_in_parent(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one of its parent: names open their line."""
    return _kinds(*_places(page))


@feature("dom")
def place_in_block(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one of its block: "By" comes before a name."""
    rows = np.arange(len(page))
    blocks = page.blocks
    before = rows - np.searchsorted(blocks, blocks)
    return _kinds(before, np.searchsorted(blocks, blocks, side="right") - 1 - rows)


def _kinds(before: Integers, after: Integers) -> list[str]:
    names = np.array(["only", "first", "last", "middle"])
    kinds: list[str] = names[2 * (before > 0) + (after > 0)].tolist()
    return kinds


_LINE = 80  # columns of a line of text
_LINKED = (0.05, 0.2, 0.5, 0.8, 0.99)
_QUOTIENTS = (0.1, 0.25, 0.5, 0.8, 1.25, 2.0, 4.0, 10.0)
_KOHLSCHUETTER = "Kohlschuetter et al. (2010)"


@feature("dom", bins=_LINKED, source=_KOHLSCHUETTER)
def link_density(page: Page) -> Floats:
    """Share of the block's characters that stand in links."""
    linked = block_sums(page, lengths(page) * in_link(page))
    return share_of(linked, block_sums(page, lengths(page)))


@once_a_page
def _link_densities(page: Page) -> Floats:
    """Return the link density below each element, shape (n_elements + 1,); the last is unknown."""
    linked = sums_below(page, lengths(page) * in_link(page))
    densities = share_of(linked, sums_below(page, lengths(page)))
    return np.append(densities, np.nan)


@feature("dom", bins=_LINKED)
def element_link_density(page: Page) -> Floats:
    """Share of the characters below the region's element that stand in links."""
    return _link_densities(page)[page.element]


@feature("dom", bins=_LINKED)
def parent_link_density(page: Page) -> Floats:
    """Share of the characters below the element above the region's own that stand in links.

    For a link in a sentence that element is the sentence, for one in a menu the entry.
    """
    found: Floats = _link_densities(page)[ancestor_steps(page)[1, page.element]]
    return found


@once_a_page
def text_densities(page: Page) -> Floats:
    """Return the text density of each region's block, shape (n_regions,).

    Words a line of 80 columns; words alone where the block is shorter than a line. All words
    over all columns stand for those of full lines, so that no text needs to be wrapped.
    """
    n_words = block_sums(page, word_counts(page))
    lines = block_sums(page, widths(page)) / _LINE
    return np.asarray(n_words / np.maximum(lines, 1.0))


@feature("text", bins=(1, 2, 3, 5, 7, 9, 11, 12, 13, 14, 16), source=_KOHLSCHUETTER)
def density(page: Page) -> Floats:
    """Words a line of 80 columns of the block: about a dozen in running text, few elsewhere."""
    return text_densities(page)


@feature("text", bins=_QUOTIENTS, source="Yao and Zuo (2013)")
def density_to_previous(page: Page) -> Floats:
    """Text density over that of the block before it; unknown in the first block.

    Where it jumps up a text begins.
    """
    return _quotient(page, -1)


@feature("text", bins=_QUOTIENTS, source=_KOHLSCHUETTER)
def density_to_next(page: Page) -> Floats:
    """Text density over that of the block after it; unknown in the last block.

    It is far below 1 just above a paragraph, where headings and bylines stand.
    """
    return _quotient(page, 1)


def _quotient(page: Page, offset: int) -> Floats:
    """Return text densities over those of the block ``offset`` blocks on.

    Both are at least one word a line, so that a block of images divides nothing by zero.
    """
    blocks = page.blocks
    _, firsts = np.unique(blocks, return_index=True)
    floored = np.maximum(text_densities(page)[firsts], 1.0)
    other = np.arange(len(firsts)) + offset
    known = (other >= 0) & (other < len(firsts))
    others = np.where(known, floored[np.clip(other, 0, max(len(firsts) - 1, 0))], np.nan)
    return np.asarray((floored / others)[blocks])


@feature("dom", bins=(0.5, 1, 2, 4, 8, 16, 32))
def tag_density(page: Page) -> Floats:
    """Elements that begin in the block, per 100 columns of its text; unknown without text.

    Menus and teasers need many elements for few words.
    """
    opened = block_sums(page, tags_opened(page))
    return share_of(100 * opened, block_sums(page, widths(page)))


@feature("dom", bins=(0.01, 0.05, 0.2, 0.5, 0.8))
def container_text_share(page: Page) -> Floats:
    """Share of the page's unlinked characters below the element two block levels up.

    The element that holds the main text holds most of the text that is not a link.
    """
    weights = lengths(page) * ~in_link(page)
    held = sums_below(page, weights)[_containers(page)[page.block_element]]
    return np.asarray(held / max(float(weights.sum()), 1.0))


def _containers(page: Page) -> Integers:
    """Return the nearest block-level element above each element, the root at the highest."""
    blocks: list[int] = []
    found: list[int] = []
    rows = zip(parents(page), page.elements.is_block.tolist(), strict=True)
    for i, (parent, is_block) in enumerate(rows):
        blocks.append(i if is_block or parent < 0 else blocks[parent])
        found.append(blocks[parent] if parent >= 0 else i)
    return np.array(found, dtype=np.int64)


_NUMBER = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(?:px)?\s*")
_FILE = re.compile(r"\.(jpe?g|png|gif|webp|avif|svg|bmp|ico|mp4|m3u8|webm|mp3)(?![a-z0-9])")
_SOURCES = ("src", "data-src", "srcset", "data-srcset", "data", "data-lazy-src", "poster")
_LONGEST = 400  # characters of an address that are looked at


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
            counts[i] = len(split_words(page.attributes[i]["alt"]))
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
