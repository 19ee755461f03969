"""What training costs against what it gives."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

from structce.experiments.finding.report import Report, Study
from structce.experiments.telling.plots.axes import (
    legend,
    log_axis,
    percent_axis,
    sample,
    say,
    spread,
)
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.words import macro_f1

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 3.2
LINE = 12.0
"""Between the names of two points, in points."""

MOST_NAMES, LONGEST = 6, 20
"""Arms with a name beside their point, and its letters; more or longer ones have a legend."""

Spot = tuple[int, str, float, float]
"""An arm's place and name, its training time in seconds, its macro F1 in per cent."""


def cost_plot(report: Report, study: Study) -> Figure | None:
    """Draw macro F1 against the seconds that training took, a point an arm.

    Seconds are those of the model that was tested, the mean over splits, on a logarithmic axis;
    tuning is not in them. None unless two arms have a time.
    """
    seconds = _seconds(report, study)
    arms = [(i, arm) for i, arm in enumerate(study.arms) if seconds.get(arm.name, 0) > 0]
    if len(arms) < 2:
        return None
    spots = [(i, arm.name, seconds[arm.name], 100 * arm.row.scores.macro_f1) for i, arm in arms]
    with sheet(HEIGHT) as drawn:
        axes = drawn.subplots()
        for (i, _, x, y), (_, arm) in zip(spots, arms, strict=True):
            look = series(i)
            if interval := arm.row.intervals.get("macro_f1"):
                low, high = (100 * end for end in interval)
                axes.vlines(x, low, high, color=look.colour, linewidth=1.1, alpha=0.6)
            axes.plot([x], [y], color=look.colour, marker=look.marker, markersize=8, zorder=4)
        axes.margins(0.12, 0.08)
        log_axis(axes, "x")
        percent_axis(axes, "y")
        if len(arms) > MOST_NAMES or max(len(arm.name) for _, arm in arms) > LONGEST:
            legend(drawn, [sample(series(i), arm.name) for i, arm in arms])
        else:
            _write_names(axes, spots)
        axes.set_xlabel("training time in seconds (log scale), mean over splits")
        axes.set_ylabel("macro F1 in per cent")
        said = "; ".join(
            f"{arm.name}: {seconds[arm.name]:.3g} seconds, {macro_f1(arm.row)}" for _, arm in arms
        )
        title = f"Macro F1 by training time, {study.name}"
        return finish(drawn, title, f"F1 in per cent. {said}.", "costs", study.name)


def _seconds(report: Report, study: Study) -> dict[str, float]:
    """Return the training time of each arm's tested models, the mean over splits."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for cost in report.costs:
        if (cost.study, cost.step, cost.part) == (study.name, "training", ""):
            found[cost.arm].append(cost.seconds)
    return {arm: fmean(seconds) for arm, seconds in found.items()}


def _write_names(axes: Axes, spots: list[Spot]) -> None:
    """Write each name on the inner side of its point, names of one side not over each other."""
    low, high = axes.get_ylim()
    scale = 72 * (HEIGHT - 0.8) / (high - low)  # points of height a per cent, about
    left, right = axes.get_xlim()
    for is_left in (True, False):
        side = [one for one in spots if (one[2] ** 2 < left * right) == is_left]
        heights = [scale * spot[3] for spot in side]
        moved = spread(heights, LINE)
        for (_, name, x, y), height, place in zip(side, heights, moved, strict=True):
            say(axes, name, x, y, right=is_left, shift=float(place - height))
