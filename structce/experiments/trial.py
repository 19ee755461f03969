"""One learner on one split: tune and calibrate on validation pages, fit, predict test pages."""

from __future__ import annotations

import inspect
import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from structce.errors import LearnerError
from structce.evaluation import check_confidence, confusion, score_confusion
from structce.experiments.results import Confidence, Point, Trial
from structce.experiments.spec import Grid, Parameters
from structce.labels import LabelSet
from structce.learners import Learner

Labels = NDArray[np.int64]

STOPS = ("gap_", "gradient_norm_", "n_epochs_", "n_iterations_", "objective_")
"""Fitted attributes that tell how a solver stopped; a learner has some of them."""


@dataclass(frozen=True, eq=False)
class Encoded:
    """One part of a split as matrices and label indices, one a page."""

    X: list[csr_matrix]
    y: list[Labels]

    def __add__(self, other: Encoded) -> Encoded:
        return Encoded(self.X + other.X, self.y + other.y)

    def take(self, places: NDArray[np.int64]) -> Encoded:
        """Return the part with some of its columns, which costs much less than encoding again."""
        return Encoded([x[:, places] for x in self.X], self.y)


@dataclass(frozen=True, eq=False)
class Data:
    """The three parts of a split, encoded with the columns of the training pages."""

    train: Encoded
    validation: Encoded
    test: Encoded
    label_set: LabelSet

    def take(self, places: NDArray[np.int64]) -> Data:
        """Return the data with the columns at some places alone."""
        train, validation, test = self.train.take(places), self.validation, self.test
        return Data(train, validation.take(places), test.take(places), self.label_set)


def can_calibrate(make: Callable[..., Learner]) -> bool:
    """Return whether what is made tells how sure it is, and can be calibrated.

    Every subclass of :class:`structce.learners.Learner` can. Whatever else fits and predicts may
    stand in an experiment too, without these figures.
    """
    return isinstance(make, type) and issubclass(make, Learner)


def count_fits(grid: Grid, make: Callable[..., Learner]) -> int:
    """Return how often a learner is fitted on one split.

    On the training pages once a point of the grid, unless there is neither anything to choose nor
    to calibrate; and once on training and validation pages.
    """
    n_points = len(grid.points)
    return n_points + 1 if n_points > 1 or can_calibrate(make) else 1


