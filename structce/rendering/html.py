"""What HTML itself says of how its elements look: the default style sheet, in tables.

Source: HTML standard, section 15, Rendering (suggested rendering).
"""

from __future__ import annotations

from collections.abc import Mapping

UNSEEN = frozenset(
    "head title meta link base style script template area param source track datalist option "
    "optgroup noembed noframes rp textarea select input".split()
)
"""Elements that show no text node of their own, in a browser whose scripts are off."""

BLOCK = frozenset(
    "html body address article aside blockquote center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend listing "
    "main menu nav ol optgroup p plaintext pre search section summary ul xmp".split()
)

_DISPLAY = {
    "li": "list-item",
    "summary": "list-item",
    "table": "table",
    "caption": "table-caption",
    "colgroup": "table-column-group",
    "col": "table-column",
    "thead": "table-header-group",
    "tbody": "table-row-group",
    "tfoot": "table-footer-group",
    "tr": "table-row",
    "td": "table-cell",
    "th": "table-cell",
    "button": "inline-block",
    "input": "inline-block",
    "select": "inline-block",
    "textarea": "inline-block",
    "meter": "inline-block",
    "progress": "inline-block",
    "marquee": "inline-block",
    "ruby": "ruby",
    "slot": "contents",
}

_FONT_SCALE = {
    "h1": 2.0,
    "h2": 1.5,
    "h3": 1.17,
    "h5": 0.83,
    "h6": 0.67,
    "small": 1 / 1.2,
    "big": 1.2,
    "sub": 1 / 1.2,
    "sup": 1 / 1.2,
}

_WEIGHT = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "th"), 700.0)
_ITALIC = frozenset("i em cite var dfn address".split())


def display(tag: str) -> str:
    """Return the default value of CSS ``display`` of an element."""
    return _DISPLAY.get(tag) or ("block" if tag in BLOCK else "inline")


def font_size(tag: str, inherited: float) -> float:
    """Return the default font size in CSS pixels, given the parent's."""
    if tag in ("pre", "code", "kbd", "samp", "tt"):
        return inherited * 13 / 16 if inherited == 16 else inherited
    return inherited * _FONT_SCALE.get(tag, 1.0)


def font_weight(tag: str, inherited: float) -> float:
    """Return the default font weight (100 to 900), given the parent's."""
    return _WEIGHT.get(tag, inherited)


def font_style(tag: str, inherited: str) -> str:
    """Return the default font style, given the parent's."""
    return "italic" if tag in _ITALIC else inherited


def is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Return whether the element and all below it show nothing, by tag and attributes alone."""
    if tag in UNSEEN or "hidden" in attributes:
        return True
    if tag == "dialog":
        return "open" not in attributes
    if tag == "audio":
        return "controls" not in attributes
    style = attributes.get("style")
    return style is not None and "none" in style and declares(style, "display", "none")


def is_invisible(attributes: Mapping[str, str]) -> bool:
    """Return whether a ``style`` attribute makes the element invisible but keeps its place."""
    style = attributes.get("style")
    return style is not None and "visib" in style and declares(style, "visibility", "hidden")


def declares(style: str, name: str, value: str) -> bool:
    """Return whether the last declaration of a property in a style attribute has the value."""
    found = ""
    for declaration in style.split(";"):
        key, _, content = declaration.partition(":")
        if key.strip().lower() == name:
            found = content.replace("!important", "").strip().lower()
    return found == value
