"""HTML of an article: its elements and words, and nothing else from the page.

No script, style or class of the page is included: all text is escaped, and the only addresses are
the checked ones of links, of images and of the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import chain

from structce.article.characters import in_one_line, printable, spaced
from structce.article.images import checked_address, safe_images
from structce.article.links import split_links
from structce.article.values import ArticleFields, Block, Cell, FieldValue, Link


def to_html(article: ArticleFields) -> str:
    """Return an article as an HTML document in UTF-8."""
    language = article.language.value if article.language else ""
    lang = f' lang="{_escaped(language)}"' if language else ""
    title = _value(article.title)
    lines = ["<!DOCTYPE html>", f"<html{lang}>", "<head>", '<meta charset="utf-8">']
    lines += [f"<title>{title}</title>", *_metadata(article), "</head>", "<body>", "<article>"]
    lines += [*_header(article, title), *_blocks(article.body), "</article>", "</body>"]
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


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    return chain.from_iterable(map(_block, blocks))


def _linked(text: str, links: tuple[Link, ...]) -> str:
    """Return a line with its links, escaped."""
    if not links:
        return _escaped(text)
    pieces = ((escape(spaced(piece)), address) for piece, address in split_links(text, links))
    return "".join(
        f'<a href="{escape(address)}">{piece}</a>' if address else piece
        for piece, address in pieces
    )


def _block(block: Block) -> Iterator[str]:
    text = _linked(block.content, block.links)
    match block.kind:
        case "paragraph":
            yield f"<p>{text}</p>"
        case "heading":
            yield f"<h{block.level}>{text}</h{block.level}>"
        case "code":
            yield f"<pre><code>{escape(printable(block.content))}</code></pre>"
        case "quote":
            yield from ("<blockquote>", *_blocks(block.blocks), "</blockquote>")
        case "list":
            yield from _list(block)
        case "table":
            rows = (f"<tr>{''.join(map(_cell, row))}</tr>" for row in block.rows)
            yield from ("<table>", *rows, "</table>")
        case "figure":
            yield from _figure(block, text)


def _list(block: Block) -> Iterator[str]:
    tag = "ol" if block.is_ordered else "ul"
    yield f'<ol start="{block.start}">' if block.is_ordered and block.start != 1 else f"<{tag}>"
    for item in block.items:
        yield from ("<li>", *_blocks(item.blocks), "</li>")
    yield f"</{tag}>"


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    columns = f' colspan="{cell.n_columns}"' if cell.n_columns > 1 else ""
    rows = f' rowspan="{cell.n_rows}"' if cell.n_rows > 1 else ""
    return f"<{tag}{columns}{rows}>{_linked(cell.text, cell.links)}</{tag}>"


def _figure(block: Block, caption: str) -> Iterator[str]:
    images = [
        f'<img src="{escape(address)}" alt="{_escaped(alt)}">'
        for address, alt in safe_images(block.images)
    ]
    if images or caption:
        caption = f"<figcaption>{caption}</figcaption>" if caption else ""
        yield f"<figure>{''.join(images)}{caption}</figure>"
