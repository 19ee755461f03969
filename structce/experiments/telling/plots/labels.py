"""F1 of every label, for all arms."""

from __future__ import annotations

from collections.abc import Sequence

from structce.evaluation import LabelScore
from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.telling.plots.axes import (
    dot,
    legend,
    name_rows,
    percent_axis,
    sample,
    whisker,
)
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.theme import RULE
from structce.experiments.telling.plots.words import between, count, percent

SPAN = 0.72
"""Part of a row that its dots take up."""


def label_plot(study: Study) -> Figure | None:
    """Draw the F1 of every label that occurs, a dot an arm, with its interval.

    An arm has no dot for a label that is in neither gold nor its prediction. None if no label
    occurs.
    """
    names = _occurring(study.arms)
    if not names:
        return None
    n_arms = len(study.arms)
    with sheet(0.8 + len(names) * max(0.36, 0.13 * n_arms + 0.12)) as drawn:
        axes = drawn.subplots()
        for y, name in enumerate(names):
            for place, arm in enumerate(study.arms):
                if (score := _score(arm, name)).occurs:
                    look = series(place)
                    beside = y + SPAN * ((place + 0.5) / n_arms - 0.5)
                    whisker(axes, beside, arm.row.intervals.get(f"f1.{name}"), look.colour)
                    dot(axes, 100 * score.measures.f1, beside, look)
        name_rows(axes, [f"{name} ({study.n_test.get(name, 0):,})" for name in names])
        axes.hlines([y + 0.5 for y in range(len(names) - 1)], 0, 1, color=RULE,
                    linewidth=0.8, transform=axes.get_yaxis_transform())  # fmt: skip
        percent_axis(axes)
        axes.set_xlabel("F1 in per cent")
        axes.set_title("label (tested regions)", loc="left", size=9.5, pad=4)
        legend(drawn, [sample(series(i), arm.name) for i, arm in enumerate(study.arms)])
        title = f"F1 of every label, {study.name}"
        return finish(drawn, title, _description(study, names), "labels", study.name)


def _occurring(arms: Sequence[ArmResult]) -> list[str]:
    """Return the labels in gold or in a prediction, in the order of the label set."""
    every = [score for arm in arms for score in arm.row.scores.labels if score.occurs]
    order = [score.name for arm in arms[:1] for score in arm.row.scores.labels]
    found = {score.name for score in every}
    return [name for name in order if name in found]


def _score(arm: ArmResult, label: str) -> LabelScore:
    return next(one for one in arm.row.scores.labels if one.name == label)


def _description(study: Study, names: Sequence[str]) -> str:
    said = []
    for name in names:
        rows = [(arm, _score(arm, name)) for arm in study.arms]
        values = [
            f"{arm.name} {percent(one.measures.f1)}{between(arm.row.intervals.get(f'f1.{name}'))}"
            for arm, one in rows
            if one.occurs
        ]
        regions = count(study.n_test.get(name, 0), "region")
        said.append(f"{name}, {regions}: {', '.join(values)}")
    return f"In per cent. {'; '.join(said)}."
