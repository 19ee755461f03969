"""Features of the document around a region: its element, those above, lists, headings, density.

A block of running text has few links and elements; menus and teasers are the opposite.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.features.class_names import LANDMARKS
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    ancestor_steps,
    counts_above,
    elements_called,
    elements_with,
    inherited,
    innermost,
    inside_any,
    joined_near,
    marked,
    nearest_marked,
    of_regions,
    path_numbers,
    regions_below,
    sums_below,
)
from structce.features.element_names import element_tokens
from structce.features.registry import AROUND, BESIDE, SPENGLER, feature, once_a_page
from structce.features.text import (
    block_ends,
    block_starts,
    block_sums,
    lengths,
    less_previous,
    share_of,
    widths,
)
from structce.language import TEXTS
from structce.page import Page
from structce.patterns import lazy_pattern

_COUNTS = (1, 2, 3, 5, 9, 17, 33)
_SIBLING_COUNTS = (1, 2, 3, 5, 9, 17)
_DEPTHS = (4, 6, 8, 10, 12, 14, 16, 19, 22, 26)
_JUMPS = (-8, -4, -2, -1, 0, 1, 2, 3, 5, 9)
_LINK_SHARES = (0.05, 0.2, 0.5, 0.8, 0.99)
_WORD_BREAK = lazy_pattern(r"[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])")
_FRAMES = ("iframe", "frame", "fencedframe")
_PART_TAGS = {
    name: frozenset({name})
    for name in (
        "a figure figcaption article main header footer nav aside blockquote table form button "
        "section time address picture"
    ).split()
}
_PART_ROLES = {
    role: tag for tag, role in LANDMARKS.items() if tag not in ("form", "search", "dialog")
}
_COMMENT_WORDS = 10  # words of a comment that become tokens; long comments are disabled code
_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
_ARIA_LEVELS = {str(level): level for level in range(1, 7)}
_ENTRIES = ("li", "dt", "dd", "option")
_PLACES = ("only", "first", "last", "middle")  # of a region in its block
_LISTS = ("ul", "ol", "dl", "menu")


@lru_cache(maxsize=16384)
def name_tokens(value: str) -> tuple[str, ...]:
    """Return the words of a class name or id of 2 to 20 letters, with camel case split."""
    return tuple(word.lower() for word in _WORD_BREAK.split(value) if 2 <= len(word) <= 20)


@feature("dom", aliases=["dom-name"], source=SPENGLER, window=AROUND)
def tag(page: Page) -> tuple[str, ...]:
    """Name of the element that contains the text, or of the media element."""
    return page.tag


@feature("dom", aliases=["dom-parent-name"], source=SPENGLER, window=BESIDE)
def parent_tag(page: Page) -> list[str | None]:
    """Name of the element above the region's element."""
    return _tags_above(page, 1)


@feature("dom")
def grandparent_tag(page: Page) -> list[str | None]:
    """Name of the second element above the region's element."""
    return _tags_above(page, 2)


def _tags_above(page: Page, steps: int) -> list[str | None]:
    tags = (*page.elements.tag, None)  # -1, no element, is the last
    return [tags[i] for i in ancestor_steps(page)[steps, page.element].tolist()]


@feature("dom")
def ancestor_tag(page: Page) -> list[NameSet]:
    """Names of all elements above, such as headings, articles, navigations, lists and figures."""
    known = {name: _only(name) for name in elements_called(page)}
    return of_regions(page, inherited(page, [known[name] for name in page.elements.tag]))


@lru_cache(maxsize=TEXTS)
def _only(name: str) -> NameSet:
    return frozenset({name})


@feature(
    "dom", name="token", aliases=["all-tokens-in-class-and-name"], source=SPENGLER, window=BESIDE
)
def class_token(page: Page) -> list[NameSet]:
    """Words in class, name, id, role and similar attributes of the region's element.

    Publishers name what they mark up; "byline" and "caption" mean the same on every site.
    """
    return of_regions(page, element_tokens(page))


@feature("dom")
def near_token(page: Page) -> list[NameSet]:
    """The same words for the three elements above, since wrappers often carry the names."""
    return joined_near(page, element_tokens(page))


@feature("dom", bins=_DEPTHS, aliases=["dom-depth"], source=SPENGLER)
def depth(page: Page) -> Integers32:
    """Number of elements above the region."""
    return page.elements.depth[page.element]


@feature("dom", bins=(2, 3, 4, 5, 6, 8, 10, 12, 15))
def block_depth(page: Page) -> Integers:
    """Number of block-level elements around the region; inline wrappers do not count."""
    return counts_above(page, np.flatnonzero(page.elements.is_block))[page.element]


