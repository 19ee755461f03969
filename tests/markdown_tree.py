"""Markdown as a tree, by another parser, and the tree of blocks that Markdown can express.

Both are nested tuples: ``("p", line)``, ``("h", level, line)``, ``("list", start, items)``, ...; a
line is a tuple of ``(kind, text, marks)``. Tables lose their spans, cells and terms are lines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from structce.article.blocks import (
    Block,
    Inline,
    Line,
    in_one_line,
    joined_lines,
    nested,
    printable,
    spaced,
)
from structce.article.formats.markdown import table_lines
from structce.article.images import checked_address

PARSER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin)
    .use(deflist_plugin)
)
MARKS = {"strong": "strong", "em": "emphasis", "s": "deleted"}
TAGS = {"strong": "strong", "em": "emphasis", "del": "deleted", "ins": "inserted"}
TAGS |= {"sub": "sub", "sup": "sup"}
Piece = tuple[str, str, tuple[tuple[str, str], ...]]
Tree = tuple[object, ...]


def address_of(address: str) -> str:
    checked = checked_address(address).replace("(", "%28").replace(")", "%29")
    return PARSER.normalizeLink(checked)


def tidied(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Pieces with equal neighbours as one, and without spaces and breaks at line ends."""
    line: list[Piece] = []
    for kind, text, marks in pieces:
        if kind == "break":
            while line and line[-1][0] == "text" and not line[-1][1].strip():
                line.pop()
            if not line or line[-1][0] == "break":
                continue
        at_start = not line or line[-1][0] == "break"
        if kind == "text" and line and line[-1][0] == "text" and line[-1][2] == marks:
            line[-1] = ("text", line[-1][1] + text, marks)
        elif kind != "text" or (text.lstrip() if at_start else text):
            line.append((kind, text.lstrip() if at_start and kind == "text" else text, marks))
    result: list[Piece] = []
    for n, (kind, text, marks) in enumerate(line):
        at_end = n + 1 == len(line) or line[n + 1][0] == "break"
        shown = re.sub(r"\s+", " ", text) if kind == "text" else text
        shown = shown.rstrip() if at_end and kind == "text" else shown
        if shown or kind != "text":
            result.append((kind, shown, () if kind == "break" else marks))
    while result and result[-1][0] == "break":
        result.pop()
    return tuple(result)


def parsed(markdown: str) -> Tree:
    """The tree of a Markdown document without front matter; its footnotes come last."""
    tokens = PARSER.parse(markdown)
    return tuple(_parsed_blocks(iter(tokens), ""))


def _parsed_blocks(tokens: Iterator[Token], end: str) -> Iterator[Tree]:
    for token in tokens:
        if token.type == end:
            return
        match token.type:
            case "paragraph_open":
                if line := tidied(_parsed_line(next(tokens).children or [])):
                    yield ("p", line)
                while next(tokens).type != "paragraph_close":
                    pass  # where a footnote leads back to
            case "heading_open":
                yield ("h", int(token.tag[1]), tidied(_parsed_line(next(tokens).children or [])))
                next(tokens)
            case "fence":
                yield ("code", token.info, token.content.removesuffix("\n"))
            case "math_block":
                yield ("formula", token.content.strip())
            case "hr":
                yield ("rule",)
            case "blockquote_open":
                yield ("quote", *_parsed_blocks(tokens, "blockquote_close"))
            case "bullet_list_open":
                yield ("list", None, *_parsed_items(tokens, "bullet_list_close"))
            case "ordered_list_open":
                start = int(token.attrGet("start") or 1) if token.attrGet("start") != 0 else 0
                yield ("list", start, *_parsed_items(tokens, "ordered_list_close"))
            case "dl_open":
                yield ("definitions", *_parsed_items(tokens, "dl_close"))
            case "table_open":
                yield ("table", *_parsed_rows(tokens))
            case "footnote_block_open":
                notes = _parsed_blocks(tokens, "footnote_block_close")
                yield from sorted(notes, key=lambda tree: str(tree[1]))
            case "footnote_open":
                name = token.meta["label"]
                yield ("footnote", name, *_parsed_blocks(tokens, "footnote_close"))
            case "footnote_anchor":
                pass
            case "html_block" if token.content.startswith("<!--"):
                pass
            case _:
                yield (f"unexpected {token.type}", token.content)


def _parsed_items(tokens: Iterator[Token], end: str) -> Iterator[Tree]:
    for token in tokens:
        if token.type == end:
            return
        if token.type == "dt_open":
            yield ("dt", tidied(_parsed_line(next(tokens).children or [])))
            next(tokens)
        else:
            inside = tuple(_parsed_blocks(tokens, token.type.replace("_open", "_close")))
            yield ("dd" if token.type == "dd_open" else "item", *inside)


def _parsed_rows(tokens: Iterator[Token]) -> Iterator[Tree]:
    row: list[object] = []
    for token in tokens:
        if token.type == "table_close":
            return
        if token.type == "inline":
            row.append(tidied(_parsed_line(token.children or [])))
        elif token.type == "tr_close":
            yield tuple(row)
            row = []


