"""Registry of learners by name, and loading of a fitted learner from its folder."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from structce.errors import LearnerError, ModelError
from structce.extras import check_extras
from structce.learners.base import Learner
from structce.learners.calibration import ConfidenceMap
from structce.learners.inputs import check_positive
from structce.learners.storage import read_model
from structce.registry import Registry


class LearnerRegistry(Registry[type[Learner]]):
    """Learners by name; one that cannot be trained here names the extra that it needs."""

    def __missing__(self, name: str) -> type[Learner]:
        if name in _UNTRAINABLE:
            _, module, extra = _UNTRAINABLE[name]
            check_extras((module,), f"{name}: training", extra)
        return super().__missing__(name)


LEARNERS = LearnerRegistry("learner", LearnerError)

_UNTRAINABLE: dict[str, tuple[type[Learner], str, str]] = {}
"""Learners that cannot be trained here because a module of an extra is missing, with module and
extra; their models can still be loaded."""

_LearnerType = TypeVar("_LearnerType", bound=type[Learner])


def learner(
    name: str, *, module: str = "", extra: str = ""
) -> Callable[[_LearnerType], _LearnerType]:
    """Register a class under the name that experiments and models use for it.

    Training may need a ``module``, which an ``extra`` installs. Raises LearnerError if the name is
    taken, or the class is not a learner: one with all methods that its base class leaves open, and
    with a default for each hyper-parameter.
    """
    if isinstance(name, type):  # @learner without parentheses would register nothing
        raise LearnerError(f"@learner needs a name, as in @learner('my-learner') above {name}")

    def register(kind: _LearnerType) -> _LearnerType:
        _check_class(kind)
        if module and find_spec(module) is None:
            _UNTRAINABLE[name] = kind, module, extra
        else:
            LEARNERS[name] = kind
        kind.name = name
        return kind

    return register


def _check_class(kind: type[Learner]) -> None:
    """Raise LearnerError for a class that cannot be used as a learner."""
    where = kind.__name__
    if not issubclass(kind, Learner):
        raise LearnerError(f"{where}: expected a class derived from Learner, as LinearChain is")
    if missing := sorted(kind.__abstractmethods__):
        raise LearnerError(f"{where}: no method {', '.join(missing)}; its base class needs it")
    words = inspect.signature(kind).parameters
    for word in words.values():
        if word.kind in (word.VAR_POSITIONAL, word.VAR_KEYWORD) or word.default is word.empty:
            raise LearnerError(
                f"{where}.__init__: {word}: expected keyword arguments with defaults, each stored "
                "under its name"
            )
    if unstored := [name for name in words if name not in vars(kind())]:
        raise LearnerError(f"{where}.__init__: {unstored[0]} is not stored as self.{unstored[0]}")


def load_learner(folder: str | Path) -> Learner:
    """Load the fitted learner that `Learner.save` wrote into a folder.

    Raises ModelError if a file is missing, malformed or of another version, or the learner is
    unknown.
    """
    manifest, arrays = read_model(Path(folder))
    named = str(manifest.get("learner"))
    if named not in LEARNERS and named not in _UNTRAINABLE:
        raise ModelError(
            f"{folder}: {LEARNERS.unknown(named, LEARNERS)}. If it is a learner of your own, "
            "import it first: structce ... --import FILE"
        )
    try:
        name, parameters = str(manifest["learner"]), dict(manifest["parameters"])  # type: ignore[call-overload]
        known = _UNTRAINABLE[name][0] if name in _UNTRAINABLE else LEARNERS[name]
        loaded = known(**parameters)
        loaded.n_labels_ = int(manifest["n_labels"])  # type: ignore[call-overload]
        loaded.n_columns_ = int(manifest["n_columns"])  # type: ignore[call-overload]
        check_positive("temperature", manifest["temperature"])
        loaded.temperature_ = float(manifest["temperature"])  # type: ignore[arg-type]
        entry = manifest.get("calibration")
        loaded.calibration_ = None if entry is None else ConfidenceMap.read(entry)
        for key in loaded.diagnostic_names:
            value = manifest["diagnostics"][key]  # type: ignore[index]
            if isinstance(value, list):  # JSON made lists of its tuples
                value = [tuple(entry) if isinstance(entry, list) else entry for entry in value]
            setattr(loaded, key, value)
        for key in loaded.weight_names:
            setattr(loaded, key, arrays[key.rstrip("_")])
        loaded._check_fit()
    except (LearnerError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{folder}: malformed learner: {error}") from error
    return loaded
