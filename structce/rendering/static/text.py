"""White space and marks of texts, asked of every text of a page."""

from __future__ import annotations

import re

from structce.rendering.base import SPACES, collapse, has_mark

WHITE = re.sub(  # the ranges written out
    "(.)-(.)", lambda ends: "".join(map(chr, range(ord(ends[1]), ord(ends[2]) + 1))), SPACES
)
"""White space, as ``str.strip`` takes it."""


def one_line(text: str) -> str:
    """Return ``collapse(text)`` of a text without white space at its ends; empty without a mark."""
    # The space is the only white space that Python calls printable; asking is cheap.
    if text.isprintable() and "  " not in text:
        return text
    return collapse(text) if has_mark(text) else ""
