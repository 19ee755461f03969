"""Features of a region's element and of the names of the elements above it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.features.class_names import LANDMARKS, element_tokens
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    ancestor_steps,
    counts_above,
    elements_called,
    elements_with,
    inherited,
    inside_any,
    joined_far,
    joined_near,
    of_regions,
    path_numbers,
)
from structce.features.registry import AROUND, BESIDE, SPENGLER, feature, once_a_page
from structce.features.text import lengths
from structce.page import Page

_COUNTS = (1, 2, 3, 5, 9, 17, 33)
_DEPTHS = (4, 6, 8, 10, 12, 14, 16, 19, 22, 26)
_JUMPS = (-8, -4, -2, -1, 0, 1, 2, 3, 5, 9)
_PATH_STEPS = 4  # elements of a path
_WORD_BREAK = re.compile(r"[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])")
_FRAMES = frozenset({"iframe", "frame", "fencedframe"})
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
    known = {name: frozenset({name}) for name in set(page.elements.tag)}
    return of_regions(page, inherited(page, [known[name] for name in page.elements.tag]))


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


@feature("dom")
def far_token(page: Page) -> list[NameSet]:
    """The same words for all elements higher up: sidebar, comments, footer, article."""
    return joined_far(page, element_tokens(page))


@feature("dom")
def path(page: Page) -> list[str]:
    """Names of the last four elements down to the region."""
    tags = page.elements.tag
    starts: dict[int, str] = {}
    paths = []
    for own, parent, *higher in ancestor_steps(page)[:_PATH_STEPS, page.element].T.tolist():
        if parent not in starts:
            line = [i for i in (*reversed(higher), parent) if i >= 0]
            starts[parent] = "".join([f"{tags[i]}/" for i in line])
        paths.append(starts[parent] + tags[own])
    return paths


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
    return np.diff(page.elements.depth[page.element].astype(float), prepend=np.nan)


@feature("dom", bins=_JUMPS, aliases=["p-average-depth-difference"], source=SPENGLER)
def paragraph_depth_difference(page: Page) -> Floats:
    """Depth minus the mean depth of text in ``p`` elements, weighted by characters.

    The main text lies at one depth; what lies at another is mostly something else.
    """
    depths = page.elements.depth[page.element].astype(np.float64)
    weights = lengths(page) * np.array([name == "p" for name in page.tag], dtype=bool)
    if not weights.any():
        return np.full(len(page), np.nan)
    return np.asarray(np.round(depths - float(weights @ depths / weights.sum())))


@feature("dom", bins=_COUNTS)
def siblings(page: Page) -> Integers32:
    """Number of element children of the parent: long lists are menus."""
    return page.elements.n_siblings[page.element]


@feature("dom", bins=(1, 2, 3, 5, 9, 17), aliases=["node-dom-siblings-next"], source=SPENGLER)
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
    return np.diff(page.blocks, prepend=-1) > 0


@feature("dom", aliases=["tokens-in-previous-comments"], source=SPENGLER)
def previous_comment_token(page: Page) -> list[NameSet]:
    """Words of the last HTML comment before the region: "article body", "end header"."""
    return _comment_tokens_at(page, page.previous_comment)


@feature("dom", aliases=["tokens-in-next-comments"], source=SPENGLER)
def next_comment_token(page: Page) -> list[NameSet]:
    """Words of the first HTML comment after the region."""
    return _comment_tokens_at(page, page.next_comment)


def _comment_tokens_at(page: Page, places: Integers32) -> list[NameSet]:
    """Return the words of the comments with these indices, none for -1."""
    sets = (*_comment_tokens(page), NO_NAMES)
    return [sets[i] for i in places.tolist()]


@once_a_page
def _comment_tokens(page: Page) -> list[NameSet]:
    """Return the words of each comment; equal comments share one set."""
    known = {text: frozenset(name_tokens(text)[:_COMMENT_WORDS]) for text in set(page.comments)}
    return [known[text] for text in page.comments]
