"""Every arm in two studies that differ in one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structce.experiments.finding.report import Contrast
from structce.experiments.telling.plots.axes import (
    LINE,
    dot,
    legend,
    name_rows,
    percent_axis,
    row_heights,
    sample,
)
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet
from structce.experiments.telling.plots.words import lines, percent, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHAT = {"by": "the split", "corpus": "the corpus", "renderer": "the renderer"}

TITLE = 52
"""Letters of a panel's title on a line."""


def contrast_plot(contrasts: Sequence[Contrast]) -> Figure | None:
    """Draw macro F1 of every arm in the first and in the second study, joined by a line.

    Every two studies have a panel of their own, on one axis. None without contrasts.
    """
    groups: dict[tuple[str, str], list[Contrast]] = {}
    for one in contrasts:
        groups.setdefault((one.first, one.second), []).append(one)
    if not groups:
        return None
    heights = [row_heights([one.arm for one in group], 0.32) for group in groups.values()]
    with sheet(0.5 + sum(heights) + 0.5 * (len(groups) if len(groups) > 1 else 0)) as drawn:
        panels = drawn.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axes, (studies, group) in zip(panels.flat, groups.items(), strict=True):
            _panel(axes, group)
            if len(groups) > 1:
                _name_panel(axes, f"first {studies[0]}, second {studies[1]}")
        for axes in panels.flat:
            percent_axis(axes)
        panels.flat[-1].set_xlabel("macro F1 in per cent")
        look = series(0)
        first, second = next(iter(groups)) if len(groups) == 1 else ("first", "second")
        legend(drawn, [sample(look, first, hollow=True), sample(look, second)])
        said = "; ".join(_words(one) for group in groups.values() for one in group)
        differing = " or ".join(dict.fromkeys(WHAT.get(one.what, one.what) for one in contrasts))
        title = f"Macro F1 of every learner in studies that differ in {differing}"
        names = [name for studies in groups for name in studies]
        return finish(drawn, title, f"In per cent. {said}.", "contrast", differing, *names)


def _panel(axes: Axes, group: Sequence[Contrast]) -> None:
    look = series(0)
    for y, one in enumerate(group):
        first, second = (100 * value for value in one.values)
        axes.plot((first, second), (y, y), color=look.colour, linewidth=2, alpha=0.5, zorder=2)
        dot(axes, first, y, look, hollow=True)
        dot(axes, second, y, look)
    name_rows(axes, [one.arm for one in group])


def _name_panel(axes: Axes, name: str) -> None:
    for i, part in enumerate(reversed(lines(name, TITLE))):
        axes.annotate(
            part, (0, 1), (0, 4 + LINE * i), xycoords="axes fraction", size=9.5,
            textcoords="offset points", annotation_clip=False,
        )  # fmt: skip


def _words(one: Contrast) -> str:
    first, second = one.values
    return (
        f"{one.arm}: {percent(first)} in {one.first}, {percent(second)} in {one.second}, "
        f"{points(second - first)} points"
    )
