"""Joining of regions to one line of text, with the spaces that their page has.

Inline markup cuts a line into regions, and a region's text has no white space at its ends. Whether
some stood between two regions the page knows (``Page.joins``); of pages from older snapshots it is
guessed from characters, and where those leave it open a space is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from structce.page import Page

_CLOSING = ",.;:!?…)]}%"
_CLOSING_IN_FRENCH = ",.…)]}"  # others have a space before them
_OPENING = "([{"
_UNSPACED = re.compile(  # scripts without spaces between words, with their punctuation
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff]"
)
_CONTRACTION = re.compile(r"['’](?:s|t|re|ve|ll|d|m)\b")
_ELISION = re.compile(r"(?:^|\W)(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|all|un)['’]$")
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
    between = range(before + 1, i + 1)
    if any(page.breaks[n] for n in between) or any(page.text[n] for n in between[:-1]):
        return False
    if page.joins is not None:
        return bool(page.joins[list(between)].all())
    return _seems_joined(page, before, i)


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
    if _UNSPACED.match(first[-1]) and _UNSPACED.match(second):
        return True
    names = page.attributes[before].get("class", "")
    return len(first) == 1 and _INITIAL.search(names) is not None
