"""Articles as values: the fields of a page and the blocks of its body, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Literal

from structce.io import encode_json, json_line
from structce.metadata import Metadata
from structce.page import shorten

Span = tuple[int, int]
"""First character in the source and the one behind the last."""

Box = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels."""

_OFFSET = re.compile(r"(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$")  # behind the seconds of a moment
_PRECISIONS = {4: "year", 7: "month", 10: "day", 16: "minute"}  # by characters without it

BlockKind = Literal["paragraph", "heading", "list", "table", "quote", "code", "figure"]


@dataclass(frozen=True)
class FieldValue:
    """The value of one field of an article, and its place.

    Parameters
    ----------
    confidence
        Probability that the value is right, in [0, 1].
    xpath
        Address of its first region; None if only the page's metadata states it.
    source
        What gave the value: ``region``, ``json-ld``, ``microdata``, ``og``, ``meta``, ``window``
        (the ``title`` element), ``time``, ``address``, ...; empty where nobody says.
    span
        Its first region to its last in the source; None without a region, or where the source was
        not looked at.
    box
        Smallest box around its regions; None without layout.
    region
        Index of its first region.
    raw
        The words of the page that the value was read from: a date as it is printed, a byline;
        empty where they are the value itself.
    clock_source
        Of a moment, what gave its time of day where another source gave the day: the page shows a
        day, and ``json-ld`` states the hour. Else empty.
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
        """Of a moment, how exact it is: ``year``, ``month``, ``day``, ``minute`` or ``second``."""
        return _PRECISIONS.get(len(_OFFSET.sub("", self.value)), "second")


@dataclass(frozen=True)
class LabelledRegion:
    """A region of the page with its label, and where it stands.

    Parameters
    ----------
    index
        Number of the region on its page, from 0.
    confidence
        Probability of the label, in [0, 1].
    text
        Visible text, white space collapsed; empty for media.
    xpath
        Address of its node.
    span
        Its place in the source; None where it has none.
    box
        None without layout.
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
    """An image of an article, with what its page says of it.

    Parameters
    ----------
    address
        Absolute if the page's address is known; only ``http``, ``https`` and relative addresses.
        Empty where the page names none.
    alt
        Text for those who cannot see it.
    region
        Index of its region.
    """

    address: str
    alt: str = ""
    region: int | None = None


