"""Base of the adapters: the article of a page in memory, its metadata and its texts."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypedDict, Unpack

from structce.article import Article, Favour, article_row, label, label_files
from structce.errors import StructceError

Metadata = dict[str, object]
"""Values of a page by name: strings, numbers, and a list of the authors."""

By = Literal["page", "chunk"]
"""Unit of text: a whole page, or a chunk with its headings."""

METADATA = tuple(
    "title authors date date_time modified language page_type site_name description canonical_url "
    "quality verdict".split()
)
"""Names of the values of a page."""

CHUNK_METADATA = ("headings", "quote", "n_tokens", "xpath", "start", "end", "regions")
"""Names of the values of a chunk; headings and numbers of regions are one string each."""

_log = logging.getLogger(__name__)


class ReadOptions(TypedDict, total=False):
    """Options of :func:`structce.label` that adapters pass on."""

    model: str | Path | None
    favour: Favour


class FileOptions(ReadOptions, total=False):
    """Options of :func:`structce.label_files` that adapters pass on."""

    renderer: str
    workers: int
    network: bool


def read_html(html: str | bytes, url: str = "", **options: Unpack[ReadOptions]) -> Article:
    """Return the article of a page without places in its source, as :func:`structce.label` does.

    Text is never the name of a file: what other packages pass on comes from strangers.
    """
    source = io.StringIO(html) if isinstance(html, str) else io.BytesIO(html)
    return label(source, url=url, spans=False, **options)


def article_or_none(html: str | bytes, url: str, **options: Unpack[ReadOptions]) -> Article | None:
    """Return the article of a page; None, with a warning in the log, if it cannot be read."""
    try:
        return read_html(html, url, **options)
    except StructceError as error:
        _log.warning("left out: %s%s", f"{url}: " if url else "", error)
        return None


def article_metadata(article: Article) -> Metadata:
    """Return the values named in `METADATA`, each of the same type for every page.

    They are the columns of these names in :func:`structce.to_frame`: ``date`` is the day,
    ``date_time`` the moment. What was not found is an empty string, an unknown quality NaN.
    """
    row = article_row(article)
    values: Metadata = {name: "" if row[name] is None else row[name] for name in METADATA}
    return values | {"quality": float("nan") if article.quality is None else article.quality}


def page_texts(
    sources: Iterable[str | os.PathLike[str]],
    by: By = "page",
    max_tokens: int = 400,
    **options: Unpack[FileOptions],
) -> Iterator[tuple[str, Metadata]]:
    """Yield texts of pages with metadata for vector stores, which take strings and numbers only.

    A page that cannot be labelled is logged as a warning and left out.

    Parameters
    ----------
    sources
        Files, folders, archives or addresses, as in :func:`structce.label_files`.
    by
        ``page``: the body of each page. ``chunk``: each of its chunks, see
        :meth:`structce.Article.chunks`, with headings and those values of `CHUNK_METADATA` that
        are known.
    max_tokens
        Greatest number of words of a chunk.
    """
    for source, article, error in label_files(sources, **options, spans=by == "chunk"):
        if article is None:
            _log.warning("left out: %s", error)
            continue
        metadata = {"source": source, "url": article.url, **article_metadata(article)}
        metadata["authors"] = "; ".join(author.value for author in article.authors)
        if by == "page":
            yield article.text, metadata
            continue
        for chunk in article.chunks(max_tokens):
            row = chunk.to_dict() | {"headings": " > ".join(chunk.headings)}
            row["regions"] = " ".join(map(str, chunk.regions))
            known = {name: row[name] for name in CHUNK_METADATA if row[name] is not None}
            yield chunk.content, metadata | known
