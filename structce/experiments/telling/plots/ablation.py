"""Macro F1 with all features, without each family, and with it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import Ablation
from structce.experiments.telling.plots.axes import name_rows
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.theme import INK, PAPER, SOFT
from structce.experiments.telling.plots.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP = 0.4
"""Between families, in rows."""


def ablation_plot(study: Study, arm_name: str) -> Figure | None:
    """Draw the macro F1 of an arm by its features, bars from zero, a line at all features.

    A part that failed has no bar. None without any part, or where the arm has no scores.
    """
    parts = [one for one in study.ablations if one.arm == arm_name]
    arm = next((one for one in study.arms if one.name == arm_name), None)
    if arm is None or not parts:
        return None
    full = arm.row.scores.macro_f1
    parts = _by_family(parts)
    places = _places(parts)
    with sheet(0.55 + 0.27 * (places[-1] + 1)) as drawn:
        axes = drawn.subplots()
        _bar(axes, 0, full, "all")
        for y, part in zip(places[1:], parts, strict=True):
            _bar(axes, y, part.row.scores.macro_f1, part.kind)
        axes.axvline(100 * full, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        names = ["all features", *(part.name for part in parts)]
        name_rows(axes, names, 22, places)
        axes.set(xlim=(0, 100), xticks=range(0, 101, 20))
        axes.grid(axis="x")
        axes.set_xlabel("macro F1 in per cent")
        values = [full, *(part.row.scores.macro_f1 for part in parts)]
        said = ", ".join(
            f"{name} {percent(value)}" for name, value in zip(names, values, strict=True)
        )
        title = f"Macro F1 of {arm_name} by family of features, {study.name}"
        return finish(drawn, title, f"In per cent: {said}.", "ablation", study.name, arm_name)


def _by_family(parts: list[Ablation]) -> list[Ablation]:
    """Put the parts of one family side by side, families in the order of the experiment."""
    order = list(dict.fromkeys(part.family for part in parts))
    return sorted(parts, key=lambda part: order.index(part.family))


def _places(parts: list[Ablation]) -> list[float]:
    """Return where the bar of all features and those of the parts stand, in rows from the top."""
    places, last = [0.0], ""
    for part in parts:
        places.append(places[-1] + 1 + (GAP if part.family != last else 0))
        last = part.family
    return places


def _bar(axes: Axes, y: float, share: float, kind: str) -> None:
    fill = {"all": SOFT, "only": PAPER}.get(kind, series(0).colour)
    edge = SOFT if kind == "all" else series(0).colour
    axes.barh(y, 100 * share, 0.74, facecolor=fill, edgecolor=edge, linewidth=1.3)
    axes.annotate(percent(share), (1, y), (3, 0), xycoords=axes.get_yaxis_transform(), size=9.5,
                  textcoords="offset points", va="center", annotation_clip=False)  # fmt: skip
