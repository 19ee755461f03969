"""An experiment from its TOML file; whatever is not understood is an error."""

from __future__ import annotations

import inspect
import keyword
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from structce.errors import ExperimentError
from structce.experiments.families import chosen_families
from structce.experiments.names import unknown_name, written_name
from structce.experiments.spec import (
    FRACTIONS,
    Experiment,
    Grid,
    Learners,
    Value,
)
from structce.features import FAMILIES
from structce.learners import LEARNERS

Table = Mapping[str, object]
T = TypeVar("T")


def read_experiment(path: Path, *, known: Learners = LEARNERS) -> Experiment:
    """Return the experiment of a TOML file; a list is a grid, a single value is fixed.

    Parameters
    ----------
    known
        The learners there are.

    Raises
    ------
    ExperimentError
        If the file cannot be read, or a key or value is not as expected; names file and key.
    """
    try:
        table: Table = tomllib.loads(path.read_text(encoding="utf-8"))
        return _experiment(table, known)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ExperimentError(f"{path}: {error}") from error
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from None


def _experiment(table: Table, known: Learners) -> Experiment:
    keys = ("question", "corpus", "splits", "seed", "features", "learner")
    _check_keys(table, keys, "the file")
    splits = _take(table, "splits", dict, {})
    features = _take(table, "features", dict, {})
    _check_keys(splits, ("train", "validation", "test", "by", "folds"), "splits")
    _check_keys(
        features,
        ("families", "include", "exclude", "min_count", "min_pages", "ablation"),
        "features",
    )
    families, include, exclude = (
        tuple(_take(features, key, list, list(default)))
        for key, default in (("families", FAMILIES), ("include", ()), ("exclude", ()))
    )
    learners = _take(table, "learner", dict, {})
    folds = _take(splits, "folds", int) if "folds" in splits else None
    return Experiment(
        question=_take(table, "question", str),
        corpus=_take(table, "corpus", str),
        learners=tuple(_grid(name, values, known) for name, values in learners.items()),
        fractions=_fractions(splits),
        by=_take(splits, "by", str, "site"),
        seed=_take(table, "seed", int, 0),
        families=families,
        min_count=_take(features, "min_count", int, 3),
        min_pages=_take(features, "min_pages", int, 1),
        folds=folds,
        include=include,
        exclude=exclude,
        ablation=_ablation(features, families, include, exclude),
    )


def _ablation(
    features: Table, families: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> tuple[str, ...]:
    """Return the families to try without and alone; ``true`` stands for all that are chosen."""
    value = features.get("ablation", False)
    if isinstance(value, bool):
        return chosen_families(families, include, exclude) if value else ()
    if not isinstance(value, list) or not value:
        raise ExperimentError(
            f"features: ablation = {value!r}; expected true, false or a list of families"
        )
    return tuple(value)


def _fractions(splits: Table) -> tuple[float, float, float]:
    given = [key for key in ("train", "validation", "test") if key in splits]
    if not given:
        return FRACTIONS
    if "folds" in splits:
        raise ExperimentError(f"splits: {given[0]!r} and 'folds' exclude each other")
    train, validation, test = (
        float(_take(splits, key, (int, float))) for key in ("train", "validation", "test")
    )
    return train, validation, test


def _grid(name: str, values: object, known: Learners) -> Grid:
    where = f"learner.{name}"
    if name not in known:
        raise unknown_name(name, known, "learner")
    if not isinstance(values, dict):
        raise ExperimentError(f"{where} is {values!r}; expected a table of hyper-parameters")
    accepted = [written_name(key) for key in inspect.signature(known[name]).parameters]
    _check_keys(values, accepted, where)
    return Grid(name, {_python_name(key): _values(where, key, values[key]) for key in values})


def _values(where: str, key: str, value: object) -> tuple[Value, ...]:
    values = tuple(value) if isinstance(value, list) else (value,)
    if not values or not all(isinstance(one, bool | int | float | str) for one in values):
        raise ExperimentError(
            f"{where}: {key} = {value!r}; expected a number, a string, true or false, or a list"
        )
    return values


def _python_name(key: str) -> str:
    return f"{key}_" if keyword.iskeyword(key) else key


def _take(
    table: Table, key: str, kind: type[T] | tuple[type[T], ...], default: T | None = None
) -> T:
    value = table.get(key, default)
    if value is None:
        raise ExperimentError(f"no {key!r}, which must be given")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        names = " or ".join(one.__name__ for one in kinds)
        raise ExperimentError(f"{key} = {value!r}; expected {names}")
    return value


def _check_keys(table: Table, known: Collection[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise unknown_name(key, known, where)
