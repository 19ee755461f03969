"""Features of typography: font size, weight, slant, face and case; display and related styles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Flags, Floats, Integers
from structce.features.dom_tree import nearest_marked
from structce.features.landmarks import is_running
from structce.features.registry import BESIDE, NEAR, SPENGLER, feature, once_a_page
from structce.features.tables import pattern, text_table
from structce.features.text import widths
from structce.page import Page

SIDES = ("top", "right", "bottom", "left")
_NORMAL_LINE = 1.2  # line height over font size, if CSS says "normal"
V = TypeVar("V", bound=Hashable)
T = TypeVar("T")
_RATIOS = (0.6, 0.8, 0.95, 1.05, 1.2, 1.4, 1.7, 2.2, 3.0)
_DIFFERENCES = (-12, -6, -2, -0.5, 0.5, 2, 6, 12)
_USUAL_SIZE = 16.0  # CSS pixels; the default of browsers, for a page without text
_KEYWORDS = tuple(
    "display position float text-align text-transform text-decoration-line list-style-type cursor "
    "border-top-style".split()
)


def style_numbers(page: Page, name: str) -> Floats:
    """Return the values of a numeric property, shape (n_regions,)."""
    return np.asarray(page.elements.styles[name].astype(np.float64)[page.element])


def style_texts(page: Page, name: str) -> list[str]:
    """Return the values of a string property, one per region."""
    values: list[str] = page.elements.styles[name][page.element].tolist()
    return values


def less_previous(values: Floats) -> Floats:
    """Return each value minus that of the region before; NaN for the first, shape (n_regions,)."""
    return np.diff(values, prepend=np.nan)


def less_next(values: Floats) -> Floats:
    """Return each value minus that of the region after; NaN for the last, shape (n_regions,)."""
    return -np.diff(values, append=np.nan)


@once_a_page
def font_sizes(page: Page) -> Floats:
    """Return font sizes in CSS pixels, shape (n_regions,)."""
    return style_numbers(page, "font-size")


@once_a_page
def line_heights(page: Page) -> Floats:
    """Return line heights in CSS pixels, at least 1, shape (n_regions,).

    1.2 times the font size if the style says ``normal``.
    """
    heights = style_numbers(page, "line-height")
    return np.maximum(np.where(np.isnan(heights), _NORMAL_LINE * font_sizes(page), heights), 1.0)


@dataclass(frozen=True, eq=False)
class Categorical(Generic[V]):
    """A categorical column: each distinct value once, in order of appearance, and its codes."""

    distinct: list[V]
    codes: Integers  # index of each row into distinct

    def spread(self, values: Sequence[T]) -> list[T]:
        """Return one value per row, given one for each distinct value."""
        return [values[code] for code in self.codes.tolist()]


def factorize(values: Iterable[V]) -> Categorical[V]:
    """Encode values as a categorical column."""
    places: dict[V, int] = {}
    codes = [places.setdefault(value, len(places)) for value in values]
    return Categorical(list(places), np.array(codes, dtype=np.int64))


def usual_code(page: Page, codes: Integers) -> int:
    """Return the code of most characters of the running text, or of all text if it is missing.

    -1 on a page without text. On a tie the lowest code wins.
    """
    lengths = widths(page)
    weights = lengths * is_running(page)
    weights = weights if weights.any() else lengths
    return int(np.bincount(codes, weights=weights).argmax()) if weights.any() else -1


def of_running_text(page: Page, values: Floats) -> float | None:
    """Return the number of most characters of the running text, or of all text if it is missing.

    None on a page without text. On a tie the number that comes first wins.
    """
    column = factorize(values.tolist())
    code = usual_code(page, column.codes)
    return column.distinct[code] if code >= 0 else None


@once_a_page
def _body_font_size(page: Page) -> float:
    """Return the font size of most characters of the running text, or else of all text."""
    size = of_running_text(page, font_sizes(page))
    return max(size, 1.0) if size is not None else _USUAL_SIZE


@feature("style", bins=_RATIOS, window=NEAR)
def relative_font_size(page: Page) -> Floats:
    """Font size divided by that of the running text (dimensionless).

    A headline stands out from its own page, not from a fixed size in pixels, so the ratio
    carries over to unseen sites.
    """
    return font_sizes(page) / _body_font_size(page)


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
    return np.asarray(style_numbers(page, "font-weight") >= 600)


@feature("style", bins=(-250, -50, 50, 150, 250, 350))
def relative_font_weight(page: Page) -> Floats:
    """Font weight minus that of the running text, on the CSS scale (400 is normal, 700 bold).

    Some sites set all their text in medium weight, and names in a bolder one.
    """
    weights = style_numbers(page, "font-weight")
    usual = of_running_text(page, weights)
    return weights - (400.0 if usual is None else usual)


@feature("style", window=BESIDE)
def is_italic(page: Page) -> Flags:
    """Slanted text: captions, credits, editor's notes."""
    return np.asarray(page.elements.styles["font-style"] != "normal")[page.element]


