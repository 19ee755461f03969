"""HTML to a tree of nodes: the tree that a browser builds of it, by Lexbor."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from structce.errors import RenderError
from structce.rendering.document import Document
from structce.rendering.static.guard import check_tags

TEXT, COMMENT = "-text", "-comment"
"""Tags of nodes that are no elements."""


def parse(document: Document) -> LexborNode:
    """Return the root element of a document.

    Raises
    ------
    RenderError
        If the document is beyond the parser, or its tree would be too deep or too large.
    """
    return parse_inner(document.utf8, document.name)


def parse_inner(html: bytes, name: str) -> LexborNode:
    """Return the root element of HTML in UTF-8, of a page or inside one.

    Raises
    ------
    RenderError
        As :func:`parse`; the message names the page.
    """
    check_tags(html, name)
    try:
        root = LexborHTMLParser(html.replace(b"\0", b"")).root
    except SelectolaxError as error:
        raise RenderError(f"{name}: not HTML: {error}") from error
    if root is None:
        raise RenderError(f"{name}: the page holds no element")
    return root


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the children of a node."""
    child = node.child
    while child is not None:
        yield child
        child = child.next


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around a node, innermost first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def is_same(one: LexborNode, other: LexborNode) -> bool:
    """Return whether two are the same node; by ``==`` all that look the same are equal."""
    return one.mem_id == other.mem_id


def attributes_of(node: LexborNode, *, in_svg: bool) -> dict[str, str]:
    """Return the attributes of an element, names in lower case also where SVG has others."""
    attributes = node.attributes
    if in_svg:
        return {name.lower(): value or "" for name, value in attributes.items()}
    if None in attributes.values():
        return {name: value or "" for name, value in attributes.items()}
    return attributes  # type: ignore[return-value]  # no value is None


def has_letters(svg: LexborNode | None) -> bool:
    """Return whether a drawing may hold text."""
    return svg is not None and svg.css_first("text, foreignObject") is not None
