"""Extractor for pipelines of datatrove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Unpack

from structce.adapters.pages import Metadata, ReadOptions, article_metadata, read_html
from structce.errors import StructceError
from structce.extras import load_extra

if TYPE_CHECKING:
    from datatrove.data import Document, DocumentsPipeline

_extractors = load_extra("datatrove.pipeline.extractors.base", "DatatroveExtractor", "datatrove")
_BaseExtractor: Any = _extractors.BaseExtractor

_WARM_UP = "<title>Ferry to stop</title><p>The ferry will stop in June."


class ExtractedText(str):
    """Text of a page, with the metadata of the page."""

    metadata: Metadata


class DatatroveExtractor(_BaseExtractor):
    """Step that replaces the HTML of documents by their text and adds to their metadata.

    datatrove extracts in a child process, which it ends when a document takes more than ``timeout``
    seconds. A page that cannot be read is counted there as ``clean_error``, and the process goes on
    with the next. The options are ``model`` and ``favour`` of :func:`structce.label`.
    """

    name = "structce"

    def __init__(self, timeout: float = 10.0, **options: Unpack[ReadOptions]) -> None:
        super().__init__(timeout)
        self.options = options

    def extract(self, text: str, url: str = "") -> str:
        """Return the text of a page; empty if it has none, or if the HTML is empty.

        An error is returned, which datatrove counts; raised, it would end the child process.
        """
        try:
            article = read_html(text or _WARM_UP, url, **self.options)
        except StructceError as error:
            return error  # type: ignore[return-value]
        result = ExtractedText(article.text if text else "")
        result.metadata = article_metadata(article)
        return result

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents of which a text could be extracted.

        The address of a page is read from ``metadata["url"]``.
        """
        self.extract("")  # loads the model before a child is forked, whose time is limited
        for document in super().run(map(_with_address, data), rank, world_size):
            document.metadata |= document.text.metadata
            document.text = str(document.text)
            yield document


def _with_address(document: Document) -> Document:
    # datatrove passes the members of a tuple to ``extract`` as arguments.
    document.text = (document.text, str(document.metadata.get("url") or ""))
    return document
