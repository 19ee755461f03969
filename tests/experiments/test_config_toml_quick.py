import pytest

from structce.errors import ExperimentError
from structce.experiments.config import FRACTIONS, Splits
from structce.experiments.config_toml import GRIDS, quick
from structce.features.registry import FAMILIES
from structce.learners.registry import LEARNERS


def test_quick_takes_all_learners_in_the_order_of_the_paper_with_their_grids(checked_learners):
    known = {**checked_learners, **dict(reversed(LEARNERS.items()))}
    experiment = quick("data/sample", known=known)
    names = [candidate.name for candidate in experiment.candidates]
    assert names[:4] == ["multiclass-svm", "greedy-svm", "linear-chain-crf", "structured-svm"]
    assert sorted(names) == sorted(known)
    assert [candidate.values for candidate in experiment.candidates[: len(GRIDS)]] == list(
        GRIDS.values()
    )
    assert experiment.candidates[-1].values == {}
    assert (experiment.splits, experiment.measure) == (Splits(), "macro_f1")
    assert experiment.splits.fractions == FRACTIONS
    assert (experiment.families, experiment.min_count, experiment.min_pages) == (FAMILIES, 3, 2)


def test_quick_takes_what_it_is_given(checked_learners):
    experiment = quick(
        "c",
        ["background"],
        by=("site", "page"),
        seed=3,
        folds=5,
        repeats=2,
        learning_curve=(0.5, 1),
        measure="accuracy",
        families=("text",),
        min_count=2,
        min_pages=4,
        known=checked_learners,
    )
    assert experiment.splits == Splits(by=("site", "page"), folds=5, repeats=2)
    assert (experiment.seed, experiment.measure) == (3, "accuracy")
    assert experiment.learning_curve == (0.5, 1.0)
    assert (experiment.families, experiment.min_count, experiment.min_pages) == (("text",), 2, 4)
    question = "Which learner labels the regions of unseen sites and unseen pages best?"
    assert experiment.question == question


def test_quick_takes_a_stored_split(checked_learners):
    experiment = quick("c", ["background"], split_file="a.split.json", known=checked_learners)
    assert experiment.splits == Splits(file="a.split.json")


def test_quick_asks_what_every_family_contributes(checked_learners):
    experiment = quick("c", ["background"], ablation=True, known=checked_learners)
    assert experiment.ablation == experiment.families == FAMILIES
    assert experiment.question == "What does each family of features contribute on unseen sites?"
    assert quick("c", ["background"], known=checked_learners).ablation == ()


def test_quick_is_overridden_like_a_file(checked_learners):
    overrides = ["learner.centroids.lambda=[1, 2]", 'corpus=["a", "b"]', "features.exclude=dom.tag"]
    experiment = quick("c", ["centroids"], overrides=overrides, known=checked_learners)
    assert experiment.candidates[0].values == {"lambda_": (1, 2)}
    assert (experiment.corpora, experiment.exclude) == (("a", "b"), ("dom.tag",))
    with pytest.raises(ExperimentError, match=r"^--set seed=x: seed: expected `int`"):
        quick("c", ["centroids"], overrides=["seed=x"], known=checked_learners)


def test_quick_takes_a_learner_once(checked_learners):
    experiment = quick("c", ["background", "background"], known=checked_learners)
    assert [candidate.learner for candidate in experiment.candidates] == ["background"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"learners": ["centroid"]}, "^learners: unknown 'centroid'.*'centroids'"),
        ({"learners": ["all", "centroid"]}, "^learners: unknown 'centroid'.*'centroids'"),
        ({"learners": []}, "^learner: missing"),
        ({"by": ("domain",)}, "^splits.by: unknown 'domain'"),
        ({"folds": 2}, "^splits.folds: 2 folds; expected 3 or more"),
        ({"split_file": "x", "folds": 3}, "^splits.file: excludes folds"),
        ({"min_count": 0}, "^features.min_count: 0"),
    ],
)
def test_quick_refuses_what_a_file_may_not_ask(checked_learners, changes, message):
    with pytest.raises(ExperimentError, match=message):
        quick("c", **{"learners": ["background"], "known": checked_learners, **changes})


def test_what_the_sample_corpus_chooses_stands_inside_the_default_grids():
    # By site, seed 7, as the demo asks; a value at an end would say that the grid is too short.
    chosen = {"multiclass-svm": 0.3, "greedy-svm": 0.1, "linear-chain-crf": 0.01,
              "structured-svm": 0.1, "boosted-trees": 0.001}  # fmt: skip
    assert chosen.keys() == GRIDS.keys()
    for name, value in chosen.items():
        grid = GRIDS[name]["lambda_"]
        assert value in grid
        assert min(grid) < value < max(grid)