@feature("style", needs="layout")
def font_kind(page: Page) -> list[str | None]:
    """Kind of the first typeface with a known name: serif, sans, mono or icon.

    Icon fonts are pictures; many papers set their text in serif type and everything else in sans.
    """
    fonts = _fonts(page)
    return fonts.spread([_font_kind(families) for families in fonts.distinct])


@once_a_page
def _fonts(page: Page) -> Categorical[str]:
    return factorize(style_texts(page, "font-family"))


@lru_cache(maxsize=4096)
def _font_kind(families: str) -> str | None:
    for family in families.lower().split(","):
        for kind in text_table("typefaces"):
            if pattern("typefaces", kind).search(family):
                return kind
    return None


@feature("style", needs="layout")
def is_text_font(page: Page) -> Flags:
    """Typefaces are those of the running text: headings, menus and advertisements differ."""
    codes = _fonts(page).codes
    return np.asarray(codes == usual_code(page, codes))


@feature("style", bins=(1.05, 1.2, 1.3, 1.4, 1.5, 1.7, 2.0), needs="layout")
def line_height_ratio(page: Page) -> Floats:
    """Line height over font size (dimensionless); unknown if it is left to the typeface.

    Running text is set with more space between its lines than headlines and menus.
    """
    return style_numbers(page, "line-height") / np.maximum(font_sizes(page), 1.0)


@feature("style", needs="layout")
def shown_in_capitals(page: Page) -> Flags:
    """Text is shown in capitals, as written or by ``text-transform``: kickers, section names."""
    raised = (page.elements.styles["text-transform"] == "uppercase")[page.element]
    own = np.array([text.isupper() for text in page.text], dtype=bool)
    return np.asarray((raised & ~page.is_media) | own)


@feature("style", needs="layout", window=BESIDE)
def keyword(page: Page) -> list[frozenset[str]]:
    """Values of display, position, float, alignment, case, decoration, list mark and cursor."""
    columns = [page.elements.styles[name][page.element] for name in _KEYWORDS]
    rows = factorize(_row_bytes(columns))
    firsts = np.diff(np.maximum.accumulate(rows.codes), prepend=-1) > 0
    values = zip(*(column[firsts].tolist() for column in columns), strict=True)
    sets = [frozenset(map(":".join, zip(_KEYWORDS, row, strict=True))) for row in values]
    return rows.spread(sets)


def _row_bytes(columns: Sequence[NDArray[np.generic]]) -> list[bytes]:
    """Return the rows of several columns of strings as bytes, which are faster to compare."""
    n = len(columns[0])
    parts = [column.view(np.uint8).reshape(n, column.dtype.itemsize) for column in columns]
    joined = np.concatenate(parts, axis=1)
    rows: list[bytes] = joined.view(f"V{joined.shape[1]}").ravel().tolist()
    return rows


@feature("style", needs="layout")
def pinned(page: Page) -> list[str | None]:
    """Nearest ``position`` of ``fixed`` or ``sticky``, of the element itself or one above.

    What stays on the screen is a menu, a cookie notice or an advertisement, hardly ever the text.
    """
    position = page.elements.styles["position"]
    return _nearest(page, "position", (position == "fixed") | (position == "sticky"))


@feature("style", needs="layout")
def clipped(page: Page) -> list[str | None]:
    """Nearest ``overflow`` other than ``visible``, own or above: sliders, tickers, folded parts.

    Unknown on pages that were rendered before this property was collected.
    """
    overflow = page.elements.styles.get("overflow")
    if overflow is None:
        return [None] * len(page)
    return _nearest(page, "overflow", overflow != "visible")


def _nearest(page: Page, name: str, marks: Flags) -> list[str | None]:
    """Return the value of a property at the nearest marked element, or None."""
    if not marks.any():
        return [None] * len(page)
    values = [*page.elements.styles[name].tolist(), None]  # -1, no element, is the last
    return [values[i] for i in nearest_marked(page, marks)[page.element].tolist()]
