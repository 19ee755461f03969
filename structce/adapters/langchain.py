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
    """Loader of pages with their metadata, or of chunks with their places.

    For the parameters see :func:`structce.adapters.pages.page_texts`; the options are ``model``,
    ``renderer``, ``workers``, ``network`` and ``favour`` of :func:`structce.label_files`.
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
