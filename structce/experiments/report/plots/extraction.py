"""Plots of an extraction experiment, those of Gottron (2007), and of methods of page classes.

T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, figures 1 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING

from structce.experiments.extraction.results import (
    PackageResult,
    PageClassPoint,
)
from structce.experiments.report.plots.base import (
    INK,
    RULE,
    Plot,
    SeriesStyle,
    add_legend,
    add_series_legend,
    draw_curve,
    draw_dot,
    finish_plot,
    legend_entry,
    log_axis,
    name_rows,
    open_figure,
    percent_axis,
    row_heights,
    series_style,
)
from structce.experiments.report.tables.base import percent
from structce.experiments.report.tables.extraction import milliseconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.25  # least height of a method's row, in inches
_WIDTH = 22  # characters per line of a method's name
_MAX_TIME_TICKS = 4  # ticks of an axis of times, which has half of a narrow figure


def f1_plot(package: PackageResult, measures: Sequence[str]) -> Plot | None:
    """Draw the mean F1 of every method by every measure; None without methods."""
    if not package.methods:
        return None
    names = [method.name for method in package.methods]
    places, height = _row_places(names)
    said = []
    with open_figure(0.6 + height) as figure:
        axes = figure.subplots()
        for y, method in zip(places, package.methods, strict=True):
            means = {measure: method.measures[measure].f1.mean for measure in measures}
            for i, mean in enumerate(means.values()):
                draw_dot(axes, 100 * mean, y, series_style(i))
            values = ", ".join(f"{measure} {percent(mean, 1)}" for measure, mean in means.items())
            said.append(f"{method.name}: {values}")
        _finish_rows(axes, names)
        axes.set_xlabel("F1 in per cent, mean over pages")
        add_series_legend(figure, measures)
        description = f"In per cent. {'; '.join(said)}."
        return finish_plot(figure, f"F1, {package.name}", description, "f1", package.name)


def precision_recall_plot(package: PackageResult, measure: str) -> Plot | None:
    """Draw mean precision and recall of every method by one measure; None without methods."""
    if not package.methods:
        return None
    names = [method.name for method in package.methods]
    precision, recall = series_style(0), series_style(1)
    places, height = _row_places(names)
    said = []
    with open_figure(0.6 + height) as figure:
        axes = figure.subplots()
        for y, method in zip(places, package.methods, strict=True):
            scores = method.measures[measure]
            left, right = scores.precision.mean, scores.recall.mean
            axes.hlines(y, 100 * left, 100 * right, color=RULE, linewidth=2.2, zorder=2)
            draw_dot(axes, 100 * left, y, precision)
            draw_dot(axes, 100 * right, y, recall, hollow=True)
            said.append(f"{method.name}: precision {percent(left, 1)}, recall {percent(right, 1)}")
        _finish_rows(axes, names)
        axes.set_xlabel(f"precision and recall by {measure},\nper cent, mean over pages")
        add_legend(
            figure,
            [legend_entry(precision, "precision"), legend_entry(recall, "recall", hollow=True)],
        )
        title = f"Precision and recall of {measure}, {package.name}"
        description = f"In per cent. {'; '.join(said)}."
        return finish_plot(figure, title, description, "precision", package.name)


def time_plot(package: PackageResult, measure: str) -> Plot | None:
    """Draw the deviation of F1 over pages beside the time per kB; None without times.

    Time is on a logarithmic axis. Methods without a time, or without a deviation, are left out.
    """
    rows = [
        (method.name, deviation, max(seconds.mean, 1e-7))  # so that a time of 0 has a logarithm
        for method in package.methods
        if (seconds := method.seconds_per_kb)
        and (deviation := method.measures[measure].f1.deviation) is not None
    ]
    if not rows:
        return None
    names = [name for name, _, _ in rows]
    places, height = _row_places(names)
    with open_figure(0.8 + height) as figure:
        left, right = figure.subplots(1, 2)
        for y, (_, deviation, time) in zip(places, rows, strict=True):
            draw_dot(left, 100 * deviation, y, series_style(0))
            draw_dot(right, 1_000 * time, y, series_style(1))
        _place_rows(left, names)
        left.set_xlim(left=0)
        left.grid(axis="x")
        left.set_xlabel(f"deviation of F1,\n{measure}, points")
        _place_rows(right, names, is_named=False)
        right.margins(x=0.15)
        log_axis(right, "x", _MAX_TIME_TICKS)
        right.set_xlabel("ms per kB\n(log scale)")
        said = "; ".join(
            f"{name}: deviation {percent(deviation, 1)}, {milliseconds(time)} ms per kB"
            for name, deviation, time in rows
        )
        title = f"Deviation of F1 and time, {package.name}"
        return finish_plot(figure, title, f"{said}.", "time", package.name)


def parts_plot(source: str, parts: Sequence[PackageResult], measure: str) -> Plot | None:
    """Draw the mean F1 of every method on each part of a source, and its deviation; None without.

    A row is a method, a dot in it a part, as figure 1 of the paper shows the distribution of F1 on
    every package; a line marks the median of the parts. On a part with a single page there is no
    deviation.
    """
    names = [scores.name for scores in parts[0].methods] if parts else []
    if not names:
        return None
    places, height = _row_places(names)
    tick = SeriesStyle(INK, "|", "-")
    with open_figure(0.8 + height) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        for y, name in zip(places, names, strict=True):
            values = [part.method(name) for part in parts]
            f1 = [scores.measures[measure].f1 for scores in values if scores]
            means = [100 * value.mean for value in f1]
            deviations = [100 * value.deviation for value in f1 if value.deviation is not None]
            for axes, numbers in ((left, means), (right, deviations)):
                _draw_strip(axes, numbers, y, series_style(0), tick)
        _finish_rows(left, names)
        left.set_xlabel(f"F1 of {measure},\nper cent, mean over pages")
        _finish_rows(right, names, is_named=False)
        right.set_xlabel("deviation over\npages, points")
        add_legend(figure, [legend_entry(series_style(0), "package"), legend_entry(tick, "median")])
        said = "; ".join(_strip_words(parts, name, measure) for name in names)
        title = f"F1 of {measure} on the {len(parts)} packages of {source}"
        return finish_plot(figure, title, f"In per cent. {said}.", "parts", source)


def _draw_strip(
    axes: Axes, values: Sequence[float], y: float, style: SeriesStyle, middle: SeriesStyle
) -> None:
    """Draw dots in a row, through which others can be seen, and their median."""
    if values:
        axes.plot(
            values, [y] * len(values), marker=style.marker, color=style.colour, markersize=4.5,
            markeredgewidth=0, alpha=0.4, linestyle="none", clip_on=False, zorder=3,
        )  # fmt: skip
        draw_dot(axes, median(values), y, middle)


def _strip_words(parts: Sequence[PackageResult], name: str, measure: str) -> str:
    values = sorted(
        (scores.measures[measure].f1.mean, part.name)
        for part in parts
        if (scores := part.method(name))
    )
    (low, worst), (high, best) = values[0], values[-1]
    middle = percent(median(value for value, _ in values), 1)
    return (
        f"{name}: median {middle}, from {percent(low, 1)} ({worst}) to {percent(high, 1)} ({best})"
    )


def _row_places(names: Sequence[str]) -> tuple[list[float], float]:
    """Return the middle of each method's row, and the height of all in inches.

    The middle of a row with one line is half a unit below its upper edge, which is at -0.5 for the
    first. Names on several lines get higher rows.
    """
    heights = [row_heights([name], _ROW, _WIDTH) / _ROW for name in names]
    ends = list(accumulate(heights))
    middles = [end - height / 2 - 0.5 for end, height in zip(ends, heights, strict=True)]
    return middles, _ROW * ends[-1]


def _place_rows(axes: Axes, names: Sequence[str], *, is_named: bool = True) -> list[float]:
    """Write the names of methods, or nothing, left of their rows; return the rows' middles."""
    places, height = _row_places(names)
    name_rows(axes, names if is_named else [""] * len(names), _WIDTH, places)
    axes.set_ylim(height / _ROW - 0.5, -0.5)
    return places


