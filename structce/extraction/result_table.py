"""Results of a benchmark as one tab-separated table: rows of documents, then summaries.

The column ``row`` states the kind of row: ``document``, or a summary of a package and system,
``mean`` or ``deviation``. Unknown cells are empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev

from structce.evaluation import FOUR, fold_space
from structce.extraction.measurement import DocumentRow

PARTS = ("precision", "recall", "f1")

Cells = Mapping[str, str]  # cells of a row by column; unknown ones are empty or missing


def columns(measures: Iterable[str] = FOUR) -> tuple[str, ...]:
    """Return the names of the columns, in order."""
    about = "row package system document digest documents failures bytes seconds seconds_per_kb"
    scores = (f"{name}_{part}" for name in measures for part in PARTS)
    return (*about.split(), *scores, "error")


def document_cells(row: DocumentRow) -> dict[str, str]:
    """Return the cells of a document by column."""
    scores = {
        f"{name}_{part}": _number(getattr(overlap, part))
        for name, overlap in row.overlaps.items()
        for part in PARTS
    }
    return {
        "row": "document",
        **dict(zip(("package", "system", "document", "digest"), row.key, strict=True)),
        "bytes": str(row.n_bytes),
        "seconds": _number(row.seconds),
        "seconds_per_kb": _number(row.seconds_per_kb),
        **scores,
        "error": row.error,
    }


def _number(value: float | None) -> str:
    """Return a number with six digits; empty if it is unknown."""
    return "" if value is None or math.isnan(value) else f"{value:.6g}"


def _summaries(rows: Sequence[Cells]) -> list[Cells]:
    """Return the cells of mean and deviation over the documents of a package and system."""
    numbers = [name for name in rows[0] if name.startswith("seconds") or name.endswith(PARTS)]
    values = {name: [float(row[name]) for row in rows if row[name]] for name in numbers}
    about = {
        "package": rows[0]["package"],
        "system": rows[0]["system"],
        "documents": str(len(rows)),
        "failures": str(sum(bool(row["error"]) for row in rows)),
        "bytes": str(sum(int(row["bytes"]) for row in rows)),
    }
    means = {name: _number(fmean(sample)) for name, sample in values.items() if sample}
    deviations = {
        name: _number(stdev(sample)) for name, sample in values.items() if len(sample) > 1
    }
    return [{"row": "mean", **about, **means}, {"row": "deviation", **about, **deviations}]


def _line(cells: Cells, names: Sequence[str]) -> str:
    return "\t".join(fold_space(cells.get(name, "")) for name in names) + "\n"


def table(documents: Iterable[Cells], measures: Sequence[str] = FOUR) -> str:
    """Return the whole table: documents, then the summary of each package and system."""
    names, every = columns(measures), list(documents)
    groups: dict[tuple[str, str], list[Cells]] = {}
    for row in every:
        groups.setdefault((row["package"], row["system"]), []).append(row)
    summaries = [cells for rows in groups.values() for cells in _summaries(rows)]
    lines = [_line(cells, names) for cells in (*every, *summaries)]
    return "".join(["\t".join(names) + "\n", *lines])
