"""The pages that are rendered: the Fundus fixtures, or a folder of HTML files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from structce.datasets.base import Lost
from structce.datasets.fundus import read_fundus
from structce.errors import CorpusError
from structce.rendering.document import Document
from structce.rendering.sources import open_sources


def read_documents(path: Path, n_pages: int | None) -> list[Document]:
    """Return the documents of a place, or so many of them, spread evenly over their order.

    Raises
    ------
    CorpusError
        If a zip archive, or a folder with ``gold_map.json``, is not laid out as the fixtures are.
    SourceError
        If a page cannot be read, or the folder contains none.
    """
    documents = list(_all(path))
    return spread(documents, len(documents) if n_pages is None else n_pages)


def _all(path: Path) -> Iterator[Document]:
    if path.is_dir() and not (path / "gold_map.json").exists():
        for source in open_sources([str(path)]):
            yield source.read()
        return
    for page in read_fundus(path):
        if isinstance(page, Lost):
            raise CorpusError(f"{page.id}: {page.why}")
        yield page.document()


def spread(documents: Sequence[Document], n: int) -> list[Document]:
    """Return ``n`` documents at even distances, the first among them; all if there are fewer."""
    n = min(n, len(documents))
    return [documents[i * len(documents) // n] for i in range(n)]


def digest(documents: Sequence[Document]) -> str:
    """Return the SHA-256 of the digests of all documents, in their order."""
    return hashlib.sha256("".join(document.digest for document in documents).encode()).hexdigest()


def kilobytes(document: Document) -> float:
    """Return the size of the source in kB (1,000 bytes of UTF-8)."""
    return len(document.html.encode("utf-8", errors="replace")) / 1000


def median(values: Sequence[float] | NDArray[np.float64]) -> float:
    """Return the median; NaN of nothing."""
    return float(np.median(values)) if len(values) else float("nan")
