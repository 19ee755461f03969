"""An experiment from its TOML file; whatever is not understood is an error with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from structce.errors import ExperimentError
from structce.experiments.asking.arms import read_arm
from structce.experiments.asking.families import chosen_families
from structce.experiments.asking.locating import line_of
from structce.experiments.asking.names import Key
from structce.experiments.asking.overriding import (
    Override,
    Table,
    at_fault,
    overridden,
    parse_override,
)
from structce.experiments.asking.sections import Section, expect_number
from structce.experiments.asking.spec import FRACTIONS, Experiment, Learners, Splits
from structce.features import FAMILIES
from structce.learners import LEARNERS

KEYS = (
    "question",
    "corpus",
    "renderer",
    "splits",
    "seed",
    "measure",
    "learning_curve",
    "features",
    "learner",
)
PARTS = ("train", "validation", "test")
SPLITS = (*PARTS, "by", "folds", "repeats", "file")
FEATURES = ("families", "include", "exclude", "min_count", "min_pages", "ablation")

Locate = Callable[[Key], str]
"""Tells where a key stands, as the beginning of a message."""

_SYNTAX = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def read_experiment(
    path: Path, *, overrides: Sequence[str] = (), known: Learners = LEARNERS
) -> Experiment:
    """Return the experiment of a TOML file; a list is a grid, a single value is fixed.

    Parameters
    ----------
    overrides
        Values that stand in the place of the file's: ``learner.greedy-svm.context=5``.
    known
        The learners there are.

    Raises
    ------
    ExperimentError
        If the file cannot be read, or a key or value is not as expected; names file, line and
        key, or the override that is at fault.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        table = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"{path}:{_syntax(str(error), text)}") from error
    return experiment_of(table, overrides, known, lambda key: f"{path}:{line_of(text, key)}: ")


def experiment_of(
    table: Table, overrides: Sequence[str], known: Learners, locate: Locate
) -> Experiment:
    """Return the experiment of a table, overridden.

    Raises
    ------
    ExperimentError
        If a key or value is not as expected; names the override that is at fault, or where the
        table has it. All overrides are named if the table alone is good, and none set the key.
    """
    changes = [parse_override(one) for one in overrides]
    try:
        return _experiment(Section(overridden(table, changes)), known)
    except ExperimentError as error:
        where = _blamed(table, changes, known, error.key) or locate(error.key)
        raise ExperimentError(f"{where}{error}") from None


def _blamed(table: Table, changes: Sequence[Override], known: Learners, key: Key) -> str:
    """Return the overrides that are at fault, as the beginning of a message; none: empty."""
    if guilty := at_fault(changes, key):
        return f"{guilty}: "
    if not changes:
        return ""
    try:
        _experiment(Section(table), known)
    except ExperimentError:
        return ""
    return " ".join(map(str, changes)) + ": "


def _experiment(top: Section, known: Learners) -> Experiment:
    top.check_keys(KEYS)
    features, learners = top.section("features"), top.section("learner")
    features.check_keys(FEATURES)
    families = features.texts("families", FAMILIES)
    include, exclude = features.texts("include", ()), features.texts("exclude", ())
    return Experiment(
        question=top.text("question"),
        corpora=top.texts("corpus"),
        renderers=top.texts("renderer", ()),
        splits=_splits(top.section("splits")),
        seed=top.count("seed", 0),
        measure=top.text("measure", "macro_f1"),
        learning_curve=tuple(
            expect_number(share, key) for key, share in top.items("learning_curve", [])
        ),
        families=families,
        include=include,
        exclude=exclude,
        min_count=features.count("min_count", 3),
        min_pages=features.count("min_pages", 1),
        ablation=_ablation(features, families, include, exclude),
        arms=tuple(read_arm(learners.section(name), known) for name in learners.values),
    )


def _splits(splits: Section) -> Splits:
    splits.check_keys(SPLITS)
    return Splits(
        fractions=_fractions(splits),
        by=splits.texts("by", ("site",)),
        folds=splits.count("folds") if "folds" in splits else None,
        repeats=splits.count("repeats", 1),
        file=splits.text("file", ""),
    )


def _fractions(splits: Section) -> tuple[float, float, float]:
    given = [name for name in PARTS if name in splits]
    if not given:
        return FRACTIONS
    for name in ("folds", "file"):
        if name in splits:
            raise ExperimentError(
                f"excludes {', '.join(given)}; leave out the one or the other",
                key=(*splits.key, name),
            )
    train, validation, test = map(splits.number, PARTS)
    return train, validation, test


def _ablation(
    features: Section, families: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> tuple[str, ...]:
    """Return the families to try without and alone; ``true`` stands for all that are chosen."""
    value = features.values.get("ablation", False)
    if isinstance(value, bool):
        return chosen_families(families, include, exclude) if value else ()
    found = features.texts("ablation")
    if not found:
        raise ExperimentError(
            "expected true, false or a list of families, got none", key=("features", "ablation")
        )
    return found


def _syntax(message: str, text: str) -> str:
    """Return what `tomllib` says of a file that is no TOML, its line first."""
    found = _SYNTAX.fullmatch(message)
    if found and found[2]:
        return f"{found[2]}: {found[1]} (column {found[3]})"
    return f"{len(text.splitlines()) or 1}: {found[1] if found else message} (end of the file)"
