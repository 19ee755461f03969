"""Explanations in words, and names from pages made fit to be shown."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from structce.text import width

NAMED = 6
"""A sentence names at most this many columns; our choice."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def place(offset: int | None) -> str:
    """Return what a region is called that stands so many regions away; None is all the rest."""
    if offset is None:
        return "rest of the page"
    side = "before" if offset < 0 else "after"
    near = {-1: "previous region", 1: "next region"}
    return near.get(offset, f"{abs(offset)} regions {side}")


def flip_sentence(
    columns: Sequence[str],
    regions: Sequence[tuple[int, str, str]],
    label: str | None,
    *,
    has_context: bool,
) -> str:
    """Return what would change a region's label, as a sentence.

    Parameters
    ----------
    columns
        Columns without which the label is another.
    regions
        Index, label and other label of regions; only looked at where there are no columns.
    label
        The label that comes instead; None if nothing changes it.
    has_context
        Whether labels of other regions have a part in this one's.
    """
    if columns:
        return f"Without {_listed(columns)} it would be {label}."
    held = "No set of its own columns changes the label"
    if regions:
        changes = _joined([f"region {at} as {new} instead of {old}" for at, old, new in regions])
        return f"{held}: the context holds it. With {changes} it would be {label}."
    if has_context:
        return f"{held}, and no other labels of the regions near it do."
    return f"{held}."


def visible(text: str, columns: int | None = None, *, tail: int = 0) -> str:
    """Return a text from a page as one line without anything that a terminal or XML obeys.

    Control characters, such as those that begin escape codes, and code points that are no
    characters are replaced; format characters, such as changes of writing direction, are left
    out.

    Parameters
    ----------
    columns
        Cut to at most this many columns, one of which is an ellipsis; wide characters take two.
    tail
        Keep this many characters at the end, below `columns`: a column's value or bin.
    """
    shown = "".join(_shown(character) for character in text)
    if columns is None or width(shown) <= columns:
        return shown
    end = shown[len(shown) - tail :]
    start = shown[:columns]
    while start and width(start + end) > columns - 1:
        start = start[:-1]
    return f"{start.rstrip()}…{end.lstrip()}"


def signed(value: float, largest: float, digits: int = 2) -> str:
    """Return a number with its sign, with as many decimals as give the largest so many digits.

    What rounds to nothing is ``0``.
    """
    decimals = digits if largest <= 0 else max(0, digits - 1 - math.floor(math.log10(largest)))
    text = f"{value:+.{decimals}f}"
    return text if any(digit in "123456789" for digit in text) else "0"


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "Z" or character in "\t\n\r":
        return " "
    if category == "Cf":
        return ""
    return REPLACEMENT if category[0] == "C" else character


def _listed(names: Sequence[str]) -> str:
    if len(names) <= NAMED:
        return _joined(names)
    return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more columns"


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
