"""Registry of learners by name, and loading of a fitted learner from its folder."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from structce.errors import LearnerError, ModelError
from structce.learners.base import Learner
from structce.learners.calibration import ConfidenceMap
from structce.learners.classes import LONGEST_CLASS, MOST_CLASSES, learn_classes
from structce.learners.inputs import vectorizer_of
from structce.learners.storage import (
    LARGEST,
    MANIFEST,
    MODEL_REMEDY,
    read_manifest,
    read_weights,
    shown,
)
from structce.registry import Registry

_MODULES = {
    "boosted-trees": "boosted_chain",
    "linear-chain-crf": "crf",
    "multiclass-svm": "svm",
    "structured-svm": "svm",
    "greedy-svm": "greedy_svm",
}
"""Modules of the learners here, by name: a model needs one of them, and all take 10 ms."""

_REGISTERED: Registry[type[Learner]] = Registry("learner", LearnerError)
LEARNERS: Registry[type[Learner]]  # imports all learners here when it is first asked for


def __getattr__(name: str) -> Registry[type[Learner]]:
    if name != "LEARNERS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for known in _MODULES:
        _import_learner(known)
    ordered = {known: _REGISTERED[known] for known in (*_MODULES, *_REGISTERED)
               if known in _REGISTERED}  # fmt: skip
    _REGISTERED.clear()
    _REGISTERED.update(ordered)
    globals()["LEARNERS"] = _REGISTERED
    return _REGISTERED


def _import_learner(name: str) -> None:
    if name in _MODULES:
        import_module(f"structce.learners.{_MODULES[name]}")


_LearnerType = TypeVar("_LearnerType", bound=type[Learner])


def learner(name: str) -> Callable[[_LearnerType], _LearnerType]:
    """Register a class under the name that experiments and models use for it.

    Raises LearnerError if the name is taken, or the class is not a learner: one with all methods
    that its base class leaves open, and with a default for each hyper-parameter.
    """
    if isinstance(name, type):  # @learner without parentheses would register nothing
        raise LearnerError(f"@learner needs a name, as in @learner('my-learner') above {name}")

    def register(kind: _LearnerType) -> _LearnerType:
        _check_class(kind)
        _import_learner(name)  # whose name is taken
        _REGISTERED[name] = kind
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


class _Manifest(msgspec.Struct):
    """Entries of a fitted learner's manifest, and what they may be."""

    learner: Annotated[str, Meta(max_length=200)]
    parameters: dict[str, Any]
    n_labels: Annotated[int, Meta(ge=1, le=MOST_CLASSES)]
    n_columns: Annotated[int, Meta(ge=0, le=LARGEST)]
    temperature: Annotated[float, Meta(ge=1e-6, le=1e6)]
    diagnostics: dict[str, float | int | list[list[float | int | None]] | None]
    calibration: dict[str, list[float]] | None = None
    classes: list[Annotated[str, Meta(max_length=LONGEST_CLASS)] | int] | None = None
    is_encoded: bool = False
    columns: list[str] | None = None


def load_learner(folder: str | Path) -> Learner:
    """Load the fitted learner that `Learner.save` wrote into a folder.

    Weights are unpacked only if their shapes are those that the other entries imply. Raises
    ModelError if a file is missing, malformed or of another version, or the learner is unknown.
    """
    path = Path(folder) / MANIFEST
    entries = read_manifest(Path(folder))
    try:
        manifest = msgspec.convert(entries, _Manifest)
        _import_learner(name := manifest.learner)
        if name not in _REGISTERED:
            raise ModelError(
                f"{path}: a model with a learner of your own needs --import FILE, which defines "
                f"it: {_REGISTERED.unknown(name, [*_MODULES, *_REGISTERED])}"
            )
        loaded = _without_weights(manifest)
        expected = {
            name.rstrip("_"): list(shape) for name, shape in loaded._weight_shapes().items()
        }
        if entries.get("shapes") != expected:
            found = shown(entries.get("shapes"))
            raise LearnerError(f"weights of shapes {found}; expected {shown(expected)}")
        arrays = read_weights(Path(folder), entries)
        for key in loaded.weight_names:
            setattr(loaded, key, arrays[key.rstrip("_")])
        loaded._check_fit()
    except (
        LearnerError, KeyError, TypeError, ValueError, OverflowError, msgspec.ValidationError
    ) as error:  # fmt: skip
        text = shown(f"malformed learner: {error}") if len(str(error)) > 500 else str(error)
        raise ModelError(f"{path}: malformed learner: {text}. {MODEL_REMEDY}") from error
    return loaded


def _without_weights(manifest: _Manifest) -> Learner:
    """Return a learner with everything that its manifest states."""
    loaded = _REGISTERED[manifest.learner](**manifest.parameters)
    loaded._check_parameters()
    given = range(manifest.n_labels) if manifest.classes is None else manifest.classes
    loaded.classes_, _ = learn_classes([], given)
    if loaded.n_labels_ != manifest.n_labels:
        raise LearnerError(f"{loaded.n_labels_} classes, but n_labels is {manifest.n_labels}")
    loaded.is_encoded_, loaded.n_columns_ = manifest.is_encoded, manifest.n_columns
    if manifest.columns is not None:
        if len(set(manifest.columns)) != manifest.n_columns:
            raise LearnerError(f"{len(manifest.columns)} columns; expected {manifest.n_columns}")
        loaded.vectorizer_ = vectorizer_of(manifest.columns)
    loaded.temperature_ = manifest.temperature
    entry = manifest.calibration
    loaded.calibration_ = None if entry is None else ConfidenceMap.read(entry)
    for key in loaded.diagnostic_names:
        value = manifest.diagnostics[key]
        is_curve = isinstance(value, list)  # JSON made lists of its tuples
        setattr(loaded, key, [tuple(point) for point in value] if is_curve else value)  # type: ignore[union-attr]
    return loaded
