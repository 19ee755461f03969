"""Macro F1 against the number of training pages."""

from __future__ import annotations

from statistics import fmean

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import Row
from structce.experiments.telling.plots.axes import legend, percent_axis, sample
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.words import macro_f1

ASIDE = 0.008
"""How far two arms are drawn apart, as a part of the axis, so that no whisker hides another."""

Curve = tuple[tuple[float, Row], ...]
"""Training pages and what was found with them, from few to many."""


def learning_curve(study: Study) -> Figure | None:
    """Draw macro F1 against training pages, a line an arm, whiskers from drawing sites again.

    The last point is the arm fitted on all pages of the training and validation parts. None
    unless an arm has two points.
    """
    curves = {name: curve for name, curve in _curves(study).items() if len(curve) > 1}
    if not curves:
        return None
    places = [arm.name for arm in study.arms]
    most = max(n for curve in curves.values() for n, _ in curve)
    with sheet(2.9) as drawn:
        axes = drawn.subplots()
        entries = []
        for i, (name, curve) in enumerate(curves.items()):
            look = series(places.index(name) if name in places else len(places) + i)
            x = [n + ASIDE * most * (i - (len(curves) - 1) / 2) for n, _ in curve]
            axes.plot(x, [100 * row.scores.macro_f1 for _, row in curve], color=look.colour,
                      marker=look.marker, linestyle=look.line, linewidth=1.6,
                      markersize=5.5, zorder=3)  # fmt: skip
            for place, (_, row) in zip(x, curve, strict=True):
                if interval := row.intervals.get("macro_f1"):
                    low, high = (100 * end for end in interval)
                    axes.vlines(place, low, high, color=look.colour, linewidth=1.1, alpha=0.7)
            entries.append(sample(look, name, line=True))
        axes.set_xlim(left=0)
        percent_axis(axes, "y")
        axes.set_xlabel("pages trained on, mean over splits")
        axes.set_ylabel("macro F1 in per cent")
        legend(drawn, entries)
        title = f"Macro F1 by number of training pages, {study.name}"
        return finish(drawn, title, _description(curves), "learning", study.name)


def _curves(study: Study) -> dict[str, Curve]:
    sizes = [len(one.train.pages) + len(one.validation.pages) for one in study.splits]
    found: dict[str, dict[float, Row]] = {}
    for point in study.learning:
        found.setdefault(point.arm, {})[point.n_pages] = point.row
    for arm in study.arms:
        if arm.name in found and sizes:
            found[arm.name][fmean(sizes)] = arm.row
    return {
        name: tuple(sorted(rows.items(), key=lambda item: item[0])) for name, rows in found.items()
    }


def _description(curves: dict[str, Curve]) -> str:
    said = [
        f"{name}: {', '.join(f'{macro_f1(row)} with {n:g} pages' for n, row in curve)}"
        for name, curve in curves.items()
    ]
    return f"In per cent. {'; '.join(said)}."
