"""Values of an article: the fields of a page and the blocks of its body, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from structce.page import Metadata

Span = tuple[int, int]
"""Offsets in the source of the first character and after the last one."""

Box = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels."""

_OFFSET = re.compile(r"(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$")  # what follows the seconds of a moment
_PRECISIONS = {4: "year", 7: "month", 10: "day", 16: "minute"}  # by length without the offset

BlockKind = Literal["paragraph", "heading", "list", "table", "quote", "code", "figure"]


@dataclass(frozen=True)
class FieldValue:
    """The value of one field of an article, and its place.

    Parameters
    ----------
    confidence
        Probability that the value is right, in [0, 1].
    xpath
        Address of its first region; None if only the page's metadata state it.
    source
        Where the value was read: ``region``, ``json-ld``, ``microdata``, ``og``, ``meta``,
        ``window`` (the ``title`` element), ``time``, ``address``, ...; empty if unknown.
    span
        Place in the source from its first region to its last; None if unknown.
    box
        Smallest box around its regions; None without layout.
    region
        Index of its first region.
    raw
        Words of the page from which the value was read, if different: a date as printed, a byline.
    clock_source
        Source of a moment's time of day if another source gives the day; otherwise empty.
    """

    value: str
    confidence: float
    xpath: str | None
    source: str = ""
    span: Span | None = None
    box: Box | None = None
    region: int | None = None
    raw: str = ""
    clock_source: str = ""

    @property
    def precision(self) -> str:
        """Precision of a moment: ``year``, ``month``, ``day``, ``minute`` or ``second``."""
        return _PRECISIONS.get(len(_OFFSET.sub("", self.value)), "second")


@dataclass(frozen=True)
class LabelledRegion:
    """Region of a page, with its label and place.

    Parameters
    ----------
    index
        Number of the region on its page, from 0.
    confidence
        Probability of the label, in [0, 1].
    text
        Visible text, white space collapsed; empty for media.
    span
        Place in the source; None if unknown.
    box
        Box of the region; None without layout.
    """

    index: int
    label: str
    confidence: float
    text: str
    xpath: str
    span: Span | None = None
    box: Box | None = None


@dataclass(frozen=True)
class Image:
    """Image of an article, with its address and alternative text.

    Parameters
    ----------
    address
        Absolute if the page's address is known; only ``http``, ``https`` and relative addresses.
        Empty if the page gives none.
    alt
        Alternative text for readers who cannot see the image.
    """

    address: str
    alt: str = ""
    region: int | None = None


@dataclass(frozen=True)
class Link:
    """Link in the characters from ``start`` to before ``end`` of a line, to an absolute address."""

    start: int
    end: int
    address: str


