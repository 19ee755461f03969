"""Rules of HTML that both renderers share: which nodes are seen, and how their text is read.

Source: HTML standard, section 15, Rendering (suggested rendering).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

RULES = 3
"""Version of the rules by which a node is a region; raised whenever they change."""

SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space, as the inside of a character class of a regular expression."""

SHAPELESS = "\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
"""Characters without a shape of their own, in the same form: soft hyphens, joiners, directions."""

MAX_FRAMES = 3
"""Depth to which frames inside frames are followed, so that frames that load themselves end."""

MAX_DOCUMENTS = 1_000
"""Documents of frames in one page, as many as Chromium shows."""

MAX_TREE_DEPTH = 513
"""Elements in one another, the outermost included: what nests deeper, Chromium puts beside the
innermost of them, and so do we."""

MIN_RUNNING_TEXT = 80
"""Least characters of a ``p`` element of running text: a line of print, so that menus do not count.

It decides where a page hides its text until its scripts have run."""

MAX_COMMENTS = 2_000
"""Comments kept of one page; a bound for pages made to fill memory."""

MAX_COMMENT = 200
"""Characters kept of a comment: enough for the names that features read (``end article``), too few
for the parts of a page that some publishers comment out."""

BODY = "/html[1]/body["
"""How addresses begin inside ``body``, where comments are read."""

UNSEEN = frozenset(
    "head title meta link base style script template area param source track datalist option "
    "optgroup noembed noframes rp textarea select input meter progress annotation "
    "annotation-xml".split()
)
"""Elements that show no text node of their own, in a browser whose scripts are off."""

SVG_UNSEEN = frozenset(
    "defs desc metadata symbol clippath mask pattern marker filter lineargradient "
    "radialgradient".split()
)
"""Elements of a drawing that show nothing where they stand, beside those of ``UNSEEN``."""

_FOREIGN = ("svg", "math")  # browsers hide only HTML's own elements by ``hidden``
_PRESENTATION = ("display", "visibility", "opacity")  # attributes of SVG that declare style
_NUMBER = re.compile(r"\s*+[+-]?(?:\d++\.?+\d*+|\.\d++)(?=\s*+(?:px\s*+)?$)", re.IGNORECASE)
_IMPORTANT = re.compile(r"!\s*+important\s*+$", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_NOTHING: Mapping[str, str] = {}
_SPACES = re.compile(f"[{SPACES}]+")
_MARK = re.compile(f"[^{SPACES}{SHAPELESS}]")
_NOT_A_COMMENT = re.compile(r"(?:<!)?\[(?:if\b|endif\])|\?", re.IGNORECASE)


def collapse(text: str) -> str:
    """Return the text with every run of white space as one space, none at the ends."""
    return _SPACES.sub(" ", text).strip(" ")


def has_mark(text: str) -> bool:
    """Return whether the text holds a character that can be seen."""
    return _MARK.search(text) is not None


def clean_comment(text: str) -> str:
    """Return a comment as a page keeps it; empty for one that is left out.

    Left out are those that speak to old browsers (``[if IE]``), and processing instructions
    (``<?php``), which only some parsers take for comments.
    """
    collapsed = collapse(text)
    return "" if _NOT_A_COMMENT.match(collapsed) else collapsed[:MAX_COMMENT]


def declarations(style: str | None) -> Mapping[str, str]:
    """Return what a ``style`` attribute declares, in lower case: the last of a name counts.

    One that is marked as important goes before all that are not.
    """
    if not style:
        return _NOTHING
    usual: dict[str, str] = {}
    important: dict[str, str] = {}
    for declaration in _COMMENT.sub("", style).split(";"):
        name, _, value = declaration.partition(":")
        text, is_important = _IMPORTANT.subn("", value)
        (important if is_important else usual)[name.strip().lower()] = text.strip().lower()
    return usual | important


def presentation(attributes: Mapping[str, str]) -> Mapping[str, str]:
    """Return what an element of SVG declares by attributes; its style attribute goes before."""
    stated = {name: attributes[name] for name in _PRESENTATION if name in attributes}
    return {**stated, **declarations(attributes.get("style"))}


def is_hidden(tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> bool:
    """Return whether the element and all below it show nothing, by tag and attributes alone.

    Parameters
    ----------
    style
        Its style attribute, as :func:`declarations` gives it.
    """
    if tag in UNSEEN or (tag == "audio" and "controls" not in attributes):
        return True
    if display := style.get("display"):  # goes before what the browser's own style sheet says
        return display == "none"
    if tag == "dialog" and "open" not in attributes:
        return True
    return ("hidden" in attributes or "popover" in attributes) and tag not in _FOREIGN


def is_invisible(inherited: bool, style: Mapping[str, str]) -> bool:
    """Return whether an element keeps its place but is not seen, unlike perhaps what it holds."""
    visibility = style.get("visibility")
    if visibility in ("hidden", "collapse"):
        return True
    return inherited and visibility not in ("visible", "initial")


def is_transparent(style: Mapping[str, str]) -> bool:
    """Return whether the element and all below it are fully transparent."""
    try:
        return float(style.get("opacity", "1").removesuffix("%")) <= 0
    except ValueError:  # not CSS, so it declares nothing
        return False


def is_point(tag: str, attributes: Mapping[str, str]) -> bool:
    """Return whether a medium is a tracking pixel: at most one pixel wide and high.

    Of media other than images one of the two is enough, since they have no size of their own
    that a missing one could follow.
    """
    width, height = _is_tiny(attributes.get("width")), _is_tiny(attributes.get("height"))
    return (width and height) if tag == "img" else (width or height)


def _is_tiny(length: str | None) -> bool:
    number = _NUMBER.match(length) if length else None
    return number is not None and float(number.group()) <= 1


def is_walked(tag: str, attributes: Mapping[str, str]) -> bool:
    """Return whether what stands in an ``iframe`` is part of the page: a ``srcdoc`` of its own.

    A sandbox makes it a document of another origin, which nobody may look into.
    """
    if tag != "iframe" or not attributes.get("srcdoc"):
        return False
    sandbox = attributes.get("sandbox")
    return sandbox is None or "allow-same-origin" in sandbox.lower().split()
