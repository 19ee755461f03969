"""One rendered page, held in columns; a region is one row of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from structce.metadata import Metadata

if TYPE_CHECKING:
    from structce.site import SiteCounts

MEDIA = frozenset({"img", "video", "audio", "iframe", "frame", "embed", "object", "canvas", "svg"})
"""Elements that are regions themselves, unless they show text of their own: ``svg`` and frames."""

INLINE = frozenset(
    {"inline", "inline-block", "inline-flex", "inline-grid", "contents", "ruby", "ruby-text"}
)
"""Values of CSS ``display`` that do not interrupt a line of text."""

Texts = tuple[str, ...]
Floats = NDArray[np.float32]
Integers = NDArray[np.int32]
StyleColumn = NDArray[np.float32] | NDArray[np.str_]


@dataclass(frozen=True, eq=False)
class Elements:
    """The elements above the regions of a page, in document order, parents first.

    Parameters
    ----------
    tag
        Lower-case element names.
    parent : shape (n_elements,)
        Index of the parent element; -1 for the root.
    attributes
        Attributes as the source has them, names in lower case; the ``srcset`` of an image in a
        ``picture`` element also holds the addresses of that element's sources.
    position : shape (n_elements,)
        Place among the element children of the parent, from 0.
    n_siblings : shape (n_elements,)
        Element children of the parent, the element itself included.
    styles
        Computed style, one column a CSS property: lengths in CSS pixels and numbers as floats
        (NaN where not a length), everything else as strings. Without layout only what HTML
        itself says: ``display``, ``font-size``, ``font-weight``, ``font-style``.
    """

    tag: Texts
    parent: Integers
    attributes: tuple[Mapping[str, str], ...]
    position: Integers
    n_siblings: Integers
    styles: Mapping[str, StyleColumn]

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def depth(self) -> Integers:
        """Number of ancestors, shape (n_elements,); 0 for the root."""
        depth = np.zeros(len(self), dtype=np.int32)
        for i, parent in enumerate(self.parent):
            depth[i] = depth[parent] + 1 if parent >= 0 else 0
        return depth

    @cached_property
    def is_block(self) -> NDArray[np.bool_]:
        """True where the element starts a line of its own, shape (n_elements,)."""
        display = self.styles["display"]
        return np.array([value not in INLINE for value in display], dtype=bool)

    def ancestors(self, i: int) -> Iterator[int]:
        """Yield element ``i`` and its ancestors, innermost first."""
        while i >= 0:
            yield i
            i = int(self.parent[i])

    def lineage(self, own: list[bool]) -> NDArray[np.bool_]:
        """Return whether the element or an ancestor of it has a property, shape (n_elements,)."""
        result = np.array(own, dtype=bool)
        for i, parent in enumerate(self.parent):
            if parent >= 0 and result[parent]:
                result[i] = True
        return result


@dataclass(frozen=True)
class Region:
    """A light view of one row of a page."""

    page: Page
    index: int

    @property
    def text(self) -> str:
        """Visible text, white space collapsed; empty for media."""
        return self.page.text[self.index]

    @property
    def tag(self) -> str:
        """Name of the element that holds the text, or of the media element."""
        return self.page.tag[self.index]

    @property
    def xpath(self) -> str:
        """Address of the node in the document."""
        return self.page.xpath[self.index]

    @property
    def span(self) -> tuple[int, int] | None:
        """First character in the source and the one behind the last; None where it has none."""
        if self.page.spans is None or self.page.spans[self.index][0] < 0:
            return None
        start, end = (int(place) for place in self.page.spans[self.index])
        return start, end

    @property
    def box(self) -> tuple[float, float, float, float] | None:
        """Left, top, width and height in CSS pixels; None without layout."""
        box = self.page.boxes[self.index]
        if np.isnan(box).any():
            return None
        left, top, width, height = (float(value) for value in box)
        return left, top, width, height


@dataclass(frozen=True)
class Provenance:
    """How a page came about, so that a number can be traced to it.

    Parameters
    ----------
    digest
        SHA-256 of the HTML, 64 hexadecimal digits; empty where there was none.
    browser
        Name and version of the browser; empty without one.
    settings
        Settings of the renderer in one line.
    """

    digest: str = ""
    browser: str = ""
    settings: str = ""


@dataclass(frozen=True, eq=False)
class Page:
    """One rendered HTML document: a struct of arrays, regions in document order.

    Parameters
    ----------
    url
        Address of the page, or an empty string.
    lang
        Language as the document states it (``de-AT``), or an empty string.
    renderer
        ``static`` or ``chromium``.
    viewport
        Width and height of the window in CSS pixels; (0, 0) without layout.
    text
        Text of each region, white space collapsed; empty for media.
    element : shape (n_regions,)
        Index of the element that holds the text, or that is the media.
    xpath
        Address of each region: ``/html[1]/body[1]/p[2]/text()[1]``.
    breaks : shape (n_regions,)
        Number of ``br`` and ``hr`` elements since the region before.
    boxes : shape (n_regions, 4)
        Left, top, width, height in CSS pixels from the page's corner; NaN without layout.
    comments
        Comments of the source inside ``body``, in document order: white space collapsed, cut to
        200 characters, without empty and conditional ones (``[if IE]``).
    comment_places : shape (n_comments,)
        Number of regions before each comment; never falls.
    spans : shape (n_regions, 2)
        Where each region stands in the source: the first character and the one behind the last,
        counted in the decoded HTML; (-1, -1) where the source has no such place. The text between
        is the region's with entities and white space as written; of media it is the start tag.
        None where the source was not looked at.
    provenance
        How the page came about.
    site
        What the pages of the same site hold; None where no other page of it is known.
    """

    url: str
    lang: str
    renderer: str
    viewport: tuple[int, int]
    metadata: Metadata
    elements: Elements
    text: Texts
    element: Integers
    xpath: Texts
    breaks: Integers
    boxes: Floats
    comments: Texts = ()
    comment_places: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    spans: Integers | None = None
    provenance: Provenance = Provenance()
    site: SiteCounts | None = None

    def __len__(self) -> int:
        return len(self.text)

    def __iter__(self) -> Iterator[Region]:
        return (Region(self, i) for i in range(len(self)))

    @property
    def title(self) -> str:
        """Text of the ``title`` element."""
        return self.metadata.title

    @property
    def has_layout(self) -> bool:
        """Whether boxes and computed styles are known."""
        return self.renderer != "static"

    @cached_property
    def tag(self) -> Texts:
        """Element name of each region: the text's parent, or the media element."""
        return tuple(self.elements.tag[i] for i in self.element)

    @cached_property
    def attributes(self) -> tuple[Mapping[str, str], ...]:
        """Attributes of each region's element."""
        return tuple(self.elements.attributes[i] for i in self.element)

    @cached_property
    def is_media(self) -> NDArray[np.bool_]:
        """True where the region is an element of ``MEDIA``, shape (n_regions,)."""
        return np.array([tag in MEDIA for tag in self.tag], dtype=bool)

    @cached_property
    def styles(self) -> Mapping[str, StyleColumn]:
        """Computed style of each region's element, one column a property."""
        return {name: column[self.element] for name, column in self.elements.styles.items()}

    @cached_property
    def previous_comment(self) -> Integers:
        """Index of the last comment before each region, or -1; shape (n_regions,)."""
        rows = np.arange(len(self))
        n_before = np.searchsorted(self.comment_places, rows, side="right")
        return (n_before - 1).astype(np.int32)

    @cached_property
    def next_comment(self) -> Integers:
        """Index of the first comment after each region, or -1; shape (n_regions,)."""
        following = self.previous_comment + 1
        return np.where(following < len(self.comments), following, -1).astype(np.int32)

    @cached_property
    def block_element(self) -> Integers:
        """Index of the nearest block-level element of each region, shape (n_regions,)."""
        nearest = np.arange(len(self.elements), dtype=np.int32)
        for i, parent in enumerate(self.elements.parent):
            if parent >= 0 and not self.elements.is_block[i]:
                nearest[i] = nearest[parent]
        return nearest[self.element]

    @cached_property
    def blocks(self) -> Integers:
        """Block of each region, counted from 0 in reading order, shape (n_regions,).

        A block is text between two block-level boundaries (Kohlschuetter et al. 2010); two line
        breaks in a row are such a boundary, one is not.
        """
        if not len(self):
            return np.zeros(0, dtype=np.int32)
        starts = np.ones(len(self), dtype=bool)
        same = self.block_element[1:] == self.block_element[:-1]
        starts[1:] = ~same | (self.breaks[1:] > 1)
        return (np.cumsum(starts) - 1).astype(np.int32)
