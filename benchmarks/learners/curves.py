"""Measures of curves: when a target was reached, and how fast cost grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from benchmarks.learners.contenders import Point


def seconds_to_f1(curve: Sequence[Point], target: float) -> float | None:
    """Return when macro F1 first reached a target, None if it never did.

    Between two points where F1 is known it is taken to grow evenly, so that a contender that is
    looked at more often has no advantage. At the first point nothing is known of the time before.
    """
    known = [(point["seconds"], point["macro_f1"]) for point in curve]
    return _first([(s, f1) for s, f1 in known if f1 is not None], target)


def seconds_to_objective(curve: Sequence[Point], target: float) -> float | None:
    """Return when the objective first fell to a target, None if it never did; even in between."""
    known = [(point["seconds"], point["objective"]) for point in curve]
    return _first([(s, -value) for s, value in known if value is not None], -target)


def _first(points: Sequence[tuple[float, float]], target: float) -> float | None:
    before: tuple[float, float] | None = None
    for seconds, value in points:
        if value >= target:
            if before is None:
                return seconds
            share = (target - before[1]) / (value - before[1])
            return before[0] + share * (seconds - before[0])
        before = (seconds, value)
    return None


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return b of the power law ``cost = a size^b`` that fits best in logarithms.

    1 is linear growth; NaN with fewer than two sizes or a cost of 0.
    """
    if len(sizes) < 2 or min(costs) <= 0:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])
