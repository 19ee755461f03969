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

_MARKERS_PER_LINE = 8
"""Markers on a line, at about as many epochs."""

_CONVERGENCE_HEIGHT, _COST_PLOT_HEIGHT = 2.4, 3.2
"""Inches; of one pair of axes, and of the plot."""

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
    groups: dict[str, dict[int, dict[int, float]]] = {}
    for i, candidate in enumerate(study.candidates):
        if len(curve := _gaps(candidate)) > 1:
            groups.setdefault(_stops_by(candidate), {})[i] = curve
    if not groups:
        return None
    curves = {i: curve for group in groups.values() for i, curve in sorted(group.items())}
    with open_figure(_CONVERGENCE_HEIGHT * len(groups) + 0.5) as figure:
        for axes, (what, group) in zip(
            figure.subplots(len(groups), squeeze=False).flat, groups.items(), strict=True
        ):
            _draw_curves(axes, group)
            axes.set_ylabel(f"{what} (log scale)")
        entries = [
            legend_entry(series_style(i), study.candidates[i].name, line=True)
            for i in sorted(curves)
        ]
        add_legend(figure, entries)
        said = "; ".join(
            _convergence_words(study.candidates[i].name, curve) for i, curve in curves.items()
        )
        title = f"{' and '.join(groups).capitalize()} during training, {study.name}"
        description = f"The model tested on the first split. {said}."
        return finish_plot(figure, title, description, "convergence", study.name)


def _stops_by(candidate: CandidateResult) -> str:
    stop = candidate.row.trials[0].stop
    return "norm of the gradient" if "gradient_norm" in stop else "gap to the optimum"