@dataclass(frozen=True)
class ListItem:
    """One item of a list: its blocks, which may be lists again."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Parameters
    ----------
    is_header
        Whether it is the heading of its row or column.
    n_columns, n_rows
        Number of columns and rows that it spans, at least 1.
    """

    text: str
    is_header: bool = False
    n_columns: int = 1
    n_rows: int = 1
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Block:
    """One block of an article's body.

    Parameters
    ----------
    content
        Text in one line; the text of code with line breaks; the caption of a figure. Empty for
        lists, tables and quotes.
    regions
        Indices of all its regions, including those of inner blocks, in the order of the page.
    xpath
        Address of its first region; empty for a block that was not read from a page.
    spans
        Places in the source, one per region whose place is known.
    box
        Smallest box around its regions; None without layout.
    confidence
        Least confidence of its regions, in [0, 1].
    level
        Level of a heading, 1 to 6.
    is_ordered, start
        Whether the items of a list are numbered, and the first number.
    items, rows, blocks, images
        Items of a list, rows of a table, blocks inside a quote, and images of a figure.
    links
        Links in the text of a paragraph or heading, in order.
    """

    kind: BlockKind
    content: str = ""
    regions: tuple[int, ...] = ()
    xpath: str = ""
    spans: tuple[Span, ...] = ()
    box: Box | None = None
    confidence: float = 1.0
    level: int = 0
    is_ordered: bool = False
    start: int = 1
    items: tuple[ListItem, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    blocks: tuple[Block, ...] = ()
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def inner(self) -> Iterator[Block]:
        """Blocks directly inside: those of a quote, or of a list's items."""
        yield from self.blocks
        for item in self.items:
            yield from item.blocks

    def walk(self) -> Iterator[Block]:
        """Yield the block and all blocks inside it, outermost first."""
        yield self
        for block in self.inner:
            yield from block.walk()

    @property
    def lines(self) -> Iterator[str]:
        """Lines of its text, without empty ones and captions: one per inner block or table row.

        Cells of a row are separated by tabs; code keeps its lines.
        """
        if self.kind == "code":
            yield from (line for line in self.content.split("\n") if line.strip())
        elif self.content and self.kind != "figure":
            yield self.content
        for row in self.rows:
            if line := "\t".join(cell.text for cell in row if cell.text):
                yield line
        for block in self.inner:
            yield from block.lines


@dataclass(frozen=True)
class Post:
    """One post of a forum thread.

    Parameters
    ----------
    text
        Words of the post, one line per block of the page.
    author, date
        Author and day or moment, in the format of an article's; None if not shown.
    regions
        Indices of all its regions, including those of author and day, in the order of the page.
    xpath
        Address of its first region.
    box
        Smallest box around its regions; None without layout.
    """

    text: str
    author: FieldValue | None = None
    date: FieldValue | None = None
    regions: tuple[int, ...] = ()
    xpath: str = ""
    box: Box | None = None


@dataclass(frozen=True)
class Access:
    """Access to an article: whether everyone may read its whole text, as its page says.

    Parameters
    ----------
    confidence
        Probability that this is right, in [0, 1].
    source
        ``json-ld``, ``microdata`` or ``meta`` if the page states it, ``region`` if words on the
        page ask for a subscription.
    reason, xpath
        These words and the address of their region; empty and None for a statement.
    """

    is_free: bool
    confidence: float
    source: str
    reason: str = ""
    xpath: str | None = None


@dataclass(frozen=True)
class NextPage:
    """The next page of a story, thread or listing.

    Parameters
    ----------
    address
        Absolute, ``http`` or ``https``, on the site of the page.
    confidence
        Probability that it continues the page, in [0, 1].
    reason
        Evidence beside the address: ``rel`` of the link, its ``words``, or its ``number``.
    xpath
        Address of the link's first region.
    """

    address: str
    confidence: float
    reason: str
    xpath: str


@dataclass(frozen=True)
class Item:
    """Entry of a listing, or a link to a related page.

    Parameters
    ----------
    title
        Text of its link or heading.
    address
        Address that it leads to, absolute if the page's address is known.
    date
        Day or moment in ISO 8601; empty if not shown.
    teaser
        Summary; empty if not shown.
    regions
        Indices of all its regions, in the order of the page.
    xpath
        Address of its title's first region.
    """

    title: str
    address: str
    date: str = ""
    teaser: str = ""
    regions: tuple[int, ...] = ()
    xpath: str = ""


@dataclass(frozen=True)
class Context:
    """Surroundings of an article's text, and the pages that it leads to.

    Parameters
    ----------
    access
        None if the page does not say whether the article is free to read.
    next_page
        None if the page links to no page that continues it, or has no address.
    comments
        Comments of readers, in the order of the page.
    related
        Links to other pages that the page recommends.
    items
        Entries of a listing or collection, in the order of the page; none on pages of other types.
    """

    access: Access | None = None
    next_page: NextPage | None = None
    comments: tuple[Post, ...] = ()
    related: tuple[Item, ...] = ()
    items: tuple[Item, ...] = ()


@dataclass(frozen=True)
class ArticleFields:
    """The fields of an article and what follows from them; see :class:`structce.Article`."""

    url: str
    title: FieldValue | None = None
    authors: tuple[FieldValue, ...] = ()
    date: FieldValue | None = None
    text: str = ""
    modified: FieldValue | None = None
    language: FieldValue | None = None
    page_type: FieldValue | None = None
    blocks: tuple[Block, ...] = ()
    quality: float | None = None
    site_name: FieldValue | None = None
    description: FieldValue | None = None
    main_image: FieldValue | None = None
    canonical_url: str = ""
    regions: tuple[LabelledRegion, ...] = ()
    posts: tuple[Post, ...] = ()
    context: Context | None = None
    further_pages: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=Metadata, compare=False)

    @property
    def body(self) -> tuple[Block, ...]:
        """The blocks; if the article has only text, one paragraph per line of it."""
        lines = () if self.blocks else self.text.splitlines()
        return self.blocks or tuple(Block("paragraph", line) for line in lines if line.strip())

    @cached_property
    def figures(self) -> tuple[Block, ...]:
        """Figures of the body with their captions, including those inside other blocks."""
        return tuple(block for top in self.blocks for block in top.walk() if block.kind == "figure")

    @property
    def images(self) -> tuple[Image, ...]:
        """Images of the body."""
        return tuple(image for figure in self.figures for image in figure.images)

    @property
    def captions(self) -> tuple[str, ...]:
        """Captions of the figures, without empty ones."""
        return tuple(figure.content for figure in self.figures if figure.content)

    @cached_property
    def sections(self) -> tuple[Block, ...]:
        """Headings of the body, in reading order."""
        return tuple(
            block for top in self.blocks for block in top.walk() if block.kind == "heading"
        )
