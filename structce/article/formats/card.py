"""Card of an article for notebooks: its fields with their sources, and the start of its text.

It is plain HTML with inline styles, without scripts or addresses, since a page can be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from structce.article.characters import in_one_line, printable
from structce.article.values import ArticleFields, FieldValue
from structce.page import shorten

_NAMES = {"page_type": "type", "site_name": "site"}
_CHARACTERS = 600  # of the text that are shown


def to_card(article: ArticleFields) -> str:
    """Return the HTML of a card."""
    rows = "".join(_row(*field) for field in _fields(article) if field[1] is not None)
    start = _start(article.text)
    text, more = escape(printable(start)), len(article.text) - len(start)
    rest = f' <span style="color:#666">and {more:,} more characters</span>' if more > 0 else ""
    title = _escaped(article.title.value) if article.title else "<i>no title</i>"
    return (
        '<div style="max-width:720px;border:1px solid #ccc;border-radius:6px;padding:10px 14px;'
        'font:14px/1.45 sans-serif;color:#222;background:#fff">'
        f'<div style="font-size:18px;font-weight:600">{title}</div>'
        f'<table style="margin:6px 0;border:0;font-size:13px">{rows}</table>'
        f'<div style="white-space:pre-line;text-align:left">{text}{rest}</div></div>'
    )


def _start(text: str) -> str:
    """Return the start of a text up to the end of a word; inside one that has no end near."""
    spaces = [blank.start() for blank in re.finditer(r"\s", text[: _CHARACTERS + 1])]
    is_cut = len(text) > _CHARACTERS and spaces and spaces[-1] > _CHARACTERS // 2
    return text[: spaces[-1] if is_cut else _CHARACTERS]


def _fields(article: ArticleFields) -> Iterator[tuple[str, FieldValue | None]]:
    yield "title", article.title
    yield from (("author", author) for author in article.authors)
    for name in "date modified language page_type site_name".split():
        yield _NAMES.get(name, name), getattr(article, name)


def _row(name: str, value: FieldValue | None) -> str:
    if value is None:
        return ""
    cells = (
        (name, "#666"),
        (shorten(value.value, 90), "#222"),
        (f"{value.confidence:.2f}", "#222"),
        (", time of day: ".join(filter(None, [value.source, value.clock_source])), "#666"),
    )
    style = "border:0;padding:0 14px 0 0;text-align:left;color:"
    return (
        "<tr>" + "".join(f'<td style="{style}{c}">{_escaped(t)}</td>' for t, c in cells) + "</tr>"
    )


def _escaped(text: str) -> str:
    return escape(in_one_line(text))
