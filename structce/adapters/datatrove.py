"""Extractor for pipelines of datatrove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Unpack

from structce.adapters.pages import METADATA, Metadata, ReadOptions, article_metadata, read_html
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

    datatrove extracts in a child process, which it ends when a document takes too long. A page that
    cannot be read is counted there as ``clean_error``, and the process goes on with the next.

    Parameters
    ----------
    timeout
        Time limit for a document in seconds. Within it a child must also get ready, or datatrove
        drops all documents; the model is therefore loaded before the first child is forked.
    metadata
        Names of the values to add to a document's metadata.
    options
        ``model`` and ``favour``, as in :func:`structce.label`.

    Raises
    ------
    StructceError
        If there is no such value.
    """

    name = "structce"

    def __init__(
        self,
        timeout: float = 10.0,
        *,
        metadata: tuple[str, ...] = METADATA,
        **options: Unpack[ReadOptions],
    ) -> None:
        super().__init__(timeout)
        if unknown := set(metadata).difference(METADATA):
            raise StructceError(
                f"unknown metadata {min(unknown)!r}; expected any of {', '.join(METADATA)}"
            )
        self.metadata, self.options = metadata, options

    def extract(self, text: str, url: str = "") -> str:
        """Return the text of a page; empty if it has none, or if the HTML is empty.

        An error is returned, not raised: raised, it would end datatrove's child process; returned,
        datatrove counts it as the error of this document.
        """
        try:
            article = read_html(text or _WARM_UP, url, **self.options)
        except StructceError as error:
            return error  # type: ignore[return-value]
        result = ExtractedText(article.text if text else "")
        values = article_metadata(article)
        result.metadata = {name: values[name] for name in self.metadata}
        return result

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents of which a text could be extracted.

        The address of a page is read from ``metadata["url"]``.
        """
        self.extract("")
        for document in super().run(map(_with_address, data), rank, world_size):
            document.metadata |= document.text.metadata
            document.text = str(document.text)
            yield document


def _with_address(document: Document) -> Document:
    # datatrove passes the members of a tuple to ``extract`` as arguments.
    document.text = (document.text, str(document.metadata.get("url") or ""))
    return document
