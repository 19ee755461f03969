"""Results of a benchmark as one tab-separated table: rows of documents, then summaries.

Columns are named in the first line. The column ``row`` states the kind of row: ``document``, or a
summary of a package and system, ``mean`` or ``deviation``. Unknown cells are empty.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from structce.errors import CorpusError
from structce.evaluation import FOUR, Overlap, Spread, fold_space
from structce.extraction.benchmark import DocumentRow, SummaryRow, summarise
from structce.io import write_atomic

PARTS = ("precision", "recall", "f1")
_PARTS_READ = ("precision", "recall")  # F1 follows from them


def columns(measures: Iterable[str] = FOUR) -> tuple[str, ...]:
    """Return the names of the columns, in order."""
    return (
        *"row package system document digest documents failures bytes seconds".split(),
        "seconds_per_kb",
        *(f"{name}_{part}" for name in measures for part in PARTS),
        "error",
    )


COLUMNS = columns()
"""Names of the columns for the four measures of Gottron (2007)."""


def as_written(row: DocumentRow) -> DocumentRow:
    """Return the row of a document as it would be read from a table.

    Derived values (time per kB, F1, means) are computed from the rounded values, so that a table
    which is read and written again stays the same.
    """
    seconds = None if row.seconds is None else float(_number(row.seconds))
    overlaps = {
        name: Overlap(*(float(_number(getattr(overlap, part))) for part in _PARTS_READ))
        for name, overlap in row.overlaps.items()
    }
    return replace(row, seconds=seconds, overlaps=overlaps)


def document_cells(row: DocumentRow) -> dict[str, str]:
    """Return the cells of a document by column."""
    row = as_written(row)
    scores = {
        f"{name}_{part}": _number(getattr(overlap, part))
        for name, overlap in row.overlaps.items()
        for part in PARTS
    }
    return {
        "row": "document",
        "package": row.package,
        "system": row.system,
        "document": row.document,
        "digest": row.digest,
        "bytes": str(row.n_bytes),
        "seconds": _number(row.seconds),
        "seconds_per_kb": _number(row.seconds_per_kb),
        **scores,
        "error": row.error,
    }


def summary_cells(row: SummaryRow) -> list[dict[str, str]]:
    """Return the cells of mean and deviation by column."""
    return [_summary_cells(row, kind) for kind in ("mean", "deviation")]


def _summary_cells(row: SummaryRow, kind: str) -> dict[str, str]:
    def shown(spread: Spread) -> str:
        return _number(getattr(spread, kind))

    scores = {
        f"{name}_{part}": shown(spread)
        for name, spreads in row.spreads.items()
        for part, spread in spreads.items()
    }
    return {
        "row": kind,
        "package": row.package,
        "system": row.system,
        "documents": str(row.n_documents),
        "failures": str(row.n_failures),
        "bytes": str(row.n_bytes),
        "seconds": shown(row.seconds),
        "seconds_per_kb": shown(row.seconds_per_kb),
        **scores,
    }


def table_line(cells: Mapping[str, str], names: Sequence[str] = COLUMNS) -> str:
    """Return a line of the table; tabs and line breaks in a cell become spaces."""
    return "\t".join(fold_space(cells.get(name, "")) for name in names) + "\n"


class ResultFile:
    """File of a benchmark's rows, written as they are produced, so that runs can be resumed.

    An incomplete row, such as the last one of an interrupted run, is discarded. ``known`` are the
    rows that need not be repeated; documents on which a system failed are tried again.

    Raises CorpusError if the file has other columns.
    """

    def __init__(self, path: Path, measures: Sequence[str] = FOUR) -> None:
        self.path = path
        self._measures, self._columns = measures, columns(measures)
        self._held = _read_rows(path, measures) if path.exists() else {}
        self.known = {key: row for key, row in self._held.items() if not row.error}
        write_atomic(path, table(self._held.values(), (), measures).encode())

    def __enter__(self) -> Self:
        self._file = self.path.open("a", encoding="utf-8", newline="")
        return self

    def add(self, row: DocumentRow) -> None:
        """Write the row of a document unless it is already there."""
        if row.key not in self.known:
            self._file.write(table_line(document_cells(row), self._columns))
            self._file.flush()

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def finish(self, rows: Sequence[DocumentRow]) -> None:
        """Replace the file by all rows and their summaries.

        Rows of packages, systems and documents that are not part of this run are kept, first.
        """
        here = {row.key[:3] for row in rows}
        others = [row for row in self._held.values() if row.key[:3] not in here]
        every = [*others, *map(as_written, rows)]
        write_atomic(self.path, table(every, summarise(every), self._measures).encode())


def table(
    rows: Iterable[DocumentRow], summaries: Iterable[SummaryRow], measures: Sequence[str] = FOUR
) -> str:
    """Return the whole table."""
    names = columns(measures)
    lines = ["\t".join(names) + "\n", *(table_line(document_cells(row), names) for row in rows)]
    lines += [table_line(cells, names) for row in summaries for cells in summary_cells(row)]
    return "".join(lines)


def _read_rows(path: Path, measures: Sequence[str]) -> dict[tuple[str, str, str, str], DocumentRow]:
    text, names = path.read_text(encoding="utf-8"), columns(measures)
    header, _, rest = text.partition("\n")
    if tuple(header.split("\t")) != names:
        raise CorpusError(f"{path}: not results of a benchmark, or from another version")
    whole = rest[: rest.rfind("\n") + 1].splitlines()
    reader = csv.DictReader(whole, names, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        rows = [_read_row(cells, measures) for cells in reader if cells["row"] == "document"]
    except (KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{path}: a row cannot be read: {error}") from error
    return {row.key: row for row in rows}


def _read_row(cells: Mapping[str, str], measures: Sequence[str]) -> DocumentRow:
    return DocumentRow(
        cells["package"],
        cells["system"],
        cells["document"],
        cells["digest"],
        int(cells["bytes"]),
        float(cells["seconds"]) if cells["seconds"] else None,
        {
            name: Overlap(*(float(cells[f"{name}_{part}"]) for part in _PARTS_READ))
            for name in measures
        },
        cells["error"],
    )


def _number(value: float | None) -> str:
    """Return a number with six digits; empty if it is unknown."""
    return "" if value is None or math.isnan(value) else f"{value:.6g}"
