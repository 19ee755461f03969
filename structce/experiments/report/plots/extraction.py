"""Plots of an extraction experiment, those of Gottron (2007): F1, precision and recall, time.

T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, figures 1 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structce.experiments.extraction.results import MethodScores, PackageResult
from structce.experiments.report.plots.axes import (
    add_legend,
    draw_dot,
    legend_entry,
    log_axis,
    name_rows,
    percent_axis,
    row_heights,
)
from structce.experiments.report.plots.base import (
    RULE,
    Plot,
    finish_plot,
    open_figure,
    series_style,
)
from structce.experiments.report.tables.base import percent
from structce.experiments.report.tables.extraction import milliseconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.25
"""Least height of a method's row, in inches."""

_PER_ROW, _SMALL_ROW = 2, 0.2
"""Small plots beside each other, and the least height of a method's row in them, in inches."""

_WIDTH = 22
"""Letters on a line of a method's name."""

_MAX_TIME_TICKS = 4
"""Ticks of an axis of times, which has half of a narrow figure."""


def f1_plot(package: PackageResult, measures: Sequence[str]) -> Plot | None:
    """Draw the mean F1 of every method by every measure; None without methods."""
    if not package.methods:
        return None
    names = [one.name for one in package.methods]
    with open_figure(0.6 + row_heights(names, _ROW, _WIDTH)) as figure:
        axes = figure.subplots()
        for y, one in enumerate(package.methods):
            for i, measure in enumerate(measures):
                draw_dot(axes, 100 * one.measures[measure].f1.mean, y, series_style(i))
        _finish_rows(axes, names)
        axes.set_xlabel("F1 in per cent, mean over pages")
        add_legend(figure, [legend_entry(series_style(i), one) for i, one in enumerate(measures)])
        said = "; ".join(_f1_words(one, measures) for one in package.methods)
        return finish_plot(
            figure, f"F1, {package.name}", f"In per cent. {said}.", "f1", package.name
        )


def _f1_words(one: MethodScores, measures: Sequence[str]) -> str:
    values = (f"{name} {percent(one.measures[name].f1.mean, 1)}" for name in measures)
    return f"{one.name}: {', '.join(values)}"


def precision_recall_plot(package: PackageResult, measure: str) -> Plot | None:
    """Draw mean precision and recall of every method by one measure; None without methods."""
    if not package.methods:
        return None
    names = [one.name for one in package.methods]
    precision, recall = series_style(0), series_style(1)
    with open_figure(0.6 + row_heights(names, _ROW, _WIDTH)) as figure:
        axes = figure.subplots()
        for y, one in enumerate(package.methods):
            scores = one.measures[measure]
            ends = 100 * scores.precision.mean, 100 * scores.recall.mean
            axes.hlines(y, *ends, color=RULE, linewidth=2.2, zorder=2)
            draw_dot(axes, ends[0], y, precision)
            draw_dot(axes, ends[1], y, recall, hollow=True)
        _finish_rows(axes, names)
        axes.set_xlabel(f"precision and recall by {measure},\nper cent, mean over pages")
        entries = [
            legend_entry(precision, "precision"),
            legend_entry(recall, "recall", hollow=True),
        ]
        add_legend(figure, entries)
        said = "; ".join(_precision_words(one, measure) for one in package.methods)
        title = f"Precision and recall of {measure}, {package.name}"
        return finish_plot(figure, title, f"In per cent. {said}.", "precision", package.name)


def _precision_words(one: MethodScores, measure: str) -> str:
    scores = one.measures[measure]
    precision, recall = percent(scores.precision.mean, 1), percent(scores.recall.mean, 1)
    return f"{one.name}: precision {precision}, recall {recall}"


