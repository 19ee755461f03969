"""HTML to a tree of elements: the tree that a browser builds, as lxml offers it.

Lexbor follows the HTML standard in where elements go, which libxml2 does not; lxml is what the rest
is written for. So Lexbor reads the page and writes it with nothing left to guess, for lxml to read.
"""

from __future__ import annotations

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from structce.errors import RenderError
from structce.rendering.document import Document

_TOO_DEEP = "Excessive depth"  # libxml2's words when it cuts a page off, at 2,048 levels
_VOID = ("source", "track", "wbr", "embed", "keygen", "bgsound")  # libxml2 lets these hold text


def parse(document: Document, *, whole: bool = True) -> etree._Element:
    """Return the root element of a document.

    Parameters
    ----------
    whole
        Refuse a document of which the parser cut something off.

    Raises
    ------
    RenderError
        If the document is beyond the parser, or its elements nest deeper than it follows.
    """
    return parse_inner(document.utf8, document.name, whole=whole)


def parse_inner(html: bytes, name: str, *, whole: bool = True) -> etree._Element:
    """Return the root element of HTML in UTF-8, of a page or inside one.

    Raises
    ------
    RenderError
        As :func:`parse`; the message names the page.
    """
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False)
    try:
        root = etree.fromstring(_written_out(html.replace(b"\0", b"")), parser)
    except (SelectolaxError, etree.XMLSyntaxError) as error:
        raise RenderError(f"{name}: not HTML: {error}") from error
    if whole and any(_TOO_DEEP in entry.message for entry in parser.error_log):
        raise RenderError(
            f"{name}: elements nest deeper than the static renderer follows (2,048); "
            "try --renderer chromium"
        )
    for element in list(root.iter(*_VOID)):
        _empty(element)
    return root


def _written_out(html: bytes) -> bytes:
    """Return HTML with all that it leaves out; one element cannot be written so that it ends."""
    read = LexborHTMLParser(html)
    if read.css_first("plaintext") is not None:
        return html
    return (read.html or "").encode()


def _empty(element: etree._Element) -> None:
    """Put what the parser laid inside an element that holds nothing behind it."""
    children, inner, tail = list(element), element.text or "", element.tail or ""
    if not (children or inner):
        return
    element.text = element.tail = None
    for child in reversed(children):
        element.addnext(child)
    if children and tail:
        children[-1].tail = (children[-1].tail or "") + tail
        tail = ""
    element.tail = (inner + tail) or None
