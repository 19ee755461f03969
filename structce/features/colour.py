"""Features of colour: text, background and border, their contrast, and opacity.

Colours are read as a browser computes them and named by one of 13 plain names.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.features.dom_tree import at_regions, nearest_marked, product_from_root
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.features.style import (
    SIDES,
    Categorical,
    factorize,
    style_numbers,
    style_texts,
    usual_code,
)
from structce.features.text import widths
from structce.page import Page

Colour = tuple[float, float, float, float]  # red, green, blue (sRGB) and opacity, each from 0 to 1
_WHITE: Colour = (1.0, 1.0, 1.0, 1.0)
_FUNCTION = re.compile(r"(rgba?|color|oklab|oklch)\((?:(?:srgb|display-p3)\s)?([^()]*)\)")
_GREYS = {"black": 0.0, "dark-grey": 0.33, "grey": 0.6, "light-grey": 0.88, "white": 1.0}
_HUES = {"red": 0, "orange": 30, "yellow": 55, "green": 120, "blue": 215, "purple": 280}
_HUES |= {"pink": 325}
_MAX_GREY = 0.12  # difference of the channels below which the eye sees a grey
_MIN_OPACITY = 0.05  # opacity below which a colour is hardly visible
_UNPAINTED = "rgba(0, 0, 0, 0)"
_SATURATIONS = (0.02, 0.12, 0.4, 0.8)


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> Colour | None:
    """Parse a colour as a browser computes it; None for an unsupported notation.

    Supported are ``rgb()``, ``rgba()``, ``oklab()``, ``oklch()`` and ``color()`` in sRGB; Display
    P3 is treated as sRGB, which shifts saturated colours slightly.
    """
    match = _FUNCTION.fullmatch(text.strip())
    if match is None:
        return (0.0, 0.0, 0.0, 0.0) if text == "transparent" else None
    try:
        parts = [_number(part) for part in re.split(r"[\s,/]+", match.group(2).strip())]
    except ValueError:
        return None
    if len(parts) not in (3, 4):
        return None
    first, second, third, opacity = (*parts, 1.0)[:4]
    kind = match.group(1)
    if kind == "oklch":
        angle = math.radians(third)
        second, third = second * math.cos(angle), second * math.sin(angle)
    if kind.startswith("ok"):
        first, second, third = _from_oklab(first, second, third)
    scale = 255 if kind.startswith("rgb") else 1
    return (_clip(first / scale), _clip(second / scale), _clip(third / scale), _clip(opacity))


def _number(text: str) -> float:
    if text == "none":
        return 0.0
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _from_oklab(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    """Return sRGB channels of an Oklab colour (B. Ottosson 2020, A perceptual color space)."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _encode(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        _encode(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        _encode(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def _encode(linear: float) -> float:
    """Return the sRGB channel of a linear one."""
    clipped = _clip(linear)
    return 12.92 * clipped if clipped <= 0.0031308 else 1.055 * clipped ** (1 / 2.4) - 0.055


def over(front: Colour, back: Colour) -> Colour:
    """Return the colour that results from a front colour over an opaque background."""
    share = front[3]
    red, green, blue = (
        share * f + (1 - share) * b for f, b in zip(front[:3], back[:3], strict=True)
    )
    return (red, green, blue, 1.0)


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
    if saturation(colour) < _MAX_GREY:
        lightness = (red + green + blue) / 3
        return min(_GREYS, key=lambda name: abs(_GREYS[name] - lightness))
    hue = math.degrees(math.atan2(math.sqrt(3) * (green - blue), 2 * red - green - blue))
    return min(_HUES, key=lambda name: abs((hue - _HUES[name] + 180) % 360 - 180))


def saturation(colour: Colour) -> float:
    """Return the largest minus the smallest channel: 0 for a grey, 1 for a pure colour."""
    return max(colour[:3]) - min(colour[:3])


