"""HTML parser (Lexbor), guarded against pages that would take minutes or gigabytes.

A parser that follows the HTML standard looks through all open elements for each new block, and
takes up formatting that was never closed in every block anew. Both grow with the square of what a
hostile page holds: 44 kB of ``<b id=1><p><b id=2><p>...`` become two gigabytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from structce.errors import RenderError
from structce.rendering.document import Document

MAX_DEPTH = 20_000
"""Elements in one another: far beyond the 512 that a browser follows."""

MAX_REPEATED = 500_000
"""Formatting elements that are taken up anew; so many take some 250 MB."""

_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())

_FLAT = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    "option a nobr".split()
)
"""Elements that hold no other of their kind, so that many of them are not deep."""

_OPENED = re.compile(
    rb"<(?:[bB][iI][gG]|[bB]|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|[iI]|[sS][mM][aA][lL]{2}"
    rb"|[sS][tT][rR][iI][kK][eE]|[sS][tT][rR][oO][nN][gG]|[sS]|[tT]{2}|[uU])[\s/>]"
)
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)")

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


def check_tags(html: bytes, name: str) -> None:
    """Refuse a page whose tree would be too deep or too large.

    Raises
    ------
    RenderError
        The message names the page and the limit.
    """
    n_open = html.count(b"<") - html.count(b"</")
    n_formatting = sum(1 for _ in _OPENED.finditer(html))
    if n_open <= MAX_DEPTH and n_formatting * n_open <= MAX_REPEATED:
        return
    stack: list[str] = []  # of elements that the tags leave open
    formatting: Counter[str] = Counter()
    n_open = n_repeated = 0
    for found in _TAG.finditer(html):
        tag = found[2].decode("latin-1").lower()
        if tag in _FORMATTING:
            change = -1 if found[1] else 1
            if formatting[tag] + change >= 0:
                formatting[tag] += change
                n_open += change
        elif not found[1]:
            n_repeated += n_open
            if tag not in _FLAT:
                stack.append(tag)
        elif stack and stack[-1] == tag:
            stack.pop()
        if len(stack) > MAX_DEPTH:
            raise RenderError(f"{name}: over {MAX_DEPTH:,} elements in one another, the limit")
        if n_repeated > MAX_REPEATED:
            raise RenderError(
                f"{name}: formatting that is never closed repeats over {MAX_REPEATED:,} times, "
                "which is the limit"
            )


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the children of a node."""
    child = node.child
    while child is not None:
        yield child
        child = child.next


def ancestors_of(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around a node, innermost first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def is_same_node(one: LexborNode, other: LexborNode) -> bool:
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
