"""Reader for LlamaIndex."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Unpack

from structce.adapters.pages import PLACE, By, LabelOptions, page_texts
from structce.extras import load_extra

if TYPE_CHECKING:
    from llama_index.core.schema import Document

_BaseReader: Any = load_extra(
    "llama_index.core.readers.base", "LlamaIndexReader", "llama-index"
).BaseReader
_schema = load_extra("llama_index.core.schema", "LlamaIndexReader", "llama-index")


class LlamaIndexReader(_BaseReader):
    """Reader of pages with their metadata, or of blocks with their places.

    A page that cannot be labelled is logged as a warning and left out. Places are hidden from
    embeddings and language models.

    Parameters
    ----------
    by, options
        As in :class:`structce.adapters.LangChainLoader`.
    """

    def __init__(self, *, by: By = "page", **options: Unpack[LabelOptions]) -> None:
        self.by = by
        self.options = options

    def lazy_load_data(self, sources: Iterable[str | os.PathLike[str]]) -> Iterator[Document]:
        """Yield the documents of files, folders, archives or addresses, in their order."""
        for text, metadata in page_texts(sources, self.by, **self.options):
            yield _schema.Document(
                text=text,
                metadata=metadata,
                excluded_embed_metadata_keys=list(PLACE),
                excluded_llm_metadata_keys=list(PLACE),
            )
