"""What every renderer offers, and how white space in a region's text is read."""

from __future__ import annotations

import re
from concurrent.futures import Future
from typing import Protocol, Self

from structce.errors import RenderError
from structce.page import Page, Provenance
from structce.rendering.document import Document

SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Characters that make no mark, as the inside of a character class of a regular expression."""

SHAPELESS = "\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
"""Characters without a shape of their own, in the same form: soft hyphens, joiners, directions."""

MAX_REGIONS = 20_000
"""Regions of one page; more is an error. Our choice, sixteen times the largest page of News600."""

MAX_FRAMES = 3
"""Documents in frames in documents in frames: how deep they are followed; our choice."""

RUNNING = 80
"""Characters that make a ``p`` element running text, where a page hides its text; our choice."""

MAX_COMMENTS = 2_000
"""Comments of one page; more are left out. Our choice."""

MAX_COMMENT = 200
"""Characters of a comment; the rest is cut off. Our choice: some hold whole parts of a page."""

BODY = "/html[1]/body["
"""How addresses begin inside ``body``, where comments are read."""

_SPACES = re.compile(f"[{SPACES}]+")
_MARK = re.compile(f"[^{SPACES}{SHAPELESS}]")
_NO_COMMENT = re.compile(r"(?:<!)?\[(?:if\b|endif\])|\?", re.IGNORECASE)


def collapse(text: str) -> str:
    """Return the text with every run of white space as one space, none at the ends."""
    return _SPACES.sub(" ", text).strip(" ")


def has_mark(text: str) -> bool:
    """Return whether the text holds a character that can be seen."""
    return _MARK.search(text) is not None


def clean_comment(text: str) -> str:
    """Return a comment as a page keeps it; empty for one that is left out.

    Left out are those that speak to old browsers (``[if IE]``), and processing instructions
    (``<?php``), which only some parsers take for comments.
    """
    collapsed = collapse(text)
    return "" if _NO_COMMENT.match(collapsed) else collapsed[:MAX_COMMENT]


def too_many_regions(name: str, limit: int = MAX_REGIONS) -> RenderError:
    """Return the error for a page of more regions than the limit."""
    return RenderError(f"{name}: more than {limit:,} regions, which is the limit")


class Renderer(Protocol):
    """Turns documents into pages; used as a context manager, since a browser may stand behind."""

    name: str
    workers: int

    def submit(self, document: Document) -> Future[Page]:
        """Return the page that a document will give; several may be under way at once.

        The future raises what :meth:`render` raises.
        """
        ...

    def render(self, document: Document) -> Page:
        """Return the page.

        Raises
        ------
        RenderError
            If the page cannot be rendered within the limits; the message names the page.
        """
        ...

    def provenance(self, document: Document) -> Provenance:
        """Return how a page of the document comes about, without rendering it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
