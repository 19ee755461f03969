"""Context of an article: access, next page, comments, related links, items of a listing.

One module each; :func:`read_context` reads them all. None of it is part of the article's text.
"""

from structce.article.context.access import read_access
from structce.article.context.comments import read_comments
from structce.article.context.items import read_items, read_related
from structce.article.context.next_page import next_page, page_step
from structce.article.context.reading import read_context

__all__ = [
    "next_page",
    "page_step",
    "read_access",
    "read_comments",
    "read_context",
    "read_items",
    "read_related",
]
