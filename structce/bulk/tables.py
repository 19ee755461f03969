"""Parquet tables of a bulk run: rows of pages and of failures, and the two files of each shard.

The files of a shard are the checkpoints of a run: a shard is done when its file in ``pages/`` is
there, and that file is placed last, complete.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from structce.addresses import without_password
from structce.article import article_schema, parquet_bytes
from structce.bulk.inputs import BulkInput, Shard
from structce.errors import BulkError
from structce.extras import load_extra
from structce.io import encode_json, json_line, lock_file, write_all_atomic, write_atomic
from structce.labelling import PageOutcome

if TYPE_CHECKING:
    import pyarrow

_FORMAT = 1
_DIGITS = 16  # of the digest in a file's name
_MANIFEST, _SUMMARY, _LOCK = "manifest.json", "summary.json", ".lock"

Row = dict[str, object]
"""Row of a table by its columns."""


@dataclass(frozen=True)
class ShardTables:
    """Tables of a shard as the bytes of Parquet files: its pages, and those that failed."""

    shard: Shard
    pages: bytes
    failures: bytes
    n_failed: int


def shard_tables(
    shard: Shard, outcomes: Sequence[PageOutcome[Row]], *, has_regions: bool
) -> ShardTables:
    """Return the tables of a shard from the outcomes of its pages, in their order.

    Names and passwords of users are removed from the addresses in all texts.
    """
    pages: list[Row] = []
    failures: list[Row] = []
    for position, outcome in enumerate(outcomes, start=shard.first):
        where: Row = {"source": outcome.source, "input": shard.input_number, "position": position}
        if outcome.value is None:
            failures.append(_without_passwords({**where, "error": outcome.error}))
        else:
            pages.append(_without_passwords({**where, **outcome.value}))
    return ShardTables(
        shard,
        parquet_bytes(pages, page_schema(has_regions=has_regions)),
        parquet_bytes(failures, failure_schema()),
        len(failures),
    )


def _without_passwords(row: Row) -> Row:
    return {
        name: without_password(value) if isinstance(value, str) and name != "text" else value
        for name, value in row.items()
    }


def page_schema(*, has_regions: bool) -> pyarrow.Schema:
    """Return the columns of the table of pages: those of a table of articles, and some more.

    These are the page's place among the inputs, its renderer and model, the rest of its record as
    JSON and, if requested, its labelled regions.
    """
    arrow = load_extra("pyarrow", "a table of pages", "bulk")
    text, number = arrow.string(), arrow.int64()
    articles = article_schema()
    schema = articles.remove(articles.get_field_index("error"))
    more = {"input": number, "position": number, "renderer": text, "model": text, "record": text}
    if has_regions:
        region = {"index": number, "label": text, "confidence": arrow.float64(), "text": text}
        region |= {"xpath": text, "span": arrow.list_(number), "box": arrow.list_(arrow.float64())}
        more["regions"] = arrow.list_(arrow.struct(list(region.items())))
    for name, kind in more.items():
        schema = schema.append(arrow.field(name, kind))
    return schema


def failure_schema() -> pyarrow.Schema:
    """Return the columns of the table of pages that failed."""
    arrow = load_extra("pyarrow", "a table of failures", "bulk")
    text, number = arrow.string(), arrow.int64()
    return arrow.schema(
        [("source", text), ("input", number), ("position", number), ("error", text)]
    )


class BulkFolder:
    """Folder with the output of a bulk run; a context manager that locks it against other runs.

    ::

        manifest.json       settings and inputs of the run, written first
        pages/*.parquet     a row for each page, one file per shard
        failed/*.parquet    a row for each page that failed, one file per shard
        inputs/*.json       shards and pages of each input that has been listed to its end
        summary.json        counts, written when all is done

    Entering raises BulkError if another run is writing to the folder, or if the folder contains a
    run with other settings or inputs, or anything else.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, object], inputs: Sequence[BulkInput]
    ) -> None:
        self.path = path
        digest = hashlib.sha256(
            json_line([[source.name, source.key] for source in inputs]).encode()
        )
        self._settings = {**settings, "inputs": len(inputs), "inputs_digest": digest.hexdigest()}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            file = stack.enter_context((self.path / _LOCK).open("ab"))
            if not lock_file(file):
                raise BulkError(f"{self.path}: another run is writing to this folder")
            self._check()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _check(self) -> None:
        """Compare the manifest with the settings; write it in a new folder."""
        manifest = {"format": _FORMAT, **self._settings}
        path = self.path / _MANIFEST
        if not path.exists():
            others = [entry.name for entry in self.path.iterdir() if not entry.name.startswith(".")]
            if others:
                raise BulkError(
                    f"{self.path}: expected an empty folder or one of a bulk run; it contains "
                    f"{sorted(others)[0]!r}"
                )
            write_atomic(path, encode_json(manifest))
        try:
            known = json.loads(path.read_bytes())
        except ValueError as error:
            raise BulkError(f"{path}: not a manifest: {error}") from error
        for key in manifest:
            # As JSON: a tuple has become a list.
            was, asked = known.get(key), json.loads(json_line(manifest[key]))
            if was != asked:
                raise BulkError(_difference(self.path, key, was, asked))
        for name in ("pages", "failed", "inputs"):
            for leftover in (self.path / name).glob(".*"):  # left by a killed run
                leftover.unlink()

    def has(self, shard: Shard) -> bool:
        """Return whether a shard is done."""
        return self._path("pages", shard.input_number, shard.first).exists()

    def write(self, tables: ShardTables) -> None:
        """Write both files of a shard, whole or not at all."""
        number, first = tables.shard.input_number, tables.shard.first
        files = {self._path("failed", number, first): tables.failures}
        files[self._path("pages", number, first)] = tables.pages  # the last vouches for the other
        write_all_atomic(files)

    def finished(self, source: BulkInput) -> int | None:
        """Return how many pages an input has, if all its shards are done; None otherwise."""
        try:
            listed = json.loads(self._listing(source).read_bytes())
            firsts, n_pages = listed["firsts"], int(listed["pages"])
        except (OSError, ValueError, KeyError):
            return None
        is_done = all(self._path("pages", source.number, first).exists() for first in firsts)
        return n_pages if is_done else None

    def listed(self, source: BulkInput, shards: Sequence[tuple[int, int]]) -> None:
        """Record the first position and the number of pages of all shards of an input."""
        firsts, counts = [first for first, _ in shards], sum(n_pages for _, n_pages in shards)
        note = {"name": without_password(source.name), "pages": counts, "firsts": firsts}
        write_atomic(self._listing(source), encode_json(note, indent=None))

    def summarise(self, counts: Mapping[str, object]) -> None:
        """Write the counts of a run that has ended."""
        write_atomic(self.path / _SUMMARY, encode_json(dict(counts)))

    def n_failed(self) -> int:
        """Return how many pages failed in all shards."""
        parquet = load_extra("pyarrow.parquet", "counting failures", "bulk")
        files = (self.path / "failed").glob("*.parquet")
        return sum(parquet.read_metadata(file).num_rows for file in files)

    def _path(self, table: str, number: int, first: int) -> Path:
        """Return the path of a shard's file: two positions, then a digest of settings and inputs.

        Files sorted by their names thus contain the pages in order.
        """
        contents = json_line([self._settings, number, first])
        digest = hashlib.sha256(contents.encode()).hexdigest()[:_DIGITS]
        return self.path / table / f"{number:06d}-{first:09d}-{digest}.parquet"

    def _listing(self, source: BulkInput) -> Path:
        return self.path / "inputs" / f"{source.number:06d}-{source.key[:_DIGITS]}.json"


def _difference(path: Path, key: str, was: object, asked: object) -> str:
    """Return the message for a run that is continued with other sources or settings."""
    if key == "inputs_digest":
        change = "its inputs have changed"
    else:
        change = f"{key} was {json_line(was)}, and is now {json_line(asked)}"
    return (
        f"{path} contains a run with other settings: {change}; continue with the same sources and "
        "options, or give another folder"
    )
