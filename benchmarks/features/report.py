"""Tables of the four measurements."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.features.measures import Comparison, Cost, Encoding, Growth
from benchmarks.learners.report import Row

PARTS = {
    "values": "values of features",
    "cells": "their cells",
    "describing": "describing: values and cells",
    "encoding": "encoding: cells to CSR",
    "transform": "transform: describing and encoding",
    "fit": "fit: describing and learning columns",
}
WAYS = {
    "our values": "ours, values alone",
    "one call a region": "one call a region",
    "ours": "ours, to CSR",
    "dictionaries": "dictionaries, to CSR",
    "landmarks": "of which landmarks and views of regions",
    "ours again": "ours, landmarks and texts known",
    "dictionaries again": "dictionaries, landmarks and texts known",
}
N_DEAREST = 15


def encoding_rows(encoding: Encoding, n_pages: int) -> list[Row]:
    """Return one row per part of encoding."""
    return [
        {"part": name, **_speed(encoding["seconds"][key], n_pages)} for key, name in PARTS.items()
    ]


def comparison_rows(comparison: Comparison, n_pages: int) -> list[Row]:
    """Return one row per way of writing the same features, and how much slower than ours it is."""
    rows: list[Row] = []
    for key, name in WAYS.items():
        row: Row = {"way": name, **_speed(comparison["seconds"][key], n_pages)}
        if key in comparison["times_ours"]:
            row["times ours"] = f"{comparison['times_ours'][key]:.1f}"
            row["on the middle page"] = f"{comparison['middle_page'][key]:.1f}"
        rows.append(row)
    return rows


def growth_rows(growth: Growth, n_sites: int) -> list[Row]:
    """Return one row per size of page."""
    pairs = zip(growth["regions"], growth["seconds"], strict=True)
    return [
        {
            "regions per page": round(n / n_sites),
            "ms per page": f"{1000 * s / n_sites:.2f}",
            "microseconds per region": f"{1e6 * s / n:.1f}",
        }
        for n, s in pairs
    ]


def cost_rows(costs: Sequence[Cost], n_pages: int) -> list[Row]:
    """Return a row for each of the most expensive features, one for the rest, one for all."""
    rest = costs[N_DEAREST:]
    totals = {"the rest": rest, "all": costs}
    rows = [_cost(cost["name"], [cost], n_pages) for cost in costs[:N_DEAREST]]
    return rows + [_cost(f"{name} ({len(of)})", of, n_pages) for name, of in totals.items() if of]


def _cost(name: str, of: Sequence[Cost], n_pages: int) -> Row:
    first, again = (sum(cost[key] for cost in of) for key in ("first", "again"))
    return {
        "feature": name,
        "ms per page": f"{1000 * first / n_pages:.3f}",
        "once landmarks are known": f"{1000 * again / n_pages:.3f}",
    }


def _speed(seconds: float, n_pages: int) -> Row:
    return {
        "ms per page": f"{1000 * seconds / n_pages:.2f}",
        "pages/s": f"{n_pages / max(seconds, 1e-9):.0f}",
    }
