"""What an experiment asks: learners and their grids, features, splits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import process

from structce.errors import ExperimentError
from structce.features import FAMILIES
from structce.learners import LEARNERS, Learner

Value = bool | int | float | str
Parameters = Mapping[str, Value]

SVM_LAMBDAS: tuple[Value, ...] = (10.0, 1.0, 0.1)
"""Default grid of the SVMs; our choice: 1 was best on validation sites of the Fundus pages, and
Spengler et al. (2010) chose 0.1. On a tie the first, which is the smoothest, wins."""

SVM_EPOCHS: tuple[Value, ...] = (60,)
"""At most so many passes of the SVMs' solver; on the Fundus pages the structured SVM reaches a gap
of 1 % in some 40 with lambda 1, more slowly with less. The report says what gap was left."""

CRF_LAMBDAS: tuple[Value, ...] = (1.0, 0.1, 0.01)
"""Default grid of the CRF; our choice, from the 1 of Spengler et al. (2010) down."""

CONTEXT: tuple[Value, ...] = (10,)
"""Previous labels that the greedy SVM sees; on News600 the best of the eight lengths that Spengler
et al. (2010) tried. ``greedy_context.toml`` searches all eight, with eight times as many fits."""

_SVM: Mapping[str, tuple[Value, ...]] = {"lambda_": SVM_LAMBDAS, "max_epochs": SVM_EPOCHS}

GRIDS: Mapping[str, Mapping[str, tuple[Value, ...]]] = {
    "multiclass-svm": _SVM,
    "greedy-svm": {**_SVM, "context": CONTEXT},
    "linear-chain-crf": {"lambda_": CRF_LAMBDAS},
    "structured-svm": _SVM,
}
"""Grids of :func:`quick`; a learner that is not here runs with its own defaults."""

FRACTIONS = (0.5, 0.17, 0.33)
"""Training, validation and test: the 300, 100 and 204 pages of Spengler et al. (2010)."""


Learners = Mapping[str, Callable[..., Learner]]
"""Learners by name, such as ``structce.learners.LEARNERS``."""


@dataclass(frozen=True)
class Grid:
    """A learner and the hyper-parameters to try.

    Parameters
    ----------
    values
        Under each hyper-parameter's Python name (``lambda_``) what to try, at least one value.
    """

    learner: str
    values: Mapping[str, tuple[Value, ...]]

    @property
    def points(self) -> tuple[Parameters, ...]:
        """Every combination of values, the last hyper-parameter running fastest."""
        rows = itertools.product(*self.values.values())
        return tuple(dict(zip(self.values, row, strict=True)) for row in rows)


@dataclass(frozen=True)
class Experiment:
    """One question to one corpus.

    Parameters
    ----------
    corpus
        Where the corpus stands, as the user wrote it; who runs the experiment loads it.
    fractions
        Shares of training, validation and test pages; not used with folds.
    by
        ``site`` keeps sites and template families whole; ``page`` draws pages alone, as
        Spengler et al. (2010) did, and flatters.
    folds
        None for one split; else the number of folds, each of which is the test part once.

    Raises
    ------
    ExperimentError
        If there is no learner, or a value cannot work.
    """

    question: str
    corpus: str
    learners: tuple[Grid, ...]
    fractions: tuple[float, float, float] = FRACTIONS
    by: str = "site"
    seed: int = 0
    families: tuple[str, ...] = FAMILIES
    min_count: int = 3
    folds: int | None = None

    def __post_init__(self) -> None:
        if not self.learners:
            raise ExperimentError("no learner; expected a table such as [learner.structured-svm]")
        names = [grid.learner for grid in self.learners]
        if len(set(names)) < len(names):
            raise ExperimentError(f"a learner is named twice: {', '.join(names)}")
        if self.by not in ("site", "page"):
            raise ExperimentError(f"split by {self.by!r}; expected 'site' or 'page'")
        if self.folds is not None and self.folds < 3:
            raise ExperimentError(f"folds = {self.folds}; expected 3 or more: one is the test "
                                  "part, one is for validation, the rest for training")  # fmt: skip
        if abs(sum(self.fractions) - 1) > 1e-6 or min(self.fractions) <= 0:
            raise ExperimentError(f"fractions {self.fractions}; expected positive ones of sum 1")
        if self.seed < 0:
            raise ExperimentError(f"seed = {self.seed}; expected 0 or more")
        if self.min_count < 1:
            raise ExperimentError(f"min_count = {self.min_count}; expected 1 or more")
        if not self.families:
            raise ExperimentError(f"no feature family; expected some of {FAMILIES}")
        if unknown := [name for name in self.families if name not in FAMILIES]:
            raise unknown_name(unknown[0], FAMILIES, "features.families")


def quick(
    corpus: str,
    learners: Sequence[str] = ("all",),
    *,
    by: str = "site",
    seed: int = 0,
    folds: int | None = None,
    families: Sequence[str] = FAMILIES,
    min_count: int = 3,
    known: Learners = LEARNERS,
) -> Experiment:
    """Return the default experiment: how well do these learners label a corpus.

    Parameters
    ----------
    learners
        Names; ``all`` stands for all of them, in the order of Spengler et al. (2010), Table 2.
    known
        The learners there are.

    Raises
    ------
    ExperimentError
        If a learner is unknown or a value cannot work.
    """
    paper_first = sorted(known, key=lambda name: [*GRIDS, name].index(name))
    names = dict.fromkeys(paper_first if "all" in learners else learners)
    for name in names:
        if name not in known:
            raise unknown_name(name, known, "learners")
    unit = {"site": "sites", "page": "pages"}.get(by, by)
    return Experiment(
        question=f"Which learner labels the regions of unseen {unit} best?",
        corpus=corpus,
        learners=tuple(Grid(name, GRIDS.get(name, {})) for name in names),
        by=by,
        seed=seed,
        folds=folds,
        families=tuple(families),
        min_count=min_count,
    )


def written_name(parameter: str) -> str:
    """Return a hyper-parameter's name as files and reports write it: ``lambda`` for ``lambda_``."""
    return parameter.removesuffix("_")


def unknown_name(key: str, known: Collection[str], where: str) -> ExperimentError:
    """Return the error for a name that is not known; it names the nearest known one."""
    near = process.extractOne(str(key), list(known))
    hint = f"did you mean {near[0]!r}?" if near else "nothing is known here"
    return ExperimentError(f"unknown {key!r} in {where}; {hint}")
