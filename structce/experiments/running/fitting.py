"""Does one unit: fit, measure, calibrate, test."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from structce.errors import LearnerError
from structce.evaluation import check_confidence, confusion, score_confusion
from structce.experiments.asking.families import Variant
from structce.experiments.finding.trials import Numbers, Point, Step
from structce.experiments.running.data import Data, Encoded, Labels
from structce.experiments.running.metering import Meter
from structce.experiments.running.mistakes import find_wrong
from structce.experiments.running.units import Outcome, Raised, Spent, Task, Tested, Tuned
from structce.learners import Learner, Progress
from structce.learners.progress import quiet

STOPS = ("gap_", "gradient_norm_", "n_epochs_", "n_iterations_", "objective_")
"""Fitted attributes that tell how a solver stopped; a learner has some of them."""

Make = Callable[..., Learner]
"""Makes a learner from its hyper-parameters."""


def can_calibrate(make: Make) -> bool:
    """Return whether what is made tells how sure it is, and can be calibrated.

    Every subclass of :class:`structce.learners.Learner` can. Whatever else fits and predicts may
    stand in an experiment too, without these figures.
    """
    return isinstance(make, type) and issubclass(make, Learner)


def do(task: Task, make: Make, data: Data) -> Outcome:
    """Return what comes of a unit; whatever it raises is a value, too.

    Linear algebra keeps to one thread, so that the numbers are the same wherever the unit runs.
    """
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1), quiet():
        warnings.simplefilter("always")
        try:
            if task.step == "tune":
                return _tune(task, make, data)
            found = _test(task, make, data)
        except Exception as error:  # whatever a learner raises is one failed row of the report
            return Raised(f"{type(error).__name__}: {error}")
    said = dict.fromkeys([*found.warnings, *(str(one.message) for one in caught)])
    return replace(found, warnings=tuple(said))


def _tune(task: Task, make: Make, data: Data) -> Tuned:
    with Meter() as meter:
        model, _ = _fit(task, make, data.train, len(data.label_set))
        predictions = _predict(task, model, data.validation)
        matrix = _confusion(predictions, data.validation.targets, len(data.label_set))
        temperature = None
        if can_calibrate(make):
            model.calibrate(data.validation.matrices, data.validation.targets)
            temperature = float(model.temperature_)
    value = float(getattr(score_confusion(matrix, data.label_set), task.measure))
    point = Point(task.parameters, value, _stop(model), temperature)
    return Tuned(point, Spent(meter.seconds, meter.megabytes))


def _test(task: Task, make: Make, data: Data) -> Tested:
    seen = data.train + data.validation
    seen = seen.pages(task.pages) if task.pages else seen
    if task.part:
        places = Variant.read(task.part).places(data.columns)
        data, seen = data.take(places), seen.take(places)
    with Meter() as training:
        model, steps = _fit(task, make, seen, len(data.label_set))
    with Meter() as prediction:
        predictions = _predict(task, model, data.test)
    _confusion(
        predictions, data.test.targets, len(data.label_set)
    )  # checks the range of the labels
    before, after = _confidence(task, model, data.test, predictions)
    is_asked = task.is_whole
    return Tested(
        predictions=tuple(tuple(page.tolist()) for page in predictions),
        stop=_stop(model),
        training=Spent(training.seconds, training.megabytes),
        prediction=Spent(prediction.seconds, prediction.megabytes),
        before=before if is_asked else (),
        after=after if is_asked else (),
        steps=steps if is_asked else (),
        warnings=tuple(_unfinished(model)),
        wrong=tuple(find_wrong(model, data, predictions, after)) if is_asked else (),
    )


def _fit(task: Task, make: Make, part: Encoded, n_labels: int) -> tuple[Learner, tuple[Step, ...]]:
    """Return the fitted model, and where its solver stood after each epoch."""
    seeded = "random_state" in inspect.signature(make).parameters
    model = make(**{**({"random_state": task.seed} if seeded else {}), **task.parameters})
    steps: list[Step] = []

    def watch(progress: Progress) -> None:
        epoch = int(progress.epoch)
        steps.append(Step(epoch, _finite(progress.objective), _finite(progress.gap)))

    if "callback" in inspect.signature(model.fit).parameters:
        model.fit(part.matrices, part.targets, n_labels=n_labels, callback=watch)
    else:
        model.fit(part.matrices, part.targets, n_labels=n_labels)
    return model, tuple(steps)


def _predict(task: Task, model: Learner, part: Encoded) -> list[Labels]:
    predictions = model.predict(part.matrices)
    shapes, expected = [y.shape for y in predictions], [y.shape for y in part.targets]
    if shapes != expected:
        raise LearnerError(
            f"{task.learner}: predicted labels of shapes {shapes[:3]}... do not fit "
            f"{len(part)} pages of {[shape[0] for shape in expected[:3]]}... regions"
        )
    return predictions


def _confidence(
    task: Task, model: Learner, part: Encoded, predictions: Sequence[Labels]
) -> tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]:
    """Return how sure a model is of the test pages, without a calibration and with it."""
    if task.temperature is None or not isinstance(model, Learner):
        return (), ()
    right = np.concatenate(part.targets) == np.concatenate(predictions)
    before = model.confidence(part.matrices)
    model.temperature_, model.calibration_ = task.temperature, None
    after = model.confidence(part.matrices)
    for said in (before, after):
        check_confidence(np.concatenate(said), right)
    first, second = ([tuple(page.tolist()) for page in said] for said in (before, after))
    return tuple(first), tuple(second)


def _confusion(predictions: Sequence[Labels], gold: Sequence[Labels], n_labels: int) -> Labels:
    return confusion(np.concatenate(gold), np.concatenate(predictions), n_labels)


def _stop(model: Learner) -> Numbers:
    """Return what a fitted learner tells of its stop; None where that is no finite number."""
    found = {name: getattr(model, name) for name in STOPS if hasattr(model, name)}
    return {name.removesuffix("_"): _finite(value) for name, value in found.items()}


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _unfinished(model: Learner) -> Iterator[str]:
    """Yield what to say of a model whose duality gap is above its own tolerance."""
    gap, tol = getattr(model, "gap_", 0.0), getattr(model, "tol", math.inf)
    if gap > tol:
        yield f"stopped at a gap of {gap:.3g}, above the tolerance {tol:g}"
