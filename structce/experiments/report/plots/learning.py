"""Plots of methods of page classes: scores and time by the number of pages learnt from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from structce.experiments.extraction.results import MeasureScores, PageClassPoint
from structce.experiments.report.plots.axes import (
    add_legend,
    legend_entry,
    log_axis,
    percent_axis,
)
from structce.experiments.report.plots.base import (
    PAPER,
    Plot,
    SeriesStyle,
    finish_plot,
    open_figure,
    series_style,
)
from structce.experiments.report.tables.base import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 2.9
"""Inches."""

_Curve = Sequence[tuple[int, float]]
"""A value by the number of pages, fewest first."""


def page_class_plot(source: str, points: Sequence[PageClassPoint], measure: str) -> Plot | None:
    """Draw F1 against the pages that were learnt from, for these pages and for others.

    None unless a method learnt from two numbers of pages.
    """
    methods = _by_method(points)
    if not methods:
        return None
    with open_figure(_HEIGHT) as figure:
        axes = figure.subplots()
        entries = []
        for i, (name, own) in enumerate(methods.items()):
            seen = replace(series_style(i), line="-")
            unseen = replace(seen, line="--")
            _draw(axes, _f1(((one.n_pages, one.seen) for one in own), measure), seen)
            entries.append(legend_entry(seen, f"{name}, pages seen", line=True))
            if others := _f1(((one.n_pages, one.unseen) for one in own), measure):
                _draw(axes, others, unseen, hollow=True)
                named = f"{name}, other pages"
                entries.append(legend_entry(unseen, named, line=True, hollow=True))
        _finish_pages(axes, points)
        percent_axis(axes, "y")
        axes.set_ylabel(f"F1 of {measure} in per cent")
        add_legend(figure, entries)
        said = "; ".join(_f1_words(name, own, measure) for name, own in methods.items())
        title = f"F1 of {measure} by pages of a class, {source}"
        return finish_plot(figure, title, f"In per cent. {said}.", "page-classes", source)


def learning_time_plot(source: str, points: Sequence[PageClassPoint]) -> Plot | None:
    """Draw the milliseconds a page takes to be learnt from; figure 2 of Debnath et al. (2005).

    None unless a method learnt from two numbers of pages.
    """
    curves = {
        name: [(one.n_pages, time) for one in own if (time := one.learning_milliseconds)]
        for name, own in _by_method(points).items()
    }
    curves = {name: curve for name, curve in curves.items() if len(curve) > 1}
    if not curves:
        return None
    with open_figure(_HEIGHT) as figure:
        axes = figure.subplots()
        for i, curve in enumerate(curves.values()):
            _draw(axes, curve, series_style(i))
        _finish_pages(axes, points)
        axes.set_ylim(0, 1.1 * max(time for curve in curves.values() for _, time in curve))
        axes.grid(axis="y")
        axes.set_ylabel("ms a page")
        add_legend(
            figure,
            [legend_entry(series_style(i), name, line=True) for i, name in enumerate(curves)],
        )
        said = "; ".join(f"{name}: {_words(curve, '.3g')}" for name, curve in curves.items())
        title = f"Time to learn from a page, {source}"
        return finish_plot(figure, title, f"Milliseconds a page. {said}.", "learning-time", source)


def _by_method(points: Sequence[PageClassPoint]) -> dict[str, list[PageClassPoint]]:
    """Return the points of each method that has two, fewest pages first.

    Without those of less than half of the classes: a curve over other classes would mislead.
    """
    most = max((point.n_classes for point in points), default=0)
    found: dict[str, list[PageClassPoint]] = {}
    for point in sorted(points, key=lambda point: point.n_pages):
        if 2 * point.n_classes >= most:
            found.setdefault(point.method, []).append(point)
    names = dict.fromkeys(point.method for point in points)
    return {name: found[name] for name in names if len(found.get(name, ())) > 1}


def _f1(points: Iterable[tuple[int, Mapping[str, MeasureScores]]], measure: str) -> _Curve:
    return [(n, 100 * scores[measure].f1.mean) for n, scores in points if measure in scores]


def _draw(axes: Axes, curve: _Curve, style: SeriesStyle, *, hollow: bool = False) -> None:
    axes.plot(
        [n for n, _ in curve], [value for _, value in curve], color=style.colour,
        marker=style.marker, linestyle=style.line, linewidth=1.6, markersize=5.5, zorder=3,
        markerfacecolor=PAPER if hollow else style.colour,
    )  # fmt: skip


def _finish_pages(axes: Axes, points: Sequence[PageClassPoint]) -> None:
    axes.margins(x=0.06)
    log_axis(axes, "x")
    low, high = axes.get_xlim()
    ticks = sorted({one.n_pages for one in points if low <= one.n_pages <= high})
    axes.xaxis.set_ticks(ticks, [str(n) for n in ticks])
    axes.set_xlabel("pages of a class that were learnt from (log scale)")


def _f1_words(name: str, points: Sequence[PageClassPoint], measure: str) -> str:
    parts = []
    for words, column in (("pages seen", "seen"), ("other pages", "unseen")):
        values = [
            f"{percent(scores[measure].f1.mean, 1)} after {one.n_pages}"
            for one in points
            if (scores := getattr(one, column))
        ]
        if values:
            parts.append(f"{words} {', '.join(values)}")
    return f"{name}: {'; '.join(parts)}"


def _words(curve: _Curve, digits: str) -> str:
    return ", ".join(f"{value:{digits}} with {n} pages" for n, value in curve)
