"""Plain text of an article, and lines of CSV that spreadsheets open without running anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from structce.article.blocks import printable
from structce.article.values import ArticleFields
from structce.patterns import lazy_pattern

_FORMULA = lazy_pattern("[\\s\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\\-@＝＋－＠]")
"""Beginning of a formula in spreadsheets (OWASP, CSV injection), also behind direction marks."""


def to_text(article: ArticleFields) -> str:
    """Return title, byline and text, the text after an empty line."""
    title = article.title.value if article.title else ""
    names = "; ".join(author.value for author in article.authors)
    byline = " · ".join(filter(None, [names, article.date.value if article.date else ""]))
    head = filter(None, [title, byline])
    return printable("\n".join([*head, "", article.text, ""])) + "\n"


def to_csv_line(cells: Iterable[object]) -> str:
    """Return a line of CSV; the items of a list are joined by semicolons, None is empty.

    A text that spreadsheets take for a formula gets a leading apostrophe, as they write it.
    """
    line = io.StringIO()
    csv.writer(line).writerow(map(_cell, cells))
    return line.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    items = value if isinstance(value, list) else [value or ""]
    text = "; ".join(f"{x:.4f}" if isinstance(x, float) else printable(str(x)) for x in items)
    return f"'{text}" if _FORMULA.match(text) else text