def _finish_rows(axes: Axes, names: Sequence[str], *, is_named: bool = True) -> None:
    places = _place_rows(axes, names, is_named=is_named)
    axes.hlines(places, 0, 1, color=RULE, linewidth=0.5, zorder=1,
                transform=axes.get_yaxis_transform())  # fmt: skip
    percent_axis(axes)


_HEIGHT = 2.9  # inches
_PAGES = {"seen": "pages seen", "unseen": "other pages"}


def page_class_plot(source: str, points: Sequence[PageClassPoint], measure: str) -> Plot | None:
    """Draw F1 against the pages that were learnt from, for these pages and for others.

    None unless a method learnt from two numbers of pages.
    """
    methods = _by_method(points)
    if not methods:
        return None
    with open_figure(_HEIGHT) as figure:
        axes = figure.subplots()
        entries, described = [], []
        for i, (name, own) in enumerate(methods.items()):
            said = []
            for column, words in _PAGES.items():
                if curve := _f1_curve(own, column, measure):
                    hollow = column == "unseen"
                    style = replace(series_style(i), line="--" if hollow else "-")
                    draw_curve(axes, [(n, 100 * f1) for n, f1 in curve], style, hollow=hollow)
                    entry = f"{name}, {words}"
                    entries.append(legend_entry(style, entry, line=True, hollow=hollow))
                    values = ", ".join(f"{percent(f1, 1)} after {n}" for n, f1 in curve)
                    said.append(f"{words} {values}")
            described.append(f"{name}: {'; '.join(said)}")
        _finish_pages(axes, points)
        percent_axis(axes, "y")
        axes.set_ylabel(f"F1 of {measure} in per cent")
        add_legend(figure, entries)
        title = f"F1 of {measure} by pages of a class, {source}"
        description = f"In per cent. {'; '.join(described)}."
        return finish_plot(figure, title, description, "page-classes", source)


