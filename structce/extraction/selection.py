"""Main content selected by one selector on all pages of a site: the wrappers of test packages.

Source: T. Gottron (2007). Evaluating content extraction on HTML documents. Proc. Internet
Technologies and Applications, section 5.1: packages of one site are created with a wrapper, since
its pages share a template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import lxml.html
from lxml import etree
from selectolax.lexbor import LexborNode, SelectolaxError

from structce.errors import ExtractionError
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import text_of_html

SelectText = Callable[[ParsedDocument], str]
"""Function that returns the selected text of a page, one line per block; empty without matches."""


def text_selector(css: str = "", xpath: str = "") -> SelectText:
    """Return the function that returns the text of a selector's matches, in document order.

    Exactly one of the two is given: ``article .body p``, or ``//div[@id="text"]``. Nested matches
    are included only once. Raises ExtractionError otherwise, or if the selector cannot be parsed.
    """
    if bool(css) == bool(xpath):
        raise ExtractionError("expected either a CSS selector or an XPath")
    if css:
        _matches(ParsedDocument.of("<p>"), css)
        return lambda document: _text([node.html or "" for node in _matches(document, css)])
    try:
        find = etree.XPath(xpath)
    except etree.XPathError as error:
        raise ExtractionError(f"XPath {xpath!r}: {error}") from None
    return lambda document: _text(_found_by(find, document, xpath))


def _matches(document: ParsedDocument, css: str) -> list[LexborNode]:
    """Return the outermost elements that match, in document order."""
    try:
        nodes = document.tree.css(css)
    except (SelectolaxError, ValueError) as error:
        raise ExtractionError(f"CSS selector {css!r} cannot be read: {error}") from None
    taken = {node.mem_id for node in nodes}
    return [node for node in nodes if taken.isdisjoint(_ids_above(node))]


def _ids_above(node: LexborNode) -> Iterator[int]:
    while (above := node.parent) is not None:
        yield above.mem_id
        node = above


def _found_by(find: etree.XPath, document: ParsedDocument, xpath: str) -> list[str]:
    """Return the HTML of the outermost elements that an XPath finds."""
    if not document.html.strip():
        return []
    parser = lxml.html.HTMLParser(encoding="utf-8")
    root = lxml.html.document_fromstring(document.utf8, parser=parser)
    result = find(root)
    nodes = [*result] if isinstance(result, list) else [result]
    matches = [node for node in nodes if isinstance(node, etree._Element)]
    if len(matches) < len(nodes):
        raise ExtractionError(f"XPath {xpath!r}: expected elements, got texts or numbers")
    taken = set(matches)
    return [
        str(etree.tostring(match, encoding="unicode", method="html", with_tail=False))
        for match in matches
        if not any(above in taken for above in match.iterancestors())
    ]


def _text(pieces: Sequence[str]) -> str:
    """Return the text of pieces of HTML, one line per block."""
    return text_of_html("".join(f"<div>{piece}</div>" for piece in pieces)) if pieces else ""
