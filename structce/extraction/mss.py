"""Maximum subsequence segmentation: the span of a page with the largest sum of token scores.

Source: J. Pasternack and D. Roth (2009). Extracting article text from the web with maximum
subsequence segmentation. WWW 2009.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags
from structce.errors import ExtractionError
from structce.extraction.base import WordFilter
from structce.extraction.bte import maximum_sum_run
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import extractor


@extractor("mss")
@dataclass(frozen=True)
class MaximumSubsequenceSegmentation(WordFilter):
    """Maximum subsequence segmentation (Pasternack and Roth 2009), its baseline without training.

    Body text extraction is the same method with a tag score of -1.

    Parameters
    ----------
    tag_score
        Score of a tag, below 0; a word counts 1. The default is the paper's value.
    """

    tag_score: float = -3.25

    def __post_init__(self) -> None:
        if not self.tag_score < 0:
            raise ExtractionError(f"mss: tag score {self.tag_score}; expected below 0")

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in the span."""
        scores = np.where(document.tokens.is_word, 1.0, self.tag_score)
        first, end = maximum_sum_run(scores)
        token = document.words.token
        return (first <= token) & (token < end)
