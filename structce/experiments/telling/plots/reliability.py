"""How sure a learner was against how right it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structce.evaluation import Bin
from structce.experiments.finding.rows import ArmResult, Reliability
from structce.experiments.telling.plots.axes import legend, sample
from structce.experiments.telling.plots.drawing import Figure, Series, finish, series, sheet
from structce.experiments.telling.plots.theme import PAPER, SOFT
from structce.experiments.telling.plots.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BEFORE = Series(SOFT, "s", "--")
TICKS = (0, 20, 40, 60, 80, 100)


def reliability_plot(arm: ArmResult) -> Figure | None:
    """Draw the reliability diagram of an arm, before and after calibration.

    Below stands how many regions were given about each confidence after calibration. None for a
    learner that tells no confidence, or without regions.

    References
    ----------
    M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters. The
    Statistician 32.
    """
    if arm.calibration is None or not arm.calibration.after.bins:
        return None
    before, after = arm.calibration.before, arm.calibration.after
    with sheet(4.6) as drawn:
        upper, lower = drawn.subplots(2, 1, sharex=True, height_ratios=(4, 1))
        upper.plot((0, 100), (0, 100), color=SOFT, linewidth=1, linestyle=":")
        _curve(upper, before.bins, BEFORE, is_hollow=True)
        _curve(upper, after.bins, series(0), is_hollow=False)
        upper.set(xlim=(0, 100), ylim=(0, 100), xticks=TICKS, yticks=TICKS)
        upper.set_ylabel("regions with the right label in per cent")
        upper.grid()
        _histogram(lower, after.bins)
        lower.set_xlabel("mean confidence in per cent")
        legend(drawn, [
            sample(BEFORE, "before calibration", line=True, hollow=True),
            sample(series(0), "after calibration", line=True),
        ])  # fmt: skip
        title = f"Reliability of the confidence of {arm.name}"
        description = f"Before calibration: {_words(before)}. After: {_words(after)}."
        return finish(drawn, title, description, "reliability", arm.name, description)


def _curve(axes: Axes, bins: Sequence[Bin], look: Series, *, is_hollow: bool) -> None:
    axes.plot(
        [100 * one.confidence for one in bins], [100 * one.accuracy for one in bins],
        color=look.colour, marker=look.marker, linestyle=look.line, linewidth=1.6, markersize=6,
        markerfacecolor=PAPER if is_hollow else look.colour, clip_on=False, zorder=3,
    )  # fmt: skip


def _histogram(axes: Axes, bins: Sequence[Bin]) -> None:
    left = [100 * one.low + 1 for one in bins]
    wide = [100 * (one.high - one.low) - 2 for one in bins]
    counts = [one.n_regions for one in bins]
    bars = axes.bar(left, counts, wide, align="edge", color=series(0).colour, alpha=0.55)
    axes.bar_label(bars, labels=[short(n) for n in counts], padding=1.5, size=8)
    axes.set_yticks([])
    axes.set_ylim(0, 1.35 * max(counts))
    axes.set_ylabel("regions")
    axes.spines["left"].set_visible(False)


def short(number: int) -> str:
    """Return a count in at most four characters up to a million: ``830``, ``1.2k``, ``12k``."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 9950 else f"{number / 1000:.0f}k"


def _words(one: Reliability) -> str:
    said = [
        f"{count(part.n_regions, 'region')} of mean confidence {part.confidence:.2f}, "
        f"{part.accuracy:.2f} of them right"
        for part in one.bins
    ]
    return f"calibration error {one.error:.3f}; {'; '.join(said) or 'no regions'}"
