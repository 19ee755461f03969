"""Features of typography, boxes and colours: one row of a table per CSS property or edge of a box.

A page that was laid out but has no box for a region leaves that region's box unknown. Colours are
read as a browser computes them and named by one of 13 plain names.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats
from structce.features.landmarks import running_widths
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.features.text import less_previous, widths
from structce.page import Page
from structce.patterns import lazy_pattern

SIDES = ("top", "right", "bottom", "left")
_USUAL_SIZE = 16.0  # CSS pixels; the default of browsers, for a page without text
_USUAL_WEIGHT = 400.0
_RATIOS = (0.6, 0.8, 0.95, 1.05, 1.2, 1.4, 1.7, 2.2, 3.0)
_DIFFERENCES = (-12, -6, -2, -0.5, 0.5, 2, 6, 12)
_INTERVALS = 10  # equally full bins of the paper's forms, learnt from training pages

_SHARES = (0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95)
_WINDOWS = (0.1, 0.25, 0.5, 1, 2, 4, 8)
_PIXELS = (1, 4, 8, 16, 24, 32, 64)
_BOXES = {
    "left": (_SHARES[:6], "Left edge as a share of the window's width: side columns begin far to "
             "the right."),
    "right": (_SHARES, "Right edge as a share of the window's width: text columns end at the same "
              "place."),
    "top": (_WINDOWS, "Upper edge in window heights: below 1 is visible without scrolling."),
    "bottom": (_WINDOWS, "Lower edge in window heights: the header ends early."),
    "width": ((0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8), "Width as a share of the window's: lines of "
              "text are wide, menu entries narrow."),
    "height": ((1, 12, 20, 32, 60, 120, 240, 480), "Height in CSS pixels: separates one line from "
               "many, icons from pictures."),
    "surface": ((1, 1e3, 5e3, 2e4, 6e4, 2e5), "Area in square CSS pixels: the text and its "
                "pictures take up the most space."),
}  # fmt: skip
"""Bins and meaning of each quantity of a box; those in pixels are its forms in the paper."""

_SIZED = ("width", "height")  # seen by neighbours, too
_IN_PIXELS = ("left", "top", "right", "bottom", "width")
_PROPERTIES = {
    "margin-left": (_PIXELS, "Margin left of the element in CSS pixels: paragraphs are evenly "
                    "spaced."),
    "padding-bottom": (_PIXELS, "Padding below the text in CSS pixels: buttons, cells and cards "
                       "have it."),
    "border-bottom-width": ((0.5, 1.5, 3, 6), "Width of the border below the text in CSS pixels: "
                            "rules divide a page, frames mark boxes."),
    "opacity": ((0.05, 0.5, 0.95), "Opacity of the element itself, from 0 to 1: scripts fade "
                "slides in and out."),
}  # fmt: skip
"""Bins and meaning of each numeric property."""

_COLOURS = {
    "text": ("color", "Plain name of the text's colour: transparent, black, white, one of three "
             "greys or seven hues."),
    "background": ("background-color", "Plain name of the element's own background colour, mostly "
                   "transparent except in buttons."),
    "border-left": ("border-left-color", "Plain name of the left border's colour, unknown without "
                    "one: rules separate parts."),
}  # fmt: skip
"""Property and meaning of each colour."""


def less_next(values: Floats) -> Floats:
    """Return each value minus that of the region after; NaN for the last, shape (n_regions,)."""
    return less_previous(values[::-1])[::-1]


def _numbers(page: Page, name: str) -> Floats:
    """Return the values of a numeric property, shape (n_regions,)."""
    return np.asarray(page.elements.styles[name].astype(np.float64)[page.element])


@once_a_page
def font_sizes(page: Page) -> Floats:
    """Return font sizes in CSS pixels, shape (n_regions,)."""
    return _numbers(page, "font-size")


@once_a_page
def _font_weights(page: Page) -> Floats:
    return _numbers(page, "font-weight")


def of_running_text(page: Page, values: Floats) -> float | None:
    """Return the number of most characters of the running text, or of all text if it is missing.

    None on a page without text. On a tie the number that comes first wins.
    """
    weights = running_widths(page)
    weights = weights if weights.any() else widths(page)
    if not weights.any():
        return None
    codes = kernels.number_values(values.tolist())  # in order of appearance
    usual = int(np.bincount(codes, weights=weights).argmax())
    return float(values[codes.tolist().index(usual)])


@feature("style", bins=_RATIOS, window=(-2, -1, 1, 2))
def relative_font_size(page: Page) -> Floats:
    """Font size divided by that of the running text (dimensionless).

    A headline stands out from its own page, not from a fixed size in pixels, so the ratio
    carries over to unseen sites.
    """
    usual = of_running_text(page, font_sizes(page))
    return font_sizes(page) / (_USUAL_SIZE if usual is None else max(usual, 1.0))


@feature("style", bins=(0.3, 0.5, 0.7, 0.85, 0.999))
def font_size_rank(page: Page) -> Floats:
    """Font size divided by the page's largest: 1 for the largest text."""
    return font_sizes(page) / float(np.fmax.reduce(font_sizes(page), initial=1.0))