@lru_cache(maxsize=4096)
def colour_contrast(front: Colour, back: Colour) -> float:
    """Return the contrast ratio of text on an opaque background, from 1 to 21.

    References
    ----------
    W3C (2018). Web Content Accessibility Guidelines 2.1, definition of contrast ratio.
    """
    low, high = sorted((_luminance(over(front, back)), _luminance(back)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_decode(channel) for channel in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _decode(channel: float) -> float:
    """Return the linear channel of an sRGB one."""
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


@once_a_page
def _text_colours(page: Page) -> Categorical[str]:
    return factorize(style_texts(page, "color"))


@once_a_page
def _painted(page: Page) -> Integers:
    """Return the nearest element with a background, itself or above; -1 for none, (n_elements,)."""
    column = page.elements.styles["background-color"]
    marks = np.asarray(column != _UNPAINTED)
    rows = np.flatnonzero(marks)
    colours = [parse_colour(text) for text in column[rows].tolist()]
    marks[rows] = [colour is None or colour[3] > 0 for colour in colours]
    return nearest_marked(page, marks)


@once_a_page
def _backgrounds(page: Page) -> Categorical[Colour | None]:
    """Return the visible colour of each element that paints a background, one row per element.

    Rows of elements that paint nothing are meaningless; the row after the last is the bare page,
    which is white.
    """
    nearest, parent = _painted(page), page.elements.parent
    painted = np.flatnonzero(nearest == np.arange(len(nearest)))
    behind = np.where(parent[painted] < 0, -1, nearest[parent[painted]])
    values = page.elements.styles["background-color"][painted].tolist()
    shown: dict[int, Colour | None] = {-1: _WHITE}
    for i, back, text in zip(painted.tolist(), behind.tolist(), values, strict=True):
        shown[i] = _laid_over(parse_colour(text), shown[back])
    column = factorize(shown.values())
    codes = np.zeros(len(nearest) + 1, dtype=np.int64)
    codes[painted] = column.codes[1:]
    return Categorical(column.distinct, codes)


def _laid_over(front: Colour | None, back: Colour | None) -> Colour | None:
    """Return the visible mix of two colours; None if a colour that contributes is unknown."""
    if front is None or front[3] == 1.0:
        return front
    return None if back is None else over(front, back)


@once_a_page
def shown_backgrounds(page: Page) -> Categorical[Colour | None]:
    """Return the colour behind each region: the backgrounds of the elements above it, combined.

    White where nothing is painted; None for an unknown notation. Background images, and boxes that
    lie behind by positioning, are not taken into account.
    """
    shown = _backgrounds(page)
    return Categorical(shown.distinct, shown.codes[_painted(page)[page.element]])


@feature("style", needs="layout", aliases=("text-color",), source=SPENGLER)
def text_colour(page: Page) -> list[str | None]:
    """Plain name of the text's colour: transparent, black, white, one of three greys or seven hues.

    Links, alerts and pale secondary text differ from black text on every site.
    """
    return _colour_names(_text_colours(page))


@feature("style", needs="layout", aliases=("background-color",), source=SPENGLER)
def background_colour(page: Page) -> list[str | None]:
    """Plain name of the element's own background colour, mostly transparent except in buttons."""
    return _colour_names(factorize(style_texts(page, "background-color")))


@feature("style", needs="layout", source=SPENGLER, is_optional=True)
def text_colour_value(page: Page) -> list[str | None]:
    """Colour of the text as the browser computes it: "rgb(51, 51, 51)"."""
    return list(style_texts(page, "color"))


@feature("style", needs="layout", source=SPENGLER, is_optional=True)
def background_colour_value(page: Page) -> list[str | None]:
    """Background colour of the element itself as the browser computes it."""
    return list(style_texts(page, "background-color"))


@feature("style", needs="layout", source=SPENGLER, is_optional=True)
def border_left_colour_value(page: Page) -> list[str | None]:
    """Colour of the left border as the browser computes it, drawn or not."""
    return list(style_texts(page, "border-left-color"))


def _colour_names(colours: Categorical[str]) -> list[str | None]:
    return colours.spread([colour_name(parse_colour(text)) for text in colours.distinct])


@feature("style", needs="layout")
def shown_background(page: Page) -> list[str | None]:
    """Plain name of the colour behind the region: the nearest painted background above it.

    Bars, boxes and footers are coloured as a whole, not word by word.
    """
    shown = shown_backgrounds(page)
    return shown.spread([colour_name(colour) for colour in shown.distinct])


@feature("style", needs="layout")
def has_background(page: Page) -> Flags:
    """Element paints a background of its own: buttons, boxes, labels."""
    return np.asarray(_painted(page)[page.element] == page.element)


@feature("style", needs="layout", source="Cai et al. (2003)")
def background_differs(page: Page) -> Flags:
    """Background differs in colour from that of the elements above, which sets a part off."""
    codes, parent = _backgrounds(page).codes, page.elements.parent[page.element]
    nearest = np.append(_painted(page), -1)
    return np.asarray(codes[nearest[page.element]] != codes[nearest[parent]])


@feature("style", needs="layout")
def off_text_background(page: Page) -> Flags:
    """Colour behind the region differs from that behind the running text: boxes, bars, footers."""
    return _is_unusual(page, shown_backgrounds(page).codes)


@feature("style", needs="layout", window=BESIDE)
def colour_differs(page: Page) -> Flags:
    """Text colour differs from that of the running text: links, bylines, grey captions."""
    return _is_unusual(page, _text_colours(page).codes)


def _is_unusual(page: Page, codes: Integers) -> Flags:
    """Return where a code differs from that of the running text; nowhere on a page without text."""
    usual = usual_code(page, codes)
    return np.asarray((codes != usual) & (usual >= 0))


@feature("style", needs="layout")
def is_commonest_colour(page: Page) -> Flags:
    """Text colour is that of most characters on the page, links and menus included."""
    codes = _text_colours(page).codes
    if not len(codes):
        return np.zeros(0, dtype=bool)
    return np.asarray(codes == np.bincount(codes, weights=widths(page)).argmax())


@feature("style", bins=(1.1, 2, 3, 4.5, 7, 12, 17), needs="layout")
def contrast_ratio(page: Page) -> Floats:
    """Contrast between text and background, from 1 (hidden) to 21 (black on white).

    Running text is made to be read; dates, credits and captions are often paler. Unknown for media.
    """
    fronts, backs = _text_colours(page), shown_backgrounds(page)
    pairs = factorize(zip(fronts.codes.tolist(), backs.codes.tolist(), strict=True))
    front = [parse_colour(text) for text in fronts.distinct]
    known = [(front[i], backs.distinct[j]) for i, j in pairs.distinct]
    ratios = [colour_contrast(text, back) if text and back else np.nan for text, back in known]
    return np.where(page.is_media, np.nan, np.array(ratios, dtype=np.float64)[pairs.codes])


@feature("style", bins=_SATURATIONS, needs="layout")
def colour_saturation(page: Page) -> Floats:
    """Saturation of the text's colour, largest minus smallest channel, from 0 (grey) to 1."""
    colours = _text_colours(page)
    return _saturations([parse_colour(text) for text in colours.distinct])[colours.codes]


@feature("style", bins=_SATURATIONS, needs="layout")
def background_saturation(page: Page) -> Floats:
    """Saturation of the colour behind, largest minus smallest channel, from 0 (grey) to 1."""
    shown = shown_backgrounds(page)
    return _saturations(shown.distinct)[shown.codes]


def _saturations(colours: list[Colour | None]) -> Floats:
    return np.array([np.nan if c is None else saturation(c) for c in colours], dtype=np.float64)


@feature("style", bins=(0.05, 0.5, 0.95), needs="layout", source=SPENGLER)
def opacity(page: Page) -> Floats:
    """Opacity of the element itself, from 0 to 1: scripts fade slides in and out."""
    return style_numbers(page, "opacity")


@feature("style", bins=(0.05, 0.5, 0.95), needs="layout")
def shown_opacity(page: Page) -> Floats:
    """Opacity multiplied by that of all elements above, from 0 (invisible) to 1."""
    own = page.elements.styles["opacity"].astype(np.float64)
    return product_from_root(page, own)[page.element]


def _register_border(side: str) -> None:
    @feature(
        "style",
        needs="layout",
        name=f"border-{side}-colour",
        aliases=(f"border-{side}-color",),
        source=SPENGLER,
    )
    def border_colour(page: Page) -> list[str | None]:
        drawn = np.flatnonzero(style_numbers(page, f"border-{side}-width") > 0).tolist()
        colours = page.elements.styles[f"border-{side}-color"][page.element]
        return at_regions(page, {i: colour_name(parse_colour(str(colours[i]))) for i in drawn})

    border_colour.__doc__ = (
        f"Plain name of the {side} border's colour, unknown without one: rules separate parts."
    )


for _side in SIDES:
    _register_border(_side)
