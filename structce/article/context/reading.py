"""Reading of an article's whole context from the evidence of its page."""

from __future__ import annotations

from structce.arrays import Flags
from structce.article.context.access import read_access
from structce.article.context.comments import read_comments
from structce.article.context.items import read_items, read_related
from structce.article.context.next_page import next_page
from structce.article.evidence import Evidence
from structce.article.values import Context

_WITH_ITEMS = frozenset({"listing", "collection"})
_WITHOUT_COMMENTS = frozenset({"forum", "listing", "collection"})


def read_context(evidence: Evidence, is_body: Flags, page_type: str) -> Context:
    """Return what surrounds an article and what it leads on to.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the article's body.
    page_type
        Type of the page; only listings and collections have items, and a thread's posts are no
        comments.
    """
    comments = () if page_type in _WITHOUT_COMMENTS else read_comments(evidence, is_body)
    return Context(
        access=read_access(evidence),
        next_page=next_page(evidence),
        comments=comments,
        related=read_related(evidence, is_body),
        items=read_items(evidence) if page_type in _WITH_ITEMS else (),
    )