def _draw_curves(axes: Axes, curves: Mapping[int, Mapping[int, float]]) -> None:
    for i, curve in curves.items():
        every = max(1, len(curve) // _MARKERS_PER_LINE)
        draw_curve(axes, curve.items(), series_style(i), markersize=5, markevery=every)
    log_axis(axes, "y")
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel("epoch")


def _gaps(candidate: CandidateResult) -> dict[int, float]:
    """Return the gap above zero by epoch."""
    steps = candidate.row.trials[0].steps if candidate.row.trials else ()
    return {step.epoch: step.gap for step in steps if step.gap is not None and step.gap > 0}


def _convergence_words(name: str, curve: dict[int, float]) -> str:
    first, last = min(curve), max(curve)
    return f"{name}: {curve[first]:.2g} after epoch {first}, {curve[last]:.2g} after epoch {last}"


def cost_plot(report: Report, study: Study) -> Plot | None:
    """Draw macro F1 against the seconds that training took, one point per learner.

    Seconds are those of the model that was tested, the mean over splits, on a logarithmic axis;
    tuning is not included. None unless two learners have a time.
    """
    seconds = _training_seconds(report, study)
    candidates = [
        (i, candidate)
        for i, candidate in enumerate(study.candidates)
        if seconds.get(candidate.name, 0) > 0
    ]
    if len(candidates) < 2:
        return None
    spots = [
        (candidate.name, seconds[candidate.name], 100 * candidate.row.scores.macro_f1)
        for _, candidate in candidates
    ]
    whiskers: list[Box] = []
    with open_figure(_COST_PLOT_HEIGHT) as figure:
        axes = figure.subplots()
        for (_, x, y), (i, candidate) in zip(spots, candidates, strict=True):
            style = series_style(i)
            if interval := candidate.row.intervals.get("macro_f1"):
                low, high = (100 * end for end in interval)
                axes.vlines(x, low, high, color=style.colour, linewidth=1.1, alpha=0.6)
                whiskers.append((x, low, x, high))
            axes.plot([x], [y], color=style.colour, marker=style.marker, markersize=8, zorder=4)
        axes.margins(0.12, 0.08)
        log_axis(axes, "x")
        percent_axis(axes, "y")
        axes.set_xlabel("training time in seconds (log scale), mean over splits")
        axes.set_ylabel("macro F1 in per cent")
        if (
            len(candidates) > _MAX_NAMES
            or max(len(candidate.name) for _, candidate in candidates) > _MAX_NAME_LENGTH
        ):
            add_legend(
                figure,
                [legend_entry(series_style(i), candidate.name) for i, candidate in candidates],
            )
        else:
            write_labels(figure, axes, spots, whiskers)
        said = "; ".join(
            f"{learner.name}: {seconds[learner.name]:.3g} seconds, {macro_f1_words(learner.row)}"
            for _, learner in candidates
        )
        title = f"Macro F1 by training time, {study.name}"
        return finish_plot(figure, title, f"F1 in per cent. {said}.", "costs", study.name)


def _training_seconds(report: Report, study: Study) -> dict[str, float]:
    """Return the training time of each learner's tested models, the mean over splits."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    for cost in report.costs:
        if (cost.study, cost.step, cost.part) == (study.name, "training", ""):
            times[cost.candidate].append(cost.seconds)
    return {candidate: fmean(seconds) for candidate, seconds in times.items()}


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
        title = f"Macro F1 by number of training pages, {study.name}"
        return finish_plot(figure, title, _learning_words(curves), "learning", study.name)


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


def _learning_words(curves: dict[str, _LearningCurve]) -> str:
    said = [
        f"{name}: {', '.join(f'{macro_f1_words(row)} with {n:g} pages' for n, row in curve)}"
        for name, curve in curves.items()
    ]
    return f"In per cent. {'; '.join(said)}."


def tuned_parameters(study: Study) -> tuple[tuple[str, str], ...]:
    """Return every learner and hyper-parameter of which two or more numbers were tried."""
    return tuple(
        (candidate.name, parameter)
        for candidate in study.candidates
        for parameter in _parameter_names(candidate)
        if len(_mean_scores(candidate, parameter)) > 1
    )


def parameter_plot(
    study: Study, candidate_name: str, parameter: str, measure: str = "macro_f1"
) -> Plot | None:
    """Draw the score on validation pages against the values of a hyper-parameter.

    A value's score is the best over all other hyper-parameters, the mean over splits; rings mark
    what was chosen. With several splits, thin lines show each of them.

    Parameters
    ----------
    parameter
        Its Python name: ``lambda_``, ``context``.
    measure
        The measure that the experiment chose by.

    Returns
    -------
    None unless two or more numbers were tried and the learner has scores.
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
    with open_figure(2.9) as figure:
        axes = figure.subplots()
        _draw_scores(axes, candidate, parameter, curve)
        _mark_chosen(axes, curve, chosen, len(candidate.row.trials))
        if len(candidate.row.trials) > 1:
            add_legend(figure, _parameter_legend())
        axes.margins(0.1, 0.16)
        _set_parameter_axis(axes, curve)
        percent_axis(axes, "y")
        what = measure_words(measure)
        axes.set_xlabel(name)
        label = f"validation {what} in per cent"
        axes.set_ylabel(label, size=min(10, 340 / len(label)))
        title = f"Validation {what} of {candidate_name} by {name}, {study.name}"
        said = "; ".join(_parameter_words(name, *item, chosen) for item in curve.items())
        description = f"{what} on validation pages in per cent. {said}."
        return finish_plot(
            figure, title, description, "parameter", study.name, candidate_name, parameter
        )


def _parameter_names(candidate: CandidateResult) -> list[str]:
    points = [point for trial in candidate.row.trials for point in trial.points]
    return list(dict.fromkeys(name for point in points for name in point.parameters))


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


def _draw_scores(
    axes: Axes, candidate: CandidateResult, parameter: str, curve: _ScoreByValue
) -> None:
    style = series_style(0)
    if len(candidate.row.trials) > 1:
        for trial in candidate.row.trials:
            alone = _best_scores(trial, parameter)
            y = [100 * score for score in alone.values()]
            axes.plot(list(alone), y, color=SOFT, linewidth=0.8, alpha=0.6)
    y = [100 * score for score in curve.values()]
    axes.plot(list(curve), y, color=style.colour, marker=style.marker, linewidth=1.8, zorder=3)


def _parameter_legend() -> list[Line2D]:
    """Return the legend of a curve over several splits."""
    from matplotlib.lines import Line2D

    ring = Line2D([], [], linestyle="none", marker="o", markersize=10, markerfacecolor="none",
                  markeredgecolor=INK, label="chosen, in how many")  # fmt: skip
    return [
        legend_entry(series_style(0), "mean over splits", line=True),
        Line2D([], [], color=SOFT, linewidth=0.8, label="one split"),
        ring,
    ]


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


def _parameter_words(name: str, value: float, score: float, chosen: Counter[float]) -> str:
    tail = f", chosen in {count_words(chosen[value], 'split')}" if chosen[value] else ""
    return f"{name} {value:g}: {percent(score, 1)}{tail}"
