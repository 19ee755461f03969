"""Plain extraction: all visible text, the baseline of Gottron (2007), section 5."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags
from structce.extraction.base import WordFilter
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import extractor


@extractor("plain")
@dataclass(frozen=True)
class Plain(WordFilter):
    """All words of the page, without scripts, styles and comments."""

    def keep(self, document: ParsedDocument) -> Flags:
        """Return true for every word."""
        return np.ones(len(document.words), dtype=bool)
