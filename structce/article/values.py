"""Values of an article: the fields of a page and the blocks of its body, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from structce.article.blocks import Block, Box, Image, Span, plain_line
from structce.page import Metadata

DOUBTFUL = 0.5
"""Confidence below which a value is left out of tables, text and Markdown, and marked in JSON."""

_OFFSET = re.compile(r"(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$")  # what follows the seconds of a moment
_PRECISIONS = {4: "year", 7: "month", 10: "day", 16: "minute"}  # by length without the offset


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
    """Entry of a listing.

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
    items
        Entries of a listing or collection, in the order of the page; none on pages of other types.
    """

    access: Access | None = None
    next_page: NextPage | None = None
    comments: tuple[Post, ...] = ()
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
        return self.blocks or tuple(
            Block("paragraph", plain_line(line)) for line in lines if line.strip()
        )

    @cached_property
    def figures(self) -> tuple[Block, ...]:
        """Figures of the body with their captions, including those inside other blocks."""
        return tuple(block for top in self.blocks for block in top.walk() if block.kind == "figure")

    @property
    def images(self) -> tuple[Image, ...]:
        """Images of the body: those of its figures, then those inside its lines."""
        lines = (inline for top in self.blocks for block in top.walk() for inline in block.line)
        return (
            *(image for figure in self.figures for image in figure.images),
            *(
                Image(inline.address, inline.text, inline.regions[0] if inline.regions else None)
                for inline in lines
                if inline.kind == "image"
            ),
        )

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