@feature("dom", bins=_JUMPS, source=SPENGLER)
def previous_depth_difference(page: Page) -> Floats:
    """Depth minus that of the region before: a jump marks the border of a part of the page."""
    return less_previous(depth(page))


@feature("dom", bins=_JUMPS, aliases=["p-average-depth-difference"], source=SPENGLER)
def paragraph_depth_difference(page: Page) -> Floats:
    """Depth minus the mean depth of text in ``p`` elements, weighted by characters.

    The main text lies at one depth; what lies at another is mostly something else.
    """
    depths = depth(page).astype(np.float64)
    weights = lengths(page) * marked(page, elements_called(page).get("p", ()))[page.element]
    if not weights.any():
        return np.full(len(page), np.nan)
    return np.asarray(np.round(depths - float(weights @ depths / weights.sum())))


@feature("dom", bins=_COUNTS)
def siblings(page: Page) -> Integers32:
    """Number of element children of the parent: long lists are menus."""
    return page.elements.n_siblings[page.element]


@feature("dom", bins=_SIBLING_COUNTS, aliases=["node-dom-siblings-next"], source=SPENGLER)
def siblings_next(page: Page) -> Integers32:
    """Number of siblings after the region's element."""
    elements = page.elements
    return (elements.n_siblings - elements.position - 1)[page.element]


@feature("dom")
def inside(page: Page) -> list[NameSet]:
    """Kinds of page part that the region lies in, by element name or ARIA role."""
    own = [_PART_TAGS.get(name, NO_NAMES) for name in page.elements.tag]
    for i in elements_with(page).get("role", ()):
        if (role := page.elements.attributes[i]["role"]) in _PART_ROLES:
            own[i] |= {_PART_ROLES[role]}
    return of_regions(page, inherited(page, own))


@feature("dom", aliases=["node-in-iframe"], source=SPENGLER)
def in_iframe(page: Page) -> Flags:
    """Region is a frame or lies in one: advertisements and players come in frames."""
    return in_elements(page, _FRAMES)


def in_elements(page: Page, names: Iterable[str]) -> Flags:
    """Return whether each region is or lies in an element of these names, shape (n_regions,)."""
    called = elements_called(page)
    return inside_any(page, [i for name in names for i in called.get(name, ())])


@once_a_page
def in_link(page: Page) -> Flags:
    """Return whether each region is inside an ``a`` element, shape (n_regions,)."""
    return in_elements(page, ["a"])


@once_a_page
def in_figure_element(page: Page) -> Flags:
    """Return whether each region is inside a figure or its caption, shape (n_regions,)."""
    return in_elements(page, ["figure", "figcaption"])


@feature("dom", bins=(1, 2, 4, 8, 16, 32), window=BESIDE)
def path_repetitions(page: Page) -> Integers:
    """Number of regions on the page with the same path of element and class names.

    Teasers, menu entries and comments repeat; a headline is unique.
    """
    chains, _ = path_numbers(page)
    own = chains[page.element]
    return np.bincount(own)[own]


@feature("dom", bins=(1, 2, 3), window=BESIDE)
def line_breaks(page: Page) -> Integers32:
    """Number of line breaks since the region before."""
    return page.breaks


@feature("dom", window=BESIDE)
def new_block(page: Page) -> Flags:
    """Region begins a block; inline mark-up continues the block before."""
    return block_starts(page)


@feature("dom", aliases=["tokens-in-previous-comments"], source=SPENGLER)
def previous_comment_token(page: Page) -> list[NameSet]:
    """Words of the last HTML comment before the region: "article body", "end header"."""
    return comment_words(page, page.previous_comment, _COMMENT_WORDS)


@feature("dom", aliases=["tokens-in-next-comments"], source=SPENGLER)
def next_comment_token(page: Page) -> list[NameSet]:
    """Words of the first HTML comment after the region."""
    return comment_words(page, page.next_comment, _COMMENT_WORDS)


def comment_words(page: Page, places: Integers32, most: int | None = None) -> list[NameSet]:
    """Return the first words of the comments with some indices, none for -1."""
    known = {text: frozenset(name_tokens(text)[:most]) for text in set(page.comments)}
    sets = [*(known[text] for text in page.comments), NO_NAMES]
    return [sets[i] for i in places.tolist()]


@feature("dom", bins=(2, 3, 4, 5))
@once_a_page
def heading_level(page: Page) -> Floats:
    """Level of the heading that the region lies in, 1 to 6; unknown outside headings.

    It is given by the element's name or by ``aria-level``, and is 2 for a heading by role alone.
    """
    called, rows = elements_called(page), page.elements.attributes
    levels = {i: level for name, level in _HEADING_LEVELS.items() for i in called.get(name, ())}
    for i in elements_with(page).get("role", ()):
        if rows[i]["role"] == "heading":
            levels[i] = _ARIA_LEVELS.get(rows[i].get("aria-level", ""), levels.get(i, 2))
    column = np.full(len(page.elements) + 1, np.nan)  # the last is that of no element
    column[[*levels]] = [*levels.values()]
    return np.asarray(column[innermost(page, levels)])


