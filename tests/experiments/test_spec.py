import pytest

from structce.errors import ExperimentError
from structce.experiments import Experiment, Grid, quick
from structce.features import FAMILIES


def test_a_grid_is_every_combination_of_values():
    grid = Grid("greedy-svm", {"lambda_": (0.1, 1.0), "context": (5, 10)})
    assert grid.points == (
        {"lambda_": 0.1, "context": 5},
        {"lambda_": 0.1, "context": 10},
        {"lambda_": 1.0, "context": 5},
        {"lambda_": 1.0, "context": 10},
    )


def test_a_grid_without_values_is_one_point_of_defaults():
    assert Grid("greedy-svm", {}).points == ({},)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"by": "domain"}, "'domain'; expected 'site' or 'page'"),
        ({"folds": 2}, "folds = 2; expected 3 or more"),
        ({"fractions": (0.5, 0.5, 0.5)}, "of sum 1"),
        ({"fractions": (0.5, 0.5, 0.0)}, "positive"),
        ({"families": ("text", "styel")}, "unknown 'styel'.*did you mean 'style'"),
        ({"families": ()}, "no feature family"),
        ({"families": (3,)}, "unknown 3 in features.families"),
        ({"include": ("dom.tga",)}, "unknown 'dom.tga' in features.include.*'dom.tag'"),
        ({"exclude": ("dom.tga",)}, "unknown 'dom.tga' in features.exclude.*'dom.tag'"),
        ({"ablation": ("txet",)}, "unknown 'txet' in features.ablation.*'text'"),
        ({"ablation": ("site",)}, "unknown 'site' in features.ablation"),
        ({"ablation": ("text", "text")}, "twice in features.ablation: text, text"),
        ({"families": ("dom",), "ablation": ("dom",)}, "all of the family 'dom'"),
        ({"seed": -1}, "seed = -1"),
        ({"min_count": 0}, "min_count = 0"),
        ({"learners": ()}, "no learner"),
        ({"learners": (Grid("a", {}), Grid("a", {}))}, "named twice: a, a"),
    ],
)
def test_an_experiment_that_cannot_work_is_refused(changes, message):
    values = {"question": "?", "corpus": "c", "learners": (Grid("a", {}),), **changes}
    with pytest.raises(ExperimentError, match=message):
        Experiment(**values)


def test_quick_takes_all_learners_and_their_default_grids():
    names = ["multiclass-svm", "greedy-svm", "linear-chain-crf", "structured-svm", "other"]
    experiment = quick(
        "data/sample", by="page", seed=3, folds=5, known=dict.fromkeys(reversed(names))
    )
    assert [grid.learner for grid in experiment.learners] == names
    assert all(grid.values["lambda_"] for grid in experiment.learners[:4])
    assert experiment.learners[4].values == {}
    assert (experiment.by, experiment.seed, experiment.folds) == ("page", 3, 5)


def test_quick_asks_what_every_family_contributes(learners):
    experiment = quick("c", ["background"], ablation=True, known=learners)
    assert experiment.ablation == experiment.families == FAMILIES
    assert experiment.question == "What does each family of features contribute on unseen sites?"
    assert quick("c", ["background"], known=learners).ablation == ()


def test_an_experiment_may_ask_for_optional_families():
    experiment = Experiment("?", "c", (Grid("a", {}),), families=(*FAMILIES, "site"))
    assert experiment.families[-1] == "site"


def test_quick_takes_a_learner_once(learners):
    experiment = quick("c", ["background", "background"], known=learners)
    assert [grid.learner for grid in experiment.learners] == ["background"]


def test_quick_suggests_the_nearest_learner(learners):
    with pytest.raises(ExperimentError, match=r"unknown 'centroid'.*'centroids'"):
        quick("c", ["centroid"], known=learners)
