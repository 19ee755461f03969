"""Computed style: the properties that are read from a browser, and their values as columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from structce.page import StyleColumn
from structce.patterns import lazy_pattern

_SIDES = ("top", "right", "bottom", "left")

SHORTHANDS = {
    pattern.replace("-*", ""): tuple(pattern.replace("*", side) for side in _SIDES)
    for pattern in ("border-*-width", "border-*-style", "border-*-color", "margin-*", "padding-*")
}
"""Properties whose four sides are read at once."""

LENGTH_PROPERTIES = (
    *"font-size font-weight line-height opacity z-index".split(),
    *SHORTHANDS["border-width"],
    *SHORTHANDS["margin"],
    *SHORTHANDS["padding"],
)
"""Properties read as numbers: CSS pixels, or dimensionless."""

KEYWORD_PROPERTIES = (
    *"display position float visibility overflow color background-color font-family".split(),
    *"font-style text-align text-decoration-line text-transform list-style-type cursor".split(),
    *SHORTHANDS["border-color"],
    *SHORTHANDS["border-style"],
)
"""Properties read as strings."""

STYLE_PROPERTIES = LENGTH_PROPERTIES + KEYWORD_PROPERTIES
"""Collected computed styles: those of Table 1 of Spengler et al. (2010), and similar ones."""

COLLECTED = (
    *(name for name in STYLE_PROPERTIES if name not in chain(*SHORTHANDS.values())),
    *SHORTHANDS,
)
"""Properties that the browser is asked for; each takes time, so four sides are one property."""

MAX_STYLE = 500  # characters of a value; longer ones, such as font families, are cut

_SPACE = lazy_pattern(r"\s+(?![^(]*\))")  # none inside parentheses: "rgb(0, 0, 0) red"
_NUMBER = lazy_pattern(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


def style_columns(
    values: Mapping[str, Sequence[int]], strings: Sequence[str]
) -> Mapping[str, StyleColumn]:
    """Return one column per property of :data:`STYLE_PROPERTIES`.

    ``values`` contains for each property of :data:`COLLECTED` one index per element into
    ``strings``, the distinct computed values.
    """
    columns: dict[str, StyleColumn] = {}
    for name, indices in values.items():
        if name not in SHORTHANDS:
            columns[name] = _column(name, strings, indices)
            continue
        four = _four_sides(strings, indices)
        for k, side in enumerate(SHORTHANDS[name]):
            columns[side] = _column(side, [sides[k] for sides in four], indices)
    return {name: columns[name] for name in STYLE_PROPERTIES}


def _column(name: str, strings: Sequence[str], indices: Sequence[int]) -> StyleColumn:
    """Return the values of one property; only strings that occur are parsed."""
    used, rows = np.unique(np.array(indices, dtype=np.int64), return_inverse=True)
    texts = [strings[i][:MAX_STYLE] for i in used]
    if name in LENGTH_PROPERTIES:
        numbers = [float(match[0]) if (match := _NUMBER.match(text)) else np.nan for text in texts]
        return np.array(numbers, dtype=np.float32)[rows]
    return np.array(texts, dtype=np.str_)[rows] if texts else np.zeros(0, dtype="<U1")


def _four_sides(strings: Sequence[str], indices: Sequence[int]) -> list[tuple[str, ...]]:
    """Return top, right, bottom and left of each value of a shorthand, which omits repetitions."""
    used = set(indices)
    sides: list[tuple[str, ...]] = []
    for i, text in enumerate(strings):
        parts = _SPACE.split(text) if i in used else [""]
        top, right, bottom, left = (parts[k] if k < len(parts) else "" for k in range(4))
        right = right or top
        sides.append((top, right, bottom or top, left or right))
    return sides