@once_a_page
def _last_heading(page: Page) -> Integers:
    """Return the last region in a heading before each region; -1 for none."""
    rows = np.where(np.isnan(heading_level(page)), -1, np.arange(len(page)))
    return np.maximum.accumulate(np.append(-1, rows))[: len(page)]


@feature("dom", bins=(2, 3, 4, 5))
def heading_above(page: Page) -> Floats:
    """Level of the last heading before the region, 1 to 6: text below h1 differs from below h4."""
    return np.append(heading_level(page), np.nan)[_last_heading(page)]


@feature("dom", bins=(2, 3, 4, 6, 9, 14, 25))
def since_heading(page: Page) -> Floats:
    """Number of regions since the last heading; unknown above the first."""
    last = _last_heading(page)
    return np.where(last >= 0, np.arange(len(page)) - last, np.nan)


def _elements_of(page: Page, names: Iterable[str], role: str = "") -> list[int]:
    """Return the elements with one of the given names, or with an ARIA role."""
    called, rows = elements_called(page), page.elements.attributes
    stated = [i for i in elements_with(page).get("role", ()) if role and rows[i]["role"] == role]
    return [*stated, *(i for name in names for i in called.get(name, ()))]


@feature("dom", bins=_COUNTS)
def list_length(page: Page) -> Floats:
    """Number of entries of the innermost list: long lists are menus or teasers."""
    entries = innermost(page, _elements_of(page, _ENTRIES, "listitem"))
    return np.append(page.elements.n_siblings.astype(np.float64), np.nan)[entries]


@feature("dom", bins=(1, 2, 3, 4))
def list_depth(page: Page) -> Integers:
    """Number of lists around the region: menus are nested, lists in an article hardly ever."""
    return counts_above(page, _elements_of(page, _LISTS))[page.element]


@feature("text", bins=_SIBLING_COUNTS, aliases=["output-siblings-next"], source=SPENGLER)
def next_in_parent(page: Page) -> Integers:
    """Number of regions after this one below the same parent element.

    The parent is the element above the region's own, since most text is alone in its element. A
    region of the root is counted among those of the root.
    """
    above = ancestor_steps(page)[1, page.element]
    parent = np.where(above >= 0, above, page.element)
    first, count = (column[parent] for column in regions_below(page))
    return first + count - 1 - np.arange(len(page))


@feature("dom")
def place_in_block(page: Page) -> list[str]:
    """Region is the only, first, last or a middle one of its block: "By" comes before a name."""
    places = 2 * ~block_starts(page) + ~block_ends(page)
    return [_PLACES[place] for place in places.tolist()]


@feature("dom", bins=_LINK_SHARES, source="Kohlschuetter et al. (2010)", window=BESIDE)
def link_density(page: Page) -> Floats:
    """Share of the block's characters that are inside links."""
    linked = block_sums(page, lengths(page) * in_link(page))
    return share_of(linked, block_sums(page, lengths(page)))


@feature("dom", bins=_LINK_SHARES)
def element_link_density(page: Page) -> Floats:
    """Share of the characters below the region's element that are inside links."""
    linked, whole = sums_below(page, [lengths(page) * in_link(page), lengths(page)])
    return share_of(linked, whole)[page.element]


@feature("dom", bins=(0.5, 1, 2, 4, 8, 16, 32))
def tag_density(page: Page) -> Floats:
    """Elements that begin in the block, per 100 columns of its text; unknown without text.

    Menus and teasers need many elements for few words.
    """
    opened = page.element.astype(np.int64)
    opened[1:] = np.diff(np.maximum.accumulate(page.element))
    opened[:1] += 1
    n_opened = block_sums(page, opened)
    return share_of(100 * n_opened, block_sums(page, widths(page)))


@feature("dom", bins=(0.01, 0.05, 0.2, 0.5, 0.8))
def container_text_share(page: Page) -> Floats:
    """Share of the page's unlinked characters below the element two block levels up.

    The element of the main text contains most of the text that is not a link.
    """
    parent = page.elements.parent
    blocks = nearest_marked(page, page.elements.is_block | (parent < 0))
    containers = np.where(parent >= 0, blocks[parent], np.arange(len(parent)))
    weights = lengths(page) * ~in_link(page)
    held = sums_below(page, weights)[containers[page.block_element]]
    return np.asarray(held / max(float(weights.sum()), 1.0))