@feature("style", bins=(-48, -32, -24, -16, -10, -6, -3, -0.5), source=SPENGLER)
def max_font_size_difference(page: Page) -> Floats:
    """Font size minus the page's largest, in CSS pixels, 0 or less: 0 is often the headline."""
    sizes = font_sizes(page)
    return np.asarray(sizes - np.fmax.reduce(sizes, initial=-np.inf))


@feature("style", bins=_DIFFERENCES, source=SPENGLER)
def previous_font_size_difference(page: Page) -> Floats:
    """Font size minus that of the region before, in CSS pixels: text grows where a part begins."""
    return less_previous(font_sizes(page))


@feature("style", bins=_DIFFERENCES, source=SPENGLER)
def next_font_size_difference(page: Page) -> Floats:
    """Font size minus that of the region after, in CSS pixels: smaller text follows headings."""
    return less_next(font_sizes(page))


@feature("style", window=BESIDE)
def is_bold(page: Page) -> Flags:
    """Font weight of 600 or more: headings, names, lead-ins."""
    return np.asarray(_font_weights(page) >= 600)


@feature("style", bins=(-250, -50, 50, 150, 250, 350))
def relative_font_weight(page: Page) -> Floats:
    """Font weight minus that of the running text, on the CSS scale (400 is normal, 700 bold).

    Some sites set all their text in medium weight, and names in a bolder one.
    """
    usual = of_running_text(page, _font_weights(page))
    return _font_weights(page) - (_USUAL_WEIGHT if usual is None else usual)


def _edge(page: Page, name: str) -> Floats:
    """Return a quantity of each region's box in CSS pixels, shape (n_regions,)."""
    left, top, width, height = page.boxes.astype(np.float64).T
    edges: dict[str, Floats] = {"left": left, "top": top, "width": width, "height": height}
    edges |= {"right": left + width, "bottom": top + height, "surface": width * height}
    return edges[name]


def _register_box(name: str) -> None:
    bins, summary = _BOXES[name]
    side = {"left": 0, "right": 0, "width": 0, "top": 1, "bottom": 1}.get(name)

    def compute(page: Page) -> Floats:
        unit = 1.0 if side is None else max(float(page.viewport[side]), 1.0)
        return _edge(page, name) / unit

    compute.__doc__ = summary
    window = BESIDE if name in _SIZED else None
    feature("style", bins=bins, needs="layout", name=name, source=SPENGLER, window=window)(compute)


def _register_pixels(name: str) -> None:
    def compute(page: Page) -> Floats:
        return _edge(page, name)

    compute.__doc__ = f"{name.capitalize()} of the box in CSS pixels, whatever the window's size."
    feature("style", bins=_INTERVALS, needs="layout", name=f"{name}-in-pixels", source=SPENGLER,
            is_optional=True)(compute)  # fmt: skip


def _register_property(name: str) -> None:
    bins, summary = _PROPERTIES[name]

    def compute(page: Page) -> Floats:
        return _numbers(page, name)

    compute.__doc__ = summary
    feature("style", bins=bins, needs="layout", name=name, source=SPENGLER)(compute)


