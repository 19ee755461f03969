"""CSS values, as a browser computes them, to columns of numbers and strings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from structce.page import StyleColumn

_SIDES = ("top", "right", "bottom", "left")

LENGTHS = (
    "font-size",
    "font-weight",
    "line-height",
    "opacity",
    "z-index",
    *(f"border-{side}-width" for side in _SIDES),
    *(f"margin-{side}" for side in _SIDES),
    *(f"padding-{side}" for side in _SIDES),
)
"""Properties read as numbers: CSS pixels, or dimensionless."""

KEYWORDS = (
    "display",
    "position",
    "float",
    "visibility",
    "overflow",
    "color",
    "background-color",
    "font-family",
    "font-style",
    "text-align",
    "text-decoration-line",
    "text-transform",
    "list-style-type",
    "cursor",
    *(f"border-{side}-color" for side in _SIDES),
    *(f"border-{side}-style" for side in _SIDES),
)
"""Properties read as strings."""

PROPERTIES = LENGTHS + KEYWORDS
"""Computed style that is collected: what Table 1 of Spengler et al. (2010) names, and its kin."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


def style_columns(
    values: Mapping[str, Sequence[int]], strings: Sequence[str]
) -> Mapping[str, StyleColumn]:
    """Return one column a property.

    Parameters
    ----------
    values
        For each property the indices of its values in ``strings``, one an element.
    strings
        Distinct computed values.
    """
    numbers = np.array([_number(text) for text in strings] or [np.nan], dtype=np.float32)
    texts = np.array(list(strings) or [""], dtype=np.str_)
    columns: dict[str, StyleColumn] = {}
    for name, indices in values.items():
        chosen = np.array(indices, dtype=np.int64)
        columns[name] = numbers[chosen] if name in LENGTHS else _narrow(texts[chosen])
    return columns


def _number(text: str) -> float:
    """Return the number a CSS value starts with; NaN where it starts with none."""
    found = _NUMBER.match(text)
    return float(found.group()) if found else float("nan")


def _narrow(column: Iterable[np.str_]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    return np.array([str(value) for value in column], dtype=np.str_)
