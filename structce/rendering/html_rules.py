"""HTML rules shared by both renderers: which nodes are visible, and how their text is read.

Source: HTML standard, section 15, Rendering (suggested rendering).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from structce.language import UNSPACED, is_european
from structce.patterns import lazy_pattern

RULES = 4
"""Version of the rules that decide which nodes are regions; increased whenever they change."""

SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space, as the content of a character class in a regular expression."""

SHAPELESS = "\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
"""Characters without a glyph, in the same form: soft hyphens, joiners, direction marks."""

MAX_FRAMES = 3  # depth to which nested frames are followed, since a frame may load itself
MAX_DOCUMENTS = 1_000  # maximum number of frame documents in one page, as in Chromium
MAX_TREE_DEPTH = 513
"""Maximum nesting of elements, including the outermost: like Chromium, we place deeper elements
beside the innermost of them."""

MIN_RUNNING_TEXT = 80
"""Minimum length of a ``p`` element of running text (:func:`running_length`): a line of print, so
that menus do not count. It shows pages that hide their text until their scripts have run."""

MAX_COMMENTS = 2_000  # comments kept per page
MAX_COMMENT = 200
"""Characters kept of a comment: enough for the names that features read (``end article``), too few
for the parts of a page that some publishers comment out."""

BODY = "/html[1]/body["  # prefix of addresses inside body, where comments are read
UNSEEN = frozenset(
    "head title meta link base style script template area param source track datalist option "
    "optgroup noembed noframes rp textarea select input meter progress annotation "
    "annotation-xml".split()
)
"""Elements that show no text node of their own, in a browser with scripts disabled."""

SVG_UNSEEN = frozenset(
    "defs desc metadata symbol clippath mask pattern marker filter lineargradient "
    "radialgradient".split()
)
"""SVG elements that show nothing at their place, in addition to ``UNSEEN``."""

TEX = "math/tex"  # start of the type of scripts that are regions: formulas for MathJax
ANNOTATION = 'annotation[encoding*="tex" i]'
"""Selector of the source of a formula inside its markup."""

CHECKBOX = 'input[type="checkbox" i]'
"""Selector of the box of an item in a task list."""

_NUMBER = lazy_pattern(r"\s*+[+-]?(?:\d++\.?+\d*+|\.\d++)(?=\s*+(?:px\s*+)?$)", re.IGNORECASE)
_SPACES = lazy_pattern(f"[{SPACES}]+")
_MARK = lazy_pattern(f"[^{SPACES}{SHAPELESS}]")
SYLLABLES = f"{UNSPACED}\uac00-\ud7af"
"""Characters that stand for a syllable or a word, as the content of a character class."""

_SYLLABLE = lazy_pattern(f"[{SYLLABLES}]")
_NOT_A_COMMENT = lazy_pattern(r"(?:<!)?\[(?:if\b|endif\])|\?", re.IGNORECASE)


def collapse(text: str) -> str:
    """Return the text with runs of white space replaced by one space, and none at the ends."""
    # The space is the only white space that Python calls printable; asking is cheap.
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    if text.isascii():  # of which SPACES has the white space of bytes
        return b" ".join(text.encode().split()).decode()
    return _SPACES.sub(" ", text).strip(" ")


def has_mark(text: str) -> bool:
    """Return whether the text contains a visible character."""
    return text[:1].isalnum() or _MARK.search(text) is not None


def written_out(ranges: str) -> str:
    """Return all characters of a character class that consists of characters and ranges."""
    pieces = ranges.split("-")
    written = pieces[0]
    for piece in pieces[1:]:
        written += "".join(map(chr, range(ord(written[-1]) + 1, ord(piece[0])))) + piece
    return written


def running_length(text: str) -> int:
    """Return the length of a text as if it were in Latin letters.

    A character of Chinese, Japanese, Korean or another script of syllables and words counts as
    three letters: in translations of one text it stands for two and a half to four.
    """
    return len(text) + (0 if is_european(text) else 2 * len(_SYLLABLE.findall(text)))


def clean_comment(text: str) -> str:
    """Return a comment as stored in a page; empty if it is left out.

    Left out are conditional comments for old browsers (``[if IE]``), and processing instructions
    (``<?php``), which only some parsers treat as comments.
    """
    collapsed = collapse(text)
    is_other = collapsed.startswith(("[", "<![", "?")) and _NOT_A_COMMENT.match(collapsed)
    return "" if is_other else collapsed[:MAX_COMMENT]


def is_point(tag: str, attributes: Mapping[str, str]) -> bool:
    """Return whether a medium is a tracking pixel: at most one pixel wide and high.

    For media other than images one of the two suffices, since they have no intrinsic size.
    """
    width, height = _is_tiny(attributes.get("width")), _is_tiny(attributes.get("height"))
    return (width and height) if tag == "img" else (width or height)


@lru_cache(maxsize=1_024)
def _is_tiny(length: str | None) -> bool:
    number = _NUMBER.match(length) if length else None
    return number is not None and float(number.group()) <= 1
