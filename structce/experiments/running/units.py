"""What one unit of an experiment is asked, and what comes of it: values that stand in files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from structce.experiments.asking.spec import Parameters
from structce.experiments.finding.trials import Because, Numbers, Point
from structce.experiments.finding.trials import Step as Epoch

Step = Literal["tune", "test"]


@dataclass(frozen=True)
class Task:
    """One fit.

    Parameters
    ----------
    step
        ``tune``: fit on the training part, measure and calibrate on the validation part. ``test``:
        fit on both, test.
    measure
        What a point of the grid is measured by.
    temperature
        Of the calibration that a tested model takes over; None if there is none.
    part
        The part of the features it is given, ``without text``; empty for all of them.
    pages
        Numbers of the pages of training and validation part together that a tested model is fitted
        on; empty for all.
    share
        Of the training sites that these are.
    """

    study: str
    split: int
    arm: str
    learner: str
    parameters: Parameters
    step: Step
    seed: int
    measure: str
    temperature: float | None = None
    part: str = ""
    pages: tuple[int, ...] = ()
    share: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether it has all features and all training pages."""
        return not self.part and self.share == 1.0

    def __str__(self) -> str:
        settings = [f"{name.rstrip('_')} = {value}" for name, value in self.parameters.items()]
        share = [f"{100 * self.share:g} % of the training sites"] if self.share < 1 else []
        parts = [self.arm, *settings, *([self.part] if self.part else []), *share]
        return f"{', '.join(parts)}, {self.study}, split {self.split + 1}, {self.step}"


@dataclass(frozen=True)
class Spent:
    """Seconds of wall clock, and megabytes of memory; see :class:`Meter`."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Tuned:
    """What comes of a unit that tunes."""

    point: Point
    spent: Spent


@dataclass(frozen=True)
class Wrong:
    """A wrong region of a test page, by number of page, region and labels."""

    page: int
    region: int
    gold: int
    predicted: int
    confidence: float | None = None
    reasons: tuple[Because, ...] = ()


@dataclass(frozen=True)
class Tested:
    """What comes of a unit that tests.

    Parameters
    ----------
    predictions
        One tuple of label indices a test page.
    before, after
        Confidence of each predicted label, page by page, without calibration and with it; empty
        for a learner that tells none, and for parts.
    wrong
        Mistakes on the pages that came out worst; none for parts.
    """

    predictions: tuple[tuple[int, ...], ...]
    stop: Numbers
    training: Spent
    prediction: Spent
    before: tuple[tuple[float, ...], ...] = ()
    after: tuple[tuple[float, ...], ...] = ()
    steps: tuple[Epoch, ...] = ()
    warnings: tuple[str, ...] = ()
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True)
class Raised:
    """A unit that raised: class and message of the error. It is not kept, but tried again."""

    error: str


@dataclass(frozen=True)
class Columns:
    """The columns that the training pages of a split gave.

    Parameters
    ----------
    n_parts
        By part of an ablation how many of them it has.
    """

    n_columns: int
    spent: Spent
    n_parts: dict[str, int] = field(default_factory=dict)


Outcome = Tuned | Tested | Raised