def _parsed_line(tokens: Sequence[Token]) -> Iterator[Piece]:
    marks: list[tuple[str, str]] = []
    for token in tokens:
        match token.type:
            case "text":
                yield ("text", token.content, tuple(marks))
            case "code_inline":
                yield ("code", token.content, tuple(marks))
            case "math_inline":
                yield ("formula", token.content, tuple(marks))
            case "hardbreak":
                yield ("break", "", tuple(marks))
            case "footnote_ref":
                yield ("reference", token.meta["label"], tuple(marks))
            case "image":
                alt = "".join(child.content for child in token.children or [])
                yield ("image", f"{token.attrGet('src')} {alt}", tuple(marks))
            case "link_open":
                marks.append(("link", str(token.attrGet("href"))))
            case "html_inline" if token.content == "<br>":
                yield ("break", "", tuple(marks))
            case "html_inline" if token.content.startswith("<!--"):
                pass
            case "html_inline" if token.content.strip("</>") in TAGS:
                name = (TAGS[token.content.strip("</>")], "")
                if token.content.startswith("</"):
                    assert marks.pop() == name
                else:
                    marks.append(name)
            case name if name.endswith("_open") and name.removesuffix("_open") in MARKS:
                marks.append((MARKS[name.removesuffix("_open")], ""))
            case name if name.endswith("_close"):
                marks.pop()
            case _:
                yield (f"unexpected {token.type}", token.content, tuple(marks))


def expressed(blocks: Iterable[Block], *, least_level: int = 1) -> Tree:
    """The tree of blocks that their Markdown expresses."""
    trees = list(_expressed(blocks, least_level))
    notes = sorted((tree for tree in trees if tree[0] == "footnote"), key=lambda t: str(t[1]))
    return (*(tree for tree in trees if tree[0] != "footnote"), *notes)


def _expressed(blocks: Iterable[Block], least_level: int = 1) -> Iterator[Tree]:
    for block in blocks:
        line = expressed_line(block.line)
        match block.kind:
            case "paragraph":
                yield from [("p", line)] if line else []
            case "heading":
                yield from [("h", max(block.level, least_level), line)] if line else []
            case "code":
                yield ("code", block.name, printable(block.content))
            case "formula":
                yield ("formula", spaced(block.line[0].tex))
            case "rule":
                yield ("rule",)
            case "quote":
                yield from _filled("quote", _expressed(block.blocks))
            case "footnote":
                yield from _filled("footnote", _expressed(block.blocks), block.name)
            case "list":
                start = min(max(block.start, 0), 999_999_999) if block.is_ordered else None
                yield from _filled("list", _items(block), start)
            case "definitions":
                yield from _definitions(block)
            case "table":
                yield from [("p", line)] if line else []
                rows = table_lines(block.rows)
                yield ("table", *(tuple(map(expressed_line, row)) for row in rows))
            case "figure":
                images = (Inline("image", i.alt, address=i.address) for i in block.images)
                shown = expressed_line(tuple(images), between=True)
                yield from (("p", own) for own in (shown, line) if own)


def _filled(kind: str, inside: Iterable[object], *others: object) -> Iterator[Tree]:
    if parts := tuple(inside):
        yield (kind, *others, *parts)


def _items(block: Block) -> Iterator[Tree]:
    for item in block.items:
        inside = list(_expressed(item.blocks))
        if inside and item.is_checked is not None and item.blocks[0].kind == "paragraph":
            box = "[x] " if item.is_checked else "[ ] "
            inside[0] = ("p", tidied([("text", box, ()), *inside[0][1]]))  # type: ignore[misc]
        yield from _filled("item", inside)


def _definitions(block: Block) -> Iterator[Tree]:
    parts: list[Tree] = []
    for is_term, run in groupby(block.items, lambda item: item.is_term):
        if is_term:
            lines = (inner.line for item in run for inner in item.blocks)
            parts.append(("dt", expressed_line(joined_lines(lines))))
        else:
            parts += [("dd", *own) for item in run if (own := tuple(_expressed(item.blocks)))]
    last = parts.pop() if parts and parts[-1][0] == "dt" else None
    yield from _filled("definitions", parts)
    yield from [("p", last[1])] if last and last[1] else []


def expressed_line(line: Line, *, between: bool = False) -> tuple[Piece, ...]:
    def pieces(nodes: Iterable[object], marks: tuple[tuple[str, str], ...]) -> Iterator[Piece]:
        for node in nodes:
            if not isinstance(node, Inline):
                mark, inside = node  # type: ignore[misc]
                address = address_of(mark.address) if mark.kind == "link" else ""
                is_kept = mark.kind != "link" or address
                yield from pieces(inside, (*marks, (mark.kind, address)) if is_kept else marks)
            elif node.kind == "image":
                if address := address_of(node.address):
                    yield ("image", f"{address} {in_one_line(node.text)}", marks)
                    yield from [("text", " ", marks)] if between else []
            elif node.kind == "reference":
                yield ("reference", node.address, marks)
            elif node.kind == "break":
                yield ("break", "", marks)
            else:
                text = spaced(node.tex or node.text)
                yield (node.kind, text if node.kind == "text" else text.strip(), marks)

    return tidied(pieces(nested(line), ()))
