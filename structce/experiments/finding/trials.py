"""What one learner did on one split, as values: grid, training, mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from structce.experiments.asking.spec import Parameters

Numbers = Mapping[str, float | None]
"""What a learner tells by name; None where that is no finite number."""


@dataclass(frozen=True)
class Point:
    """One point of a grid: fitted on the training part, measured on the validation part.

    Parameters
    ----------
    value
        Of the measure that the experiment chooses by, in [0, 1].
    stop
        What the learner tells of its stop: ``gap`` or ``gradient_norm``, ``objective``, ...; None
        where that is no finite number.
    temperature
        Of its calibration on the validation part; None for a learner that tells no confidence.
    """

    parameters: Parameters
    value: float
    stop: Numbers
    temperature: float | None = None


@dataclass(frozen=True)
class Step:
    """Where a solver stood after an epoch; see :class:`structce.learners.Progress`."""

    epoch: int
    objective: float | None
    gap: float | None


@dataclass(frozen=True)
class Trial:
    """One learner on one split.

    Parameters
    ----------
    split
        Which one, from 0.
    parameters
        The best of the grid; on a tie the first.
    points
        The grid, in its order; empty if there was nothing to choose and nothing to calibrate.
    stop
        What the model that was tested tells of its stop.
    steps
        Of the training of the model that was tested; empty for a learner that tells none.
    warnings
        What the learner warned of, each once, and whether the tested model is unfinished.
    temperature
        That of the calibration, above 0; None for a learner that tells no confidence.
    """

    split: int
    parameters: Parameters
    points: tuple[Point, ...]
    stop: Numbers
    steps: tuple[Step, ...] = ()
    warnings: tuple[str, ...] = ()
    temperature: float | None = None


@dataclass(frozen=True)
class Because:
    """What speaks for a wrong label: a column, or ``(neighbours)``.

    Parameters
    ----------
    lead
        What it adds to the score of the predicted label minus to that of the right one.
    """

    column: str
    lead: float


@dataclass(frozen=True)
class Mistake:
    """A region with a wrong label.

    Parameters
    ----------
    region
        Its number on the page, from 0.
    text
        At most 120 characters of it.
    confidence
        Of the predicted label, in [0, 1]; None for a learner that tells none.
    reasons
        What speaks most for the wrong label; empty for learners that cannot be explained.
    """

    region: int
    text: str
    gold: str
    predicted: str
    confidence: float | None = None
    reasons: tuple[Because, ...] = ()


@dataclass(frozen=True)
class WorstPage:
    """A test page that an arm got most wrong.

    Parameters
    ----------
    accuracy
        Share of its known regions with the right label, in [0, 1].
    n_wrong, n_known
        Its regions with a wrong, and with a known label.
    mistakes
        Some of its wrong regions, those that are not background first.
    """

    arm: str
    split: int
    page: str
    site: str
    accuracy: float
    n_wrong: int
    n_known: int
    mistakes: tuple[Mistake, ...]
