"""What an experiment asks: learners and their grids, features, splits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from structce.errors import ExperimentError
from structce.experiments.families import (
    Variant,
    check_ablation,
    check_choice,
    chosen_families,
    feature_set,
    variants,
)
from structce.experiments.names import unknown_name
from structce.features import FAMILIES, FeatureSet
from structce.learners import LEARNERS, Learner

Value = bool | int | float | str
Parameters = Mapping[str, Value]

SVM_LAMBDAS: tuple[Value, ...] = (10.0, 3.0, 1.0)
"""Default grid of the SVMs; our choice: 3 was best on training sites of the Fundus pages, and less
takes long to close the gap. Spengler et al. (2010) chose 0.1, with cells of other sizes. On a tie
the first, which is the smoothest, wins."""

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
    min_count, min_pages
        Least number of regions, and of pages, of the training part that a column is set in.
    include, exclude
        Names of features to take besides the families, and to leave out.
    ablation
        Families without which, and with which alone, each learner is tested as well.

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
    min_pages: int = 1
    folds: int | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ablation: tuple[str, ...] = ()

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
        for name, least in (("min_count", self.min_count), ("min_pages", self.min_pages)):
            if least < 1:
                raise ExperimentError(f"{name} = {least}; expected 1 or more")
        check_choice(self.families, self.include, self.exclude)
        if self.ablation:
            chosen = chosen_families(self.families, self.include, self.exclude)
            check_ablation(self.ablation, chosen)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The parts of the full set of features that the ablation tries; none without one."""
        return variants(self.ablation)

    def feature_set(self) -> FeatureSet:
        """Return all features of the experiment, not fitted."""
        choice = self.families, self.include, self.exclude
        return feature_set(*choice, self.min_count, self.min_pages)


def quick(
    corpus: str,
    learners: Sequence[str] = ("all",),
    *,
    by: str = "site",
    seed: int = 0,
    folds: int | None = None,
    families: Sequence[str] = FAMILIES,
    min_count: int = 3,
    min_pages: int = 2,
    ablation: bool = False,
    known: Learners = LEARNERS,
) -> Experiment:
    """Return the default experiment: how well do these learners label a corpus.

    Parameters
    ----------
    learners
        Names; ``all`` stands for all of them, in the order of Spengler et al. (2010), Table 2.
    ablation
        Whether to ask what each family contributes, too.
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
        question=(
            f"What does each family of features contribute on unseen {unit}?"
            if ablation
            else f"Which learner labels the regions of unseen {unit} best?"
        ),
        corpus=corpus,
        learners=tuple(Grid(name, GRIDS.get(name, {})) for name in names),
        by=by,
        seed=seed,
        folds=folds,
        families=tuple(families),
        min_count=min_count,
        min_pages=min_pages,
        ablation=chosen_families(families, (), ()) if ablation else (),
    )
