"""HTML to a tree of elements, by lxml."""

from __future__ import annotations

from lxml import etree

from structce.errors import RenderError
from structce.rendering.document import Document
from structce.rendering.static.mending import mend

_TOO_DEEP = "Excessive depth"  # libxml2's words when it cuts a page off, at 2,048 levels


def parse(document: Document, *, whole: bool = True) -> etree._Element:
    """Return the root element of a document.

    Parameters
    ----------
    whole
        Refuse a document of which the parser cut something off.

    Raises
    ------
    RenderError
        If there is no element, or elements nest deeper than the parser follows.
    """
    root = parse_inner(document.html, document.name, whole=whole)
    if root is None:
        raise RenderError(f"{document.name}: the page holds no element")
    return root


def parse_inner(html: str, name: str, *, whole: bool = True) -> etree._Element | None:
    """Return the root element of HTML inside a page, or None where it holds none.

    Raises
    ------
    RenderError
        If elements nest deeper than the parser follows; the message names the page.
    """
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    data = html.encode("utf-8", errors="replace").replace(b"\0", b"")
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise RenderError(f"{name}: not HTML: {error}") from error
    if whole and any(_TOO_DEEP in entry.message for entry in parser.error_log):
        raise RenderError(
            f"{name}: elements nest deeper than the static renderer follows (2,048); "
            "try --renderer chromium"
        )
    if root is not None:
        mend(root)
    return root
