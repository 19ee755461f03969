"""Document slope curve: the areas of a page where tags are rare.

Sources: D. Pinto, M. Branstein, R. Coleman, W. B. Croft, M. King, W. Li and X. Wei (2002). QuASM: a
system for question answering using semi-structured data. JCDL 2002. T. Gottron (2007). Evaluating
content extraction on HTML documents. ITA 2007, section 5.3, which extracts the areas.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags
from structce.errors import ExtractionError
from structce.extraction.base import WordFilter
from structce.extraction.bte import BodyTextExtraction
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import extractor


@extractor("dsc")
@dataclass(frozen=True)
class DocumentSlopeCurve(WordFilter):
    """Document slope curve (Pinto et al. 2002, Gottron 2007): areas where tags are rare.

    The curve counts the tags up to each token. A window moves over it in steps of half its length,
    and is low if its slope, in tags per token, is below a share of the whole page's. A number of
    consecutive low windows opens an area, a number of consecutive others closes it.

    Parameters
    ----------
    window
        Length in tokens. Gottron does not state it; we use 50, usually reported for QuASM.
    ratio
        Share of the page's slope below which a window is low.
    open_after, close_after
        Number of consecutive windows. Our choice: an area extends from the first token of the first
        low window to the first token of the first window that closes it, or to the end of the page.

    A page with too few windows to open an area is left to body text extraction (our choice).
    """

    window: int = 50
    ratio: float = 0.5
    open_after: int = 3
    close_after: int = 3

    def __post_init__(self) -> None:
        if self.window < 2 or min(self.open_after, self.close_after) < 1:
            raise ExtractionError(
                "dsc: expected a window of at least 2 tokens, and open_after and close_after of at "
                f"least 1; got {self}"
            )

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a low area."""
        is_tag = ~document.tokens.is_word
        curve = np.concatenate(([0], np.cumsum(is_tag)))
        starts = np.arange(0, len(is_tag) - self.window + 1, self.window // 2)
        if len(starts) < self.open_after:
            return BodyTextExtraction().keep(document)
        slopes = (curve[starts + self.window] - curve[starts]) / self.window
        is_low = slopes < self.ratio * is_tag.mean()
        kept = np.zeros(len(is_tag), dtype=bool)
        for first, end in low_areas(is_low, self.open_after, self.close_after):
            kept[starts[first] : starts[end] if end < len(starts) else None] = True
        return kept[document.words.token]


def low_areas(is_low: Flags, open_after: int, close_after: int) -> Iterator[tuple[int, int]]:
    """Yield the areas of low windows: the first window of each, and the one that it ends before."""
    n_alike, first = 0, -1  # consecutive windows against the current state; -1: no open area
    for i, low in enumerate(is_low.tolist()):
        n_alike = n_alike + 1 if low == (first < 0) else 0
        if first < 0 and n_alike == open_after:
            first, n_alike = i - open_after + 1, 0
        elif first >= 0 and n_alike == close_after:
            yield first, i - close_after + 1
            first, n_alike = -1, 0
    if first >= 0:
        yield first, len(is_low)
