"""What lxml's parser builds, made into what a browser builds of the same HTML.

libxml2 follows the HTML standard in reading tags, but not in where elements go. Put right is what
would lose text on pages that one meets; wrongly nested tags, and tables without a body, are not.

Source: HTML standard, section 13.2.6, Tree construction.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, takewhile

from lxml import etree

_VOID = ("source", "track", "wbr", "embed", "keygen", "bgsound")  # libxml2 lets these hold text
_HEAD = frozenset(
    "base basefont bgsound link meta title noscript noframes style script template head".split()
)
_NOT_IN_SVG = (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img "
    "li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
).split()
_HTML_IN_SVG = frozenset({"foreignobject", "desc", "title"})


def mend(root: etree._Element) -> None:
    """Put right where the elements of a parsed page stand."""
    for element in list(root.iter("image")):
        if next(element.iterancestors("svg"), None) is None:
            element.tag = "img"
            _empty(element)
    for element in list(root.iter(*_VOID)):
        _empty(element)
    for svg in list(root.iter("svg")):
        _end_before_html(svg)
    if next(root.iterchildren("frameset"), None) is None:
        _give_head_and_body(root)


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


def _end_before_html(svg: etree._Element) -> None:
    """End a drawing, though it was not closed, where HTML goes on."""
    for element in svg.iter(*_NOT_IN_SVG):
        inside = takewhile(lambda above: above is not svg, element.iterancestors())
        if not any(above.tag in _HTML_IN_SVG for above in inside):
            last, tail = svg, svg.tail or ""
            svg.tail = None
            for moved in list(_from(element, svg)):
                last.addnext(moved)  # behind the text that follows the last one
                last = moved
            last.tail = (last.tail or "") + tail
            return


def _from(element: etree._Element, end: etree._Element) -> Iterator[etree._Element]:
    """Yield an element and what follows it inside another one, each with all it holds."""
    yield element
    above: etree._Element | None = element
    while above is not None and above is not end:
        yield from above.itersiblings()
        above = above.getparent()


def _give_head_and_body(root: etree._Element) -> None:
    """Give a page one head and one body, with everything else in the one or the other."""
    head, body = root.find("head"), root.find("body")
    if head is None:
        head = etree.Element("head")
        root.insert(0, head)
    if body is None:
        body = etree.SubElement(root, "body")
    early: list[etree._Element] = []
    between = takewhile(lambda one: one is not body, head.itersiblings("*"))
    for element in list(chain(head.iterchildren("*"), between)):
        if early or element.tag not in _HEAD:
            early.append(element)
        elif element.getparent() is root:
            head.append(element)
    for place, element in enumerate(early):
        body.insert(place, element)
    if early and body.text:
        early[-1].tail = (early[-1].tail or "") + body.text
        body.text = None
    # libxml2 starts a second document where something follows the end of the first.
    for element in list(chain(body.itersiblings("*"), root.itersiblings("html"))):
        _append(body, element)


def _append(body: etree._Element, element: etree._Element) -> None:
    """Add an element to a body, or what it holds where it is a body, too."""
    if element.tag not in ("html", "head", "body"):
        body.append(element)
        return
    if element.text and len(body):
        body[-1].tail = (body[-1].tail or "") + element.text
    elif element.text:
        body.text = (body.text or "") + element.text
    for child in list(element):
        _append(body, child)
    if (parent := element.getparent()) is not None:
        parent.remove(element)
