"""Markdown of an article: CommonMark with tables, footnotes, definition lists and ``$`` formulas.

The fields come first, as a block of YAML whose values are JSON strings. Every character of the page
that Markdown would read as markup is escaped; a mark whose delimiters Markdown would not read at
its place (``**a**b`` is bold, ``**a.**b`` is not) is written as HTML.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count, groupby
from string import punctuation

from structce.article.blocks import (
    Block,
    Cell,
    Inline,
    Line,
    ListItem,
    Mark,
    Node,
    Part,
    in_one_line,
    joined_lines,
    nested,
    printable,
    spaced,
    without,
)
from structce.article.formats.html import TAGS
from structce.article.images import checked_address, safe_images
from structce.article.values import ArticleFields, FieldValue
from structce.io import json_line
from structce.patterns import lazy_pattern

_ANYWHERE = lazy_pattern(r"([\\`*\[\]<~])")
_UNDERSCORE = lazy_pattern(r"(?<![^\W_])_|_(?![^\W_])")
_REFERENCE = lazy_pattern(r"&(?=#?\w+;)")
_NUMBER = lazy_pattern(r"(\d{1,9})([.)])(?=\s|$)")
_START = lazy_pattern(r"(?=#{1,6}(?:\s|$)|>|[-+:](?:\s|$)|(?:[-=]\s*)+$|[-|:][-|:\s]*$)")
_LAST_HASHES = lazy_pattern(r"(?<!\\)(#+)$")
_FENCE = lazy_pattern(r"`+")
_NOTHING = "<!-- -->"  # separates what would be one
_MOST_NUMBER = 999_999_999  # of a list item (CommonMark 0.31, section 5.2)
_MOST_COLUMNS = 200  # of a table, counting the columns that cells span; real tables have fewer
_DELIMITERS = {"strong": ("**",), "emphasis": ("_", "*"), "deleted": ("~~",)}


def to_markdown(article: ArticleFields, *, left_out: Collection[Part] = ()) -> str:
    """Return an article as a Markdown document, without the parts ``left_out``."""
    body = without(article.body, left_out)
    title = [f"# {_heading(article.title.value)}"] if article.title else []
    text = "\n\n".join([*title, *markdown_blocks(body, has_title=article.title is not None)])
    head = [] if "fields" in left_out else [*_front_matter(article), ""]
    return "\n".join([*head, text, ""])


def _front_matter(article: ArticleFields) -> Iterator[str]:
    yield "---"
    for name in "title authors date modified language page_type site_name description".split():
        value: FieldValue | tuple[FieldValue, ...] | None = getattr(article, name)
        if isinstance(value, FieldValue):
            yield f"{name}: {json_line(in_one_line(value.value))}"
        elif value:
            yield f"{name}:"
            yield from (f"  - {json_line(in_one_line(author.value))}" for author in value)
    if article.verdict and article.verdict.kind != "read":
        yield f"verdict: {json_line(article.verdict.kind)}"
        yield f"verdict_reason: {json_line(in_one_line(article.verdict.reason))}"
    if article.url:
        yield f"url: {json_line(in_one_line(article.url))}"
    yield "---"


def markdown_blocks(blocks: Sequence[Block], *, has_title: bool = False) -> Iterator[str]:
    """Yield the Markdown of blocks, without headings of level 1 if the document has a title."""
    before: Block | None = None
    was_other = False
    for block in blocks:
        goes_on = before is not None and before.kind == block.kind == "list"
        is_same = before is not None and before.is_ordered == block.is_ordered
        is_other = goes_on and is_same and not was_other
        if text := _block(block, is_other=is_other, has_title=has_title):
            kinds = {inner.kind for inner in block.walk()}
            if before is not None and before.kind == "definitions" and "definitions" in kinds:
                yield _NOTHING
            yield text
            before, was_other = block, is_other


def _block(block: Block, *, is_other: bool, has_title: bool) -> str:
    match block.kind:
        case "paragraph":
            return _paragraph(block.line)
        case "heading":
            level = max(block.level, 2) if has_title else block.level
            heading = _heading(block.line)
            return f"{'#' * level} {heading}" if heading else ""
        case "code":
            code = printable(block.content)
            fence = "`" * max(len(max(_FENCE.findall(code), default="")) + 1, 3)
            return f"{fence}{block.name}\n{code}\n{fence}"
        case "formula":
            return f"$$\n{spaced(block.line[0].tex)}\n$$"
        case "quote":
            return _indented("\n\n".join(markdown_blocks(block.blocks)), "> ", "> ")
        case "list":
            return _list(block, is_other=is_other)
        case "definitions":
            return _definitions(block.items)
        case "table":
            return _table(block)
        case "figure":
            images = " ".join(_image(address, alt) for address, alt in safe_images(block.images))
            return "\n\n".join(filter(None, [images, _paragraph(block.line)]))
        case "footnote":
            text = "\n\n".join(markdown_blocks(block.blocks))
            return _indented(text, f"[^{block.name}]: ", "    ")
        case "rule":
            return "___"


def _escaped(line: str) -> str:
    line = _ANYWHERE.sub(r"\\\1", line)
    line = _UNDERSCORE.sub(r"\\_", line)
    return _REFERENCE.sub(r"\\&", line)


def _not_as_block(line: str) -> str:
    """Return an escaped line that does not begin like a list, heading, quote, table or term."""
    if number := _NUMBER.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if line and _START.match(line) else line


def _paragraph(line: Line) -> str:
    lines = _inlines(line).split("\n")
    return "\\\n".join(_not_as_block(text.strip(" ")) for text in lines)


def _heading(line: Line | str) -> str:
    text = _escaped(in_one_line(line)) if isinstance(line, str) else _one_line(line)
    return _LAST_HASHES.sub(lambda hashes: "\\#" * len(hashes[1]), _not_as_block(text))


def _one_line(line: Line) -> str:
    return _inlines(line).replace("\n", "<br>").strip(" ")


def _inlines(line: Line) -> str:
    """Return inlines as Markdown, with a line feed at each break."""
    nodes = nested(_trimmed(line))
    n_dollars = sum(inline.text.count("$") + 2 * bool(inline.tex) for inline in line)
    return _nodes(nodes, " ", " ", has_formulas=n_dollars > 1)


def _trimmed(line: Line) -> Line:
    kept: list[Inline] = []
    for inline in line:
        if inline.kind != "break" or (kept and kept[-1].kind != "break"):
            kept.append(inline)
    return tuple(kept[:-1] if kept and kept[-1].kind == "break" else kept)


def _nodes(nodes: Sequence[Node], before: str, behind: str, *, has_formulas: bool) -> str:
    """Return nodes as Markdown, given the characters on both sides of them."""
    text = ""
    for n, node in enumerate(nodes):
        following = _first_sign(nodes[n + 1]) if n + 1 < len(nodes) else behind
        last = text[-1:] or before
        if isinstance(node, Inline):
            written = _inline(node, has_formulas=has_formulas)
        else:
            mark, inside = node
            written = _marked(mark, inside, last, following, has_formulas=has_formulas)
        if written.startswith("[") and text.endswith(("!", "^")):
            text = f"{text[:-1]}\\{text[-1]}"  # otherwise an image, or a footnote
        elif written[:1] == "`" == text[-1:] or written[:1] == "$" == text[-1:]:
            text += _NOTHING  # otherwise one code or formula
        text += written
    return text


def _first_sign(node: Node) -> str:
    """Return the first character of a node, or one that is treated like it."""
    if not isinstance(node, Inline):
        return "*"
    return (node.text[:1] or " ") if node.kind in ("text", "break") else "`"


def _inline(inline: Inline, *, has_formulas: bool) -> str:
    match inline.kind:
        case "code":
            return _inline_code(spaced(inline.text).strip(" "))
        case "formula":
            return f"${spaced(inline.tex)}$"
        case "reference":
            return f"[^{inline.address}]"
        case "break":
            return "\n"
        case "image":
            return _image(checked_address(inline.address), inline.text)
    text = _escaped(spaced(inline.text))
    return text.replace("$", "\\$") if has_formulas else text


def _inline_code(text: str) -> str:
    lengths = {len(run) for run in _FENCE.findall(text)}
    fence = "`" * next(n for n in count(1) if n not in lengths)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _image(address: str, alt: str) -> str:
    text = _escaped(in_one_line(alt)).replace("$", "\\$")
    return f"![{text}]({_in_parentheses(address)})" if address else ""


def _marked(
    mark: Mark, inside: Sequence[Node], before: str, behind: str, *, has_formulas: bool
) -> str:
    """Return nodes inside a mark; as HTML where Markdown has no sign for it at its place."""
    if mark.kind == "link":
        written = _nodes(inside, "[", "]", has_formulas=has_formulas)
        address = checked_address(mark.address)
        return (
            f"[{written}]({_in_parentheses(address)})" if address and written.strip() else written
        )
    for sign in _DELIMITERS.get(mark.kind, ()):
        written = _nodes(inside, sign[0], sign[0], has_formulas=has_formulas)
        if _is_read(sign[0], before, written, behind):
            return f"{sign}{written}{sign}"
    tag = TAGS[mark.kind]
    return f"<{tag}>{_nodes(inside, '>', '<', has_formulas=has_formulas)}</{tag}>"


def _is_read(sign: str, before: str, inside: str, behind: str) -> bool:
    """Return whether delimiters around a text are read as such (CommonMark 0.31, section 6.2)."""
    if not inside or sign in (before, behind) or inside[0] in (sign, " ", "\n"):
        return False
    if inside[-1] in (sign, " ", "\n"):
        return False
    if sign == "_":
        return _is_border(before) and _is_border(behind)
    begins_plain, ends_plain = (
        unicodedata.category(c)[0] not in "PSZ" for c in (inside[0], inside[-1])
    )
    return (begins_plain or _is_border(before)) and (ends_plain or _is_border(behind))


def _is_border(sign: str) -> bool:
    return sign.isspace() or sign in punctuation or unicodedata.category(sign)[0] == "P"


def _in_parentheses(address: str) -> str:
    address = address.replace("(", "%28").replace(")", "%29")
    return _REFERENCE.sub("&amp;", address)


def _list(block: Block, *, is_other: bool) -> str:
    items: list[str] = []
    is_tight = True
    for item in block.items:
        inside = list(markdown_blocks(item.blocks))
        if not inside:
            continue
        last = item.blocks[-1]
        is_short = [b.kind for b in item.blocks] in (["paragraph"], ["paragraph", "list"])
        is_short &= not last.is_ordered or last.start == 1  # others do not end a paragraph
        is_tight &= is_short
        marker = "* " if is_other else "- "
        if block.is_ordered:
            number = min(max(block.start, 0) + len(items), _MOST_NUMBER)
            marker = f"{number}{')' if is_other else '.'} "
        if item.is_checked is not None and item.blocks[0].kind == "paragraph":
            inside[0] = f"[{'x' if item.is_checked else ' '}] {inside[0]}"
        text = ("\n" if is_short else "\n\n").join(inside)
        items.append(_indented(text, marker, " " * len(marker)))
    return ("\n" if is_tight else "\n\n").join(items)


def _definitions(items: Sequence[ListItem]) -> str:
    """Return a definition list; terms in a row are one, and a last one is a paragraph."""
    parts: list[str] = []
    for is_term, run in groupby(items, key=lambda item: item.is_term):
        if is_term:
            line = joined_lines(block.line for item in run for block in item.blocks)
            parts.append(_not_as_block(_one_line(line)))
            continue
        texts = ["\n\n".join(markdown_blocks(item.blocks)) for item in run]
        definitions = "\n\n".join(_indented(text, ": ", "  ") for text in texts if text)
        parts[-1] += f"\n\n{definitions}" if definitions else ""
    return "\n\n".join(filter(None, parts))


def _indented(text: str, first: str, others: str) -> str:
    """Return a text with a prefix before each line that is not empty."""
    lines = [f"{others}{line}".rstrip() for line in text.split("\n")]
    return first + "\n".join(lines)[len(others) :] if text else ""


def _table(block: Block) -> str:
    caption = _paragraph(block.line)
    lines = list(table_lines(block.rows))
    cells = ([_one_line(line).replace("|", "\\|") for line in row] for row in lines)
    written = [f"| {' | '.join(row)} |" for row in cells]
    rule = "|" + " --- |" * len(lines[0])
    return "\n".join([*([caption, ""] if caption else []), written[0], rule, *written[1:]])


def table_lines(rows: Sequence[tuple[Cell, ...]]) -> Iterator[list[Line]]:
    """Yield the lines of a table's cells by row and column, all rows of one length.

    The first row is the head, which is empty unless one of the first row's cells is a header. A
    cell that spans several columns or rows fills the first.
    """
    lines = list(_cell_lines(rows))
    n_columns = max(map(len, lines))
    head: list[Line] = []
    for line in lines if any(cell.is_header for cell in rows[0]) else [head, *lines]:
        yield line + [()] * (n_columns - len(line))


def _cell_lines(rows: Iterable[tuple[Cell, ...]]) -> Iterator[list[Line]]:
    taken_until: dict[int, int] = {}  # by column, the first row that is free again
    for y, row in enumerate(rows):
        line: list[Line] = []
        for cell in row:
            while taken_until.get(len(line), 0) > y:
                line.append(())
            n_columns = min(cell.n_columns, max(_MOST_COLUMNS - len(line), 1))
            if len(line) < _MOST_COLUMNS:
                columns = range(len(line), len(line) + n_columns)
                taken_until |= dict.fromkeys(columns, y + cell.n_rows)
            line += [cell.line, *[()] * (n_columns - 1)]
        yield line
