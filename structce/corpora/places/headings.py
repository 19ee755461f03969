"""Which text of the body is a heading, where the gold does not tell: the page's mark-up does."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from structce.labels import UNKNOWN
from structce.page import Page
from structce.text import width

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BOLD = 600  # font weight from which text is bold
_SHORT = 120  # columns of a bold line that may be a heading; our choice
_SENTENCE = re.compile(r"[.!?…:;,。！？]['\"”’»)]*$")


def body_labels(page: Page) -> list[str]:
    """Return for each region what it is if it is part of the main text.

    ``Subtitle`` inside a heading element, ``Paragraph`` elsewhere; ``UNKNOWN`` for a short line
    that is bold as a whole and no sentence: it may be either.
    """
    heading = in_heading(page)
    bold = _bold_lines(page)
    return [
        "Subtitle" if heading[i] else UNKNOWN if bold[i] else "Paragraph" for i in range(len(page))
    ]


def in_heading(page: Page) -> NDArray[np.bool_]:
    """Return whether each region lies in a heading element, shape (n_regions,)."""
    own = [
        tag in _HEADINGS or attributes.get("role", "").strip().lower() == "heading"
        for tag, attributes in zip(page.elements.tag, page.elements.attributes, strict=True)
    ]
    return page.elements.lineage(own)[page.element]


def _bold_lines(page: Page) -> NDArray[np.bool_]:
    """Return whether each region's block is short, bold throughout and no sentence."""
    weights = np.nan_to_num(page.styles["font-weight"].astype(np.float64))
    texts: dict[int, list[int]] = {}
    for i, block in enumerate(page.blocks.tolist()):
        if page.text[i]:
            texts.setdefault(block, []).append(i)
    result = np.zeros(len(page), dtype=bool)
    for regions in texts.values():
        line = " ".join(page.text[i] for i in regions)
        if (weights[regions] >= _BOLD).all() and width(line) <= _SHORT:
            result[regions] = not _SENTENCE.search(line)
    return result