def _register_colour(name: str) -> None:
    style, summary = _COLOURS[name]
    width = style.replace("color", "width") if style.startswith("border") else None

    def value(page: Page) -> list[str | None]:
        shown: list[str | None] = page.elements.styles[style][page.element].tolist()
        return shown

    def compute(page: Page) -> list[str | None]:
        names = [colour_name(parse_colour(str(text))) for text in value(page)]
        drawn = _numbers(page, width) > 0 if width else np.ones(len(page), dtype=bool)
        return [own if is_drawn else None for own, is_drawn in zip(names, drawn, strict=True)]

    compute.__doc__ = summary
    value.__doc__ = f"Property ``{style}`` as the browser computes it: ``rgb(51, 51, 51)``."
    feature("style", needs="layout", name=f"{name}-colour", aliases=(f"{name}-color",),
            source=SPENGLER)(compute)  # fmt: skip
    feature("style", needs="layout", name=f"{name}-colour-value", source=SPENGLER,
            is_optional=True)(value)  # fmt: skip


for _name in _BOXES:
    _register_box(_name)
for _name in _IN_PIXELS:
    _register_pixels(_name)
for _name in _PROPERTIES:
    _register_property(_name)


@feature("style", bins=(-200, -20, -2, 2, 20, 200), needs="layout", source=SPENGLER)
def next_left_difference(page: Page) -> Floats:
    """Left minus that of the region after, in CSS pixels: 0 in a column of text."""
    return less_next(_edge(page, "left"))


@feature("style", bins=(-200, -40, -10, -1, 1, 10, 40, 200), needs="layout", source=SPENGLER)
def previous_height_difference(page: Page) -> Floats:
    """Height minus that of the region before, in CSS pixels: headlines are taller than bylines."""
    return less_previous(_edge(page, "height"))


Colour = tuple[float, float, float, float]  # red, green, blue (sRGB) and opacity, each from 0 to 1
_FUNCTION = lazy_pattern(r"(rgba?|color)\((?:(?:srgb|display-p3)\s)?([^()]*)\)")
_GREYS = {"black": 0.0, "dark-grey": 0.33, "grey": 0.6, "light-grey": 0.88, "white": 1.0}
_HUES = {"red": 0, "orange": 30, "yellow": 55, "green": 120, "blue": 215, "purple": 280}
_HUES |= {"pink": 325}
_MAX_GREY = 0.12  # difference of the channels below which the eye sees a grey
_MIN_OPACITY = 0.05  # opacity below which a colour is hardly visible


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> Colour | None:
    """Parse a colour as a browser computes it; None for an unsupported notation.

    Supported are ``rgb()``, ``rgba()`` and ``color()`` in sRGB; Display P3 is treated as sRGB,
    which shifts saturated colours slightly.
    """
    match = _FUNCTION.fullmatch(text.strip())
    if match is None:
        return (0.0, 0.0, 0.0, 0.0) if text == "transparent" else None
    try:
        parts = [_channel(part) for part in re.split(r"[\s,/]+", match[2].strip())]
    except ValueError:
        return None
    if len(parts) not in (3, 4):
        return None
    scale = 255 if match[1].startswith("rgb") else 1
    red, green, blue = (_clip(part / scale) for part in parts[:3])
    return red, green, blue, _clip((*parts, 1.0)[3])


def _channel(text: str) -> float:
    if text == "none":
        return 0.0
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)


@lru_cache(maxsize=4096)
def colour_name(colour: Colour | None) -> str | None:
    """Return the nearest of 13 plain names: by lightness among greys, else by hue.

    ``transparent`` below an opacity of 0.05; None for an unknown colour.
    """
    if colour is None:
        return None
    if colour[3] < _MIN_OPACITY:
        return "transparent"
    red, green, blue = colour[:3]
    if max(red, green, blue) - min(red, green, blue) < _MAX_GREY:
        lightness = (red + green + blue) / 3
        return min(_GREYS, key=lambda name: abs(_GREYS[name] - lightness))
    hue = math.degrees(math.atan2(math.sqrt(3) * (green - blue), 2 * red - green - blue))
    return min(_HUES, key=lambda name: abs((hue - _HUES[name] + 180) % 360 - 180))


for _name in _COLOURS:
    _register_colour(_name)
