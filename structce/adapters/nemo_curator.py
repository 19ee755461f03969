"""Extractors for pipelines of NeMo Curator."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from structce.adapters.pages import METADATA, Metadata, article_metadata, read_html
from structce.article import Article, Favour
from structce.errors import StructceError
from structce.extras import load_extra

_download = load_extra("nemo_curator.stages.text.download", "CuratorExtractor", "nemo-curator")
_DocumentExtractor: Any = _download.DocumentExtractor
_Algorithm: Any = _download.html_extractors.HTMLExtractorAlgorithm

_log = logging.getLogger(__name__)


class CuratorAlgorithm(_Algorithm):
    """Algorithm for NeMo Curator's ``CommonCrawlHTMLExtractor``.

    That extractor drops pages in languages without a stop list before it asks the algorithm;
    :class:`CuratorExtractor` keeps them, and values beside the text.

    Parameters
    ----------
    model, favour
        As in :func:`structce.label`.
    """

    def __init__(self, *, model: str | Path | None = None, favour: Favour = "balance") -> None:
        self.model = model
        self.favour = favour

    def extract_text(
        self, html: str, stop_words: frozenset[str], language: str
    ) -> list[str] | None:
        """Return the paragraphs of a page; None if it has none or cannot be read.

        Stop words and language are not used: the labels of the regions decide.
        """
        article = _article(html, "", self.model, self.favour)
        return article.text.splitlines() or None if article else None


class CuratorExtractor(_DocumentExtractor):
    """Extractor for NeMo Curator's ``DocumentIterateExtractStage``, with a column per value.

    Parameters
    ----------
    html, url
        Columns of the HTML, as text or bytes, and of the address, which need not be there.
    kept
        Columns of the record that the result keeps.
    model, favour
        As in :func:`structce.label`.
    """

    def __init__(
        self,
        *,
        html: str = "content",
        url: str = "url",
        kept: tuple[str, ...] = ("url", "warc_id", "source_id"),
        model: str | Path | None = None,
        favour: Favour = "balance",
    ) -> None:
        self.html = html
        self.url = url
        self.kept = kept
        self.model = model
        self.favour = favour

    def extract(self, record: Mapping[str, str | bytes]) -> Metadata | None:
        """Return the columns of a page; None if it has no text or cannot be read."""
        article = _article(
            record.get(self.html) or "", str(record.get(self.url) or ""), self.model, self.favour
        )
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


def _article(
    html: str | bytes, url: str, model: str | Path | None, favour: Favour
) -> Article | None:
    """Return the article of a page; None, with a warning, if it cannot be read.

    An error must not leave an extractor: NeMo Curator would drop the rest of the file.
    """
    try:
        return read_html(html, url, model=model, favour=favour)
    except StructceError as error:
        _log.warning("left out: %s%s", f"{url}: " if url else "", error)
        return None
