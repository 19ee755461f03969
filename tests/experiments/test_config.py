import pytest

from structce.errors import ExperimentError
from structce.experiments.config import Candidate, Experiment, Splits
from structce.features.registry import FAMILIES


def test_a_grid_is_every_combination_of_values():
    candidate = Candidate("greedy-svm", {"lambda_": (0.1, 1.0), "context": (5, 10)})
    assert candidate.points == (
        {"lambda_": 0.1, "context": 5},
        {"lambda_": 0.1, "context": 10},
        {"lambda_": 1.0, "context": 5},
        {"lambda_": 1.0, "context": 10},
    )


def test_a_grid_without_values_is_one_point_of_defaults():
    assert Candidate("greedy-svm").points == ({},)


def test_a_candidate_is_named_like_its_learner_unless_it_has_a_name():
    assert Candidate("greedy-svm").name == "greedy-svm"
    assert Candidate("greedy-svm", name="mine").name == "mine"


@pytest.mark.parametrize(
    ("changes", "key", "message"),
    [
        ({"by": ("domain",)}, ("splits", "by", 0), "unknown 'domain'"),
        ({"by": ()}, ("splits", "by"), "expected a way to split"),
        ({"by": ("site", "site")}, ("splits", "by", 1), "'site' occurs twice"),
        ({"folds": 2}, ("splits", "folds"), "2 folds; expected 3 or more"),
        ({"fractions": (0.5, 0.5, 0.5)}, ("splits",), "of sum 1"),
        ({"fractions": (0.5, 0.5, 0.0)}, ("splits",), "above 0"),
        ({"fractions": (0.5, float("nan"), 0.5)}, ("splits",), "above 0"),
        (
            {"fractions": (300, 100, 0.33)},
            ("splits",),
            "either shares .* or whole numbers of pages",
        ),
        ({"fractions": (300, 100, 0)}, ("splits",), "whole numbers of pages"),
        ({"fractions": (6, 2, 2), "folds": 3}, ("splits",), "exclude folds and file"),
        ({"fractions": (0.6, 0.2, 0.2), "folds": 3}, ("splits",), "exclude folds and file"),
        ({"fractions": (0.6, 0.2, 0.2), "file": "x"}, ("splits",), "exclude folds and file"),
        ({"repeats": 0}, ("splits", "repeats"), "0 repeats; expected 1 or more"),
        ({"file": "x", "folds": 3}, ("splits", "file"), "it is one split"),
        ({"file": "x", "repeats": 2}, ("splits", "file"), "it is one split"),
        ({"file": "x", "by": ("site", "page")}, ("splits", "file"), "it is one split"),
        ({"by": ("page", "time"), "folds": 3}, ("splits", "by"), "time runs once"),
        ({"by": ("time",), "repeats": 2}, ("splits", "by"), "time runs once"),
    ],
)
def test_splits_that_cannot_work_are_refused(changes, key, message):
    with pytest.raises(ExperimentError, match=message) as caught:
        Splits(**changes)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("changes", "key", "message"),
    [
        ({"families": ("text", "styel")}, ("features", "families", 1), "did you mean 'style'"),
        ({"families": ()}, ("features", "families"), "no feature family"),
        ({"families": (3,)}, ("features", "families", 0), "unknown 3"),
        ({"include": ("dom.tga",)}, ("features", "include", 0), "'dom.tga'.*'dom.tag'"),
        ({"exclude": ("dom.tga",)}, ("features", "exclude", 0), "'dom.tga'.*'dom.tag'"),
        ({"ablation": ("txet",)}, ("features", "ablation", 0), "'txet'.*'text'"),
        ({"ablation": ("site",)}, ("features", "ablation", 0), "unknown 'site'"),
        ({"ablation": ("text", "text")}, ("features", "ablation", 1), "'text' occurs twice"),
        ({"families": ("dom",), "ablation": ("dom",)}, ("features", "ablation"), "family 'dom'"),
        ({"seed": -1}, ("seed",), "-1; expected 0 or more"),
        ({"min_count": 0}, ("features", "min_count"), "0; expected 1 or more"),
        ({"min_pages": 0}, ("features", "min_pages"), "0; expected 1 or more"),
        ({"measure": "f1"}, ("measure",), "unknown 'f1'"),
        ({"renderers": ("opera",)}, ("renderer", 0), "unknown 'opera'"),
        ({"renderers": ("static", "static")}, ("renderer", 1), "'static' occurs twice"),
        (
            {"learning_curve": (0.5, 0.0)},
            ("learning_curve", 1),
            r"0.0; expected shares in \(0, 1\]",
        ),
        ({"learning_curve": (1.0, 1.0)}, ("learning_curve", 1), "1.0 occurs twice"),
        ({"corpora": ()}, ("corpus",), "expected a corpus"),
        ({"corpora": ("a", "a")}, ("corpus", 1), "'a' occurs twice"),
        (
            {"corpora": ("a", "b"), "splits": Splits(file="x")},
            ("splits", "file"),
            "is of one corpus; 2 are given",
        ),
        ({"candidates": ()}, ("learner",), "missing"),
        (
            {"candidates": (Candidate("a"), Candidate("b", name="a"))},
            ("learner", "a"),
            "two of this name",
        ),
    ],
)
def test_an_experiment_that_cannot_work_is_refused(changes, key, message):
    values = {"question": "?", "corpora": ("c",), "candidates": (Candidate("a"),), **changes}
    with pytest.raises(ExperimentError, match=message) as caught:
        Experiment(**values)
    assert caught.value.key == key


def test_an_experiment_may_ask_for_optional_families():
    experiment = Experiment("?", ("c",), (Candidate("a"),), families=(*FAMILIES, "site"))
    assert experiment.families[-1] == "site"


def test_the_features_of_an_experiment_are_pruned_as_it_says():
    experiment = Experiment(
        "?", ("c",), (Candidate("a"),), families=("dom",), min_count=4, min_pages=2
    )
    features = experiment.feature_set()
    assert (features.min_count, features.min_pages) == (4, 2)
    assert {name.split(".")[0] for name in features.names} == {"dom"}
