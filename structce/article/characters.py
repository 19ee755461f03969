"""Characters that a document of text can hold: what a page has beside them is replaced."""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile(r"\s+")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def printable(text: str) -> str:
    """Return a text without control characters and halves of surrogate pairs: U+FFFD for each.

    What XML 1.0 allows is left, and what HTML does; line ends of all kinds are line feeds.
    """
    return _UNPRINTABLE.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def spaced(text: str) -> str:
    """Return a printable text, every run of white space as one space, at its ends, too."""
    return _SPACES.sub(" ", printable(text))


def in_one_line(text: str) -> str:
    """Return a printable text in one line, every run of white space as one space."""
    return " ".join(printable(text).split())
