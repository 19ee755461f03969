"""Conversion of texts of strangers to numbers."""

from __future__ import annotations

_MOST_DIGITS = 18  # of a number that 64 bits can represent; ``int`` itself refuses 4,301 digits


def whole_number(text: str) -> int | None:
    """Return the whole number that decimal digits of any script spell; None for any other text.

    ``str.isdigit`` is no check for ``int``: it accepts superscripts and other digits without a
    place value.

    >>> whole_number("٣٢"), whole_number("²"), whole_number("1" * 5_000)
    (32, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None
