"""One region with its page, as functions of a region take it, and the list of these functions."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from structce.features.landmarks import heading_region, is_running
from structce.features.registry import REGISTRY
from structce.features.style import font_sizes, of_running_text
from structce.page import Page

Cues: TypeAlias = Mapping[str, bool | str | Sequence[str]]
Cue: TypeAlias = "Callable[[Region], Cues]"

FUNCTIONS: dict[str, Cue] = {}
"""The functions by the name of the feature that they implement."""

BORDERS = {name: feature.borders for name, feature in REGISTRY.items()}
NOTHING: Cues = {}
_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, eq=False, slots=True)
class PageView:
    """Data of a page that the functions need, in lists, which are faster to index one by one.

    Parameters
    ----------
    styles
        Numbers and strings of computed style by property; one value per element.
    boxes
        Left, top, width and height of each region in CSS pixels.
    window
        Width and height in CSS pixels.
    body_size
        Font size of the running text in CSS pixels.
    stated
        Words of the stated headlines.
    heading
        The headline's region, or -1.
    running
        Whether each region belongs to running text.
    """

    n_regions: int
    lang: str
    tags: Sequence[str]
    parents: list[int]
    depths: list[int]
    n_siblings: list[int]
    attributes: Sequence[Mapping[str, str]]
    styles: Mapping[str, list[float]]
    slants: list[str]
    boxes: list[tuple[float, float, float, float]]
    has_layout: bool
    window: tuple[float, float]
    body_size: float
    stated: frozenset[str]
    heading: int
    running: list[bool]


@dataclass(frozen=True, eq=False, slots=True)
class Region:
    """One region with its words; `previous` is the element of the region before it, or -1."""

    index: int
    text: str
    element: int
    previous: int
    page: PageView
    words: list[str]

    def style(self, name: str) -> float:
        """Return a property that is a number; NaN where it is not known."""
        return self.page.styles[name][self.element]


def view(page: Page) -> PageView:
    """Return what the functions need from a page, with each landmark found once."""
    elements = page.elements
    size = of_running_text(page, font_sizes(page))
    numbers = {n: c.tolist() for n, c in elements.styles.items() if c.dtype.kind == "f"}
    return PageView(
        n_regions=len(page),
        lang=page.lang,
        tags=elements.tag,
        parents=elements.parent.tolist(),
        depths=elements.depth.tolist(),
        n_siblings=elements.n_siblings.tolist(),
        attributes=elements.attributes,
        styles=numbers,
        slants=elements.styles["font-style"].tolist(),
        boxes=page.boxes.astype(np.float64).tolist(),
        has_layout=page.has_layout,
        window=(max(float(page.viewport[0]), 1.0), max(float(page.viewport[1]), 1.0)),
        body_size=16.0 if size is None else max(size, 1.0),
        stated=frozenset(word for text in page.metadata.headlines for word in words(text)),
        heading=heading_region(page),
        running=is_running(page).tolist(),
    )


def regions(page: Page) -> list[Region]:
    """Return the regions of a page as the functions take them."""
    shared = view(page)
    elements = page.element.tolist()
    rows = zip(page.text, elements, [-1, *elements], strict=False)
    return [Region(i, *row, shared, words(row[0])) for i, row in enumerate(rows)]


def words(text: str) -> list[str]:
    """Return the words and numbers of a text, case folded."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def cue(name: str) -> Callable[[Cue], Cue]:
    """Put a function under the name of the feature that it implements."""

    def register(function: Cue) -> Cue:
        FUNCTIONS[name] = function
        return function

    return register


def binned(name: str, value: float) -> Cues:
    """Return the bin of a number; nothing where it is not known (NaN)."""
    return {f"{name}:{bisect_right(BORDERS[name], value)}": True} if value == value else NOTHING


def flag(name: str, is_set: bool) -> Cues:
    """Return a truth value, where it is true."""
    return {name: True} if is_set else NOTHING
