"""A rendered page as a struct of arrays: one row per region, and the DOM elements above them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from urllib.parse import unquote

import msgspec
import numpy as np
from numpy.typing import NDArray

from structce import kernels
from structce.addresses import split_address
from structce.arrays import Flags, Floats32, Integers, Integers32
from structce.language import normalise, read_texts, split_texts
from structce.page.metadata import Metadata
from structce.patterns import lazy_pattern

MEDIA = frozenset({"img", "video", "audio", "iframe", "frame", "embed", "object", "canvas", "svg"})
"""Elements that are regions themselves; ``svg`` and frames only if they show no own text."""

FORMULA = lazy_pattern(r"(?:^|\s)(?:katex|MathJax|MJX|mjx|mwe-math)(?:[-_]\w+)*(?=\s|$)")
"""Classes of a formula as a whole, which KaTeX, MathJax and MediaWiki write in several ways."""

INLINE = frozenset(
    "inline|inline-block|inline-flex|inline-grid|contents|ruby|ruby-text|math|block math".split("|")
)
"""Values of CSS ``display`` that do not interrupt a line of text."""

MAX_COMPARED_TEXT = 200  # characters of a text or of a file's path: enough for two sentences
MAX_COMPARED_PATH = 2_000  # characters of a path, about twice the longest on real news pages

Texts = tuple[str, ...]
StyleColumn = Floats32 | NDArray[np.str_]

_NOTHING: Mapping[int, str] = MappingProxyType({})
_SOURCES = ("data-src", "data-lazy-src", "src", "srcset", "data-srcset", "data")
_HOST = lazy_pattern(r".*//[^/?#]*")  # up to the last host: an address may contain another one
_PLACE = lazy_pattern(r"([^?#&]*)(\??)")
_FILE = lazy_pattern(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)


class Elements(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The DOM elements above a page's regions, in document order, parents first.

    Parameters
    ----------
    tag
        Lower-case element names.
    parent : shape (n_elements,)
        Index of the parent element; -1 for the root.
    attributes
        Attributes as in the source, names in lower case; the ``srcset`` of an image in a
        ``picture`` element also contains the addresses of that element's sources. A formula's
        ``alttext`` is its TeX, if an annotation states it, and ``aria-checked`` of a list item
        whether its checkbox is checked.
    position, n_siblings : shape (n_elements,)
        Index among the element children of the parent, and their number.
    styles
        Computed style, one column per CSS property: lengths in CSS pixels and numbers as floats
        (NaN where not a length), everything else as strings. Without layout only what HTML itself
        implies: ``display``, ``font-size``, ``font-weight``, ``font-style``.
    """

    tag: Texts
    parent: Integers32
    attributes: tuple[Mapping[str, str], ...]
    position: Integers32
    n_siblings: Integers32
    styles: Mapping[str, StyleColumn]

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def parents(self) -> list[int]:
        """``parent`` as a list, which is several times as fast for one element after another."""
        above: list[int] = self.parent.tolist()
        return above

    @cached_property
    def depth(self) -> Integers32:
        """Number of ancestors, shape (n_elements,); 0 for the root."""
        counted = kernels.counts_above(self.parent, np.ones(len(self), dtype=bool))
        return (counted - 1).astype(np.int32)

    @cached_property
    def is_block(self) -> Flags:
        """True where the element is block-level, shape (n_elements,)."""
        display: list[str] = self.styles["display"].tolist()
        return ~np.fromiter(map(INLINE.__contains__, display), np.bool_, len(self))

    def ancestors(self, i: int) -> Iterator[int]:
        """Yield element ``i`` and its ancestors, innermost first."""
        parents = self.parents
        while i >= 0:
            yield i
            i = parents[i]

    def lineage(self, flags: list[bool]) -> Flags:
        """Return whether each element or one of its ancestors is flagged, shape (n_elements,)."""
        return kernels.counts_above(self.parent, np.array(flags, dtype=bool)) > 0


class Region(msgspec.Struct, frozen=True):
    """A light view of one row of a page."""

    page: Page
    index: int

    def __repr__(self) -> str:
        return f"<Region {self.index} {self.tag} {shorten(self.text)!r}>"

    @property
    def text(self) -> str:
        """Visible text, white space collapsed; empty for media."""
        return self.page.text[self.index]

    @property
    def tag(self) -> str:
        """Name of the element that contains the text, or of the media element."""
        return self.page.tag[self.index]

    @property
    def xpath(self) -> str:
        """Address of the node in the document."""
        return self.page.xpath[self.index]

    @property
    def span(self) -> tuple[int, int] | None:
        """Start and end (exclusive) in the characters of the source; None if it has no place."""
        start, end = (-1, -1) if self.page.spans is None else self.page.spans[self.index].tolist()
        return None if start < 0 else (start, end)

    @property
    def box(self) -> tuple[float, float, float, float] | None:
        """Left, top, width and height in CSS pixels; None without layout."""
        box = self.page.boxes[self.index]
        left, top, width, height = box.tolist()
        return None if np.isnan(box).any() else (left, top, width, height)


