"""Tree of an article's body: blocks, such as paragraphs and lists, of lines of inlines.

Text, Markdown, HTML and records are walks over this tree. A line is flat: each inline has the
marks around it, outermost first; :func:`nested` is the same line as a tree of marks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from structce.patterns import lazy_pattern

Span = tuple[int, int]
"""Offsets in the source of the first character and after the last one."""

Box = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels."""

BlockKind = Literal[
    "paragraph", "heading", "list", "definitions", "quote", "code", "table", "figure", "formula",
    "footnote", "rule",
]  # fmt: skip
InlineKind = Literal["text", "code", "formula", "image", "reference", "break"]
MarkKind = Literal["link", "strong", "emphasis", "deleted", "inserted", "sub", "sup"]
Part = Literal["links", "images", "marks", "tables", "fields"]
"""Part of a document that can be left out; of links and marks the words stay.

``fields`` are the title, authors, date and other fields at its head.
"""

_LINE_ENDS = lazy_pattern("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = lazy_pattern(r"\s+")
_UNPRINTABLE = lazy_pattern("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class Image(msgspec.Struct, frozen=True):
    """Image of an article, with its address and alternative text."""

    address: str  # absolute if the page's address is known; empty if the page gives none
    alt: str = ""
    region: int | None = None


class Mark(msgspec.Struct, frozen=True):
    """Mark around words: bold type, a link, ..."""

    kind: MarkKind
    address: str = ""  # absolute address that a link leads to
    element: int = -1  # index on the page, so that two marks side by side stay two; -1 if unknown


class Inline(NamedTuple):
    """Piece of a line: words with the same marks, or something that stands between words.

    Its text is words; code; a formula as TeX if the page states it so, else as shown; alternative
    text of an image; a footnote's reference as printed; a line feed for a break.
    """

    kind: InlineKind = "text"
    text: str = ""
    marks: tuple[Mark, ...] = ()  # outermost first
    is_joined: bool = True  # whether no space separates it from the piece before it
    address: str = ""  # of an image; name of the footnote that a reference leads to
    regions: tuple[int, ...] = ()
    xpath: str = ""  # of its first region; empty if it was not read from a page
    spans: tuple[Span, ...] = ()  # one per region whose place in the source is known
    tex: str = ""  # of a formula, stated or read from its MathML
    shown: str = ""  # words of a formula on the page; its text may be TeX


Line = tuple[Inline, ...]
Node = Inline | tuple[Mark, "list[Node]"]
"""Inline without its marks, or a mark and what is inside it."""


def plain_line(text: str) -> Line:
    """Return a text as a line without marks."""
    return (Inline("text", text),) if text else ()


def line_text(line: Sequence[Inline]) -> str:
    """Return the words of a line, with a line feed at each break.

    Images and references to footnotes add nothing.
    """
    if len(line) == 1 and line[0].kind == "text":  # most lines
        return line[0].text
    return "".join(text for text, _ in text_pieces(line))


def text_pieces(line: Iterable[Inline]) -> Iterator[tuple[str, Inline]]:
    """Yield the text that each inline adds to :func:`line_text`, with the space before it."""
    is_apart, is_start = False, True
    for inline in line:
        is_apart |= not inline.is_joined
        if inline.kind in ("image", "reference") or not inline.text:
            yield "", inline
            continue
        has_space = is_apart and not is_start and inline.kind != "break"
        yield f" {inline.text}" if has_space else inline.text, inline
        is_apart, is_start = False, inline.text.endswith("\n")


def shared_marks(first: Inline, second: Inline) -> tuple[Mark, ...]:
    """Return the marks around both of two inlines."""
    pairs = zip(first.marks, second.marks, strict=False)
    return tuple(mark for mark, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def nested(line: Sequence[Inline]) -> list[Node]:
    """Return a line as a tree of marks, with the spaces between its pieces as texts."""
    spaced: list[Inline] = []
    for inline in line:
        if spaced and not inline.is_joined and "break" not in (inline.kind, spaced[-1].kind):
            spaced.append(Inline("text", " ", shared_marks(spaced[-1], inline)))
        spaced.append(inline)
    return _nested(_merged(spaced), 0)


def _merged(line: Iterable[Inline]) -> Iterator[Inline]:
    """Yield inlines with neighbouring texts of equal marks as one."""
    for (kind, marks), run in groupby(line, lambda inline: (inline.kind, inline.marks)):
        if kind == "text":
            yield Inline("text", "".join(inline.text for inline in run), marks)
        else:
            yield from run


def _nested(line: Iterable[Inline], depth: int) -> list[Node]:
    nodes: list[Node] = []
    for marks, run in groupby(line, lambda inline: inline.marks[depth : depth + 1]):
        inside = list(run)
        nodes += [(marks[0], _nested(inside, depth + 1))] if marks else inside
    return nodes


class ListItem(msgspec.Struct, frozen=True):
    """Item of a list: its blocks, which may be lists again."""

    blocks: tuple[Block, ...]
    is_checked: bool | None = None  # None without a checkbox
    is_term: bool = False  # of a definition list, not a definition


class Cell(msgspec.Struct, frozen=True):
    """Cell of a table, with the numbers of columns and rows that it spans."""

    blocks: tuple[Block, ...] = ()
    is_header: bool = False
    n_columns: int = 1
    n_rows: int = 1

    @property
    def text(self) -> str:
        """Its words in one line."""
        lines = (line for block in self.blocks for line in block.lines)
        return " ".join(" ".join(lines).split())

    @property
    def line(self) -> Line:
        """Its blocks as one line, separated by breaks."""
        return joined_lines(
            (
                *(Inline("image", image.alt, address=image.address) for image in block.images),
                *block.line,
            )
            for block in walk(self.blocks)
        )


def joined_lines(lines: Iterable[Line]) -> Line:
    """Return the lines that are not empty as one, with breaks between them."""
    line: list[Inline] = []
    for inlines in lines:
        if inlines:
            line += [Inline("break", "\n"), *inlines] if line else inlines
    return tuple(line)


class Block(msgspec.Struct, frozen=True):
    """Block of an article's body, with the fields of its kind."""

    kind: BlockKind
    line: Line = ()  # of a paragraph, heading or formula; caption of a figure or table; code
    regions: tuple[int, ...] = ()  # all, including those of inner blocks, in the order of the page
    xpath: str = ""  # of its first region; empty for a block that was not read from a page
    spans: tuple[Span, ...] = ()  # one per region whose place in the source is known
    box: Box | None = None  # smallest box around its regions; None without layout
    confidence: float = 1.0  # least of its regions, in [0, 1]
    level: int = 0  # of a heading, 1 to 6
    is_ordered: bool = False
    start: int = 1  # first number of an ordered list
    items: tuple[ListItem, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    blocks: tuple[Block, ...] = ()  # inside a quote or footnote
    images: tuple[Image, ...] = ()
    name: str = ""  # programming language of code, or name of a footnote; empty if unknown

    @property
    def content(self) -> str:
        """Words of its line; see :func:`line_text`."""
        return line_text(self.line)

    @property
    def inner(self) -> Iterator[Block]:
        """Blocks directly inside: those of a quote, of a list's items, or of a table's cells."""
        yield from self.blocks
        for item in self.items:
            yield from item.blocks
        for row in self.rows:
            for cell in row:
                yield from cell.blocks

    def walk(self) -> Iterator[Block]:
        """Yield the block and all blocks inside it, outermost first."""
        return walk([self])

    @property
    def lines(self) -> list[str]:
        """Lines of its text, without captions of figures: one per inner block or table row.

        Cells of a row are separated by tabs. Code keeps its lines, and a break ends one.
        """
        content = self.content if self.line and self.kind != "figure" else ""
        lines = content.split("\n") if content else []
        for row in self.rows:
            if any(texts := [cell.text for cell in row]):
                lines.append("\t".join(texts))
        if self.blocks or self.items:
            for blocks in (self.blocks, *[item.blocks for item in self.items]):
                for block in blocks:
                    lines += block.lines
        return lines


def walk(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks and all blocks inside them, outermost first."""
    for block in blocks:
        yield block
        yield from walk(block.inner)


def map_inner_blocks(
    block: Block, change: Callable[[tuple[Block, ...]], tuple[Block, ...]]
) -> Block:
    """Return a block with a function applied to each tuple of blocks directly inside it."""
    return replace(
        block,
        blocks=change(block.blocks),
        items=tuple(replace(item, blocks=change(item.blocks)) for item in block.items),
        rows=tuple(
            tuple(replace(cell, blocks=change(cell.blocks)) for cell in row) for row in block.rows
        ),
    )


def without_places(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return blocks without their places on their page."""
    return tuple(
        replace(
            map_inner_blocks(block, without_places),
            line=tuple(inline._replace(regions=(), xpath="", spans=()) for inline in block.line),
            regions=(),
            xpath="",
            spans=(),
            box=None,
            images=tuple(Image(image.address, image.alt) for image in block.images),
        )
        for block in blocks
    )


def without(blocks: Iterable[Block], left_out: Collection[Part]) -> tuple[Block, ...]:
    """Return blocks without some kinds of parts; of links and marks the words stay."""
    if not left_out:
        return tuple(blocks)
    kinds = {"tables": "table", "images": "figure"}
    hidden = {kind for part, kind in kinds.items() if part in left_out}
    return tuple(
        replace(
            map_inner_blocks(block, lambda inner: without(inner, left_out)),
            line=block.line if block.kind == "code" else _reduced_line(block.line, left_out),
        )
        for block in blocks
        if block.kind not in hidden
    )


def _reduced_line(line: Line, left_out: Collection[Part]) -> Line:
    def stays(mark: Mark) -> bool:
        return ("links" if mark.kind == "link" else "marks") not in left_out

    return tuple(
        inline._replace(
            kind="text" if inline.kind == "code" and "marks" in left_out else inline.kind,
            marks=tuple(filter(stays, inline.marks)),
        )
        for inline in line
        if inline.kind != "image" or "images" not in left_out
    )


def printable(text: str) -> str:
    """Return a text with control characters and lone surrogates replaced by U+FFFD.

    Characters that both XML 1.0 and HTML allow are kept; all kinds of line ends become line feeds.
    """
    if text.isprintable():  # most are, and need no pattern
        return text
    return _UNPRINTABLE.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def spaced(text: str) -> str:
    """Return a printable text with each run of white space as one space, also at its ends."""
    return _SPACES.sub(" ", printable(text))


def in_one_line(text: str) -> str:
    """Return a printable text in one line, with each run of white space as one space."""
    return " ".join(printable(text).split())
