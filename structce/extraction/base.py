"""Protocols of extractors and of methods that must see pages first; base of word filters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Protocol

from structce.arrays import Flags
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.result import Extraction


class Extractor(Protocol):
    """System that picks the main content of a document."""

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content; empty for a page without any.

        Raises
        ------
        StructceError
            If the system cannot process the document; no other error is raised.
        """
        ...


class PageClassMethod(Protocol):
    """Method that compares pages of one class: pages of a site that share a template."""

    def learn(self, documents: Iterable[ParsedDocument]) -> Extractor:
        """Return the extractor of the class, for these pages and others of it.

        Raises
        ------
        ExtractionError
            If there are fewer than two pages, or nothing can be learnt from them.
        """
        ...


class TrainableMethod(Protocol):
    """Method that learns from pages whose main content is known."""

    def fit(self, documents: Sequence[ParsedDocument], texts: Sequence[str]) -> Extractor:
        """Return the extractor learnt from the pages.

        Parameters
        ----------
        texts
            Main content of each page.

        Raises
        ------
        ExtractionError
            If nothing can be learnt from them.
        """
        ...


class WordFilter(ABC):
    """Extractor that keeps some of the words of a document, so that their positions are known."""

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the kept words as an extraction."""
        return document.select(self.keep(document))

    @abstractmethod
    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are main content.

        Returns
        -------
        shape (n_words,)
        """
