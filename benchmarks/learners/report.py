"""Tables of benchmarks in Markdown, and the rows that compare contenders with CRFsuite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tabulate import tabulate

from benchmarks.learners.curves import seconds_to_f1, seconds_to_objective

if TYPE_CHECKING:
    from benchmarks.learners.contenders import Measurement

EXCESS = 0.01
"""How far above its rival's final objective a contender's target is, as a part of it."""

RIVALS = ("crfsuite", "pystruct")

Cell: TypeAlias = str | float | int | None
Row: TypeAlias = dict[str, Cell]


def to_text(titled: Mapping[str, Sequence[Row]]) -> str:
    """Return the tables in Markdown."""
    return "\n\n".join(f"{title}\n\n{_table(rows)}" for title, rows in titled.items())


def _table(rows: Sequence[Row]) -> str:
    n_columns = len({key: None for row in rows for key in row})
    return tabulate(
        [*rows],
        headers="keys",
        tablefmt="github",
        missingval="-",
        disable_numparse=True,  # digits were chosen with care
        colalign=("left", *["right"] * (n_columns - 1)),
    )


def comparison(measured: Mapping[str, Measurement]) -> list[Row]:
    """Return one row per contender: costs, and when it was as far as its rival at the end.

    The rival is CRFsuite or pystruct. Macro F1 is that of validation pages; conversion counts in
    the seconds of the rival that needs it.
    """
    rival = next((measured[name] for name in RIVALS if name in measured), None)
    rows: list[Row] = []
    for name, own in measured.items():
        row: Row = {"contender": name}
        if rival:
            curve, objective = own["curve"], rival["objective"]
            has_loss = objective is not None and own["objective"] is not None
            target = (1 + EXCESS) * objective if has_loss and objective else 0.0
            row["s to the rival's F1"] = short(seconds_to_f1(curve, rival["validation_f1"]))
            row["s to its objective + 1 %"] = short(seconds_to_objective(curve, target))
        rows.append(
            {
                **row,
                "stop, s": short(own["seconds"]),
                "conversion, s": short(own["conversion_seconds"]),
                "epochs": own["n_epochs"],
                "s an epoch": short(own["seconds"] / max(1, own["n_epochs"])),
                "objective": short(own["objective"]),
                "gap": short(own["gap"]),
                "validation F1": f"{own['validation_f1']:.4f}",
                "test F1": f"{own['test_f1']:.4f}",
                "memory, MB": round(own["memory_mb"]),
                "pages/s": round(own["pages_per_second"]),
            }
        )
    return rows


def short(value: float | None) -> str | None:
    """Return a number with three digits that count."""
    if value is None:
        return None
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:z#.3g}".rstrip(".")
