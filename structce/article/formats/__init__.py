"""Formats of articles: JSON, CSV, text, Markdown and HTML."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.article.formats.html import to_card, to_html
    from structce.article.formats.markdown import to_markdown
    from structce.article.formats.text import to_csv_line, to_text
    from structce.article.record import article_record

__all__ = ["article_record", "to_card", "to_csv_line", "to_html", "to_markdown", "to_text"]

_HOMES = {name: f"{__name__}.{name.removeprefix('to_')}" for name in __all__}
_HOMES |= {"article_record": "structce.article.record", "to_card": f"{__name__}.html"}
_HOMES["to_csv_line"] = f"{__name__}.text"

__getattr__ = lazy_names(__name__, _HOMES)
