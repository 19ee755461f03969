"""Formats of articles: text, CSV, Markdown and HTML."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.article.formats.html import to_card, to_html
    from structce.article.formats.markdown import to_markdown
    from structce.article.formats.text import to_csv_line, to_text

__all__ = ["to_card", "to_csv_line", "to_html", "to_markdown", "to_text"]

_HOMES = {"to_card": "html", "to_csv_line": "text", "to_html": "html", "to_markdown": "markdown"}

__getattr__ = lazy_names(
    __name__, {name: f"{__name__}.{_HOMES.get(name, 'text')}" for name in __all__}
)