@dataclass(frozen=True)
class Link:
    """Link in a line of text: its place, and where it leads.

    Parameters
    ----------
    start, end
        Of its characters in the line.
    address
        Absolute, ``http`` or ``https``.
    """

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
        It names its row or its column.
    n_columns, n_rows
        Columns and rows that it takes, at least 1.
    links
        In its text, in order.
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
    kind
        ``paragraph``, ``heading``, ``list``, ``table``, ``quote``, ``code`` or ``figure``.
    content
        Own text in one line; of code with its line breaks; of a figure its caption. Empty for
        lists, tables and quotes.
    regions
        Indices of all its regions, those of inner blocks included, in the order of the page.
    xpath
        Address of its first region; empty for a block that was made by hand.
    spans
        Places of its regions in the source, one a region that has one.
    box
        Smallest box around its regions; None without layout.
    confidence
        Least confidence of its regions, in [0, 1].
    level
        Of a heading, 1 to 6.
    is_ordered, start
        Of a list: whether its items are numbered, and the first number.
    items
        Of a list.
    rows
        Of a table.
    blocks
        Of a quote.
    images
        Of a figure.
    links
        In the own text of a paragraph or heading, in order.
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
        """Blocks right inside: those of a quote, or of a list's items."""
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
        """Lines of its text: one a block inside, one a row of a table, none that is empty.

        Cells of a row are parted by a tab. Code has the lines that it has on the page. The caption
        of a figure is no part of the text.
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
    """One post of a forum's thread.

    Parameters
    ----------
    text
        Its words, one line a block of the page.
    author, date
        Who wrote it and when, where the page shows that; a day or moment as of the article.
    regions
        Indices of all its regions, in the order of the page, those of its author and day included.
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
class Article:
    """The fields of an article; None or empty where nothing was found.

    Parameters
    ----------
    date
        Moment of publication in ISO 8601: ``2026-03-14T09:30:00+01:00``, or the day alone.
    text
        The body, one line a paragraph, heading, item of a list or row of a table: what
        :func:`structce.article.body_text` gives of the blocks.
    modified
        Moment of the last change, written as the date.
    language
        Language of the body as in BCP 47: ``de``, ``pt-BR``.
    page_type
        ``article``, ``forum``, ``product``, ``listing``, ``documentation``, ``service``,
        ``collection``.
    blocks
        The body in reading order.
    quality
        Probability that the page can be trusted as it is given here, in [0, 1].
    site_name
        Name of the site or the publisher.
    description
        What the page states as its summary.
    main_image
        Address of the image that stands for the page.
    canonical_url
        Address that the page gives as its own; empty where it gives none.
    regions
        The regions of the page that have a label, the background left out.
    posts
        Posts of a forum's thread, in the order of the page; the text is theirs.
    metadata
        What the document states of itself: ``title`` and ``meta`` elements, JSON-LD, ...
    """

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
    metadata: Metadata = field(default_factory=Metadata, compare=False)

    def __repr__(self) -> str:
        names = ", ".join(author.value for author in self.authors)
        told = [repr(shorten(value)) for one in (self.title, names) if (value := _text(one))]
        told += [self.date.value] if self.date else []
        return f"<Article {', '.join([*told, f'{len(self.text):,} characters'])}>"

    def _repr_html_(self) -> str:
        """Return the card that a notebook shows."""
        card: str = _formats().to_card(self)
        return card

    def to_dict(self, *, has_blocks: bool = True) -> dict[str, object]:
        """Return the article as values of JSON, as ``structce label`` writes them.

        Parameters
        ----------
        has_blocks
            Whether the blocks of the body are listed, which takes as much room again as the text.
        """
        record = _formats().article_record(self, has_blocks=has_blocks)
        regions = [_formats().region_record(one) for one in self.regions]
        return {"url": self.url, **record, "regions": regions}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return :meth:`to_dict` as JSON, on one line without an indent."""
        record = self.to_dict()
        return json_line(record) if indent is None else encode_json(record, indent=indent).decode()

    def to_markdown(self) -> str:
        """Return the article as Markdown, its fields in a YAML header."""
        text: str = _formats().to_markdown(self)
        return text

    @property
    def body(self) -> tuple[Block, ...]:
        """The blocks; of an article that has text alone, a paragraph for each line of it."""
        lines = () if self.blocks else self.text.splitlines()
        return self.blocks or tuple(Block("paragraph", line) for line in lines if line.strip())

    @cached_property
    def figures(self) -> tuple[Block, ...]:
        """Figures of the body, with their captions, those inside other blocks included."""
        return tuple(one for top in self.blocks for one in top.walk() if one.kind == "figure")

    @property
    def images(self) -> tuple[Image, ...]:
        """Images of the body."""
        return tuple(image for figure in self.figures for image in figure.images)

    @property
    def captions(self) -> tuple[str, ...]:
        """Captions of the figures, empty ones left out."""
        return tuple(figure.content for figure in self.figures if figure.content)

    @cached_property
    def sections(self) -> tuple[Block, ...]:
        """Headings of the body, in reading order."""
        return tuple(one for top in self.blocks for one in top.walk() if one.kind == "heading")


def _formats() -> ModuleType:
    """Return the package of forms, by its name: it is made of articles, and imports this one."""
    return import_module("structce.article.formats")


def _text(value: FieldValue | str | None) -> str:
    return value.value if isinstance(value, FieldValue) else value or ""
