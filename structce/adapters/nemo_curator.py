"""Extractors for pipelines of NeMo Curator, which would drop the rest of a file after an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from structce.adapters.pages import (
    METADATA,
    Metadata,
    ReadOptions,
    article_metadata,
    article_or_none,
)
from structce.extras import load_extra

_download = load_extra("nemo_curator.stages.text.download", "CuratorExtractor", "nemo-curator")
_DocumentExtractor: Any = _download.DocumentExtractor
_Algorithm: Any = _download.html_extractors.HTMLExtractorAlgorithm


class CuratorAlgorithm(_Algorithm):
    """Algorithm for NeMo Curator's ``CommonCrawlHTMLExtractor``.

    That extractor drops pages in languages without a stop list, and values beside the text, which
    :class:`CuratorExtractor` keeps. The options are ``model`` and ``favour`` of
    :func:`structce.label`.
    """

    def __init__(self, **options: Unpack[ReadOptions]) -> None:
        self.options = options

    def extract_text(
        self, html: str, stop_words: frozenset[str], language: str
    ) -> list[str] | None:
        """Return the paragraphs of a page; None if it has none or cannot be read.

        Stop words and language are not used: the labels of the regions decide.
        """
        article = article_or_none(html, "", **self.options)
        return article.text.splitlines() or None if article else None


class CuratorExtractor(_DocumentExtractor):
    """Extractor for NeMo Curator's ``DocumentIterateExtractStage``, with a column per value.

    ``html`` and ``url`` are the columns of the HTML, as text or bytes, and of the address, which
    need not be there; ``kept`` are columns of the record that the result keeps. The options are
    those of :class:`CuratorAlgorithm`.
    """

    def __init__(
        self,
        *,
        html: str = "content",
        url: str = "url",
        kept: tuple[str, ...] = ("url", "warc_id", "source_id"),
        **options: Unpack[ReadOptions],
    ) -> None:
        self.html, self.url, self.kept, self.options = html, url, kept, options

    def extract(self, record: Mapping[str, str | bytes]) -> Metadata | None:
        """Return the columns of a page; None if it has no text or cannot be read."""
        html, url = record.get(self.html) or "", str(record.get(self.url) or "")
        article = article_or_none(html, url, **self.options)
        if article is None or not article.text:
            return None
        kept = {name: record.get(name) for name in self.kept}
        return {**kept, "text": article.text, **article_metadata(article)}

    def input_columns(self) -> list[str]:
        """Return the names of the columns that are read."""
        return list(dict.fromkeys([*self.kept, self.url, self.html]))

    def output_columns(self) -> list[str]:
        """Return the names of the columns of a result."""
        return [*self.kept, "text", *METADATA]
