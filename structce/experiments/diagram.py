"""The reliability diagram of a learner: how sure it was against how right it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from structce.evaluation import Bin
from structce.experiments.results import Calibration

LEFT, TOP, SIDE = 46.0, 10.0, 300.0
"""Of the square that the points stand in, in units of the view box."""

FLOOR, TALLEST = 424.0, 50.0
"""Where the bars below it stand, and how high the highest is."""


@dataclass(frozen=True)
class Spot:
    """The regions of one bin: mean confidence to the right, share of right labels upwards."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Bar:
    """How many regions a bin has, as a bar and as a short number above its middle."""

    x: float
    y: float
    width: float
    height: float
    text: str

    @property
    def middle(self) -> float:
        """Where the number stands."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True)
class Diagram:
    """What the page draws of one learner.

    Parameters
    ----------
    before, after
        Points of the confidences without calibration and with it, from left to right.
    bars
        Of the regions by confidence after calibration.
    ticks
        Share, and its place to the right and upwards, of each line of the axes.
    description
        The same in words, for who cannot see it.
    """

    before: tuple[Spot, ...]
    after: tuple[Spot, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, float, float], ...]
    description: str


def diagram(calibration: Calibration) -> Diagram:
    """Return the reliability diagram of a learner.

    References
    ----------
    M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters. The
    Statistician 32.
    """
    before, after = calibration.before.bins, calibration.after.bins
    return Diagram(
        before=tuple(_spot(one) for one in before),
        after=tuple(_spot(one) for one in after),
        bars=_bars(after),
        ticks=tuple((i / 5, _right(i / 5), _up(i / 5)) for i in range(6)),
        description=f"Before calibration: {_words(before)}. After: {_words(after)}.",
    )


def _spot(one: Bin) -> Spot:
    return Spot(_right(one.confidence), _up(one.accuracy), _words([one]))


def _bars(bins: Sequence[Bin]) -> tuple[Bar, ...]:
    highest = max((one.n_regions for one in bins), default=1)
    bars = []
    for one in bins:
        height = round(max(1.0, TALLEST * one.n_regions / highest), 1)
        left, width = _right(one.low) + 1, SIDE * (one.high - one.low) - 2
        text = _short(one.n_regions)
        bars.append(Bar(round(left, 1), round(FLOOR - height, 1), round(width, 1), height, text))
    return tuple(bars)


def _right(share: float) -> float:
    return round(LEFT + SIDE * share, 1)


def _up(share: float) -> float:
    return round(TOP + SIDE * (1 - share), 1)


def _words(bins: Sequence[Bin]) -> str:
    said = [
        f"{one.n_regions:,} regions of mean confidence {one.confidence:.2f}, "
        f"{one.accuracy:.2f} of them right"
        for one in bins
    ]
    return "; ".join(said) or "no regions"


def _short(count: int) -> str:
    """Return a count in at most four characters up to a million: ``830``, ``1.2k``, ``12k``."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 9950 else f"{count / 1000:.0f}k"
