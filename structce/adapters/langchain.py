"""Document loader for LangChain."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Unpack

from structce.adapters.pages import By, FileOptions, page_texts
from structce.extras import load_extra

_loaders = load_extra("langchain_core.document_loaders", "LangChainLoader", "langchain")
_documents = load_extra("langchain_core.documents", "LangChainLoader", "langchain")
_BaseLoader: Any = _loaders.BaseLoader


class LangChainLoader(_BaseLoader):
    """Loader of pages with their metadata, or of blocks or chunks with their places.

    A page that cannot be labelled is logged as a warning and left out.

    Parameters
    ----------
    sources
        Files, folders, archives or addresses, as in :func:`structce.label_files`.
    by
        ``page``: a document per page. ``block``: a document per block of the body, with its kind,
        XPath, confidence and, as ``start`` and ``end``, place in the source. ``chunk``: a document
        per chunk, see :meth:`structce.Article.chunks`, with its headings in text and metadata.
    max_tokens
        Greatest number of words of a chunk.
    options
        ``model``, ``renderer``, ``workers``, ``network`` and ``favour``, as in
        :func:`structce.label_files`.
    """

    def __init__(
        self,
        sources: Iterable[str | os.PathLike[str]],
        *,
        by: By = "page",
        max_tokens: int = 400,
        **options: Unpack[FileOptions],
    ) -> None:
        self.sources, self.by, self.max_tokens = tuple(sources), by, max_tokens
        self.options = options

    def lazy_load(self) -> Iterator[Any]:
        """Yield the documents, in the order of the sources."""
        for text, metadata in page_texts(self.sources, self.by, self.max_tokens, **self.options):
            yield _documents.Document(page_content=text, metadata=metadata)
