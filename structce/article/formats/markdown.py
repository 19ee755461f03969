"""Markdown of an article: CommonMark with GitHub's tables.

The fields come first, as a block of YAML whose values are JSON strings. Every character of the page
that Markdown would read as markup is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from structce.article.characters import in_one_line, printable, spaced
from structce.article.images import safe_images
from structce.article.links import split_links
from structce.article.values import ArticleFields, Block, Cell, FieldValue, Link
from structce.io import json_line

_ANYWHERE = re.compile(r"([\\`*\[\]<~])")
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_REFERENCE = re.compile(r"&(?=#?\w+;)")
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_START = re.compile(r"(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|(?:[-=]\s*)+$)")
_LAST_HASHES = re.compile(r"(#+)$")
_FENCE = re.compile(r"`{3,}")
_MOST_NUMBER = 999_999_999
_MOST_COLUMNS = 200  # of a table, counting the columns that cells span; real tables have fewer


def to_markdown(article: ArticleFields) -> str:
    """Return an article as a Markdown document that starts with its fields."""
    blocks = list(_blocks(article.body, has_title=article.title is not None))
    title = [f"# {_heading(article.title.value)}"] if article.title else []
    return "\n".join([*_front_matter(article), "", "\n\n".join([*title, *blocks]), ""])


def _front_matter(article: ArticleFields) -> Iterator[str]:
    authors = [f"  - {_quoted(author.value)}" for author in article.authors]
    yield "---"
    for name in "title date modified language page_type site_name description".split():
        value: FieldValue | None = getattr(article, name)
        if value is not None:
            yield f"{name}: {_quoted(value.value)}"
        if name == "title" and authors:
            yield from ("authors:", *authors)
    if article.url:
        yield f"url: {_quoted(article.url)}"
    yield "---"


def _quoted(text: str) -> str:
    """Return a text as a JSON string, which is also valid YAML."""
    return json_line(in_one_line(text))


def _blocks(blocks: Sequence[Block], *, has_title: bool = False) -> Iterator[str]:
    """Yield the Markdown of blocks; a list directly after a list gets another marker."""
    before: Block | None = None
    is_other = False
    for block in blocks:
        goes_on = before is not None and before.kind == block.kind == "list"
        is_same = before is not None and before.is_ordered == block.is_ordered
        is_other = goes_on and is_same and not is_other
        if text := _block(block, is_other=is_other, has_title=has_title):
            yield text
            before = block


def _block(block: Block, *, is_other: bool, has_title: bool) -> str:
    match block.kind:
        case "paragraph":
            return _linked(block.content, block.links)
        case "heading":
            level = max(block.level, 2) if has_title else block.level
            return f"{'#' * level} {_heading(block.content, block.links)}"
        case "code":
            return _code(printable(block.content))
        case "quote":
            return _indented("\n\n".join(_blocks(block.blocks)), "> ", "> ")
        case "list":
            return _list(block, is_other=is_other)
        case "table":
            return _table(block.rows)
        case "figure":
            return _figure(block)


def escape_markdown(text: str) -> str:
    """Return a text in one line, escaped so that Markdown shows every character as it is."""
    return _not_as_block(_escaped(in_one_line(text)))


def _escaped(line: str) -> str:
    line = _ANYWHERE.sub(r"\\\1", line)
    line = _UNDERSCORE.sub(r"\\_", line)
    return _REFERENCE.sub(r"\\&", line)


def _not_as_block(line: str) -> str:
    """Return an escaped line that does not begin like a list, heading or quote."""
    if number := _NUMBER.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if line and _START.match(line) else line


def _linked(text: str, links: Sequence[Link]) -> str:
    """Return a line with its links, escaped."""
    if not links:
        return escape_markdown(text)
    line = ""
    for piece, address in split_links(text, links):
        shown = _escaped(spaced(piece))
        if address:
            line = f"{line[:-1]}\\!" if line.endswith("!") else line  # otherwise an image
            shown = f"[{shown}]({_in_parentheses(address)})"
        line += shown
    return _not_as_block(line.strip())


def _in_parentheses(address: str) -> str:
    return address.replace("(", "%28").replace(")", "%29")


def _heading(text: str, links: Sequence[Link] = ()) -> str:
    return _LAST_HASHES.sub(lambda hashes: "\\#" * len(hashes[1]), _linked(text, links))


def _code(text: str) -> str:
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _list(block: Block, *, is_other: bool) -> str:
    items: list[str] = []
    is_tight = True
    for item in block.items:
        inside = list(_blocks(item.blocks))
        if not inside:
            continue
        is_short = [b.kind for b in item.blocks] in (["paragraph"], ["paragraph", "list"])
        is_tight &= is_short
        marker = "* " if is_other else "- "
        if block.is_ordered:
            number = min(max(block.start, 0) + len(items), _MOST_NUMBER)
            marker = f"{number}{')' if is_other else '.'} "
        text = ("\n" if is_short else "\n\n").join(inside)
        items.append(_indented(text, marker, " " * len(marker)))
    return ("\n" if is_tight else "\n\n").join(items)


def _indented(text: str, first: str, others: str) -> str:
    """Return a text with a prefix before each line that is not empty."""
    lines = [f"{others}{line}".rstrip() for line in text.split("\n")]
    return first + "\n".join(lines)[len(others) :] if text else ""


def _table(rows: Sequence[tuple[Cell, ...]]) -> str:
    """Return a pipe table; the first row is its head if one of the row's cells is a header."""
    lines = list(_places(rows))
    n_columns = max(map(len, lines))
    head = lines.pop(0) if any(cell.is_header for cell in rows[0]) else []
    head += [""] * (n_columns - len(head))
    written = [f"| {' | '.join(line)} |" for line in (head, *lines)]
    return "\n".join([written[0], "|" + " --- |" * n_columns, *written[1:]])


def _places(rows: Sequence[tuple[Cell, ...]]) -> Iterator[list[str]]:
    """Yield the texts of each row by column; a cell that spans several fills the first."""
    taken_until: dict[int, int] = {}  # by column, the first row that is free again
    for y, row in enumerate(rows):
        line: list[str] = []
        for cell in row:
            while taken_until.get(len(line), 0) > y:
                line.append("")
            n_columns = min(cell.n_columns, max(_MOST_COLUMNS - len(line), 1))
            if len(line) < _MOST_COLUMNS:
                places = range(len(line), len(line) + n_columns)
                taken_until |= dict.fromkeys(places, y + cell.n_rows)
            text = _linked(cell.text, cell.links).replace("|", "\\|")
            line += [text, *[""] * (n_columns - 1)]
        yield line


def _figure(block: Block) -> str:
    images = [
        f"![{escape_markdown(alt)}]({_in_parentheses(address)})"
        for address, alt in safe_images(block.images)
    ]
    caption = escape_markdown(block.content)
    return "\n\n".join(filter(None, [" ".join(images), f"*{caption}*" if caption else ""]))
