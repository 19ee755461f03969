"""Computed style of regions: their own, from the elements above, and that of the running text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from structce.features.landmarks import is_running
from structce.features.memo import once_a_page
from structce.features.text import widths
from structce.page import Page

SIDES = ("top", "right", "bottom", "left")
_NORMAL = 1.2  # line height over font size where CSS says "normal"; our choice

Floats = NDArray[np.float64]
Value = TypeVar("Value", bound=Hashable)
T = TypeVar("T")


def numbers(page: Page, name: str) -> Floats:
    """Return a property that is a number, shape (n_regions,)."""
    column: Floats = page.elements.styles[name].astype(np.float64)[page.element]
    return column


def texts(page: Page, name: str) -> list[str]:
    """Return a property that is a string, one value a region."""
    values: list[str] = page.elements.styles[name][page.element].tolist()
    return values


def less_previous(values: Floats) -> Floats:
    """Return each value less that of the region before; NaN for the first, shape (n_regions,)."""
    return np.diff(values, prepend=np.nan)


def less_next(values: Floats) -> Floats:
    """Return each value less that of the region after; NaN for the last, shape (n_regions,)."""
    return -np.diff(values, append=np.nan)


@once_a_page
def font_sizes(page: Page) -> Floats:
    """Return font sizes in CSS pixels, shape (n_regions,)."""
    return numbers(page, "font-size")


@once_a_page
def line_heights(page: Page) -> Floats:
    """Return line heights in CSS pixels, at least 1, shape (n_regions,).

    1.2 font sizes where the style says ``normal``.
    """
    heights = numbers(page, "line-height")
    return np.maximum(np.where(np.isnan(heights), _NORMAL * font_sizes(page), heights), 1.0)


@dataclass(frozen=True, eq=False)
class Coded(Generic[Value]):
    """A column whose values repeat: each distinct value once, in order of appearance.

    Parameters
    ----------
    distinct
        The values.
    codes : shape (n_rows,)
        Index into ``distinct``.
    """

    distinct: list[Value]
    codes: NDArray[np.int64]

    def spread(self, values: Sequence[T]) -> list[T]:
        """Return one value a row, given one for each distinct value."""
        return [values[code] for code in self.codes.tolist()]


def coded(values: Iterable[Value]) -> Coded[Value]:
    """Return values as a coded column."""
    places: dict[Value, int] = {}
    codes = [places.setdefault(value, len(places)) for value in values]
    return Coded(list(places), np.array(codes, dtype=np.int64))


def usual_code(page: Page, codes: NDArray[np.int64]) -> int:
    """Return the code that most characters of running text have, else most of all text.

    -1 on a page without text. On a tie the lowest code wins.

    Parameters
    ----------
    codes : shape (n_regions,)
    """
    lengths = widths(page)
    weights = lengths * is_running(page)
    weights = weights if weights.any() else lengths
    return int(np.bincount(codes, weights=weights).argmax()) if weights.any() else -1


def of_running_text(page: Page, values: Floats) -> float | None:
    """Return the number that most characters of running text have, else most of all text.

    None on a page without text. On a tie the number that comes first wins.
    """
    column = coded(values.tolist())
    code = usual_code(page, column.codes)
    return column.distinct[code] if code >= 0 else None


def nearest_marked(page: Page, marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each element the nearest marked one, itself or above it, shape (n_elements,).

    -1 where none is marked.
    """
    found: list[int] = []
    rows = zip(marks.tolist(), page.elements.parent.tolist(), strict=True)
    for i, (mark, parent) in enumerate(rows):
        found.append(i if mark else found[parent] if parent >= 0 else -1)
    return np.array(found, dtype=np.int64)


def product_from_root(page: Page, values: Floats) -> Floats:
    """Return for each element the product of its value and all above, shape (n_elements,)."""
    if (values == 1.0).all():
        return values
    found: list[float] = []
    for value, parent in zip(values.tolist(), page.elements.parent.tolist(), strict=True):
        found.append(value * found[parent] if parent >= 0 else value)
    return np.array(found, dtype=np.float64)