class _Digest:
    """Field that contains a digest, or the HTML in UTF-8 until the digest is asked for."""

    def __get__(self, owner: object | None, kind: type | None = None) -> str:
        value = "" if owner is None else owner.__dict__["digest"]
        if owner is not None and isinstance(value, bytes):
            value = owner.__dict__["digest"] = hashlib.sha256(value).hexdigest()
        return str(value)

    def __set__(self, owner: object, value: str | bytes) -> None:
        owner.__dict__["digest"] = value


@dataclass(frozen=True)
class Provenance:
    """Origin of a page: the HTML, the browser and the settings that it was rendered with.

    ``digest`` is the SHA-256 of the HTML in hexadecimal digits; parts without a value are empty.
    """

    digest: str = _Digest()  # type: ignore[assignment]  # msgspec reads the annotation
    browser: str = ""
    settings: str = ""

    def __reduce__(self) -> tuple[type[Provenance], tuple[str, str, str]]:
        return Provenance, (self.digest, self.browser, self.settings)

    @classmethod
    def of(cls, html: bytes, settings: str) -> Provenance:
        """Return the provenance of HTML in UTF-8, which is kept until its digest is asked for."""
        return cls(html, settings=settings)  # type: ignore[arg-type]


class Page(msgspec.Struct, frozen=True, eq=False, dict=True, weakref=True):
    """One rendered HTML document: a struct of arrays, regions in document order.

    Parameters
    ----------
    lang
        Language as the document states it (``de-AT``), or an empty string.
    renderer
        ``static`` or ``chromium``.
    viewport
        Width and height of the window in CSS pixels; (0, 0) without layout.
    text
        Text of each region, white space collapsed; empty for media.
    element : shape (n_regions,)
        Index of the element that contains the text, or of the media element.
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
        Number of regions before each comment; never decreases.
    spans : shape (n_regions, 2)
        Start and end (exclusive) of each region in the source, in characters of the decoded HTML;
        (-1, -1) if the source has no such place. The text between is the region's with entities
        and white space as written; for media it is the start tag. None if the source was not read.
    joins : shape (n_regions,)
        True where no white space separates the region from the one before it: ``<b>W</b>ord`` is
        one word. Meaningless between blocks. None if not recorded.
    preformatted
        Text as written of each region inside ``pre``, by its index, including the white space and
        the line breaks before it.
    """

    url: str
    lang: str
    renderer: str
    viewport: tuple[int, int]
    metadata: Metadata
    elements: Elements
    text: Texts
    element: Integers32
    xpath: Texts
    breaks: Integers32
    boxes: Floats32
    comments: Texts = ()
    comment_places: Integers32 = msgspec.field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    spans: Integers32 | None = None
    joins: Flags | None = None
    preformatted: Mapping[int, str] = msgspec.field(default_factory=lambda: _NOTHING)
    provenance: Provenance = msgspec.field(default_factory=Provenance)

    def __len__(self) -> int:
        return len(self.text)

    def __iter__(self) -> Iterator[Region]:
        return (Region(self, i) for i in range(len(self)))

    def __repr__(self) -> str:
        name = shorten(self.url or self.title) or "without a name"
        return f"<Page {name!r}, {self.renderer}, {len(self):,} regions>"

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
        """Element name of each region: that of the text's parent, or of the media element."""
        tags = self.elements.tag
        return tuple([tags[i] for i in self.element.tolist()])

    @cached_property
    def attributes(self) -> tuple[Mapping[str, str], ...]:
        """Attributes of each region's element."""
        rows = self.elements.attributes
        return tuple([rows[i] for i in self.element.tolist()])

    @cached_property
    def is_media(self) -> Flags:
        """True where the region is an element of ``MEDIA``, shape (n_regions,)."""
        return np.fromiter(map(MEDIA.__contains__, self.tag), np.bool_, len(self))

    @cached_property
    def letters(self) -> Texts:
        """Text of each region, normalised by :func:`structce.language.normalise` for comparison."""
        return tuple(self._reading[0])

    @property
    def text_counts(self) -> Integers:
        """Counts of each text, shape (4, n_regions), see :func:`structce.language.read_texts`.

        The words counted a second time are those of stated headlines.
        """
        return self._reading[1]

    @cached_property
    def _reading(self) -> tuple[list[str], Integers]:
        headlines = split_texts(self.metadata.headlines)
        return read_texts(self.text, frozenset().union(*headlines), self.lang)

    @cached_property
    def styles(self) -> Mapping[str, StyleColumn]:
        """Computed style of each region's element, one column per property."""
        return {name: column[self.element] for name, column in self.elements.styles.items()}

    @cached_property
    def previous_comment(self) -> Integers32:
        """Index of the last comment before each region, or -1; shape (n_regions,)."""
        n_before = np.searchsorted(self.comment_places, np.arange(len(self)), side="right")
        return (n_before - 1).astype(np.int32)

    @cached_property
    def next_comment(self) -> Integers32:
        """Index of the first comment after each region, or -1; shape (n_regions,)."""
        following = self.previous_comment + 1
        return np.where(following < len(self.comments), following, -1).astype(np.int32)

    @cached_property
    def block_element(self) -> Integers32:
        """Index of the nearest block-level element of each region, shape (n_regions,)."""
        parent = self.elements.parent
        nearest = kernels.nearest(parent, self.elements.is_block | (parent < 0))
        return nearest[self.element].astype(np.int32)

    @cached_property
    def blocks(self) -> Integers32:
        """Block of each region, counted from 0 in reading order, shape (n_regions,).

        A block is text between two block-level boundaries (Kohlschuetter et al. 2010); two line
        breaks in a row are such a boundary, one is not.
        """
        changes = np.diff(self.block_element) != 0
        starts = np.cumsum(changes | (self.breaks[1:] > 1), dtype=np.int32)
        return np.concatenate((np.zeros(min(len(self), 1), dtype=np.int32), starts))


