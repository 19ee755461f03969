"""Arms of an experiment from the tables ``[learner.NAME]`` of its file."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import tomli_w

from structce.errors import ExperimentError, LearnerError
from structce.experiments.config import (
    FRACTIONS,
    Candidate,
    Experiment,
    Learners,
    Parameters,
    ParameterValue,
    Splits,
    chosen_families,
)
from structce.experiments.toml_tables import (
    KeyPath,
    Override,
    Section,
    TomlTable,
    as_written,
    at_fault,
    expect_number,
    line_of,
    overridden,
    parse_override,
    unknown_name,
    written_name,
)
from structce.features import FAMILIES
from structce.learners import LEARNERS, Learner

_NAMED = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}


def read_arm(section: Section, known: Learners) -> Candidate:
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
    arm = Candidate(learner, values, name)
    _check_points(arm, known[learner], section.key)
    return arm


def _parameters(make: Callable[..., Learner]) -> Mapping[str, str]:
    """Return the names of a learner's hyper-parameters in Python by those in a file."""
    found = inspect.signature(make).parameters.values()
    return {written_name(one.name): one.name for one in found if one.kind in _NAMED}


def _values(section: Section, name: str) -> tuple[ParameterValue, ...]:
    values: list[ParameterValue] = []
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


def _check_points(arm: Candidate, make: Callable[..., Learner], key: KeyPath) -> None:
    for point in arm.points:
        if problem := _problem(make, point):
            raise ExperimentError(problem, key=(*key, *_fault(arm, make, point)))


def _fault(arm: Candidate, make: Callable[..., Learner], point: Parameters) -> KeyPath:
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

Locate = Callable[[KeyPath], str]
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
    table: TomlTable, overrides: Sequence[str], known: Learners, locate: Locate
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


def _blamed(table: TomlTable, changes: Sequence[Override], known: Learners, key: KeyPath) -> str:
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
        splits=_read_splits(top.section("splits")),
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


def _read_splits(splits: Section) -> Splits:
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


_LIST = re.compile(r"\[\n((?: {4}.*,\n)+)\]$", re.MULTILINE)

_WIDTH = 100
"""No list of more characters stands in one line; our choice, the width of our code."""


def to_toml(experiment: Experiment) -> str:
    """Return a file that :func:`read_experiment` makes an equal experiment of.

    Defaults are written out, so that the file means the same whatever they will be.
    """
    table = {
        "question": experiment.question,
        "corpus": _single(experiment.corpora),
        **_unless_empty("renderer", experiment.renderers),
        "seed": experiment.seed,
        "measure": experiment.measure,
        **_unless_empty("learning_curve", experiment.learning_curve),
        "splits": _write_splits(experiment.splits),
        "features": {
            "families": list(experiment.families),
            **_unless_empty("include", experiment.include),
            **_unless_empty("exclude", experiment.exclude),
            "min_count": experiment.min_count,
            "min_pages": experiment.min_pages,
            **_unless_empty("ablation", experiment.ablation),
        },
        "learner": {arm.name: _arm(arm) for arm in experiment.arms},
    }
    return _LIST.sub(_in_one_line, tomli_w.dumps(table))


def _write_splits(splits: Splits) -> dict[str, object]:
    table: dict[str, object] = {}
    if splits.file:
        table["file"] = splits.file
    elif splits.folds is not None:
        table["folds"] = splits.folds
    else:
        table.update(zip(PARTS, splits.fractions, strict=True))
    return {**table, "by": _single(splits.by), "repeats": splits.repeats}


def _arm(arm: Candidate) -> dict[str, object]:
    named = {} if arm.name == arm.learner else {"learner": arm.learner}
    return {**named, **{written_name(name): _single(arm.values[name]) for name in arm.values}}


def _single(values: Iterable[object]) -> object:
    """Return the only value, or a list of them."""
    found = list(values)
    return found[0] if len(found) == 1 else found


def _unless_empty(name: str, values: Iterable[object]) -> dict[str, list[object]]:
    found = list(values)
    return {name: found} if found else {}


def _in_one_line(found: re.Match[str]) -> str:
    """Return a list without its line breaks, if it fits; strings hold none that are not escaped."""
    items = [line.strip().removesuffix(",") for line in found[1].splitlines()]
    line = f"[{', '.join(items)}]"
    return line if len(line) <= _WIDTH else found[0]


