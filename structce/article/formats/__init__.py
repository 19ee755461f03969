"""Formats of articles: JSON records, Markdown, HTML, TEI XML and Zyte's article schema."""

from structce.article.formats.card import to_card
from structce.article.formats.html import to_html
from structce.article.formats.markdown import to_markdown
from structce.article.formats.tei import to_tei
from structce.article.formats.zyte import to_zyte
from structce.article.record import article_record, region_record

__all__ = [
    "article_record",
    "region_record",
    "to_card",
    "to_html",
    "to_markdown",
    "to_tei",
    "to_zyte",
]
