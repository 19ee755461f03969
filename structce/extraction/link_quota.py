"""Link quota filter: removal of blocks that are mostly links.

Sources: T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, section 5.4;
with variations in C. Mantratzis, M. Orgun and S. Cassidy (2005). Separating XHTML content from
navigation clutter using DOM-structure block analysis. Hypertext 2005.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags
from structce.errors import ExtractionError
from structce.extraction.base import WordFilter
from structce.extraction.parsed_document import BLOCK_LEVEL, ParsedDocument
from structce.extraction.registry import extractor

_PAGE = frozenset(("html", "body"))


@extractor("link-quota-25", threshold=0.25)
@extractor("link-quota-50", threshold=0.5)
@extractor("link-quota-75", threshold=0.75)
@extractor("link-quota-50-nested", threshold=0.5, is_nested=True)
@dataclass(frozen=True)
class LinkQuotaFilter(WordFilter):
    """Link quota filter (Gottron 2007): all blocks except those with too much linked text.

    The quota of a block-level element is the share of its text that is in links, counted in
    characters without white space (our choice), excluding nested block-level elements. The text of
    an element above the threshold is discarded.

    Parameters
    ----------
    threshold
        Highest quota that is kept, in [0, 1]; the paper compares 0.25, 0.5 and 0.75.
    is_nested
        Whether elements nested in a discarded element are also discarded. The paper discards "the
        entire block", which may mean either; our choice is no, since one link beside the blocks of
        a page would remove all of them. The elements ``html`` and ``body`` are never discarded.
    """

    threshold: float = 0.5
    is_nested: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ExtractionError(f"link-quota: threshold {self.threshold}; expected 0 to 1")

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are outside discarded blocks."""
        elements, words = document.elements, document.words
        own = elements.nearest(elements.named(BLOCK_LEVEL))
        owner = np.append(own, -1)[words.element]
        linked = words.length * document.words_within({"a"})
        n_elements = len(elements)
        n_all = np.bincount(owner + 1, words.length, n_elements + 1)[1:]
        n_linked = np.bincount(owner + 1, linked, n_elements + 1)[1:]
        discarded = (n_linked > self.threshold * n_all) & ~elements.named(_PAGE)
        if self.is_nested:
            return ~document.of_words(elements.below(discarded))
        kept: Flags = ~np.append(discarded, False)[owner]
        return kept
