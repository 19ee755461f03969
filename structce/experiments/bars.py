"""The bars of an ablation: macro F1 with all features, without a family, and with it alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from structce.experiments.results import Ablation, LearnerResult
from structce.experiments.tables import percent

LEFT, WIDTH = 96.0, 216.0
"""Where the bars begin, and how long that of 100 per cent is, in units of the view box."""

TOP, THICK, GAP, APART = 4.0, 15.0, 3.0, 12.0
"""Of the bars: where the first is, their height, the gap inside a family and between families."""


@dataclass(frozen=True)
class Bar:
    """One macro F1 as a bar.

    Parameters
    ----------
    kind
        ``all``, ``without`` or ``only``.
    family
        Empty for all features.
    value
        In [0, 1].
    """

    kind: str
    family: str
    y: float
    width: float
    value: float

    @property
    def name(self) -> str:
        """Of the features that the bar stands for."""
        return f"{self.kind} {self.family}".strip()


@dataclass(frozen=True)
class Bars:
    """What the page draws of one learner's ablation.

    Parameters
    ----------
    names
        Each family, and how low it is written.
    ticks
        Place and value, in per cent, of each line of the axis.
    full
        Place of the dashed line at the value of all features.
    description
        The same in words, for who cannot see it.
    """

    bars: tuple[Bar, ...]
    names: tuple[tuple[str, float], ...]
    ticks: tuple[tuple[float, int], ...]
    full: float
    height: float
    description: str


def bars(full: LearnerResult, ablations: Sequence[Ablation]) -> Bars:
    """Return the bars of a learner; one that failed with a part of the features has none for it.

    Unlike the dots of the learners, whose axis may begin anywhere, bars begin at zero.
    """
    drawn = [_bar("all", "", TOP, full)]
    names = []
    y = TOP + THICK + APART
    for family in dict.fromkeys(one.variant.family for one in ablations):
        names.append((family, y))
        for one in ablations:
            if one.variant.family == family:
                if isinstance(one.row, LearnerResult):
                    drawn.append(_bar(one.variant.kind, family, y, one.row))
                y += THICK + GAP
        y += APART - GAP
    said = [f"{bar.name} {percent(bar.value)}" for bar in drawn]
    return Bars(
        bars=tuple(drawn),
        names=tuple(names),
        ticks=tuple((_right(tick / 100), tick) for tick in range(0, 101, 20)),
        full=_right(full.scores.macro_f1),
        height=y - APART + 38,
        description=f"Macro F1 in per cent: {', '.join(said)}.",
    )


def _bar(kind: str, family: str, y: float, row: LearnerResult) -> Bar:
    value = row.scores.macro_f1
    return Bar(kind, family, y, round(_right(value) - LEFT, 1), value)


def _right(share: float) -> float:
    return round(LEFT + WIDTH * share, 1)
