"""Macro F1 of every arm, with its interval."""

from __future__ import annotations

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.telling.plots.axes import (
    dot,
    legend,
    name_rows,
    percent_axis,
    row_heights,
    sample,
    whisker,
)
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.words import between, macro_f1, percent

ASIDE = 0.17
"""How far the two dots of a row are from its middle."""


def interval_plot(study: Study) -> Figure | None:
    """Draw macro F1 of every arm, over all labels and without the background.

    Whiskers are 95 per cent intervals from drawing whole sites again; an arm without them has its
    dots alone. None without arms.
    """
    if not study.arms:
        return None
    names = [arm.name for arm in study.arms]
    with sheet(0.6 + row_heights(names, 0.46)) as drawn:
        axes = drawn.subplots()
        look = series(0)
        for y, arm in enumerate(study.arms):
            scores, intervals = arm.row.scores, arm.row.intervals
            whisker(axes, y - ASIDE, intervals.get("macro_f1"), look.colour)
            whisker(axes, y + ASIDE, intervals.get("macro_f1_foreground"), look.colour)
            dot(axes, 100 * scores.macro_f1, y - ASIDE, look)
            dot(axes, 100 * scores.macro_f1_foreground, y + ASIDE, look, hollow=True)
        name_rows(axes, names)
        percent_axis(axes)
        axes.set_xlabel("macro F1 in per cent")
        inner = f"without {study.source.background}"
        legend(drawn, [sample(look, "all labels"), sample(look, inner, hollow=True)])
        said = "; ".join(_words(arm, inner) for arm in study.arms)
        title = f"Macro F1 of every learner, {study.name}"
        return finish(drawn, title, f"In per cent. {said}.", "intervals", study.name)


def _words(arm: ArmResult, inner: str) -> str:
    interval = between(arm.row.intervals.get("macro_f1_foreground"))
    value = percent(arm.row.scores.macro_f1_foreground)
    return f"{arm.name}: {macro_f1(arm.row)}, {inner} {value}{interval}"