def time_plot(package: PackageResult, measure: str) -> Plot | None:
    """Draw the deviation of F1 over pages beside the time per kB; None without times.

    Time is on a logarithmic axis. Methods without a time, or without a deviation, are left out.
    """
    methods = [
        one
        for one in package.methods
        if one.seconds_per_kb and one.measures[measure].f1.deviation is not None
    ]
    if not methods:
        return None
    names = [one.name for one in methods]
    with open_figure(0.8 + row_heights(names, _ROW, _WIDTH)) as figure:
        left, right = figure.subplots(1, 2)
        for y, one in enumerate(methods):
            deviation, time = _deviation_and_time(one, measure)
            draw_dot(left, 100 * deviation, y, series_style(0))
            draw_dot(right, 1_000 * time, y, series_style(1))
        name_rows(left, names, _WIDTH)
        left.set_xlim(left=0)
        left.grid(axis="x")
        left.set_xlabel(f"deviation of F1,\n{measure}, points")
        name_rows(right, [""] * len(names))
        right.margins(x=0.15)
        log_axis(right, "x", _MAX_TIME_TICKS)
        right.set_xlabel("ms per kB\n(log scale)")
        said = "; ".join(_time_words(one, measure) for one in methods)
        title = f"Deviation of F1 and time, {package.name}"
        return finish_plot(figure, title, f"{said}.", "time", package.name)


def parts_plot(source: str, parts: Sequence[PackageResult], measure: str) -> Plot | None:
    """Draw how F1 is distributed on each part of a source, one small plot a part; None without.

    A dot is the mean over pages, a line reaches one standard deviation to both sides, as in
    figure 1 of the paper. Rows are the methods, in one order everywhere.
    """
    names = [one.name for one in parts[0].methods] if parts else []
    if not names:
        return None
    n_rows = -(-len(parts) // _PER_ROW)
    with open_figure(0.4 + n_rows * (0.4 + row_heights(names, _SMALL_ROW))) as figure:
        grid = figure.subplots(n_rows, _PER_ROW, sharex=True, squeeze=False)
        for i, axes in enumerate(grid.flat):
            axes.set_visible(i < len(parts))
            if i < len(parts):
                _draw_part(axes, parts[i], measure)
                name_rows(axes, names if i % _PER_ROW == 0 else [""] * len(names))
                percent_axis(axes)
        figure.supxlabel(f"F1 of {measure} in per cent: mean, and one deviation", fontsize=9)
        said = "; ".join(f"{one.name}: {_part_words(one, measure)}" for one in parts)
        title = f"F1 of {measure} on the {len(parts)} packages of {source}"
        return finish_plot(figure, title, f"In per cent. {said}.", "parts", source)


def _draw_part(axes: Axes, part: PackageResult, measure: str) -> None:
    for y, one in enumerate(part.methods):
        f1 = one.measures[measure].f1
        ends = max(0.0, f1.mean - (f1.deviation or 0)), min(1.0, f1.mean + (f1.deviation or 0))
        axes.hlines(y, 100 * ends[0], 100 * ends[1], color=RULE, linewidth=1.8, zorder=2)
        draw_dot(axes, 100 * f1.mean, y, series_style(0))
    axes.set_title(part.name, fontsize=8.5)


def _part_words(part: PackageResult, measure: str) -> str:
    values = (f"{one.name} {percent(one.measures[measure].f1.mean, 1)}" for one in part.methods)
    return ", ".join(values)


def _deviation_and_time(one: MethodScores, measure: str) -> tuple[float, float]:
    time = one.seconds_per_kb.mean if one.seconds_per_kb else 0.0
    return one.measures[measure].f1.deviation or 0.0, max(time, 1e-7)


def _time_words(one: MethodScores, measure: str) -> str:
    deviation, time = _deviation_and_time(one, measure)
    return f"{one.name}: deviation {percent(deviation, 1)}, {milliseconds(time)} ms per kB"


def _finish_rows(axes: Axes, names: Sequence[str]) -> None:
    name_rows(axes, names, _WIDTH)
    axes.hlines(range(len(names)), 0, 1, color=RULE, linewidth=0.5, zorder=1,
                transform=axes.get_yaxis_transform())  # fmt: skip
    percent_axis(axes)