@dataclass(frozen=True, eq=False)
class Bench:
    """One learner's grid before the data of one split.

    Parameters
    ----------
    make
        Makes the learner from its hyper-parameters.
    seed
        Goes to the learner's ``random_state``, if it has one and the grid does not set it.
    tick
        Called after each fit.
    """

    grid: Grid
    data: Data
    make: Callable[..., Learner]
    seed: int
    tick: Callable[[], object]

    def trial(self) -> Trial:
        """Tune, calibrate, fit and test the learner.

        The calibration is that of the model of the best point, which has not seen the validation
        pages; the model that is tested, fitted on them as well, takes it over.

        Raises
        ------
        LearnerError
            If predictions or confidences do not fit the pages; besides, whatever the learner
            raises.
        LabelError
            If a predicted index is none of the label set.
        """
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            begin = time.perf_counter()
            points, tuned = self._tune()
            chosen = _best(points) if points else self.grid.points[0]
            seconds = {"tuning": time.perf_counter() - begin}
            model, trial = self._tested(chosen)
            predictions = trial.predictions
            confidence = self._confidence(model, tuned, predictions) if tuned is not None else None
        return replace(
            trial,
            points=points,
            seconds={**seconds, **trial.seconds},
            warnings=(*trial.warnings, *_texts(caught)),
            confidence=confidence,
        )

    def repeat(self, parameters: Parameters, places: NDArray[np.int64]) -> Trial:
        """Fit and test with given hyper-parameters on some columns; tune and calibrate nothing.

        Raises
        ------
        As :meth:`trial` does.
        """
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            _, trial = replace(self, data=self.data.take(places))._tested(parameters)
        return replace(trial, warnings=(*trial.warnings, *_texts(caught)))

    def _tested(self, parameters: Parameters) -> tuple[Learner, Trial]:
        """Return the model of the training and validation pages, and what it finds in the test."""
        times = [time.perf_counter()]
        model = self._fit(parameters, self.data.train + self.data.validation)
        times.append(time.perf_counter())
        predictions = self._predict(model, self.data.test)
        times.append(time.perf_counter())
        names = ("training", "prediction")
        return model, Trial(
            parameters=parameters,
            points=(),
            stop=_stop(model),
            seconds=dict(zip(names, np.diff(times).tolist(), strict=True)),
            predictions=tuple(predictions),
            confusion=self._confusion(predictions, self.data.test),
            warnings=tuple(_unfinished(model)),
        )

    def _tune(self) -> tuple[tuple[Point, ...], Learner | None]:
        """Return the points of the grid, measured, and the calibrated model of the best.

        No model if it cannot be calibrated.
        """
        points: list[Point] = []
        best = None
        for parameters in self.grid.points if count_fits(self.grid, self.make) > 1 else ():
            model = self._fit(parameters, self.data.train)
            points.append(self._measured(model, parameters))
            if _best(points) is parameters:
                best = model
        if best is None or not can_calibrate(self.make):
            return tuple(points), None
        return tuple(points), best.calibrate(self.data.validation.X, self.data.validation.y)

    def _measured(self, model: Learner, parameters: Parameters) -> Point:
        predictions = self._predict(model, self.data.validation)
        matrix = self._confusion(predictions, self.data.validation)
        scores = score_confusion(matrix, self.data.label_set)
        return Point(parameters, scores.macro_f1, _stop(model))

    def _fit(self, parameters: Parameters, part: Encoded) -> Learner:
        seeded = "random_state" in inspect.signature(self.make).parameters
        seed: Parameters = {"random_state": self.seed} if seeded else {}
        model = self.make(**{**seed, **parameters})
        model.fit(part.X, part.y, n_labels=len(self.data.label_set))
        self.tick()
        return model

    def _predict(self, model: Learner, part: Encoded) -> list[Labels]:
        predictions = model.predict(part.X)
        shapes = [y.shape for y in predictions]
        if shapes != [y.shape for y in part.y]:
            raise LearnerError(
                f"{self.grid.learner}: predicted labels of shapes {shapes[:3]}... do not fit "
                f"{len(part.y)} pages of {[len(y) for y in part.y[:3]]}... regions"
            )
        return predictions

    def _confidence(
        self, model: Learner, tuned: Learner, predictions: Sequence[Labels]
    ) -> Confidence:
        """Return how sure a model is of the test pages, without a calibration and with it."""
        right = np.concatenate(self.data.test.y) == np.concatenate(predictions)
        before = tuple(model.confidence(self.data.test.X))
        after = tuple(model.take_calibration(tuned).confidence(self.data.test.X))
        for said in (before, after):
            check_confidence(np.concatenate(said), right)
        return Confidence(model.temperature_, before, after)

    def _confusion(self, predictions: list[Labels], part: Encoded) -> NDArray[np.int64]:
        y_true, y_pred = np.concatenate(part.y), np.concatenate(predictions)
        return confusion(y_true, y_pred, len(self.data.label_set))


def _best(points: Sequence[Point]) -> Parameters:
    """Return the hyper-parameters of the highest macro F1; on a tie the first."""
    return max(points, key=lambda point: point.macro_f1).parameters


def _texts(caught: Sequence[warnings.WarningMessage]) -> Iterator[str]:
    """Yield what was warned of, each text once."""
    yield from dict.fromkeys(str(one.message) for one in caught)


def _stop(model: Learner) -> dict[str, float | None]:
    """Return what a fitted learner tells of its stop; None where that is no finite number."""
    found = {name: getattr(model, name) for name in STOPS if hasattr(model, name)}
    return {
        name.removesuffix("_"): value if math.isfinite(value) else None
        for name, value in ((name, float(np.float64(value))) for name, value in found.items())
    }


def _unfinished(model: Learner) -> Iterator[str]:
    """Yield what to say of a model whose duality gap is above its own tolerance."""
    gap, tol = getattr(model, "gap_", 0.0), getattr(model, "tol", math.inf)
    if gap > tol:
        yield f"stopped at a gap of {gap:.3g}, above the tolerance {tol:g}"
