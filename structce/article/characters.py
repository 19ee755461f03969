"""Replacement of the characters of a page that a text document cannot contain."""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile(r"\s+")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def printable(text: str) -> str:
    """Return a text with control characters and lone surrogates replaced by U+FFFD.

    Characters that both XML 1.0 and HTML allow are kept; all kinds of line ends become line feeds.
    """
    return _UNPRINTABLE.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def spaced(text: str) -> str:
    """Return a printable text with each run of white space as one space, also at its ends."""
    return _SPACES.sub(" ", printable(text))


def in_one_line(text: str) -> str:
    """Return a printable text in one line, with each run of white space as one space."""
    return " ".join(printable(text).split())
