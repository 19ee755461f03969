"""Extractor protocol, and the base of extractors that keep some words of a document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from structce.arrays import Flags
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.result import Extraction


class Extractor(Protocol):
    """System that picks the main content of a document."""

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content; empty where there is none.

        Raises
        ------
        StructceError
            If the document is beyond the system, and nothing else.
        """
        ...


class WordFilter(ABC):
    """Extractor that keeps some of the words of a document, so that it knows where they stand."""

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the words that are kept, as an extraction."""
        return document.select(self.keep(document))

    @abstractmethod
    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are main content.

        Returns
        -------
        shape (n_words,)
        """
