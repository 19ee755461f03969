"""A page's running text as a set of shingles: numbers that stand for five words in a row."""

from __future__ import annotations

import re
from zlib import crc32

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from structce.features.consent import consent
from structce.features.landmarks import is_running
from structce.page import Page
from structce.text import JOINED, fold_digits

Shingles = NDArray[np.uint64]
"""Distinct numbers of one page, ascending."""

WORDS = 5
"""Words of a shingle: two texts hardly share five in a row by chance, and a changed word costs
five shingles alone. Our choice; Broder et al. (1997) took ten, for larger pages."""

_LAST_JOINED = "\ud7ff"
_WORD = re.compile(
    f"[{JOINED}-{_LAST_JOINED}]|[^\\W_{JOINED}-{_LAST_JOINED}]+"
)  # in scripts without spaces a sign is a word
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93,
     0xA0761D6478BD642F], dtype=np.uint64,
)  # fmt: skip  # odd and without pattern, so that sums of five words hardly ever agree


def shingles(page: Page) -> Shingles:
    """Return the shingles of a page's running text; empty for fewer than ``WORDS`` words.

    Menus, lists of links, captions and other short texts are left out: they come back on every
    page of a site.

    References
    ----------
    A. Z. Broder, S. C. Glassman, M. S. Manasse, G. Zweig (1997). Syntactic clustering of the web.
    Computer Networks 29(8-13), section 3.
    """
    rows = zip(page.text, (is_running(page) & ~consent(page)).tolist(), strict=True)
    found = [word for text, running in rows if running for word in words(text)]
    if len(found) < WORDS:
        return np.zeros(0, dtype=np.uint64)
    codes = np.array([crc32(word.encode()) for word in found], dtype=np.uint64)
    return np.unique((sliding_window_view(codes, WORDS) * _FACTORS).sum(axis=1, dtype=np.uint64))


def words(text: str) -> list[str]:
    """Return the words of a text, case folded, without punctuation.

    >>> words("The Ferry’s 2nd stop")
    ['the', 'ferry', 's', '2nd', 'stop']
    """
    return _WORD.findall(fold_digits(text).casefold())


def jaccard(one: Shingles, other: Shingles) -> float:
    """Return shared shingles over all, in [0, 1]; 0 for two empty sets."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / max(len(one) + len(other) - shared, 1)
