"""Features of colour: of the text, of what is behind it, of borders; and how opaque it is.

A colour as such means nothing on another site; its plain name, its contrast and whether it is the
colour of the running text do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.computed_style import (
    SIDES,
    Coded,
    Floats,
    coded,
    nearest_marked,
    numbers,
    product_from_root,
    texts,
    usual_code,
)
from structce.features.css_colours import (
    WHITE,
    Colour,
    colour_name,
    contrast,
    over,
    parse_colour,
    saturation,
)
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.text import widths
from structce.page import Page

_PAPER = "Spengler et al. (2010)"
_CLEAR = "rgba(0, 0, 0, 0)"
_SATURATIONS = (0.02, 0.12, 0.4, 0.8)


@once_a_page
def _text_colours(page: Page) -> Coded[str]:
    return coded(texts(page, "color"))


@once_a_page
def _painted(page: Page) -> NDArray[np.int64]:
    """Return each element's nearest one with a background, -1 for none, shape (n_elements,)."""
    column = page.elements.styles["background-color"]
    marks = np.asarray(column != _CLEAR)
    rows = np.flatnonzero(marks)
    colours = [parse_colour(text) for text in column[rows].tolist()]
    marks[rows] = [colour is None or colour[3] > 0 for colour in colours]
    return nearest_marked(page, marks)


@once_a_page
def _backgrounds(page: Page) -> Coded[Colour | None]:
    """Return the colour that shows in each element which paints one, in a row an element.

    Elements that paint nothing have no meaning; the row after the last is the bare page, white.
    """
    nearest, parent = _painted(page), page.elements.parent
    painted = np.flatnonzero(nearest == np.arange(len(nearest)))
    behind = np.where(parent[painted] < 0, -1, nearest[parent[painted]])
    values = page.elements.styles["background-color"][painted].tolist()
    shown: dict[int, Colour | None] = {-1: WHITE}
    for i, back, text in zip(painted.tolist(), behind.tolist(), values, strict=True):
        shown[i] = _laid_over(parse_colour(text), shown[back])
    column = coded(shown.values())
    codes = np.zeros(len(nearest) + 1, dtype=np.int64)
    codes[painted] = column.codes[1:]
    return Coded(column.distinct, codes)


def _laid_over(front: Colour | None, back: Colour | None) -> Colour | None:
    """Return what shows of two colours; None where one that shows is unknown."""
    if front is None or front[3] == 1.0:
        return front
    return None if back is None else over(front, back)


@once_a_page
def shown_backgrounds(page: Page) -> Coded[Colour | None]:
    """Return the colour behind each region: that of the elements above, laid over each other.

    White where nothing paints; None for an unknown notation. Pictures, and boxes that others are
    laid over by position, are not seen.
    """
    shown = _backgrounds(page)
    return Coded(shown.distinct, shown.codes[_painted(page)[page.element]])


@feature("style", needs="layout", aliases=("text-color",), source=_PAPER)
def text_colour(page: Page) -> list[str | None]:
    """Plain name of the text's colour: transparent, black, white, one of three greys or seven hues.

    Links, alerts and faint by-matter differ from black text on every site.
    """
    return _names(_text_colours(page))


@feature("style", needs="layout", aliases=("background-color",), source=_PAPER)
def background_colour(page: Page) -> list[str | None]:
    """Plain name of the own background colour, mostly transparent: buttons, boxes, labels."""
    return _names(coded(texts(page, "background-color")))


def _names(colours: Coded[str]) -> list[str | None]:
    return colours.spread([colour_name(parse_colour(text)) for text in colours.distinct])


@feature("style", needs="layout")
def shown_background(page: Page) -> list[str | None]:
    """Plain name of the colour behind the region: the nearest background above that paints.

    Bars, boxes and footers are coloured as a whole, not word by word.
    """
    shown = shown_backgrounds(page)
    return shown.spread([colour_name(colour) for colour in shown.distinct])


@feature("style", needs="layout")
def has_background(page: Page) -> NDArray[np.bool_]:
    """Own background colour: buttons, boxes, labels."""
    return np.asarray(_painted(page)[page.element] == page.element)