def learning_time_plot(source: str, points: Sequence[PageClassPoint]) -> Plot | None:
    """Draw the milliseconds that learning from a page takes; figure 2 of Debnath et al. (2005).

    None unless a method learnt from two numbers of pages.
    """
    curves = {
        name: [(point.n_pages, time) for point in own if (time := point.learning_milliseconds)]
        for name, own in _by_method(points).items()
    }
    curves = {name: curve for name, curve in curves.items() if len(curve) > 1}
    if not curves:
        return None
    with open_figure(_HEIGHT) as figure:
        axes = figure.subplots()
        for i, curve in enumerate(curves.values()):
            draw_curve(axes, curve, series_style(i))
        _finish_pages(axes, points)
        axes.set_ylim(0, 1.1 * max(time for curve in curves.values() for _, time in curve))
        axes.grid(axis="y")
        axes.set_ylabel("ms per page")
        add_series_legend(figure, curves, line=True)
        said = "; ".join(
            f"{name}: {', '.join(f'{time:.3g} with {n} pages' for n, time in curve)}"
            for name, curve in curves.items()
        )
        title = f"Time to learn from a page, {source}"
        description = f"Milliseconds per page. {said}."
        return finish_plot(figure, title, description, "learning-time", source)


def _by_method(points: Sequence[PageClassPoint]) -> dict[str, list[PageClassPoint]]:
    """Return the points of each method that has two, fewest pages first.

    Without those of less than half of the classes: a curve over other classes would mislead.
    """
    most = max((point.n_classes for point in points), default=0)
    groups: dict[str, list[PageClassPoint]] = {}
    for point in sorted(points, key=lambda point: point.n_pages):
        if 2 * point.n_classes >= most:
            groups.setdefault(point.method, []).append(point)
    names = dict.fromkeys(point.method for point in points)
    return {name: groups[name] for name in names if len(groups.get(name, ())) > 1}


def _f1_curve(
    points: Sequence[PageClassPoint], column: str, measure: str
) -> list[tuple[int, float]]:
    """Return F1 on the ``seen`` or ``unseen`` pages by the number of learnt pages, where known."""
    return [
        (point.n_pages, scores[measure].f1.mean)
        for point in points
        if (scores := getattr(point, column))
    ]


def _finish_pages(axes: Axes, points: Sequence[PageClassPoint]) -> None:
    axes.margins(x=0.06)
    log_axis(axes, "x")
    low, high = axes.get_xlim()
    ticks = sorted({point.n_pages for point in points if low <= point.n_pages <= high})
    axes.xaxis.set_ticks(ticks, [str(n) for n in ticks])
    axes.set_xlabel("pages of a class that were learnt from (log scale)")
