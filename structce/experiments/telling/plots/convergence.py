"""How far from the optimum a training was after each epoch."""

from __future__ import annotations

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.telling.plots.axes import legend, log_axis, sample
from structce.experiments.telling.plots.drawing import Figure, finish, series, sheet

MARKS = 8
"""Markers on a line, at about as many epochs."""


def convergence(study: Study) -> Figure | None:
    """Draw the gap against epochs for the model that was tested on the first split.

    Gaps of zero or none have no place on the logarithmic axis; arms with fewer than two others
    are left out. None if no arm is left.
    """
    curves = {i: _gaps(arm) for i, arm in enumerate(study.arms)}
    curves = {i: curve for i, curve in curves.items() if len(curve) > 1}
    if not curves:
        return None
    with sheet(2.9) as drawn:
        axes = drawn.subplots()
        entries = []
        for i, curve in curves.items():
            look = series(i)
            axes.plot(list(curve), list(curve.values()), color=look.colour, marker=look.marker,
                      linestyle=look.line, linewidth=1.6, markersize=5,
                      markevery=max(1, len(curve) // MARKS), zorder=3)  # fmt: skip
            entries.append(sample(look, study.arms[i].name, line=True))
        log_axis(axes, "y")
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel("epoch")
        axes.set_ylabel("gap to the optimum (log scale)")
        legend(drawn, entries)
        said = "; ".join(_words(study.arms[i].name, curve) for i, curve in curves.items())
        title = f"Gap to the optimum during training, {study.name}"
        description = f"The model tested on the first split. {said}."
        return finish(drawn, title, description, "convergence", study.name)


def _gaps(arm: ArmResult) -> dict[int, float]:
    """Return the gap above zero by epoch."""
    steps = arm.row.trials[0].steps if arm.row.trials else ()
    return {step.epoch: step.gap for step in steps if step.gap is not None and step.gap > 0}


def _words(name: str, curve: dict[int, float]) -> str:
    first, last = min(curve), max(curve)
    return f"{name}: {curve[first]:.2g} after epoch {first}, {curve[last]:.2g} after epoch {last}"
