"""Extraction: the main content that a system found in a document, and its position.

Source: T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, section 3:
an extraction is a set of pairs of indices into the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""First character of a span of the source, and the one after the last."""


@dataclass(frozen=True)
class Extraction:
    """Main content of a document.

    Parameters
    ----------
    text
        Text with line breaks between blocks; empty for a page without main content.
    spans
        Positions in the source: sorted, disjoint, including tags and comments; empty for a system
        that returns only a text.
    """

    text: str
    spans: tuple[Span, ...] = ()
