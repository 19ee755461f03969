"""Context of an article: access, next page, comments, items of a listing.

None of it is part of the article's text.
"""

from structce.arrays import Flags
from structce.article.context.access import read_access
from structce.article.context.comments import read_comments
from structce.article.context.items import read_items
from structce.article.context.next_page import next_page, page_step
from structce.article.evidence import Evidence
from structce.article.values import Context

__all__ = [
    "next_page",
    "page_step",
    "read_access",
    "read_comments",
    "read_context",
    "read_items",
]

_WITH_ITEMS = ("listing", "collection")


def read_context(evidence: Evidence, is_body: Flags, page_type: str) -> Context:
    """Return what surrounds an article and what it leads on to.

    Only listings and collections have items; neither they nor threads, whose posts are their text,
    have comments.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the article's body.
    """
    has_items = page_type in _WITH_ITEMS
    return Context(
        access=read_access(evidence),
        next_page=next_page(evidence),
        comments=() if has_items or page_type == "forum" else read_comments(evidence, is_body),
        items=read_items(evidence) if has_items else (),
    )
