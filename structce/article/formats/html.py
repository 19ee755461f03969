"""HTML of an article: its elements and words, and nothing else from the page.

No script, style or class of the page is included: all text is escaped, and the only addresses are
the checked ones of links, of images and of the page itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from itertools import chain

from structce.article.blocks import (
    Block,
    Cell,
    Inline,
    Line,
    ListItem,
    Node,
    Part,
    nested,
    without,
)
from structce.article.characters import in_one_line, printable, spaced
from structce.article.images import checked_address, safe_images
from structce.article.values import ArticleFields, FieldValue

TAGS = {
    "strong": "strong",
    "emphasis": "em",
    "deleted": "del",
    "inserted": "ins",
    "sub": "sub",
    "sup": "sup",
}
"""Element of each mark, except links."""


def to_html(article: ArticleFields, *, left_out: Collection[Part] = ()) -> str:
    """Return an article as an HTML document in UTF-8.

    Parameters
    ----------
    left_out
        Parts that are left out: ``links``, ``images``, ``marks`` of words, ``tables``, ``fields``.
    """
    language = article.language.value if article.language else ""
    lang = f' lang="{_escaped(language)}"' if language else ""
    title = _value(article.title)
    lines = ["<!DOCTYPE html>", f"<html{lang}>", "<head>", '<meta charset="utf-8">']
    has_fields = "fields" not in left_out
    lines += [f"<title>{title}</title>", *(_metadata(article) if has_fields else ())]
    lines += ["</head>", "<body>", "<article>", *(_header(article, title) if has_fields else ())]
    lines += [*_blocks(without(article.body, left_out)), "</article>", "</body>"]
    return "\n".join([*lines, "</html>", ""])


def body_html(article: ArticleFields) -> str:
    """Return the body of an article as one ``article`` element."""
    return "\n".join(["<article>", *_blocks(article.body), "</article>"])


def _escaped(text: str) -> str:
    return escape(in_one_line(text))


def _value(value: FieldValue | None) -> str:
    return "" if value is None else _escaped(value.value)


def _metadata(article: ArticleFields) -> Iterator[str]:
    for author in article.authors:
        yield f'<meta name="author" content="{_value(author)}">'
    if article.description:
        yield f'<meta name="description" content="{_value(article.description)}">'
    if address := checked_address(article.canonical_url or article.url):
        yield f'<link rel="canonical" href="{escape(address)}">'


def _header(article: ArticleFields, title: str) -> Iterator[str]:
    """Yield headline, authors and dates."""
    names = ", ".join(map(_value, article.authors))
    moments = (("datePublished", article.date), ("dateModified", article.modified))
    dates = [
        f'<time datetime="{_value(moment)}" itemprop="{kind}">{_value(moment)}</time>'
        for kind, moment in moments
        if moment is not None
    ]
    byline = " · ".join(filter(None, [names, *dates]))
    if title or byline:
        yield "<header>"
        yield from [f"<h1>{title}</h1>"] if title else []
        yield from [f"<p>{byline}</p>"] if byline else []
        yield "</header>"


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    return chain.from_iterable(map(_block, blocks))


def _line(line: Line) -> str:
    """Return a line as HTML, escaped."""
    return _nodes(nested(line))


def _nodes(nodes: Sequence[Node]) -> str:
    return "".join(map(_node, nodes))


def _node(node: Node) -> str:
    if isinstance(node, Inline):
        return _inline(node)
    mark, inside = node
    text = _nodes(inside)
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
            return _image(inline.address, inline.text)
    return text


def _image(address: str, alt: str) -> str:
    checked = checked_address(address)
    return f'<img src="{escape(checked)}" alt="{_escaped(alt)}">' if checked else ""


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
            yield f'<p><span class="math display">\\[{_escaped(block.line[0].tex)}\\]</span></p>'
        case "quote":
            yield from ("<blockquote>", *_blocks(block.blocks), "</blockquote>")
        case "footnote":
            yield f'<aside id="note-{escape(block.name)}" role="doc-footnote">'
            yield from (*_blocks(block.blocks), "</aside>")
        case "list":
            yield from _list(block)
        case "definitions":
            yield from ("<dl>", *chain.from_iterable(map(_definition, block.items)), "</dl>")
        case "table":
            caption = [f"<caption>{text}</caption>"] if text else []
            rows = (f"<tr>{''.join(map(_cell, row))}</tr>" for row in block.rows)
            yield from ("<table>", *caption, *rows, "</table>")
        case "figure":
            yield from _figure(block, text)
        case "rule":
            yield "<hr>"


def _list(block: Block) -> Iterator[str]:
    tag = "ol" if block.is_ordered else "ul"
    yield f'<ol start="{block.start}">' if block.is_ordered and block.start != 1 else f"<{tag}>"
    for item in block.items:
        box = "" if item.is_checked is None else '<input type="checkbox" disabled>'
        box = box.replace(" d", " checked d") if item.is_checked else box
        yield from (f"<li>{box}", *_blocks(item.blocks), "</li>")
    yield f"</{tag}>"


def _definition(item: ListItem) -> Iterator[str]:
    tag = "dt" if item.is_term else "dd"
    yield from (f"<{tag}>", *_inside(item.blocks), f"</{tag}>")


def _inside(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield blocks; a single paragraph without its element."""
    is_line = [block.kind for block in blocks] == ["paragraph"]
    yield from (_line(blocks[0].line),) if is_line else _blocks(blocks)


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    columns = f' colspan="{cell.n_columns}"' if cell.n_columns > 1 else ""
    rows = f' rowspan="{cell.n_rows}"' if cell.n_rows > 1 else ""
    return f"<{tag}{columns}{rows}>{''.join(_inside(cell.blocks))}</{tag}>"


def _figure(block: Block, caption: str) -> Iterator[str]:
    images = [_image(address, alt) for address, alt in safe_images(block.images)]
    if images or caption:
        caption = f"<figcaption>{caption}</figcaption>" if caption else ""
        yield f"<figure>{''.join(images)}{caption}</figure>"
