"""Extraction: whole systems that pick the main content of a page, behind one protocol.

An extractor is one file: a class with ``extract``, under ``@extractor("name")``, imported here.
"""

from structce.extraction.base import Extractor, WordFilter
from structce.extraction.bte import BodyTextExtraction
from structce.extraction.cetd import TextDensity
from structce.extraction.cetr import TagRatios
from structce.extraction.combination import Cascade, Vote
from structce.extraction.commands import Command, PublishedTexts
from structce.extraction.content_code_blurring import ContentCodeBlurring
from structce.extraction.crunch import Crunch
from structce.extraction.dsc import DocumentSlopeCurve
from structce.extraction.link_quota import LinkQuotaFilter
from structce.extraction.mss import MaximumSubsequenceSegmentation
from structce.extraction.node_peers import defuddle, readability_js
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.peers import Peer
from structce.extraction.plain import Plain
from structce.extraction.regions import Regions
from structce.extraction.registry import (
    EXTRACTORS,
    OPERATORS,
    SCHEMES,
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
    "OPERATORS",
    "SCHEMES",
    "BodyTextExtraction",
    "Cascade",
    "Command",
    "ContentCodeBlurring",
    "Crunch",
    "DocumentSlopeCurve",
    "Extraction",
    "Extractor",
    "ExtractorRegistry",
    "LinkQuotaFilter",
    "MaximumSubsequenceSegmentation",
    "ParsedDocument",
    "Peer",
    "Plain",
    "PublishedTexts",
    "Regions",
    "Span",
    "TagRatios",
    "TextDensity",
    "Vote",
    "WordFilter",
    "defuddle",
    "describe_extractor",
    "extract",
    "extractor",
    "load_extractors",
    "make_extractor",
    "readability_js",
]