SVM_LAMBDAS: tuple[ParameterValue, ...] = (10.0, 3.0, 1.0)
"""Default grid of the SVMs; our choice: 3 was best on training sites of the Fundus pages, and less
takes long to close the gap. Spengler et al. (2010) chose 0.1, with cells of other sizes. On a tie
the first, which is the smoothest, wins."""

SVM_EPOCHS: tuple[ParameterValue, ...] = (60,)
"""At most so many passes of the SVMs' solver; on the Fundus pages the structured SVM reaches a gap
of 1 % in some 40 with lambda 1, more slowly with less. The report says what gap was left."""

CRF_LAMBDAS: tuple[ParameterValue, ...] = (1.0, 0.1, 0.01)
"""Default grid of the CRF; our choice, from the 1 of Spengler et al. (2010) down."""

CONTEXT: tuple[ParameterValue, ...] = (10,)
"""Previous labels that the greedy SVM sees; on News600 the best of the eight lengths that Spengler
et al. (2010) tried. ``greedy_context.toml`` searches all eight, with eight times as many fits."""

_SVM: Mapping[str, tuple[ParameterValue, ...]] = {"lambda_": SVM_LAMBDAS, "max_epochs": SVM_EPOCHS}

GRIDS: Mapping[str, Mapping[str, tuple[ParameterValue, ...]]] = {
    "multiclass-svm": _SVM,
    "greedy-svm": {**_SVM, "context": CONTEXT},
    "linear-chain-crf": {"lambda_": CRF_LAMBDAS},
    "structured-svm": _SVM,
}
"""Grids of :func:`quick`; a learner that is not here runs with its own defaults."""

_UNSEEN = {"site": "unseen sites", "family": "unseen sites", "page": "unseen pages",
           "time": "newer pages"}  # fmt: skip


def quick(
    corpus: str,
    learners: Sequence[str] = ("all",),
    *,
    by: Sequence[str] = ("site",),
    seed: int = 0,
    folds: int | None = None,
    repeats: int = 1,
    split_file: str = "",
    ablation: bool = False,
    learning_curve: Sequence[float] = (),
    measure: str = "macro_f1",
    families: Sequence[str] = FAMILIES,
    min_count: int = 3,
    min_pages: int = 2,
    overrides: Sequence[str] = (),
    known: Learners = LEARNERS,
) -> Experiment:
    """Return the default experiment; it is checked like one from a file.

    Parameters
    ----------
    learners
        Names; ``all`` stands for all of them, in the order of Spengler et al. (2010), Table 2.
    ablation
        Whether to ask what each family contributes, too.
    overrides
        Values that stand in the place of these, for keys as a file has them: ``seed=3``.
    known
        The learners there are.

    Raises
    ------
    ExperimentError
        If a learner is unknown or a value cannot work.
    """
    splits: dict[str, object] = {"by": list(by), "repeats": repeats, "file": split_file}
    if folds is not None:
        splits["folds"] = folds
    features = {
        "families": list(families),
        "min_count": min_count,
        "min_pages": min_pages,
        "ablation": ablation,
    }
    table = {
        "question": _question(by, ablation),
        "corpus": corpus,
        "splits": splits,
        "seed": seed,
        "measure": measure,
        "learning_curve": list(learning_curve),
        "features": features,
        "learner": {name: _grid(name) for name in _chosen(learners, known)},
    }
    return experiment_of(table, overrides, known, lambda key: "")


def _chosen(learners: Sequence[str], known: Learners) -> list[str]:
    """Return names of learners, each once."""
    for name in learners:
        if name not in known and name != "all":
            raise unknown_name(name, known, "learners")
    paper_first = sorted(known, key=lambda name: [*GRIDS, name].index(name))
    return paper_first if "all" in learners else list(dict.fromkeys(learners))


def _grid(learner: str) -> dict[str, object]:
    return {written_name(name): list(GRIDS[learner][name]) for name in GRIDS.get(learner, ())}


def _question(by: Sequence[str], ablation: bool) -> str:
    pages = " and ".join(dict.fromkeys(_UNSEEN.get(one, str(one)) for one in by))
    if ablation:
        return f"What does each family of features contribute on {pages}?"
    return f"Which learner labels the regions of {pages} best?"