def shorten(text: str, n_characters: int = 60) -> str:
    """Return text on one line of at most ``n_characters``, cut between words if there are some."""
    line = " ".join(text[: 4 * n_characters].split())
    if len(line) <= n_characters:
        return line
    room = max(n_characters - 3, 0)
    end = line.rfind(" ", room - n_characters // 3, room + 1)
    return f"{line[: end if end > 0 else room]}..."


def site_of(url: str) -> str:
    """Return the registrable domain of an address, in lower case, without using the network.

    A host without one (``localhost``, an IP address) is returned whole, without ``www.``; an empty
    string if the address has no host.
    """
    host = split_address(url).hostname or ""
    return _registrable()(host) or host.removeprefix("www.")


@cache
def _registrable() -> Callable[[str], str]:
    import tldextract  # late: it takes a quarter of a second, and is seldom needed

    extract = tldextract.TLDExtract(suffix_list_urls=())
    return lambda host: extract(host).top_domain_under_public_suffix


def region_texts(page: Page) -> list[str]:
    """Return the compared start of each region's text, normalised; empty for media."""
    normalised = {text: normalise(text[:MAX_COMPARED_TEXT]) for text in set(page.text)}
    return [normalised[text] for text in page.text]


def region_files(page: Page) -> list[str]:
    """Return the path on the server of each media region's file, such as ``/images/logo.png``.

    Host and query differ between copies of one file. Empty for texts, if the address contains the
    data itself, or if only its query distinguishes files.
    """
    rows = zip(page.attributes, page.is_media.tolist(), strict=True)
    return [_file(attributes) if is_media else "" for attributes, is_media in rows]


def region_paths(page: Page) -> list[str]:
    """Return the names and classes from the root down to each region's element.

    An example is ``html/body/div.main/p``; a path longer than ``MAX_COMPARED_PATH`` characters is
    cut to its inner end. Classes of ``html`` and ``body`` are left out, since many name the page.
    """
    elements = page.elements
    paths: list[str] = []
    rows = zip(elements.tag, elements.attributes, elements.parents, strict=True)
    for tag, attributes, parent in rows:
        classes = attributes.get("class") if tag not in ("html", "body") else None
        step = ".".join((tag, *classes.split())) if classes else tag
        path = f"{paths[parent]}/{step}" if parent >= 0 else step
        paths.append(path[-MAX_COMPARED_PATH:])
    return [paths[i] for i in page.element.tolist()]


def _file(attributes: Mapping[str, str]) -> str:
    """Return the path of the first address that does not contain the data itself."""
    for name in _SOURCES:
        address = attributes.get(name, "").strip().partition(" ")[0]
        if not address or address.startswith(("data:", "blob:", "about:")):
            continue
        match = _PLACE.match(_HOST.sub("", unquote(address), count=1))
        if match and (not match[2] or _FILE.search(match[1])):
            return match[1][-MAX_COMPARED_TEXT:]
    return ""
