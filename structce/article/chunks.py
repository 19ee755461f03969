"""Chunks of an article: pieces for search and for language models, each with its place.

A body is divided into units, the smallest blocks that may stand alone: sentences, list items, table
rows, code, formulas. A chunk is a run of units, put together again to blocks.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from structce.article.blocks import Block, Inline, Line, Span, line_text, text_pieces, walk
from structce.article.structure import body_text
from structce.article.values import ArticleFields
from structce.errors import StructceError
from structce.language import CLOSING_MARKS, unescape, word_pattern
from structce.patterns import lazy_pattern
from structce.rendering import collapse

TokenCounter = Callable[[str], int]
"""Function that counts the tokens of a text."""

Form = Literal["text", "markdown"]

_CLOSING = re.escape(CLOSING_MARKS + "]」』）")
_SENTENCE_END = lazy_pattern(rf"\n|[.!?…]+[{_CLOSING}]*(?=\s)|[。！？]+[{_CLOSING}]*")
_ABBREVIATIONS = frozenset(
    "abb abs adm al approx art av bd bzw ca capt cf co col corp dept dr eg esp etc fig figs fr gen "
    "gov hr hrsg ie inc jr ltd lt mag max mgr min mio mme mr mrd mrs ms mt nos nr op pp prof pte "
    "rep resp rev sen sgt sr sra st str sta tel usw vgl vol vs".split()
)
"""Words before a full stop that seldom end a sentence; our choice."""

_REFERENCE_OR_CHARACTER = lazy_pattern(r"&#?\w+;?|.", re.DOTALL)


def count_words(text: str) -> int:
    """Return the number of words; each letter of a script without spaces counts as one."""
    return len(word_pattern().findall(text))


@dataclass(frozen=True)
class Chunk:
    """Piece of an article's text, with its place.

    Parameters
    ----------
    text
        Its words, one line per paragraph, list item or table row, or its Markdown.
    headings
        Title of the article, then the headings of the sections that it is in, outermost first.
    blocks
        Its blocks. One that the chunk contains only in part has the place of the whole.
    n_tokens
        Tokens of headings and text, as counted by the counter.
    regions
        Numbers of its regions, in reading order.
    xpath
        Place of its first region; empty if it was not read from a page.
    spans
        Places in the source of those regions of which it is known, in reading order.
    quote
        The words at these places, on one line, as the page shows them; without places it is empty.
    """

    text: str
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]
    n_tokens: int
    regions: tuple[int, ...]
    xpath: str
    spans: tuple[Span, ...]
    quote: str

    @property
    def content(self) -> str:
        """Headings and text, which is what should be indexed."""
        return "\n".join([*self.headings, self.text])

    @property
    def span(self) -> Span | None:
        """Place in the source from its first region to its last; None if unknown."""
        starts, ends = zip(*self.spans, strict=True) if self.spans else ((), ())
        return (min(starts), max(ends)) if starts else None

    def locate(self, html: str) -> Span | None:
        """Return where the quote begins and ends in the source of the page.

        That is narrower than :attr:`span` if the chunk begins or ends inside a region. None if the
        quote is empty, or is not in its place, which shows that the source has changed.
        """
        return locate_words(html, self.spans, self.quote)

    def to_dict(self) -> dict[str, object]:
        """Return the chunk as JSON values, with ``start`` and ``end`` of its span."""
        start, end = self.span or (None, None)
        return {
            "text": self.text,
            "headings": list(self.headings),
            "quote": self.quote,
            "n_tokens": self.n_tokens,
            "xpath": self.xpath,
            "start": start,
            "end": end,
            "regions": list(self.regions),
        }


def locate_words(html: str, spans: Iterable[Span], words: str) -> Span | None:
    """Return where words begin and end in the regions of a source at these places, in this order.

    Character references are resolved, and white space does not count. None if they are not there.
    """
    shown, places = "", list[Span]()
    for start, end in spans:
        for piece in _REFERENCE_OR_CHARACTER.finditer(html, start, end):
            letters = "".join(collapse(unescape(piece[0])).split())
            shown += letters
            places += [piece.span()] * len(letters)
    wanted = "".join(collapse(words).split())
    first = shown.find(wanted) if wanted else -1
    if first < 0:
        return None
    starts, ends = zip(*places[first : first + len(wanted)], strict=True)
    return min(starts), max(ends)


class Unit(NamedTuple):
    """Smallest block that may stand alone, inside the blocks around it, and its place among them.

    The path has its number in the body, then in each block, list item, ... that it is in.
    """

    path: tuple[int, ...]
    block: Block


def article_chunks(
    article: ArticleFields,
    max_tokens: int,
    *,
    counter: TokenCounter = count_words,
    overlap: int = 0,
    form: Form = "text",
) -> list[Chunk]:
    """Return the chunks of an article; see :meth:`structce.Article.chunks`."""
    if max_tokens < 1 or not 0 <= overlap < max_tokens:
        raise StructceError(
            f"chunks: max_tokens {max_tokens}, overlap {overlap}; expected max_tokens of 1 or more "
            "and an overlap from 0 to below it"
        )
    chunks: list[Chunk] = []
    for headings, units in _sections(article):
        head = "\n".join([*headings, ""])

        def n_tokens(first: int, end: int, before: str = "", units: list[Unit] = units) -> int:
            return counter(before + written(units[first:end], form))

        first = fresh = 0  # first unit of a chunk, and the first that no chunk before it contains
        while fresh < len(units):

            def fits(size: int, first: int = first, head: str = head) -> bool:
                return n_tokens(first, first + size, head) <= max_tokens

            end = first + longest_run(len(units) - first, fits)
            if end <= fresh:  # no room beside the overlap
                first = fresh
                continue
            inside = units[first:end]
            if text := written(inside, form):
                chunks.append(_chunk(inside, headings, text, counter(head + text)))
            before, first, fresh = first, end, end
            while overlap and first - 1 > before and n_tokens(first - 1, end) <= overlap:
                first -= 1
    return chunks


def body_units(blocks: Sequence[Block]) -> list[Unit]:
    """Return the units of a body, in reading order."""
    return [unit for n, block in enumerate(blocks) for unit in _units(block, (n,))]


def written(units: Iterable[Unit], form: Form) -> str:
    """Return units as text or Markdown."""
    blocks = blocks_of_units(units)
    if form == "text":
        return body_text(blocks)
    from structce.article.formats.markdown import markdown_blocks  # late: text needs it not

    return "\n\n".join(markdown_blocks(blocks))


def longest_run(n_units: int, fits: Callable[[int], bool]) -> int:
    """Return the greatest number of units that fit, by bisection; 1 if not even one does."""
    most = 2
    while most <= n_units and fits(most):
        most *= 2
    sizes = range(most // 2 + 1, min(most, n_units + 1))
    return most // 2 + bisect(sizes, 0, key=lambda size: not fits(size))


def _sections(article: ArticleFields) -> Iterator[tuple[tuple[str, ...], list[Unit]]]:
    """Yield the units between headings, with the headings above them.

    A heading with no text before the next heading of its level is a section by itself.
    """
    title = (article.title.value,) if article.title else ()
    sections: list[tuple[Block | None, list[Unit]]] = [(None, [])]
    for n, block in enumerate(article.body):
        if block.kind == "heading" and block.content:
            sections.append((block, []))
        else:
            sections[-1][1].extend(_units(block, (n,)))
    above: list[Block] = []
    for (heading, units), (following, _) in pairwise([*sections, (None, [])]):
        around = [*above]
        if heading is not None:
            around = [block for block in above if block.level < heading.level]
            above = [*around, heading]
        if not written(units, "text"):
            if heading is None or (following is not None and following.level > heading.level):
                continue
            units = [Unit((0,), heading)]
        else:
            around = above
        yield (*title, *(" ".join(block.content.split()) for block in around)), units


def _chunk(units: Sequence[Unit], headings: tuple[str, ...], text: str, n_tokens: int) -> Chunk:
    blocks = blocks_of_units(units)
    lines = [block.line for block in walk(blocks) if block.line and block.kind != "figure"]
    regions = [i for line in lines for inline in line for i in inline.regions]
    placed = [
        [
            inline._replace(text=inline.shown) if inline.kind == "formula" else inline
            for inline in line
            if len(inline.spans) == len(inline.regions) > 0
            and inline.kind in ("text", "code", "formula")
        ]
        for line in lines
    ]
    spans = [span for line in placed for inline in line for span in inline.spans]
    quote = " ".join(map(line_text, placed))
    return Chunk(
        text,
        headings,
        blocks,
        n_tokens,
        tuple(dict.fromkeys(regions)),
        next((inline.xpath for line in lines for inline in line if inline.xpath), ""),
        tuple(dict.fromkeys(spans)),
        " ".join(quote.split()),
    )


def _units(block: Block, path: tuple[int, ...]) -> Iterator[Unit]:
    """Yield the units of a block."""
    match block.kind:
        case "paragraph" | "heading" if block.line:
            for n, line in enumerate(sentences(block.line)):
                yield Unit((*path, n), replace(block, line=line))
        case "list":
            for n, item in enumerate(block.items):
                for k, inner in enumerate(item.blocks):
                    for unit in _units(inner, (*path, n, k)):
                        items = (replace(item, blocks=(unit.block,)),)
                        alone = replace(block, items=items, start=block.start + n)
                        yield Unit(unit.path, alone)
        case "definitions":  # a definition stands below its terms
            terms = [n for n, item in enumerate(block.items) if item.is_term]
            firsts = [n for n in terms if n - 1 not in terms]
            for n, end in pairwise([*firsts, len(block.items)]):
                yield Unit((*path, n), replace(block, items=block.items[n:end]))
        case "table" if block.rows:
            for n, row in enumerate(block.rows):
                yield Unit((*path, n), replace(block, line=() if n else block.line, rows=(row,)))
        case "quote" | "footnote":
            for n, inner in enumerate(block.blocks):
                for unit in _units(inner, (*path, n)):
                    yield Unit(unit.path, replace(block, blocks=(unit.block,)))
        case _:
            yield Unit(path, block)


def blocks_of_units(units: Iterable[Unit], depth: int = 0) -> tuple[Block, ...]:
    """Return the blocks of which units are parts, reduced to these units.

    ``depth`` is the position in a path of the number among these blocks.
    """
    runs = groupby(units, key=lambda unit: unit.path[depth])
    return tuple(_joined_block(list(run), depth + 1) for _, run in runs)


def _joined_block(units: Sequence[Unit], depth: int) -> Block:
    """Return the units of one block as one block."""
    block = units[0].block
    match block.kind:
        case "paragraph" | "heading":
            line = [inline for unit in units for inline in unit.block.line]
            while line and line[-1].kind == "break":
                line.pop()
            return replace(block, line=tuple(line))
        case "list":
            items = []
            for _, run in groupby(units, key=lambda unit: unit.path[depth]):
                inside = [(unit, unit.block.items[0]) for unit in run]
                inner = [unit._replace(block=item.blocks[0]) for unit, item in inside]
                items.append(replace(inside[0][1], blocks=blocks_of_units(inner, depth + 1)))
            return replace(block, items=tuple(items))
        case "definitions":
            return replace(block, items=tuple(item for unit in units for item in unit.block.items))
        case "table":
            return replace(block, rows=tuple(row for unit in units for row in unit.block.rows))
        case "quote" | "footnote" if block.blocks:
            inner = [unit._replace(block=unit.block.blocks[0]) for unit in units]
            return replace(block, blocks=blocks_of_units(inner, depth))
    return block


def sentences(line: Line) -> Iterator[Line]:
    """Yield the sentences of a line; code and formulas are never cut.

    A sentence ends before white space at a full stop, question mark, ..., unless a small letter
    follows, or a number, an initial or an abbreviation stands before the full stop; it also ends
    at a break.
    """
    pieces = list(text_pieces(line))
    ends = sentence_ends("".join(text for text, _ in pieces))
    sentence: list[Inline] = []
    position = 0
    for text, inline in pieces:
        start, position = position, position + len(text)
        if start in ends and inline.kind != "reference" and sentence:
            ends.discard(start)
            yield tuple(sentence)
            sentence = []
        inside = sorted(end for end in ends if start < end < position)
        rest, cut = inline, position - len(inline.text)
        for end in inside if inline.kind == "text" else ():
            words, others = rest.text[: end - cut], rest.text[end - cut :]
            yield (*sentence, rest._replace(text=words))
            sentence, cut = [], position - len(others.lstrip())
            rest = rest._replace(text=others.lstrip(), is_joined=not others[0].isspace())
        sentence.append(rest)
    if sentence:
        yield tuple(sentence)


def sentence_ends(text: str) -> set[int]:
    """Return the offsets in a text after the last character of each sentence."""
    ends = set[int]()
    for match in _SENTENCE_END.finditer(text):
        first = max(text.rfind(" ", 0, match.start()), text.rfind("\n", 0, match.start())) + 1
        word = text[first : match.start()].lstrip("([\"'“‘«")
        following = text[match.end() : match.end() + 40].lstrip()[:1]
        is_short = match[0] == "." and (
            (len(word) == 1 and word.isalpha())
            or (len(word) <= 2 and word.isdigit())
            or word.casefold().replace(".", "") in _ABBREVIATIONS
        )
        if match[0] == "\n" or not (following.islower() or is_short):
            ends.add(match.end())
    return ends
