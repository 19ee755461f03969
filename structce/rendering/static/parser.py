"""HTML parser (Lexbor), guarded against pages that would take minutes or gigabytes.

A parser that follows the HTML standard searches all open elements for each new block, and reopens
formatting that was never closed in every block. Both grow with the square of a hostile page's size:
44 kB of ``<b id=1><p><b id=2><p>...`` become two gigabytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from structce import kernels
from structce.errors import RenderError
from structce.patterns import lazy_pattern
from structce.rendering.document import Document
from structce.rendering.html_scanner import SWALLOWING, scan_pieces

# Limits of a page; the parser compares, searches or reopens all that are there.
MAX_DEPTH = 20_000  # nested elements: far beyond the 512 that a browser follows
MAX_REPEATED = 500_000  # reopened formatting elements; that many take some 250 MB
MAX_ATTRIBUTES = 4_000  # of one element
MAX_FORMATTING = 4_000  # open formatting elements with attributes
MAX_OPTIONS = 4_000  # options parsed per "select", which are never shown
MAX_NAMES = 20_000  # distinct names of elements; the parser's table of them has a fixed size

_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_COUNTED = tuple(
    tuple(name.encode() for name in names)
    for names in (_FORMATTING, SWALLOWING, ("option", "optgroup"), ("html", "body"))
)
"""Names of the elements that are counted, by kind."""

_FLAT = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    "option optgroup a nobr".split()
)
"""Elements that cannot be nested in their own kind, so that many of them are not deep."""

_EXCESSES = (
    "over {:,} formatting elements are never closed",
    "over {:,} nested elements",
    "formatting that is never closed repeats over {:,} times",
)

_OPENED = lazy_pattern(
    rb"<(?=[bBcCeEfFiIsStTuU])"  # rules out most tags quickly
    rb"(?:[bB][iI][gG]|[bB]|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|[iI]|[sS][mM][aA][lL]{2}"
    rb"|[sS][tT][rR][iI][kK][eE]|[sS][tT][rR][oO][nN][gG]|[sS]|[tT]{2}|[uU])[\s/>]"
)
_NAME = lazy_pattern(rb"<([a-zA-Z][^\s/>]*+)")
_TAG = lazy_pattern(rb"<(/?)([a-zA-Z][^\s/>]*)([\s/]*+[^\s/>])?")
_START_TAG = lazy_pattern(rb"<[a-zA-Z][^>]*+")
_MERGED_TAG = lazy_pattern(rb"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])(?=[\s/>])[^>]*+")
_ATTRIBUTE = lazy_pattern(
    rb"""[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?)?"""
)
_SEPARATOR = lazy_pattern(rb"[\s/='\"]")
_SHORT_TAG = 2 * MAX_ATTRIBUTES  # bytes; a tag this short cannot exceed MAX_ATTRIBUTES
_OPTION = lazy_pattern(rb"<(/?)(select|option|optgroup)(?=[\s/>])", re.IGNORECASE)

TEXT, COMMENT = "-text", "-comment"
"""Tags of nodes that are not elements."""


def parse(document: Document) -> LexborNode:
    """Return the root element of a document.

    RenderError if it cannot be parsed, or its tree would be too deep or too large.
    """
    return parse_inner(document.utf8, document.name)


def parse_inner(html: bytes, name: str, counts: TagCounts | None = None) -> LexborNode:
    """Return the root element of HTML in UTF-8, of a page or inside one, as :func:`parse`."""
    counts = counts or count_tags(html)
    _check_attributes(html, name, counts)
    check_tags(html, name, counts)
    try:
        given = html.replace(b"\0", b"")
        given = _without_options(given) if counts.options > MAX_OPTIONS else given
        root = LexborHTMLParser(given).root
    except SelectolaxError as error:
        raise RenderError(f"{name}: not HTML: {error}") from error
    if root is None:
        raise RenderError(f"{name}: the page contains no element")
    return root


class TagCounts(NamedTuple):
    """Counts of what looks like tags in HTML, as it may inside a script."""

    tags: int
    end_tags: int
    formatting: int  # start tags of formatting elements
    options: int  # tags of options and their groups
    separators: int  # most in a long start tag: its attributes are no more
    merged: int  # bytes of the start tags of ``html`` and ``body``
    repeated: int  # formatting elements that the others may repeat, at most
    may_swallow: bool  # whether an element such as ``<iframe/>`` may hide what follows it


def count_tags(html: bytes) -> TagCounts:
    """Return the counts of tags."""
    if kernels.count_tags is not None:
        return TagCounts(*kernels.count_tags(html, _COUNTED, _SHORT_TAG))
    stretches = [stretch for stretch in html.split(b">") if len(stretch) > _SHORT_TAG]
    begun = [match for stretch in stretches if (match := _START_TAG.search(stretch))]
    separators = max((len(_SEPARATOR.findall(match[0])) for match in begun), default=0)
    n_formatting, merged = len(_OPENED.findall(html)), sum(map(len, _MERGED_TAG.findall(html)))
    n_tags, n_options = html.count(b"<"), 0
    if n_tags > MAX_OPTIONS:
        n_options = sum(1 for match in _OPTION.finditer(html) if match[2][0] in b"oO")
    n_ends, n_repeated = html.count(b"</"), n_formatting * n_tags
    return TagCounts(n_tags, n_ends, n_formatting, n_options, separators, merged, n_repeated, True)


def _check_attributes(html: bytes, name: str, counts: TagCounts) -> None:
    """Raise RenderError for a page with an element that has too many attributes."""
    if counts.separators <= MAX_ATTRIBUTES and counts.merged <= _SHORT_TAG:
        return
    if not _has_many_attributes(_START_TAG.findall(html)):
        return
    pieces = scan_pieces(html.decode("utf-8", errors="replace"))
    starts = (piece for piece in pieces if piece[3] or (piece[5] and not piece[4]))
    tags = (raw_tag or tag for _, tag, raw_tag, *_ in starts)
    if _has_many_attributes(tag.encode() for tag in tags):
        raise RenderError(f"{name}: over {MAX_ATTRIBUTES:,} attributes of one element, the limit")


def _has_many_attributes(tags: Iterable[bytes]) -> bool:
    n_merged = 0  # the attributes of all "html" tags belong to one element, as those of "body"
    for tag in tags:
        is_merged = tag[1:5].lower() in (b"html", b"body")
        if is_merged or len(tag) > _SHORT_TAG:
            n_attributes = sum(1 for _ in _ATTRIBUTE.finditer(tag)) - 1
            n_merged += n_attributes if is_merged else 0
            if max(n_attributes, n_merged) > MAX_ATTRIBUTES:
                return True
    return False


def _without_options(html: bytes) -> bytes:
    """Return HTML in which the options of a long ``select`` are comments, at the same places."""
    changed: bytearray | None = None
    n_options = -1  # outside a select
    for match in _OPTION.finditer(html):
        if match[2][:1] in b"sS":
            n_options = -1 if match[1] else 0
        elif n_options >= 0:
            n_options += 1
            if n_options > MAX_OPTIONS and not match[1]:
                changed = bytearray(html) if changed is None else changed
                changed[match.start() + 1] = ord("!")
    return html if changed is None else bytes(changed)


def check_tags(html: bytes, name: str, counts: TagCounts) -> None:
    """Raise RenderError for a page whose tree would be too deep or too large."""
    n_tags, n_ends, n_formatting = counts.tags, counts.end_tags, counts.formatting
    if n_tags > MAX_NAMES and len({tag.lower() for tag in _NAME.findall(html)}) > MAX_NAMES:
        raise RenderError(f"{name}: over {MAX_NAMES:,} names of elements, which is the limit")
    # Even if none is closed, or if every end tag closes one.
    for n_open in (n_tags, n_tags - n_ends):
        if n_open <= MAX_DEPTH and n_formatting * n_open <= MAX_REPEATED:
            return
    is_simple = n_tags <= MAX_DEPTH and n_formatting <= MAX_FORMATTING
    if is_simple and counts.repeated <= MAX_REPEATED:
        return
    most = (MAX_FORMATTING, MAX_DEPTH, MAX_REPEATED)
    if excess := _find_excess(html):
        reason = _EXCESSES[excess - 1].format(most[excess - 1])
        raise RenderError(f"{name}: {reason}, which is the limit")


def _find_excess(html: bytes) -> int:
    """Return the number of the first limit on nesting that is exceeded; 0 if none is."""
    stack: list[str] = []  # elements that the tags leave open
    formatting: Counter[str] = Counter()
    attributed: Counter[str] = Counter()  # formatting elements with attributes
    n_open = n_repeated = 0
    for match in _TAG.finditer(html):
        tag = match[2].decode("latin-1").lower()
        if tag in _FORMATTING:
            change = -1 if match[1] else 1
            if formatting[tag] + change >= 0:
                formatting[tag] += change
                n_open += change
            attributed[tag] = max(attributed[tag] + (change if change < 0 or match[3] else 0), 0)
        elif not match[1]:
            n_repeated += n_open
            if tag not in _FLAT:
                stack.append(tag)
        elif stack and stack[-1] == tag:
            stack.pop()
        if attributed[tag] > MAX_FORMATTING:
            return 1
        if len(stack) > MAX_DEPTH:
            return 2
        if n_repeated > MAX_REPEATED:
            return 3
    return 0


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the children of a node."""
    child = node.child
    while child is not None:
        yield child
        child = child.next


def ancestors_of(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the ancestors of a node, innermost first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def is_same_node(a: LexborNode, b: LexborNode) -> bool:
    """Return whether two objects are the same node; ``==`` compares only their HTML."""
    return a.mem_id == b.mem_id


def attributes_of(node: LexborNode, *, in_svg: bool) -> dict[str, str]:
    """Return the attributes of an element, with names in lower case even in SVG."""
    attributes = node.attributes
    if in_svg:
        return {name.lower(): value or "" for name, value in attributes.items()}
    if None in attributes.values():
        return {name: value or "" for name, value in attributes.items()}
    return attributes  # type: ignore[return-value]  # no value is None
