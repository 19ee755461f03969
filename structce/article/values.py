"""Values of an article: the fields of a page and the blocks of its body, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import msgspec

from structce.article.blocks import Block, Box, Image, Span, plain_line, walk
from structce.page import Metadata
from structce.patterns import lazy_pattern

DOUBTFUL = 0.5
"""Confidence below which a value is left out of tables, text and Markdown, and marked in JSON."""

_OFFSET = lazy_pattern(r"(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$")  # what follows the seconds of a moment
_PRECISIONS = {4: "year", 7: "month", 10: "day", 16: "minute"}  # by length without the offset


class FieldValue(msgspec.Struct, frozen=True):
    """Value of one field of an article, and its place.

    Parameters
    ----------
    source
        Where the value was read: ``region``, ``json-ld``, ``microdata``, ``og``, ``meta``,
        ``window`` (the ``title`` element), ``time``, ``address``, ...; empty if unknown.
    raw
        Words of the page from which the value was read, if different: a date as printed, a byline.
    clock_source
        Source of a moment's time of day if another source gives the day; otherwise empty.
    """

    value: str
    confidence: float  # probability that the value is right, in [0, 1]
    xpath: str | None  # of its first region; None if only the page's metadata state it
    source: str = ""
    span: Span | None = None  # from its first region to its last; None if unknown
    box: Box | None = None  # smallest box around its regions; None without layout
    region: int | None = None  # index of its first region
    raw: str = ""
    clock_source: str = ""

    def __str__(self) -> str:
        return self.value

    @property
    def precision(self) -> str:
        """Precision of a moment: ``year``, ``month``, ``day``, ``minute`` or ``second``."""
        return _PRECISIONS.get(len(_OFFSET.sub("", self.value)), "second")


class LabelledRegion(msgspec.Struct, frozen=True):
    """Region of a page, with its label and place."""

    index: int
    label: str
    confidence: float  # probability of the label, in [0, 1]
    text: str  # visible text, white space collapsed; empty for media
    xpath: str
    span: Span | None = None
    box: Box | None = None


class Post(msgspec.Struct, frozen=True):
    """Post of a forum thread, or comment of a reader."""

    text: str  # one line per block of the page
    author: FieldValue | None = None
    date: FieldValue | None = None
    regions: tuple[int, ...] = ()  # all, in the order of the page
    xpath: str = ""  # of its first region
    box: Box | None = None


class Access(msgspec.Struct, frozen=True):
    """Access to an article: whether everyone may read its whole text, as its page says."""

    is_free: bool
    confidence: float
    source: str  # "json-ld", "microdata", "meta", or "region" for words that ask for a subscription
    reason: str = ""  # these words
    xpath: str | None = None


class NextPage(msgspec.Struct, frozen=True):
    """Page that continues a story, thread or listing."""

    address: str  # absolute, on the site of the page
    confidence: float
    reason: str  # evidence beside the address: "rel" of the link, its "words", or its "number"
    xpath: str  # of the link's first region


class Context(msgspec.Struct, frozen=True):
    """Surroundings of an article's text, and the pages that it leads to.

    Access is None if the page does not say whether the article is free to read.
    """

    access: Access | None = None
    next_page: NextPage | None = None
    comments: tuple[Post, ...] = ()


VerdictKind = Literal["read", "partial", "shell", "wall", "error page", "not a document"]
"""Kinds of verdicts on a page."""


class Verdict(msgspec.Struct, frozen=True):
    """Verdict on a page: whether its text was read, and if not, what stands there instead.

    Parameters
    ----------
    kind
        ``read``; ``partial`` if the text is doubtful or only a part; ``shell`` if scripts write the
        content; ``wall`` if consent, log-in, a subscription or a test for robots is asked for
        instead; ``error page``; ``not a document`` if nobody wrote a text there.
    reason
        The evidence, in words.
    risk
        Least of :data:`structce.article.RISKS` at which the page is kept; None if it is kept at
        none, or the model has no table of risks. See :mod:`structce.article.quality`.
    """

    kind: VerdictKind
    reason: str
    risk: float | None = None

    def is_sure(self, risk: float) -> bool:
        """Return whether the page is among those of which at most this share is read wrongly."""
        return self.risk is not None and self.risk <= risk


class TextSource(msgspec.Struct, frozen=True):
    """Place of a text that stands only in the data of a script.

    ``script`` is ``ld+json``, the script's id, or the variable that it sets; ``pointer`` the place
    in its data (JSON pointer, RFC 6901); ``span`` the script's content in the source.
    """

    script: str
    pointer: str
    span: Span


@dataclass(frozen=True)
class ArticleFields:
    """Fields of an article and what follows from them; see :class:`structce.Article`."""

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
    values: Mapping[str, FieldValue] = field(default_factory=dict)
    verdict: Verdict | None = None
    text_source: TextSource | None = None
    metadata: Metadata = field(default_factory=Metadata, compare=False)

    @property
    def body(self) -> tuple[Block, ...]:
        """The blocks; if the article has only text, one paragraph per line of it."""
        lines = () if self.blocks else filter(str.strip, self.text.splitlines())
        return self.blocks or tuple(Block("paragraph", plain_line(line)) for line in lines)

    def _blocks_of(self, kind: str) -> tuple[Block, ...]:
        return tuple(block for block in walk(self.blocks) if block.kind == kind)

    @cached_property
    def figures(self) -> tuple[Block, ...]:
        """Figures of the body with their captions, including those inside other blocks."""
        return self._blocks_of("figure")

    @cached_property
    def sections(self) -> tuple[Block, ...]:
        """Headings of the body, in reading order."""
        return self._blocks_of("heading")

    @property
    def images(self) -> tuple[Image, ...]:
        """Images of the body: those of its figures, then those inside its lines."""
        inlines = (inline for block in walk(self.blocks) for inline in block.line)
        return (
            *(image for figure in self.figures for image in figure.images),
            *(
                Image(inline.address, inline.text, next(iter(inline.regions), None))
                for inline in inlines
                if inline.kind == "image"
            ),
        )

    @property
    def captions(self) -> tuple[str, ...]:
        """Captions of the figures, without empty ones."""
        return tuple(figure.content for figure in self.figures if figure.content)
