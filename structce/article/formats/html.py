"""HTML of an article: its elements and words, and nothing else from the page.

No script, style or class of the page is included: all text is escaped, and the only addresses are
the checked ones of links, of images and of the page itself. A card for notebooks has no address.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from html import escape
from itertools import chain

from structce.article.blocks import (
    Block,
    Cell,
    Inline,
    Line,
    Node,
    Part,
    in_one_line,
    nested,
    printable,
    spaced,
    without,
)
from structce.article.images import checked_address, safe_images
from structce.article.values import ArticleFields, FieldValue
from structce.page import shorten

TAGS = {
    "strong": "strong",
    "emphasis": "em",
    "deleted": "del",
    "inserted": "ins",
    "sub": "sub",
    "sup": "sup",
}
"""Element of each mark, except links."""

_CARD_CHARACTERS = 600  # of the text that a card shows


def to_html(article: ArticleFields, *, left_out: Collection[Part] = ()) -> str:
    """Return an article as an HTML document in UTF-8, without the parts ``left_out``."""
    title = _value(article.title)
    lang = f' lang="{_value(article.language)}"' if article.language else ""
    has_fields = "fields" not in left_out
    lines = ["<!DOCTYPE html>", f"<html{lang}>", "<head>", '<meta charset="utf-8">']
    lines += [f"<title>{title}</title>", *(_metadata(article) if has_fields else ())]
    lines += ["</head>", "<body>", "<article>", *(_header(article, title) if has_fields else ())]
    lines += [*_blocks(without(article.body, left_out)), "</article>", "</body>", "</html>", ""]
    return "\n".join(lines)


def _value(value: FieldValue | None) -> str:
    return "" if value is None else escape(in_one_line(value.value))


def _metadata(article: ArticleFields) -> Iterator[str]:
    for author in article.authors:
        yield f'<meta name="author" content="{_value(author)}">'
    if article.description:
        yield f'<meta name="description" content="{_value(article.description)}">'
    if address := checked_address(article.canonical_url or article.url):
        yield f'<link rel="canonical" href="{escape(address)}">'


def _header(article: ArticleFields, title: str) -> Iterator[str]:
    moments = (("datePublished", article.date), ("dateModified", article.modified))
    dates = (
        f'<time datetime="{_value(moment)}" itemprop="{kind}">{_value(moment)}</time>'
        for kind, moment in moments
        if moment is not None
    )
    names = ", ".join(map(_value, article.authors))
    byline = " · ".join(filter(None, [names, *dates]))
    if title or byline:
        yield "<header>"
        yield from [f"<h1>{title}</h1>"] if title else []
        yield from [f"<p>{byline}</p>"] if byline else []
        yield "</header>"


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    return chain.from_iterable(map(_block, blocks))


def _block(block: Block) -> Iterator[str]:
    text = _line(block.line)
    match block.kind:
        case "paragraph":
            yield f"<p>{text}</p>"
        case "heading":
            yield f"<h{block.level}>{text}</h{block.level}>"
        case "code":
            language = f' class="language-{escape(block.name)}"' if block.name else ""
            yield f"<pre><code{language}>{escape(printable(block.content))}</code></pre>"
        case "formula":
            tex = escape(in_one_line(block.line[0].tex))
            yield f'<p><span class="math display">\\[{tex}\\]</span></p>'
        case "quote":
            yield from ("<blockquote>", *_blocks(block.blocks), "</blockquote>")
        case "footnote":
            yield f'<aside id="note-{escape(block.name)}" role="doc-footnote">'
            yield from (*_blocks(block.blocks), "</aside>")
        case "list":
            yield from _list(block)
        case "definitions":
            yield "<dl>"
            for item in block.items:
                tag = "dt" if item.is_term else "dd"
                yield from (f"<{tag}>", *_inside(item.blocks), f"</{tag}>")
            yield "</dl>"
        case "table":
            caption = [f"<caption>{text}</caption>"] if text else []
            rows = (f"<tr>{''.join(map(_cell, row))}</tr>" for row in block.rows)
            yield from ("<table>", *caption, *rows, "</table>")
        case "figure":
            images = "".join(_image(address, alt) for address, alt in safe_images(block.images))
            caption_element = f"<figcaption>{text}</figcaption>" if text else ""
            if images or text:
                yield f"<figure>{images}{caption_element}</figure>"
        case "rule":
            yield "<hr>"


def _list(block: Block) -> Iterator[str]:
    tag = "ol" if block.is_ordered else "ul"
    yield f'<ol start="{block.start}">' if block.is_ordered and block.start != 1 else f"<{tag}>"
    for item in block.items:
        checked = " checked" if item.is_checked else ""
        box = "" if item.is_checked is None else f'<input type="checkbox"{checked} disabled>'
        yield from (f"<li>{box}", *_blocks(item.blocks), "</li>")
    yield f"</{tag}>"


def _inside(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield blocks; a single paragraph without its element."""
    is_line = [block.kind for block in blocks] == ["paragraph"]
    yield from (_line(blocks[0].line),) if is_line else _blocks(blocks)


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    columns = f' colspan="{cell.n_columns}"' if cell.n_columns > 1 else ""
    rows = f' rowspan="{cell.n_rows}"' if cell.n_rows > 1 else ""
    return f"<{tag}{columns}{rows}>{''.join(_inside(cell.blocks))}</{tag}>"


def _line(line: Line) -> str:
    return "".join(map(_node, nested(line)))


def _node(node: Node) -> str:
    if isinstance(node, Inline):
        return _inline(node)
    mark, inside = node
    text = "".join(map(_node, inside))
    if mark.kind != "link":
        return f"<{TAGS[mark.kind]}>{text}</{TAGS[mark.kind]}>"
    address = checked_address(mark.address)
    return f'<a href="{escape(address)}">{text}</a>' if address else text


def _inline(inline: Inline) -> str:
    text = escape(spaced(inline.text))
    match inline.kind:
        case "code":
            return f"<code>{text}</code>"
        case "formula":
            return f'<span class="math inline">\\({escape(spaced(inline.tex))}\\)</span>'
        case "reference":
            return f'<sup><a href="#note-{escape(inline.address)}">{text}</a></sup>'
        case "break":
            return "<br>"
        case "image":
            return _image(checked_address(inline.address), inline.text)
    return text


def _image(address: str, alt: str) -> str:
    return f'<img src="{escape(address)}" alt="{escape(in_one_line(alt))}">' if address else ""


def to_card(article: ArticleFields) -> str:
    """Return a card for notebooks: the fields with their sources, and the start of the text.

    It is plain HTML without styles, scripts or addresses of the page, which can be hostile.
    """
    fields: list[tuple[str, FieldValue | None]]
    fields = [("author", author) for author in article.authors]
    fields += [(name, getattr(article, name)) for name in ("date", "modified", "language")]
    fields += [("type", article.page_type), ("site", article.site_name)]
    rows = "".join(
        f"<tr><th>{name}<td>{escape(in_one_line(shorten(value.value, 90)))}"
        f"<td>{value.confidence:.2f}<td>{escape(in_one_line(value.source))}"
        for name, value in fields
        if value is not None
    )
    title, text = _value(article.title), escape(printable(article.text[:_CARD_CHARACTERS]))
    n_more = max(len(article.text) - _CARD_CHARACTERS, 0)
    more = f" <i>and {n_more:,} more characters</i>" if n_more else ""
    return (
        f"<div><b>{title or '<i>no title</i>'}</b><table>{rows}</table>"
        f'<div style="white-space:pre-line;max-width:720px">{text}{more}</div></div>'
    )
