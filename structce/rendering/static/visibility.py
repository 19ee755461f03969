"""Visibility of elements without style sheets, and its inheritance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from structce.patterns import lazy_pattern
from structce.rendering.html_rules import (
    MIN_RUNNING_TEXT,
    SPACES,
    SVG_UNSEEN,
    UNSEEN,
    collapse,
    has_mark,
    running_length,
    written_out,
)
from structce.rendering.static.parser import ancestors_of

SHAPES, LETTERS = "shapes", "letters"  # inside svg: where text does not show, and where it does

_FOREIGN = ("svg", "math")  # in browsers ``hidden`` affects only HTML elements
_IMPORTANT = lazy_pattern(r"!\s*+important\s*+$", re.IGNORECASE)
_COMMENT = lazy_pattern(r"/\*.*?(?:\*/|$)", re.DOTALL)
_PROPERTIES = ("display", "visibility", "opacity")
DECLARING = frozenset({"hidden", "popover", "open", "controls", *_PROPERTIES})
"""Attributes, beside ``style``, on which visibility depends; those of SVG may declare style."""
_LONG = 200  # characters of a tag and such attributes; longer ones seldom occur twice
RULED_TAGS = frozenset({"details", "dialog", "audio", "svg"})  # have rules of their own

_MAX_READ = 40_000_000  # characters of paragraphs, which may be nested

_NEVER = frozenset({"noscript", "dialog", "form"})

WHITESPACE = written_out(SPACES)
"""White space, as ``str.strip`` takes it."""


class Visibility(NamedTuple):
    """Visibility that the content of an element inherits."""

    invisible: bool = False
    transparent: bool = False
    closed: bool = False  # a "details" element that is not open; not inherited
    svg: str = ""  # place in a drawing: SHAPES, LETTERS, or "" outside
    n_frames: int = 0  # frames around its document
    in_medium: bool = False  # is or lies in a drawing, or lies in a frame's document

    @property
    def shows_text(self) -> bool:
        """Whether a text directly below the element is visible."""
        return not (self.invisible or self.transparent or self.closed or self.svg == SHAPES)


UNHIDDEN = Visibility()
"""Visibility of nearly all elements of nearly all pages: one object, so it is cheap to compare."""


def visibility_of(
    around: Visibility, tag: str, number: int, attributes: Mapping[str, str]
) -> Visibility | None:
    """Return the visibility of an element, or None if it and everything below it are hidden.

    ``number`` counts its siblings with the same tag from 1.
    """
    # Asked of every element, so the usual cases come first.
    names = () if DECLARING.isdisjoint(attributes) else DECLARING & attributes.keys()
    declared = tuple([(name, attributes[name]) for name in sorted(names)])
    style = attributes["style"].lower() if "style" in attributes else ""
    if style and (any(name in style for name in _PROPERTIES) or "/*" in style):
        declared += (("style", attributes["style"]),)
    if not (declared or tag in RULED_TAGS or around.closed or around.svg):
        return around
    is_long = len(tag) + sum(len(value) for _, value in declared) > _LONG
    decide = _visibility.__wrapped__ if is_long else _visibility
    return decide(around, tag, number == 1, declared)


@lru_cache(maxsize=4096)
def _visibility(
    around: Visibility, tag: str, is_first: bool, declared: tuple[tuple[str, str], ...]
) -> Visibility | None:
    attributes = dict(declared)
    in_svg = tag == "svg" or around.svg != ""
    style = _declarations(attributes.get("style", ""))
    if in_svg:
        style = {name: attributes[name] for name in _PROPERTIES if name in attributes} | style
    is_hidden = "hidden" in attributes or "popover" in attributes
    if display := style.get("display"):  # takes precedence over the browser's own style sheet
        is_hidden = display == "none"
    elif tag == "dialog":
        is_hidden |= "open" not in attributes
    elif tag in _FOREIGN:
        is_hidden = False
    if (
        is_hidden
        or tag in UNSEEN
        or (tag == "audio" and "controls" not in attributes)
        or (around.closed and not (tag == "summary" and is_first))
        or (in_svg and tag in SVG_UNSEEN)
    ):
        return None
    svg = SHAPES if tag == "svg" and not around.svg else around.svg
    if around.svg and tag in ("foreignobject", "text"):  # the first contains HTML
        svg = LETTERS if tag == "text" else ""
    shown = style.get("visibility")
    is_invisible = around.invisible and shown not in ("visible", "initial")
    visibility = Visibility(
        invisible=is_invisible or shown in ("hidden", "collapse"),
        transparent=around.transparent or _is_transparent(style.get("opacity", "1")),
        closed=tag == "details" and "open" not in attributes,
        svg=svg,
        n_frames=around.n_frames,
        in_medium=around.in_medium or in_svg,
    )
    return UNHIDDEN if visibility == UNHIDDEN else visibility


def _declarations(style: str) -> dict[str, str]:
    """Return what a ``style`` attribute declares, in lower case; of each name the last counts."""
    usual: dict[str, str] = {}
    important: dict[str, str] = {}
    style = _COMMENT.sub("", style) if "/*" in style else style
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        text, is_important = _IMPORTANT.subn("", value) if "!" in value else (value, 0)
        (important if is_important else usual)[name.strip().lower()] = text.strip().lower()
    return usual | important


def _is_transparent(opacity: str) -> bool:
    try:
        return float(opacity.removesuffix("%")) <= 0
    except ValueError:  # not CSS, so it declares nothing
        return False


def revealed_elements(
    root: LexborNode, hidden: Iterable[int], fragments: Iterable[LexborNode] = ()
) -> frozenset[int]:
    """Return the numbers of the elements whose hiding is to be ignored; empty if it is not.

    ``hidden`` are the numbers of elements that the HTML hides, ``fragments`` the shadow trees.
    """
    numbers = frozenset(hidden)
    is_in_hidden = _inside(lambda element: element.mem_id in numbers)
    is_never_shown = _inside(lambda element: element.tag in _NEVER)
    n_left = _MAX_READ

    @cache
    def measure(number: int) -> int:
        """Return the letters of a paragraph of running text; 0 for any other."""
        nonlocal n_left
        if n_left < 0:
            return 0
        text = paragraphs[number].text(deep=True)
        n_left -= len(text)
        length = running_length(text.strip())
        is_short = length < MIN_RUNNING_TEXT
        return 0 if is_short or is_never_shown(paragraphs[number]) else length

    in_page = {p.mem_id: p for p in root.css("p")}
    paragraphs = in_page | {p.mem_id: p for fragment in fragments for p in fragment.css("p")}
    inside = [n for n, p in paragraphs.items() if n in numbers or is_in_hidden(p)]
    hidden_text = {n: length for n in inside if (length := measure(n))}
    n_hidden = sum(hidden_text.values())
    if not n_hidden or 2 * n_hidden <= sum(map(measure, in_page)):
        return frozenset()
    revealed: set[int] = set()
    for number in hidden_text:
        for element in chain([paragraphs[number]], ancestors_of(paragraphs[number])):
            if element.mem_id in revealed:
                break
            revealed.add(element.mem_id)
    return frozenset(revealed)


def _inside(is_one: Callable[[LexborNode], bool]) -> Callable[[LexborNode], bool]:
    """Return the test of whether a node is inside such an element; ancestors are visited once."""
    known: dict[int, bool] = {}  # whether each element is one, or inside one

    def is_inside(node: LexborNode) -> bool:
        passed: list[LexborNode] = []
        above = node.parent
        while above is not None and above.mem_id not in known:
            passed.append(above)
            above = above.parent
        result = above is not None and known[above.mem_id]
        for element in reversed(passed):
            result = known[element.mem_id] = result or is_one(element)
        return result

    return is_inside


def visible_text(text: str) -> str:
    """Return ``collapse(text)`` of a text without white space at its ends; empty without a mark."""
    if text.isprintable() and "  " not in text:
        return text
    return collapse(text) if has_mark(text) else ""
