"""Views of a page: as it is, and with less of its metadata.

They are those that ours is trained and measured on (``structce.corpus.hide_metadata``), made from
the HTML, so that every system can read them. A page in the view ``unstructured`` lacks JSON-LD,
microdata and RDFa. A page in the view ``bare`` is what a reader sees and no more: its elements
``script`` (JSON-LD and everything else), ``meta`` and ``link`` are gone, and so are the attributes
of microdata and RDFa, and the ``datetime`` of its ``time`` elements. Its ``title`` element, its
class names and its texts stay. The tree is that of the HTML standard, written out again.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable

from structce.rendering import Document, parse

JSON_LD = "script[type*='ld+json' i]"

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


def unstructured_html(html: str) -> str:
    """Return a page without JSON-LD, microdata and RDFa; ``meta`` elements stay.

    Raises
    ------
    RenderError
        If the parser cannot read the page.
    """
    attributes = (name for name in STATING_ATTRIBUTES if name != "property")
    return _without(html, JSON_LD, attributes, ("property",))


def bare_html(html: str) -> str:
    """Return a page without the metadata that it states; see the module.

    Raises
    ------
    RenderError
        If the parser cannot read the page.
    """
    return _without(html, HIDDEN_ELEMENTS, (*STATING_ATTRIBUTES, "datetime"))


def _without(
    html: str, elements: str, attributes: Iterable[str], but_of_meta: Iterable[str] = ()
) -> str:
    root = parse(Document(html, name="page"))
    for node in root.css(elements):
        node.decompose()
    hidden = [(name, f"[{name}]") for name in attributes]
    hidden += [(name, f"[{name}]:not(meta)") for name in but_of_meta]  # Open Graph stands there
    for name, selector in hidden:
        for node in root.css(selector):
            del node.attrs[name]
    return "<!DOCTYPE html>\n" + (root.html or "")


VIEWS: dict[str, Callable[[str], str]] = {
    "stated": stated_html,
    "unstructured": unstructured_html,
    "bare": bare_html,
}
"""Views by name."""


def view_digest(view: str) -> str:
    """Return a digest of how a view is made; empty for pages as they are."""
    if view == "stated":
        return ""
    return hashlib.sha256(inspect.getsource(sys.modules[__name__]).encode()).hexdigest()
