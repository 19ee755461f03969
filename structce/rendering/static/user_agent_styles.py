"""User-agent style sheet in tables: what HTML itself says about display and fonts.

Source: HTML standard, section 15, Rendering (suggested rendering).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from structce.page import StyleColumn

_DISPLAYS = {  # "text" and "foreignobject" are of drawings
    "block": "html body address article aside blockquote center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend "
    "listing main menu nav ol optgroup p plaintext pre search section ul xmp text foreignobject",
    "list-item": "li summary",
    "table": "table",
    "table-caption": "caption",
    "table-column-group": "colgroup",
    "table-column": "col",
    "table-header-group": "thead",
    "table-row-group": "tbody",
    "table-footer-group": "tfoot",
    "table-row": "tr",
    "table-cell": "td th",
    "inline-block": "button input select textarea meter progress marquee",
    "ruby": "ruby",
    "contents": "slot",
}
_DISPLAY = {tag: display for display, tags in _DISPLAYS.items() for tag in tags.split()}

_SMALLER = dict.fromkeys(("small", "sub", "sup"), 1 / 1.2)
_FONT_SCALE = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67, "big": 1.2} | _SMALLER
_WEIGHT = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "th"), 700.0)
_ITALIC = frozenset("i em cite var dfn address".split())
_FIXED_WIDTH = frozenset("pre code kbd samp tt".split())
_WITH_FONT = _FONT_SCALE.keys() | _WEIGHT.keys() | _ITALIC | _FIXED_WIDTH
"""Elements whose font differs from that around them, a few of a page's hundreds."""

_Font = tuple[float, float, str]
_START: _Font = (16.0, 400.0, "normal")


def default_styles(tags: Sequence[str], parents: Sequence[int]) -> Mapping[str, StyleColumn]:
    """Return the columns of style that HTML alone gives, one row per element.

    ``parents`` contains the row of each element's parent, which precedes it; -1 for the root.
    """
    fonts = [_START]  # the font around the root, which is row -1
    for tag, parent in zip(tags, parents, strict=True):
        font = fonts[parent + 1]
        fonts.append(_font(tag, font) if tag in _WITH_FONT else font)
    sizes, weights, slants = zip(*fonts, strict=True)
    return {
        "display": np.array([_DISPLAY.get(tag, "inline") for tag in tags], dtype=np.str_),
        "font-size": np.array(sizes[1:], dtype=np.float32),
        "font-weight": np.array(weights[1:], dtype=np.float32),
        "font-style": np.array(slants, dtype=np.str_)[1:].copy(),
    }


@lru_cache(maxsize=1_024)  # pages have few pairs of a tag and the font around it
def _font(tag: str, above: _Font) -> _Font:
    """Return size, weight and slant of an element's font, given its parent's."""
    size, weight, slant = above
    if tag in _FIXED_WIDTH:
        size = 13.0 if size == 16 else size
    else:
        size *= _FONT_SCALE.get(tag, 1.0)
    # Sizes are kept in single precision, so what is inherited is rounded, too.
    return float(np.float32(size)), _WEIGHT.get(tag, weight), "italic" if tag in _ITALIC else slant
