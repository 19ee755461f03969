"""Tables of articles for pandas, Polars and Arrow."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal, overload

from structce.article.article import Article
from structce.article.reader import PageOutcome
from structce.article.values import FieldValue
from structce.errors import StructceError
from structce.extras import load_extra
from structce.io import encodable

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Results = Iterable[Article | PageOutcome[Article]]

_FIELDS = ("title", "modified", "language", "page_type", "site_name", "description")
_MODULES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}

_BATCH = 1_000  # rows of a Parquet file that are kept in memory

COLUMNS = (
    *"""
    source url title title_confidence title_source authors author_confidences author_sources date
    date_time date_precision date_confidence date_source
    """.split(),
    *(f"{name}{part}" for name in _FIELDS[1:] for part in ("", "_confidence", "_source")),
    *"canonical_url quality verdict risk text error".split(),
)
"""Columns of a table of articles, in order."""

CHUNK_COLUMNS = tuple(
    "source url title number text headings quote n_tokens xpath start end regions".split()
)
"""Columns of a table of chunks, in order; ``number`` counts those of a page from 0."""


@overload
def to_frame(
    articles: Results, library: Literal["pandas"] = "pandas", *, chunk_tokens: int | None = None
) -> pandas.DataFrame: ...


@overload
def to_frame(
    articles: Results, library: Literal["polars"], *, chunk_tokens: int | None = None
) -> polars.DataFrame: ...


@overload
def to_frame(
    articles: Results, library: Literal["arrow"], *, chunk_tokens: int | None = None
) -> pyarrow.Table: ...


def to_frame(
    articles: Results,
    library: Literal["pandas", "polars", "arrow"] = "pandas",
    *,
    chunk_tokens: int | None = None,
) -> pandas.DataFrame | polars.DataFrame | pyarrow.Table:
    """Return a table with one row per article, or per chunk of an article.

    Parameters
    ----------
    articles
        Articles, or the outcomes of :func:`structce.label_files`; a page that failed becomes a row
        with an error.
    library
        ``pandas``, ``polars`` or ``arrow``; it must be installed.
    chunk_tokens
        Greatest number of words of a chunk, see :meth:`structce.Article.chunks`. Rows are then
        chunks, with the columns of `CHUNK_COLUMNS`; pages that failed have none.

    Returns
    -------
    A ``DataFrame`` or ``Table`` with the columns of `COLUMNS`; None if nothing was found. Authors,
    their confidences and their sources are lists. ``date`` is the day, ``YYYY-MM-DD``;
    ``date_time`` the moment as far as known, ``date_precision`` its precision. Lone surrogates,
    which no encoding allows, are replaced by U+FFFD.

    Raises
    ------
    MissingExtraError
        If the library is not installed.

    Examples
    --------
    >>> import structce
    >>> table = structce.to_frame([structce.label("<h1>Ferry to stop</h1><p>In June.")], "arrow")
    >>> table.column("title").to_pylist()  # doctest: +SKIP
    ['Ferry to stop']
    """
    if library not in _MODULES:
        raise StructceError(f"unknown library {library!r}; expected one of {sorted(_MODULES)}")
    package = load_extra(_MODULES[library], f"a table of {library}", "frames")
    names = COLUMNS if chunk_tokens is None else CHUNK_COLUMNS
    n = chunk_tokens
    of_each = (
        [article_row(article)] if n is None else chunk_rows(article, n) for article in articles
    )
    rows = [encodable(row) for rows in of_each for row in rows]
    columns = {name: [row[name] for row in rows] for name in names}
    if library != "arrow":
        return package.DataFrame(columns)
    return package.table(columns, schema=table_schema(names))


def article_row(result: Article | PageOutcome[Article]) -> Mapping[str, object]:
    """Return the cells of an article, or of a page that failed, by the names in `COLUMNS`."""
    row: dict[str, object] = dict.fromkeys(COLUMNS)
    if isinstance(result, PageOutcome):
        row |= {"source": result.source, "error": result.error or None}
    article = result if isinstance(result, Article) else result.value
    if article is None:
        return row
    for name in (*_FIELDS, "date"):
        value: FieldValue | None = getattr(article, name)
        if value is not None:
            row[name], row[f"{name}_confidence"] = value.value, value.confidence
            row[f"{name}_source"] = value.source
    if article.date:
        day = article.date.value[:10]
        row["date"] = day + "-01" * ((10 - len(day)) // 3)  # the first of a month or a year
        row |= {"date_time": article.date.value, "date_precision": article.date.precision}
    return row | {
        "url": article.url or None,
        "authors": [author.value for author in article.authors],
        "author_confidences": [author.confidence for author in article.authors],
        "author_sources": [author.source for author in article.authors],
        "canonical_url": article.canonical_url or None,
        "quality": article.quality,
        "verdict": article.verdict and article.verdict.kind,
        "risk": article.verdict and article.verdict.risk,
        "text": article.text,
    }


def chunk_rows(
    result: Article | PageOutcome[Article], max_tokens: int
) -> list[Mapping[str, object]]:
    """Return the cells of an article's chunks by the names in `CHUNK_COLUMNS`."""
    head = article_row(result)
    article = result if isinstance(result, Article) else result.value
    same = {name: head[name] for name in ("source", "url", "title")}
    chunks = article.chunks(max_tokens) if article else ()
    return [{**same, "number": n, **chunk.to_dict()} for n, chunk in enumerate(chunks)]


def parquet_bytes(
    rows: Iterable[Mapping[str, object]], schema: pyarrow.Schema | None = None
) -> bytes:
    """Return rows as the bytes of a Parquet file, by default those of :func:`article_row`."""
    arrow = load_extra("pyarrow", "a Parquet file", "frames")
    parquet = load_extra("pyarrow.parquet", "a Parquet file", "frames")
    schema, sink, remaining = schema or table_schema(), io.BytesIO(), iter(rows)
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while batch := list(islice(remaining, _BATCH)):
            try:
                table = arrow.Table.from_pylist(batch, schema=schema)
            except UnicodeEncodeError:  # rare, and the search for what is to be replaced takes time
                table = arrow.Table.from_pylist(encodable(batch), schema=schema)
            writer.write_table(table)
    return sink.getvalue()


def table_schema(columns: Sequence[str] = COLUMNS) -> pyarrow.Schema:
    """Return the types of the columns of a table of articles, or of chunks."""
    arrow = load_extra("pyarrow", "a Parquet file", "frames")
    text, number, whole = arrow.string(), arrow.float64(), arrow.int64()
    types = dict.fromkeys("number n_tokens start end".split(), whole) | {
        "regions": arrow.list_(whole)
    }
    types |= dict.fromkeys("authors author_sources headings".split(), arrow.list_(text))
    types |= {"quality": number, "risk": number, "author_confidences": arrow.list_(number)}
    types |= {name: number for name in columns if name.endswith("_confidence")}
    return arrow.schema([(name, types.get(name, text)) for name in columns])
