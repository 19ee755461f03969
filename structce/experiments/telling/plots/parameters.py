"""The score on validation pages against one hyper-parameter."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from structce.experiments.asking.names import written_name
from structce.experiments.asking.spec import Value
from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.finding.trials import Trial
from structce.experiments.telling.plots.axes import (
    legend,
    log_axis,
    percent_axis,
    round_ticks,
    sample,
)
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.theme import INK, SOFT
from structce.experiments.telling.plots.words import count, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

WIDE = 20.0
"""Values that span more than this ratio stand on a logarithmic axis; our choice."""

MOST_TICKS = 8
ROOM = 0.09
"""Tried values stand below the axis if they are so few, and so far apart in parts of its length."""

Curve = Mapping[float, float]
"""Score by value, both from low to high value."""


def tuned_parameters(study: Study) -> tuple[tuple[str, str], ...]:
    """Return every arm and hyper-parameter that has a curve: two or more numbers were tried."""
    return tuple(
        (arm.name, parameter)
        for arm in study.arms
        for parameter in _names(arm)
        if len(_mean(arm, parameter)) > 1
    )


def parameter_curve(
    study: Study, arm_name: str, parameter: str, measure: str = "macro_f1"
) -> Figure | None:
    """Draw the score on validation pages against the values of a hyper-parameter.

    A value's score is the best over all other hyper-parameters, the mean over splits; rings mark
    what was chosen. Several splits are drawn alone as well, thin.

    Parameters
    ----------
    parameter
        Its Python name: ``lambda_``, ``context``.
    measure
        What the experiment chose by.

    Returns
    -------
    None unless two or more numbers were tried, or where the arm has no scores.
    """
    arm = next((one for one in study.arms if one.name == arm_name), None)
    if arm is None or len(curve := _mean(arm, parameter)) < 2:
        return None
    name = written_name(parameter)
    chosen = Counter(
        value
        for one in arm.row.trials
        if (value := _number(one.parameters.get(parameter))) is not None
    )
    with sheet(2.9) as drawn:
        axes = drawn.subplots()
        _draw(axes, arm, parameter, curve)
        _mark(axes, curve, chosen, len(arm.row.trials))
        if len(arm.row.trials) > 1:
            legend(drawn, _entries())
        axes.margins(0.07, 0.16)
        _scale(axes, curve)
        percent_axis(axes, "y")
        what = measure.replace("_", " ").replace("f1", "F1")
        axes.set_xlabel(name)
        label = f"validation {what} in per cent"
        axes.set_ylabel(label, size=min(10, 340 / len(label)))
        title = f"Validation {what} of {arm_name} by {name}, {study.name}"
        said = "; ".join(_words(name, *item, chosen) for item in curve.items())
        description = f"{what} on validation pages in per cent. {said}."
        return finish(drawn, title, description, "parameter", study.name, arm_name, parameter)


def _names(arm: ArmResult) -> list[str]:
    points = [point for trial in arm.row.trials for point in trial.points]
    return list(dict.fromkeys(name for point in points for name in point.parameters))


def _number(value: Value | None) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and value is not None else None


def _best(trial: Trial, parameter: str) -> dict[float, float]:
    """Return the best score of a split by value."""
    found: dict[float, float] = {}
    for point in trial.points:
        value = _number(point.parameters.get(parameter))
        if value is not None:
            found[value] = max(found.get(value, 0.0), point.value)
    return dict(sorted(found.items()))


def _mean(arm: ArmResult, parameter: str) -> Curve:
    scores = defaultdict(list)
    for trial in arm.row.trials:
        for value, score in _best(trial, parameter).items():
            scores[value].append(score)
    return {value: fmean(scores[value]) for value in sorted(scores)}


def _draw(axes: Axes, arm: ArmResult, parameter: str, curve: Curve) -> None:
    look = series(0)
    if len(arm.row.trials) > 1:
        for trial in arm.row.trials:
            alone = _best(trial, parameter)
            y = [100 * score for score in alone.values()]
            axes.plot(list(alone), y, color=SOFT, linewidth=0.8, alpha=0.6)
    y = [100 * score for score in curve.values()]
    axes.plot(list(curve), y, color=look.colour, marker=look.marker, linewidth=1.8, zorder=3)


def _entries() -> list[Line2D]:
    """Return the legend of a curve over several splits."""
    from matplotlib.lines import Line2D

    ring = Line2D([], [], linestyle="none", marker="o", markersize=10, markerfacecolor="none",
                  markeredgecolor=INK, label="chosen, in how many")  # fmt: skip
    return [
        sample(series(0), "mean over splits", line=True),
        Line2D([], [], color=SOFT, linewidth=0.8, label="one split"),
        ring,
    ]


def _mark(axes: Axes, curve: Curve, chosen: Counter[float], n_trials: int) -> None:
    for value in sorted(chosen):
        if value in curve:
            y = 100 * curve[value]
            axes.plot([value], [y], "o", markersize=12, markerfacecolor="none",
                      markeredgecolor=INK, markeredgewidth=1.3, zorder=4)  # fmt: skip
            said = "chosen" if n_trials == 1 else f"{chosen[value]} of {n_trials}"
            axes.annotate(said, (value, y), (0, 10), textcoords="offset points", ha="center",
                          va="bottom", size=9, zorder=5)  # fmt: skip


def _scale(axes: Axes, curve: Curve) -> None:
    """Choose the kind of axis; the values that were tried are its ticks where there is room."""
    values = np.array(list(curve))
    least = float(values[values > 0].min(initial=np.inf))
    is_wide = values[-1] > WIDE * least
    places = values
    if is_wide and values[0] > 0:
        log_axis(axes, "x")
        places = np.log(values)
    elif is_wide and values[0] == 0:
        axes.set_xscale("symlog", linthresh=least)  # so that zero has a place
        axes.set_xticks([0, *round_ticks(least, values[-1])])
        axes.set_xlim(left=-0.3 * least)
    if len(values) <= MOST_TICKS and np.diff(places).min() >= ROOM * np.ptp(places):
        axes.set_xticks(values)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter("{x:g}")


def _words(name: str, value: float, score: float, chosen: Counter[float]) -> str:
    tail = f", chosen in {count(chosen[value], 'split')}" if chosen[value] else ""
    return f"{name} {value:g}: {percent(score)}{tail}"
