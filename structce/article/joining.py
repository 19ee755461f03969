"""Joining of regions to one line of text, with the spaces that their page has.

Inline markup cuts a line into regions, and a region's text has no white space at its ends. Whether
some stood between two regions the page knows (``Page.joins``); of pages from older snapshots it is
guessed from characters, and where those leave it open a space is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from structce.page import Page

_CLOSING = ",.;:!?…)]}%"
_CLOSING_IN_FRENCH = ",.…)]}"  # others have a space before them
_OPENING = "([{"
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff]"
)
"""A character of a script without spaces between words, or of its punctuation."""
_CONTRACTION = re.compile(r"['’](?:s|t|re|ve|ll|d|m)\b")
_ELISION = re.compile(r"(?:^|\W)(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|all|un)['’]$")
_LEAST_GAP = 0.15  # of the font size; a space takes about 0.25
_MOST_OF_A_LINE = 2.0  # font sizes that a box of one line is high
_INITIAL = re.compile(r"drop-?_?cap|lettrine|initial", re.IGNORECASE)


def join_regions(page: Page, regions: Iterable[int]) -> str:
    """Return the text of regions in one line, spaces as the page has them.

    Parameters
    ----------
    regions
        Indices in the order of the page; media and other regions without text add nothing. Where
        others stand between two of them, a space does.
    """
    shown = [i for i in regions if page.text[i]]
    pieces = [page.text[i] for i in shown[:1]]
    for before, i in pairwise(shown):
        pieces += ["" if is_joined(page, before, i) else " ", page.text[i]]
    return "".join(pieces)


def is_joined(page: Page, before: int, i: int) -> bool:
    """Return whether a region follows another one, earlier in its block, without a space."""
    if page.joins is not None and not page.joins[i]:  # mostly so, and soon seen
        return False
    between = range(before + 1, i + 1)
    if any(page.breaks[n] for n in between) or any(page.text[n] for n in between[:-1]):
        return False
    if page.joins is None:
        return _seems_joined(page, before, i)
    return all(page.joins[n] for n in between) and not _is_set_apart(page, before, i)


def _is_set_apart(page: Page, before: int, i: int) -> bool:
    """Return whether style alone parts two regions: what stands between the links of a menu.

    With layout a gap or a new line tells. Without, two elements side by side, each with a text of
    its own, are two words where a capital or a digit begins the second: of over 600 such places on
    pages of Fundus, WCXB and Trafilatura the gold has none as one word.
    """
    if page.has_layout and (gap := _gap(page, before, i)) is not None:
        return gap > _LEAST_GAP
    last, first = page.text[before][-1], page.text[i][0]
    is_new_word = last.islower() and (first.isupper() or first.isdigit())
    if not is_new_word and not (last.isdigit() and first.isupper()):
        return False
    one, other = int(page.element[before]), int(page.element[i])
    above = page.elements.ancestors
    return one not in above(other) and other not in above(one)


def _gap(page: Page, before: int, i: int) -> float | None:
    """Return the width between two regions of one line, as a share of the font size.

    Infinite where they stand below each other; None where one of them takes several lines, and
    where a line may be broken between them.
    """
    size = float(page.styles["font-size"][before])
    boxes = page.boxes[[before, i]].astype(float)
    left, top, width, height = boxes.T
    if np.isnan(boxes).any() or not size > 0 or height.max() > _MOST_OF_A_LINE * size:
        return None
    if abs(top[0] + height[0] / 2 - top[1] - height[1] / 2) > size:
        is_free = page.text[before][-1].isalnum() and not UNSPACED.match(page.text[before][-1])
        return np.inf if is_free else None
    return float(max(left[1] - left[0] - width[0], left[0] - left[1] - width[1]) / size)


def _seems_joined(page: Page, before: int, i: int) -> bool:
    """Return whether the characters on both sides allow no space, the page knowing nothing.

    Quotes never tell: which of them open differs by language, and so does what stands beside them.
    """
    first, second = page.text[before], page.text[i]
    closing = _CLOSING_IN_FRENCH if page.lang[:2].lower() == "fr" else _CLOSING
    if second[0] in closing or first[-1] in _OPENING or page.tag[i] in ("sub", "sup"):
        return True
    if _CONTRACTION.match(second) or _ELISION.search(first.lower()):
        return True
    if UNSPACED.match(first[-1]) and UNSPACED.match(second):
        return True
    names = page.attributes[before].get("class", "")
    return len(first) == 1 and _INITIAL.search(names) is not None
