"""By how much every two arms differ."""

from __future__ import annotations

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import Interval, Pair
from structce.experiments.telling.plots.axes import (
    dot,
    legend,
    name_rows,
    row_heights,
    sample,
    zero_line,
)
from structce.experiments.telling.plots.drawing import Figure, Series, finish, series, sheet
from structce.experiments.telling.plots.theme import SOFT
from structce.experiments.telling.plots.words import points

UNKNOWN: Interval = (-1.0, 1.0)
"""Interval of a difference of which nothing is known."""

LEAST = 1.0
"""The axis reaches at least so many points to both sides, so that nothing looks small."""

NAME = 20
"""Letters of a pair's name on a line."""


def pair_plot(study: Study) -> Figure | None:
    """Draw the difference in macro F1 of every pair of arms, with its interval and a zero line.

    Pairs whose interval excludes zero stand out. Those without an interval are left out; None if
    none is left.
    """
    pairs = [pair for pair in study.pairs if pair.macro_interval != UNKNOWN]
    if not pairs:
        return None
    names = [f"{pair.first} − {pair.second}" for pair in pairs]
    with sheet(0.6 + row_heights(names, 0.3, NAME)) as drawn:
        axes = drawn.subplots()
        for y, pair in enumerate(pairs):
            look = _look(differs(pair.macro_interval))
            low, high = (100 * end for end in pair.macro_interval)
            width = 2.4 if differs(pair.macro_interval) else 1.4
            axes.hlines(y, low, high, color=look.colour, linewidth=width, zorder=3)
            dot(axes, 100 * pair.macro_difference, y, look,
                hollow=not differs(pair.macro_interval))  # fmt: skip
        zero_line(axes)
        name_rows(axes, names, NAME)
        axes.margins(x=0.06)
        left, right = axes.get_xlim()
        axes.set_xlim(min(left, -LEAST), max(right, LEAST))
        axes.grid(axis="x")
        axes.set_xlabel("difference of macro F1 in percentage points")
        legend(drawn, [
            sample(_look(True), "interval excludes zero"),
            sample(_look(False), "interval holds zero", hollow=True),
        ])  # fmt: skip
        said = "; ".join(_words(pair) for pair in pairs)
        title = f"Differences in macro F1, {study.name}"
        description = f"In percentage points, with 95 per cent intervals. {said}."
        return finish(drawn, title, description, "pairs", study.name)


def differs(interval: Interval) -> bool:
    """Say whether an interval excludes zero."""
    return interval[0] > 0 or interval[1] < 0


def _look(stands_out: bool) -> Series:
    first = series(0)
    return first if stands_out else Series(SOFT, first.marker, first.line)


def _words(pair: Pair) -> str:
    low, high = pair.macro_interval
    verdict = "excludes" if differs(pair.macro_interval) else "holds"
    return (
        f"{pair.first} minus {pair.second}: {points(pair.macro_difference)}, interval "
        f"{points(low)} to {points(high)}, {verdict} zero"
    )
