"""Extraction: the main content that a system found in a document, and where it stands.

Source: T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, section 3:
an extraction is a set of pairs of indices into the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""First character of a stretch of the source, and the one behind the last."""


@dataclass(frozen=True)
class Extraction:
    """Main content of a document.

    Parameters
    ----------
    text
        With a line break between blocks; empty for a page without main content.
    spans
        Where it stands in the source: sorted, disjoint, tags and comments inside; empty for a
        system that gives only a text.
    """

    text: str
    spans: tuple[Span, ...] = ()
