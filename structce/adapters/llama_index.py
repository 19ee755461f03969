"""Reader of documents for LlamaIndex."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Unpack

from structce.adapters.pages import CHUNK_METADATA, By, FileOptions, page_texts
from structce.extras import load_extra

_readers = load_extra("llama_index.core.readers.base", "LlamaIndexReader", "llama-index")
_schema = load_extra("llama_index.core.schema", "LlamaIndexReader", "llama-index")
_BaseReader: Any = _readers.BaseReader


class LlamaIndexReader(_BaseReader):
    """Reader of the documents of :class:`structce.adapters.LangChainLoader`.

    Places are hidden from embeddings and language models.
    """

    def __init__(
        self, *, by: By = "page", max_tokens: int = 400, **options: Unpack[FileOptions]
    ) -> None:
        self.by, self.max_tokens, self.options = by, max_tokens, options

    def lazy_load_data(self, sources: Iterable[str | os.PathLike[str]]) -> Iterator[Any]:
        """Yield the documents of files, folders, archives or addresses, in their order."""
        keys = ("excluded_embed_metadata_keys", "excluded_llm_metadata_keys")
        hidden = {key: list(CHUNK_METADATA) for key in keys}
        for text, metadata in page_texts(sources, self.by, self.max_tokens, **self.options):
            yield _schema.Document(text=text, metadata=metadata, **hidden)
