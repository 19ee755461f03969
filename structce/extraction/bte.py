"""Body text extraction: the one stretch of a page with the most words and the fewest tags.

Source: A. Finn, N. Kushmerick and B. Smyth (2001). Fact or fiction: content classification for
digital libraries. DELOS workshop on personalisation and recommender systems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Floats
from structce.extraction.base import WordFilter
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import extractor


@extractor("bte")
@dataclass(frozen=True)
class BodyTextExtraction(WordFilter):
    """Body text extraction (Finn, Kushmerick and Smyth 2001): one stretch of many words, few tags.

    The stretch from token ``i`` to ``j`` maximises the words inside it and the tags outside it.
    Since all tags together are a constant, that is the stretch of the largest sum where a word
    counts 1 and a tag -1, found in linear time. The paper names no winner among equal stretches:
    ours is the first, and of those with one beginning the longest.
    """

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words stand in the stretch."""
        tokens = document.tokens
        first, end = maximum_sum_run(np.where(tokens.is_word, 1.0, -1.0))
        token = document.words.token
        return (first <= token) & (token < end)


def maximum_sum_run(scores: Floats) -> tuple[int, int]:
    """Return the run of neighbouring scores with the largest sum, in linear time.

    Returns
    -------
    Its first index and the one behind its last; (0, 0) where no score is positive. On a tie the
    first beginning wins, then the last end.

    References
    ----------
    J. Bentley (1984). Programming pearls: algorithm design techniques. Comm. ACM 27(9), Kadane's
    algorithm.
    """
    sums = np.concatenate(([0.0], np.cumsum(scores)))
    lowest = np.minimum.accumulate(sums)
    gains = sums - lowest
    best = gains.max()
    if best <= 0:
        return 0, 0
    ends = np.flatnonzero(gains == best)
    firsts = np.searchsorted(-lowest, -lowest[ends], side="left")
    first = int(firsts.min())
    return first, int(ends[firsts == first].max())