@feature("style", needs="layout", source="Cai et al. (2003)")
def background_differs(page: Page) -> NDArray[np.bool_]:
    """Own background is of another colour than that of the elements above: it marks a part off."""
    codes, parent = _backgrounds(page).codes, page.elements.parent[page.element]
    nearest = np.append(_painted(page), -1)
    return np.asarray(codes[nearest[page.element]] != codes[nearest[parent]])


@feature("style", needs="layout")
def off_text_background(page: Page) -> NDArray[np.bool_]:
    """Colour behind the region is not that behind the running text: boxes, bars, footers."""
    return _is_unusual(page, shown_backgrounds(page).codes)


@feature("style", needs="layout")
def colour_differs(page: Page) -> NDArray[np.bool_]:
    """Text colour is not that of the running text: links, bylines, captions in grey."""
    return _is_unusual(page, _text_colours(page).codes)


def _is_unusual(page: Page, codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return where a code is not that of the running text; nowhere on a page without text."""
    usual = usual_code(page, codes)
    return np.asarray((codes != usual) & (usual >= 0))


@feature("style", needs="layout")
def is_commonest_colour(page: Page) -> NDArray[np.bool_]:
    """Text colour is the one that most characters of the page have, links and menus counted."""
    codes = _text_colours(page).codes
    if not len(codes):
        return np.zeros(0, dtype=bool)
    return np.asarray(codes == np.bincount(codes, weights=widths(page)).argmax())


@feature("style", bins=(1.1, 2, 3, 4.5, 7, 12, 17), needs="layout")
def contrast_ratio(page: Page) -> Floats:
    """Contrast of the text to what is behind it, from 1 (hidden) to 21 (black on white).

    Running text is made to be read; dates, credits and captions are often paler. Unknown for media.
    """
    fronts, backs = _text_colours(page), shown_backgrounds(page)
    pairs = coded(zip(fronts.codes.tolist(), backs.codes.tolist(), strict=True))
    front = [parse_colour(text) for text in fronts.distinct]
    ratios = [_contrast(front[i], backs.distinct[j]) for i, j in pairs.distinct]
    return np.where(page.is_media, np.nan, np.array(ratios, dtype=np.float64)[pairs.codes])


def _contrast(front: Colour | None, back: Colour | None) -> float:
    return contrast(front, back) if front and back else float("nan")


@feature("style", bins=_SATURATIONS, needs="layout")
def colour_saturation(page: Page) -> Floats:
    """Largest less smallest channel of the text's colour, from 0 (grey) to 1: links, kickers."""
    colours = _text_colours(page)
    return _saturations([parse_colour(text) for text in colours.distinct])[colours.codes]


@feature("style", bins=_SATURATIONS, needs="layout")
def background_saturation(page: Page) -> Floats:
    """Largest less smallest channel of the colour behind, from 0 (grey) to 1: bars, buttons."""
    shown = shown_backgrounds(page)
    return _saturations(shown.distinct)[shown.codes]


def _saturations(colours: list[Colour | None]) -> Floats:
    return np.array([np.nan if c is None else saturation(c) for c in colours], dtype=np.float64)


@feature("style", bins=(0.05, 0.5, 0.95), needs="layout", source=_PAPER)
def opacity(page: Page) -> Floats:
    """Own opacity from 0 to 1: what is faded in or out by a script, such as a slide."""
    return numbers(page, "opacity")


@feature("style", bins=(0.05, 0.5, 0.95), needs="layout")
def shown_opacity(page: Page) -> Floats:
    """Opacity times that of all elements above, from 0 (unseen) to 1."""
    own = page.elements.styles["opacity"].astype(np.float64)
    return product_from_root(page, own)[page.element]


def _register_border(side: str) -> None:
    @feature(
        "style",
        needs="layout",
        name=f"border-{side}-colour",
        aliases=(f"border-{side}-color",),
        source=_PAPER,
    )
    def border_colour(page: Page) -> list[str | None]:
        drawn = np.flatnonzero(numbers(page, f"border-{side}-width") > 0)
        found: list[str | None] = [None] * len(page)
        column = page.elements.styles[f"border-{side}-color"]
        values = column[page.element[drawn]].tolist()
        for row, text in zip(drawn.tolist(), values, strict=True):
            found[row] = colour_name(parse_colour(text))
        return found

    border_colour.__doc__ = (
        f"Plain name of the colour of the {side} border, unknown without one: rules part a page."
    )


for _side in SIDES:
    _register_border(_side)
