"""The default experiment: how well do these learners label this corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from structce.experiments.asking.names import unknown_name, written_name
from structce.experiments.asking.reading import experiment_of
from structce.experiments.asking.spec import Experiment, Learners, Value
from structce.features import FAMILIES
from structce.learners import LEARNERS

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
