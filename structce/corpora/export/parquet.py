"""Parquet: one row a region in typed columns, for data frames and query engines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

from structce.corpora.export.writing import shown, whole
from structce.corpus import Corpus, LabelledPage
from structce.errors import MissingExtraError

COLUMNS: Mapping[str, str] = {
    "page": "string",
    "site": "string",
    "family": "string",
    "url": "string",
    "lang": "string",
    "number": "int32",
    "tag": "string",
    "xpath": "string",
    "text": "string",
    "left": "float32",
    "top": "float32",
    "width": "float32",
    "height": "float32",
    "label": "string",
}
"""Arrow type of each column. ``page`` is the page's id and ``number`` the region's place in it,
from 0; ``left`` to ``height`` are in CSS pixels, null without layout; ``label`` is ``?`` where
nobody knows it. Nothing else is ever null."""

_BOX = ("left", "top", "width", "height")
_ROWS = 50_000  # regions of a row group, at least, but for the last


def write_parquet(corpus: Corpus, out: Path) -> None:
    """Write one row a region, in the order of pages and regions; see ``COLUMNS``.

    The schema's metadata hold ``name``, ``licence`` and ``digest`` of the corpus and its
    ``labels``, a JSON array. Gold is not written: it belongs to pages.

    Raises
    ------
    MissingExtraError
        If PyArrow is not installed.
    """
    arrow, parquet = _pyarrow()
    fields = [
        arrow.field(name, arrow.type_for_alias(kind), nullable=name in _BOX)
        for name, kind in COLUMNS.items()
    ]
    schema = arrow.schema(fields, metadata=_metadata(corpus))
    with whole(out) as part, parquet.ParquetWriter(part, schema) as writer:
        for columns in _groups(corpus):
            writer.write_table(arrow.table(columns, schema=schema))


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(
            "Parquet files need PyArrow: pip install 'structce[parquet]'"
        ) from error
    return pyarrow, pyarrow.parquet


def _metadata(corpus: Corpus) -> dict[str, str]:
    return {
        "name": corpus.name,
        "licence": corpus.licence,
        "digest": corpus.digest,
        "labels": json.dumps(corpus.label_set.names),
    }


def _groups(corpus: Corpus) -> Iterator[dict[str, list[object]]]:
    """Yield the columns of each row group."""
    columns: dict[str, list[object]] = {name: [] for name in COLUMNS}
    for page in shown(corpus):
        for name, values in _columns(page).items():
            columns[name].extend(values)
        if len(columns["page"]) >= _ROWS:
            yield columns
            columns = {name: [] for name in COLUMNS}
    if columns["page"]:
        yield columns


def _columns(page: LabelledPage) -> dict[str, list[object]]:
    rendered, n = page.page, len(page.page)
    boxes = [region.box for region in rendered]
    return {
        "page": [page.id] * n,
        "site": [page.site] * n,
        "family": [page.family] * n,
        "url": [rendered.url] * n,
        "lang": [rendered.lang] * n,
        "number": list(range(n)),
        "tag": list(rendered.tag),
        "xpath": list(rendered.xpath),
        "text": list(rendered.text),
        **{name: [box and box[i] for box in boxes] for i, name in enumerate(_BOX)},
        "label": list(page.labels),
    }
