"""Extraction: whole systems that pick the main content of a page, behind one protocol."""

from structce.extraction.base import Extractor, WordFilter
from structce.extraction.bte import BodyTextExtraction
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.plain import Plain
from structce.extraction.registry import (
    EXTRACTORS,
    ExtractorRegistry,
    describe_extractor,
    extract,
    extractor,
    load_extractors,
    make_extractor,
)
from structce.extraction.result import Extraction, Span

__all__ = [
    "EXTRACTORS",
    "BodyTextExtraction",
    "Extraction",
    "Extractor",
    "ExtractorRegistry",
    "ParsedDocument",
    "Plain",
    "Span",
    "WordFilter",
    "describe_extractor",
    "extract",
    "extractor",
    "load_extractors",
    "make_extractor",
]
