"""Arms of an experiment from the tables ``[learner.NAME]`` of its file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from structce.errors import ExperimentError, LearnerError
from structce.experiments.asking.names import Key, unknown_name, written_name
from structce.experiments.asking.sections import Section, as_written
from structce.experiments.asking.spec import Arm, Learners, Parameters, Value
from structce.learners import Learner

_NAMED = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}


def read_arm(section: Section, known: Learners) -> Arm:
    """Return the arm of a table; every point of its grid is one that its learner takes.

    Raises
    ------
    ExperimentError
        If the learner or a hyper-parameter is unknown, or a value is none of those it takes.
    """
    name = str(section.key[-1])
    learner = section.text("learner", name)
    if learner not in known:
        key = (*section.key, "learner") if "learner" in section else section.key
        raise unknown_name(learner, known, key)
    names = _parameters(known[learner])
    section.check_keys(("learner", *names))
    given = [written for written in section.values if written != "learner"]
    values = {names[written]: _values(section, written) for written in given}
    arm = Arm(learner, values, name)
    _check_points(arm, known[learner], section.key)
    return arm


def _parameters(make: Callable[..., Learner]) -> Mapping[str, str]:
    """Return the names of a learner's hyper-parameters in Python by those in a file."""
    found = inspect.signature(make).parameters.values()
    return {written_name(one.name): one.name for one in found if one.kind in _NAMED}


def _values(section: Section, name: str) -> tuple[Value, ...]:
    values: list[Value] = []
    for key, value in section.items(name):
        if not isinstance(value, bool | int | float | str):
            raise ExperimentError(
                f"expected a number, a string, true or false, got {as_written(value)}", key=key
            )
        if value in values:
            raise ExperimentError(f"{as_written(value)} is there twice", key=key)
        values.append(value)
    if not values:
        raise ExperimentError("expected a value, or a list of values", key=(*section.key, name))
    return tuple(values)


def _check_points(arm: Arm, make: Callable[..., Learner], key: Key) -> None:
    for point in arm.points:
        if problem := _problem(make, point):
            raise ExperimentError(problem, key=(*key, *_fault(arm, make, point)))


def _fault(arm: Arm, make: Callable[..., Learner], point: Parameters) -> Key:
    """Return the value of a point that a learner does not even take alone; empty if none."""
    for name, value in point.items():
        if _problem(make, {name: value}):
            return written_name(name), arm.values[name].index(value)
    return ()


def _problem(make: Callable[..., Learner], parameters: Parameters) -> str:
    """Return what a learner has against its hyper-parameters, before any page; nothing: empty."""
    try:
        built = make(**parameters)
        if isinstance(built, Learner):
            built._check_parameters()
    except (LearnerError, TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    return ""
