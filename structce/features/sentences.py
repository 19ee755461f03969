"""Features of the sentences of a block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.characters import characters, share
from structce.features.registry import feature
from structce.features.text import block_sums
from structce.page import Page


def _sentences(page: Page) -> NDArray[np.int64]:
    """Return the number of sentences of each region's block; one where no stop ends any."""
    ends = block_sums(page, characters(page).sentence_ends)
    has_words = block_sums(page, characters(page).words) > 0
    return np.where(has_words, np.maximum(ends, 1), 0)


@feature("text", bins=(1, 2, 3, 4, 6))
def sentence_count(page: Page) -> NDArray[np.int64]:
    """Number of sentences of the block: paragraphs have several, headlines and captions one.

    Counted are stops that end a sentence, at least one where there are words.
    """
    return _sentences(page)


@feature("text", bins=(2, 4, 6, 9, 12, 16, 20, 26, 34), source="Yao and Zuo (2013)")
def sentence_length(page: Page) -> NDArray[np.float64]:
    """Mean number of words a sentence of the block: prose has some twenty, labels one or two."""
    return share(block_sums(page, characters(page).words), _sentences(page))
