"""Parquet tables of a bulk run: rows of pages and of failures, and the files of each shard.

A shard is finished once its files are complete and the journal of the run lists it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from structce.addresses import without_password
from structce.article import CHUNK_COLUMNS, PageOutcome, parquet_bytes, table_schema
from structce.bulk.inputs import BulkInput, Shard
from structce.errors import BulkError
from structce.extras import load_extra
from structce.io import Journal, encode_json, json_line, write_all_atomic, write_atomic

_FORMAT = 1
_DIGITS = 16  # of the digest in a file's name
_JOURNAL, _SUMMARY = "journal.jsonl", "summary.json"
_WORDS = ("text", "quote")  # columns of what the page itself says

Row = dict[str, object]
"""Row of a table by its columns."""


class ShardTables(NamedTuple):
    """Tables of a shard: bytes of Parquet files by the names of their folders, ``pages`` last."""

    shard: Shard
    n_failed: int
    files: Mapping[str, bytes]


def shard_tables(
    shard: Shard,
    outcomes: Sequence[PageOutcome[Row]],
    *,
    has_regions: bool,
    has_chunks: bool = False,
) -> ShardTables:
    """Return the tables of a shard from the outcomes of its pages, in their order.

    The table of pages has the columns of a table of articles, the place among the inputs, renderer,
    model, the rest of the record as JSON and, if requested, the labelled regions. The chunks of a
    page are a list ``chunks`` in its row, and become rows of their own. Names and passwords of
    users are removed from the addresses in all texts.
    """
    pages: list[Row] = []
    failures: list[Row] = []
    chunks: list[Row] = []
    for position, outcome in enumerate(outcomes, start=shard.first):
        where: Row = {"source": outcome.source, "input": shard.input_number, "position": position}
        if outcome.value is None:
            failures.append(_without_passwords({**where, "error": outcome.error}))
        else:
            pages.append(_without_passwords({**where, **outcome.value}))
            own: list[Row] = outcome.value.get("chunks") or []  # type: ignore[assignment]
            chunks += [_without_passwords({**where, **row}) for row in own]
    arrow = load_extra("pyarrow", "a table of pages", "bulk")
    text, number, real = arrow.string(), arrow.int64(), arrow.float64()
    place = [("input", number), ("position", number)]
    failed = arrow.schema([("source", text), *place, ("error", text)])
    files = {"failed": parquet_bytes(failures, failed)}
    if has_chunks:
        columns = [arrow.field(*column) for column in place]
        files["chunks"] = parquet_bytes(
            chunks, arrow.schema([*table_schema(CHUNK_COLUMNS), *columns])
        )
    columns = [field for field in table_schema() if field.name != "error"]
    columns += [*place, *((name, text) for name in ("renderer", "model", "record"))]
    if has_regions:
        region = {"index": number, "label": text, "confidence": real, "text": text, "xpath": text}
        region |= {"span": arrow.list_(number), "box": arrow.list_(real)}
        columns.append(("regions", arrow.list_(arrow.struct(list(region.items())))))
    files["pages"] = parquet_bytes(pages, arrow.schema(columns))
    return ShardTables(shard, len(failures), files)


def _without_passwords(row: Row) -> Row:
    return {
        name: without_password(value) if isinstance(value, str) and name not in _WORDS else value
        for name, value in row.items()
        if name != "chunks"
    }


class BulkFolder:
    """Folder with the output of a bulk run; a context manager that locks it against other runs.

    ::

        journal.jsonl       settings of the run, then each finished shard and each listed input
        pages/*.parquet     a row for each page, one file per shard
        failed/*.parquet    a row for each page that failed, one file per shard
        chunks/*.parquet    if requested, a row for each chunk, one file per shard
        summary.json        counts, written when all is done

    Entering raises BulkError if another run is writing to the folder, or if the folder contains a
    run with other settings or inputs, or anything else.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, object], inputs: Sequence[BulkInput]
    ) -> None:
        self.path = path
        self.n_before = 0  # pages of shards that earlier runs had finished
        digest = _digest([[source.name, source.key] for source in inputs])
        self._settings = {**settings, "inputs": len(inputs), "inputs_digest": digest}
        self._journal = Journal(path / _JOURNAL, {"format": _FORMAT, **self._settings})

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        others = sorted(file.name for file in self.path.iterdir() if file.name[0] != ".")
        if others and _JOURNAL not in others:
            raise BulkError(
                f"{self.path}: expected an empty folder or one of a bulk run; it contains "
                f"{others[0]!r}"
            )
        self._journal.__enter__()
        for leftover in self.path.glob("*/.*"):  # left by a killed run
            leftover.unlink()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def unfinished_inputs(self, inputs: Iterable[BulkInput]) -> Iterator[BulkInput]:
        """Yield the inputs of which shards are, or may be, missing; count the others' pages."""
        for source in inputs:
            firsts = self._journal.items.get(f"input {source.number}")
            counts = [self._n_done(source.number, first) for first in firsts or ()]
            if firsts is None or 0 in counts:
                yield source
            else:
                self.n_before += sum(counts)

    def missing_shards(self, source: BulkInput, shards: Iterable[Shard]) -> Iterator[Shard]:
        """Yield the missing shards of an input; record its shards once all are listed."""
        firsts = []
        for shard in shards:
            firsts.append(shard.first)
            if n_pages := self._n_done(shard.input_number, shard.first):
                self.n_before += n_pages
            else:
                yield shard
        self._journal.add(f"input {source.number}", firsts)

    def write(self, tables: ShardTables) -> None:
        """Write the files of a shard, whole or not at all, and list it as finished."""
        number, first = tables.shard.input_number, tables.shard.first
        files = {self._path(name, number, first): data for name, data in tables.files.items()}
        write_all_atomic(files)
        self._journal.add(f"shard {number} {first}", [tables.shard.n_pages, tables.n_failed])

    def summarise(self) -> tuple[int, int]:
        """Return the numbers of all pages and of those that failed; write them, too."""
        shards = [counts for key, counts in self._journal.items.items() if key[:5] == "shard"]
        n_pages, n_failed = (sum(column) for column in zip((0, 0), *shards, strict=True))
        write_atomic(self.path / _SUMMARY, encode_json({"pages": n_pages, "failed": n_failed}))
        return n_pages, n_failed

    def _n_done(self, number: int, first: int) -> int:
        """Return the number of pages of a shard if it is finished, else 0."""
        counts: list[int] = self._journal.items.get(f"shard {number} {first}") or [0]
        return counts[0] if self._path("pages", number, first).exists() else 0

    def _path(self, table: str, number: int, first: int) -> Path:
        """Return the path of a shard's file: two positions, then a digest of settings and inputs.

        Files sorted by their names thus contain the pages in order.
        """
        digest = _digest([self._settings, number, first])[:_DIGITS]
        return self.path / table / f"{number:06d}-{first:09d}-{digest}.parquet"


def _digest(value: object) -> str:
    return hashlib.sha256(json_line(value).encode()).hexdigest()
