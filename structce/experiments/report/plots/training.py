"""Plots of training: convergence, costs, learning curves and hyper-parameters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from structce.experiments.report.plots.base import (
    INK,
    SOFT,
    Plot,
    add_legend,
    count_words,
    draw_curve,
    finish_plot,
    legend_entry,
    log_axis,
    log_ticks,
    macro_f1_words,
    open_figure,
    percent_axis,
    series_style,
)
from structce.experiments.report.plots.labels import Box, write_labels
from structce.experiments.report.tables.base import measure_words, percent
from structce.experiments.results import (
    CandidateResult,
    LearnerResult,
    Report,
    Study,
    TrainingRecord,
)
from structce.experiments.toml_tables import ParameterValue, written_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_MARKERS_PER_LINE = 8  # markers on a line, at about as many epochs
_CONVERGENCE_HEIGHT, _COST_PLOT_HEIGHT = 2.4, 3.2  # inches; of one pair of axes, and of the plot

_MAX_NAMES, _MAX_NAME_LENGTH = 6, 20
"""Largest number of learners whose names are beside their points, and of letters of a name;
otherwise there is a legend."""

_LEARNER_OFFSET = 0.008
"""Horizontal distance of two learners, as a share of the axis: no interval hides another."""

_LOG_RATIO = 20.0
"""Values that span a larger ratio are drawn on a logarithmic axis: on a linear one, a grid such as
0.01, 0.1, 1 would crowd at the left."""

_MAX_TICKS, _MIN_TICK_DISTANCE = 8, 0.09
"""The values of the grid are the ticks if they are at most so many, and at least so far apart as a
share of the axis: then their labels do not touch."""

_LearningCurve = tuple[tuple[float, LearnerResult], ...]
"""Numbers of training pages with the results, from few pages to many."""

_ScoreByValue = Mapping[float, float]
"""Validation score by hyper-parameter value, from the lowest value to the highest."""


def convergence_plot(study: Study) -> Plot | None:
    """Draw what each solver stops by against epochs, for the model tested on the first split.

    Gaps to the optimum and norms of gradients do not compare: each has axes of its own. Values of
    zero have no place on the logarithmic axis; learners with fewer than two above zero are left
    out. None if no learner is left.
    """
    groups: dict[str, dict[int, dict[int, float]]] = {}  # by what is drawn and place of the learner
    for i, candidate in enumerate(study.candidates):
        for trial in candidate.row.trials[:1]:
            curve = {step.epoch: step.gap for step in trial.steps if step.gap and step.gap > 0}
            has_norm = "gradient_norm" in trial.stop
            if len(curve) > 1:
                what = "norm of the gradient" if has_norm else "gap to the optimum"
                groups.setdefault(what, {})[i] = curve
    if not groups:
        return None
    curves = {i: curve for group in groups.values() for i, curve in group.items()}
    with open_figure(_CONVERGENCE_HEIGHT * len(groups) + 0.5) as figure:
        panels = figure.subplots(len(groups), squeeze=False).flat
        for axes, (what, group) in zip(panels, groups.items(), strict=True):
            for i, curve in group.items():
                every = max(1, len(curve) // _MARKERS_PER_LINE)
                draw_curve(axes, curve.items(), series_style(i), markersize=5, markevery=every)
            log_axis(axes, "y")
            axes.locator_params(axis="x", integer=True)
            axes.set_xlabel("epoch")
            axes.set_ylabel(f"{what} (log scale)")
        add_legend(figure, [
            legend_entry(series_style(i), study.candidates[i].name, line=True)
            for i in sorted(curves)
        ])  # fmt: skip
        said = []
        for i, curve in curves.items():
            ends = (f"{curve[epoch]:.2g} after epoch {epoch}" for epoch in (min(curve), max(curve)))
            said.append(f"{study.candidates[i].name}: {', '.join(ends)}")
        title = f"{' and '.join(groups).capitalize()} during training, {study.name}"
        description = f"The model tested on the first split. {'; '.join(said)}."
        return finish_plot(figure, title, description, "convergence", study.name)


def cost_plot(report: Report, study: Study) -> Plot | None:
    """Draw macro F1 against the seconds that training took, one point per learner.

    Seconds are those of the model that was tested, the mean over splits, on a logarithmic axis;
    tuning is not included. None unless two learners have a time.
    """
    times: defaultdict[str, list[float]] = defaultdict(list)
    for cost in report.costs:
        if (cost.study, cost.step, cost.part) == (study.name, "training", ""):
            times[cost.candidate].append(cost.seconds)
    timed = [
        (series_style(i), candidate, fmean(times[candidate.name]))
        for i, candidate in enumerate(study.candidates)
        if sum(times[candidate.name]) > 0
    ]
    if len(timed) < 2:
        return None
    spots: list[tuple[str, float, float]] = []
    whiskers: list[Box] = []
    said = []
    with open_figure(_COST_PLOT_HEIGHT) as figure:
        axes = figure.subplots()
        for style, candidate, x in timed:
            y = 100 * candidate.row.scores.macro_f1
            if interval := candidate.row.intervals.get("macro_f1"):
                low, high = (100 * end for end in interval)
                axes.vlines(x, low, high, color=style.colour, linewidth=1.1, alpha=0.6)
                whiskers.append((x, low, x, high))
            axes.plot([x], [y], color=style.colour, marker=style.marker, markersize=8, zorder=4)
            spots.append((candidate.name, x, y))
            said.append(f"{candidate.name}: {x:.3g} seconds, {macro_f1_words(candidate.row)}")
        axes.margins(0.12, 0.08)
        log_axis(axes, "x")
        percent_axis(axes, "y")
        axes.set_xlabel("training time in seconds (log scale), mean over splits")
        axes.set_ylabel("macro F1 in per cent")
        longest = max(len(name) for name, _, _ in spots)
        if len(timed) > _MAX_NAMES or longest > _MAX_NAME_LENGTH:
            add_legend(
                figure, [legend_entry(style, candidate.name) for style, candidate, _ in timed]
            )
        else:
            write_labels(figure, axes, spots, whiskers)
        title = f"Macro F1 by training time, {study.name}"
        description = f"F1 in per cent. {'; '.join(said)}."
        return finish_plot(figure, title, description, "costs", study.name)


def learning_plot(study: Study) -> Plot | None:
    """Draw macro F1 against training pages, one line per learner, with intervals over sites.

    The last point is the learner fitted on all pages of the training and validation parts. None
    unless a learner has two points.
    """
    curves = {name: curve for name, curve in _learning_curves(study).items() if len(curve) > 1}
    if not curves:
        return None
    places = [candidate.name for candidate in study.candidates]
    most = max(n for curve in curves.values() for n, _ in curve)
    with open_figure(2.9) as figure:
        axes = figure.subplots()
        entries = []
        for i, (name, curve) in enumerate(curves.items()):
            style = series_style(places.index(name) if name in places else len(places) + i)
            x = [n + _LEARNER_OFFSET * most * (i - (len(curves) - 1) / 2) for n, _ in curve]
            values = [100 * row.scores.macro_f1 for _, row in curve]
            draw_curve(axes, zip(x, values, strict=True), style)
            for place, (_, row) in zip(x, curve, strict=True):
                if interval := row.intervals.get("macro_f1"):
                    low, high = (100 * end for end in interval)
                    axes.vlines(place, low, high, color=style.colour, linewidth=1.1, alpha=0.7)
            entries.append(legend_entry(style, name, line=True))
        axes.set_xlim(left=0)
        percent_axis(axes, "y")
        axes.set_xlabel("pages trained on, mean over splits")
        axes.set_ylabel("macro F1 in per cent")
        add_legend(figure, entries)
        said = "; ".join(
            f"{name}: {', '.join(f'{macro_f1_words(row)} with {n:g} pages' for n, row in curve)}"
            for name, curve in curves.items()
        )
        title = f"Macro F1 by number of training pages, {study.name}"
        return finish_plot(figure, title, f"In per cent. {said}.", "learning", study.name)


def _learning_curves(study: Study) -> dict[str, _LearningCurve]:
    sizes = [len(split.train.pages) + len(split.validation.pages) for split in study.splits]
    results: dict[str, dict[float, LearnerResult]] = {}
    for point in study.learning:
        results.setdefault(point.candidate, {})[point.n_pages] = point.row
    for candidate in study.candidates:
        if candidate.name in results and sizes:
            results[candidate.name][fmean(sizes)] = candidate.row
    return {
        name: tuple(sorted(rows.items(), key=lambda item: item[0]))
        for name, rows in results.items()
    }


def tuned_parameters(study: Study) -> tuple[tuple[str, str], ...]:
    """Return every learner and hyper-parameter of which two or more numbers were tried."""
    tuned = []
    for candidate in study.candidates:
        points = (point for trial in candidate.row.trials for point in trial.points)
        names = dict.fromkeys(name for point in points for name in point.parameters)
        tuned += [(candidate.name, n) for n in names if len(_mean_scores(candidate, n)) > 1]
    return tuple(tuned)


def parameter_plot(
    study: Study, candidate_name: str, parameter: str, measure: str = "macro_f1"
) -> Plot | None:
    """Draw the score on validation pages against the values of a hyper-parameter.

    A value's score is the best over all other hyper-parameters, the mean over splits; rings mark
    what was chosen. With several splits, thin lines show each of them.

    None unless two or more numbers were tried and the learner has scores. ``parameter`` is a name
    in Python, such as ``lambda_``, and ``measure`` what the experiment chose by.
    """
    candidate = next((trial for trial in study.candidates if trial.name == candidate_name), None)
    if candidate is None or len(curve := _mean_scores(candidate, parameter)) < 2:
        return None
    name = written_name(parameter)
    chosen = Counter(
        value
        for trial in candidate.row.trials
        if (value := _number(trial.parameters.get(parameter))) is not None
    )
    trials, style = candidate.row.trials, series_style(0)
    with open_figure(2.9) as figure:
        axes = figure.subplots()
        for trial in trials if len(trials) > 1 else ():
            alone = _best_scores(trial, parameter)
            y = [100 * score for score in alone.values()]
            axes.plot(list(alone), y, color=SOFT, linewidth=0.8, alpha=0.6)
        y = [100 * score for score in curve.values()]
        axes.plot(list(curve), y, color=style.colour, marker=style.marker, linewidth=1.8, zorder=3)
        _mark_chosen(axes, curve, chosen, len(trials))
        if len(trials) > 1:
            add_legend(figure, _parameter_legend())
        axes.margins(0.1, 0.16)
        _set_parameter_axis(axes, curve)
        percent_axis(axes, "y")
        what = measure_words(measure)
        axes.set_xlabel(name)
        label = f"validation {what} in per cent"
        axes.set_ylabel(label, size=min(10, 340 / len(label)))
        title = f"Validation {what} of {candidate_name} by {name}, {study.name}"
        said = []
        for value, score in curve.items():
            splits = f", chosen in {count_words(chosen[value], 'split')}" if chosen[value] else ""
            said.append(f"{name} {value:g}: {percent(score, 1)}{splits}")
        description = f"{what} on validation pages in per cent. {'; '.join(said)}."
        return finish_plot(
            figure, title, description, "parameter", study.name, candidate_name, parameter
        )


def _number(value: ParameterValue | None) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) + 0.0 if is_number and value is not None else None


def _best_scores(trial: TrainingRecord, parameter: str) -> dict[float, float]:
    """Return the best score of a split by value."""
    scores: dict[float, float] = {}
    for point in trial.points:
        value = _number(point.parameters.get(parameter))
        if value is not None:
            scores[value] = max(scores.get(value, 0.0), point.value)
    return dict(sorted(scores.items()))


def _mean_scores(candidate: CandidateResult, parameter: str) -> _ScoreByValue:
    scores = defaultdict(list)
    for trial in candidate.row.trials:
        for value, score in _best_scores(trial, parameter).items():
            scores[value].append(score)
    return {value: fmean(scores[value]) for value in sorted(scores)}


def _parameter_legend() -> list[Line2D]:
    """Return the legend of a curve over several splits."""
    from matplotlib.lines import Line2D

    return [
        legend_entry(series_style(0), "mean over splits", line=True),
        Line2D([], [], color=SOFT, linewidth=0.8, label="one split"),
        Line2D([], [], linestyle="none", marker="o", markersize=10, markerfacecolor="none",
               markeredgecolor=INK, label="chosen, in how many"),
    ]  # fmt: skip


def _mark_chosen(axes: Axes, curve: _ScoreByValue, chosen: Counter[float], n_trials: int) -> None:
    for value in sorted(chosen):
        if value in curve:
            y = 100 * curve[value]
            axes.plot([value], [y], "o", markersize=12, markerfacecolor="none",
                      markeredgecolor=INK, markeredgewidth=1.3, zorder=4)  # fmt: skip
            said = "chosen" if n_trials == 1 else f"{chosen[value]} of {n_trials}"
            axes.annotate(said, (value, y), (0, 10), textcoords="offset points", ha="center",
                          va="bottom", size=9, zorder=5)  # fmt: skip


def _set_parameter_axis(axes: Axes, curve: _ScoreByValue) -> None:
    """Choose a linear or logarithmic axis; its ticks are the values of the grid where they fit."""
    values = np.array(list(curve))
    least = float(values[values > 0].min(initial=np.inf))
    is_wide = values[-1] > _LOG_RATIO * least
    places = values
    if is_wide and values[0] > 0:
        log_axis(axes, "x")
        places = np.log(values)
    elif is_wide and values[0] == 0:
        axes.set_xscale("symlog", linthresh=least)  # so that zero has a place
        axes.set_xticks([0, *log_ticks(least, values[-1])])
        axes.set_xlim(left=-0.3 * least)
    if len(values) <= _MAX_TICKS and np.diff(places).min() >= _MIN_TICK_DISTANCE * np.ptp(places):
        axes.set_xticks(values)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter("{x:g}")
