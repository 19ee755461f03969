"""Views of a page: as it is, and without the metadata that it states.

A page in the view ``bare`` is what a reader sees and no more: its elements ``script`` (JSON-LD
and everything else), ``meta`` and ``link`` are gone, and so are the attributes of microdata and
RDFa, wherever they stand. Its ``title`` element, its ``time`` elements with their ``datetime``,
its class names and its texts stay. The tree is that of the HTML standard, written out again.
"""

from __future__ import annotations

from collections.abc import Callable

from structce.rendering import Document, parse

HIDDEN_ELEMENTS = "script, meta, link"

STATING_ATTRIBUTES = (
    "itemprop",
    "itemscope",
    "itemtype",
    "itemid",
    "itemref",
    "property",
    "typeof",
    "vocab",
)
"""Attributes of microdata, and those of RDFa that name a property or a type."""


def stated_html(html: str) -> str:
    """Return a page as it is."""
    return html


def bare_html(html: str) -> str:
    """Return a page without the metadata that it states; see the module.

    Raises
    ------
    RenderError
        If the page is beyond the parser.
    """
    root = parse(Document(html, name="page"))
    for node in root.css(HIDDEN_ELEMENTS):
        node.decompose()
    for name in STATING_ATTRIBUTES:
        for node in root.css(f"[{name}]"):
            del node.attrs[name]
    return "<!DOCTYPE html>\n" + (root.html or "")


VIEWS: dict[str, Callable[[str], str]] = {"stated": stated_html, "bare": bare_html}
"""Views by name."""
