"""Experiments read from files: values, defaults, grids, and which key is at fault."""

import re

import pytest
import tomli_w

from structce.errors import ExperimentError
from structce.experiments.config import (
    Splits,
    quick,
    read_experiment,
    shipped_experiments,
    to_table,
)
from structce.experiments.toml_tables import parse_override
from structce.learners import LEARNERS

GOOD = """\
question = "Why?"
corpus = "data/sample"
splits = { train = 0.6, validation = 0.2, test = 0.2, by = "page" }
seed = 7

[features]
families = ["text", "dom"]
min_count = 2

[learner.centroids]
lambda = [0.1, 1.0]

[learner.background]
random_state = 3
"""

EXTRACTION = """\
question = "Which?"
[package.cleaneval]
[package.big9]
path = "big9.zip"
by = "site"
[method.bte]
[method.narrow]
method = "dsc"
window = 25
"""


@pytest.fixture
def read(write, learners):
    def read_text(text, *overrides):
        return read_experiment(write(text), overrides=overrides, known=learners)

    return read_text


def test_a_file_is_read_with_its_grids(read):
    experiment = read(GOOD)
    assert (experiment.question, experiment.corpus) == ("Why?", ("data/sample",))
    assert experiment.splits == Splits(0.6, 0.2, 0.2, ("page",))
    assert experiment.features.families == ("text", "dom")
    centroids, background = experiment.candidates
    assert centroids.points == ({"lambda_": 0.1}, {"lambda_": 1.0})
    assert background.points == ({"random_state": 3},)


def test_one_learner_may_be_two_candidates(read):
    more = '\n["learner"."the.other one"]\nlearner = "centroids"\nneighbours = false\nlambda = 2\n'
    candidate = read(GOOD + more).candidates[2]
    assert (candidate.name, candidate.learner) == ("the.other one", "centroids")
    assert (candidate.values, candidate.neighbours) == ({"lambda_": (2,)}, False)


def test_an_ablation_is_of_all_families(read):
    more = 'min_count = 2\ninclude = ["style.top"]\nablation = true\n'
    families = ("text", "dom", "style")
    parts = [f"{kind} {family}" for kind in ("without", "only") for family in families]
    assert read(GOOD.replace("min_count = 2\n", more)).features.parts == tuple(parts)
    assert read(GOOD).features.parts == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed", "sede", "sede: unknown key; did you mean 'seed'?"),
        ("validation", "validate", "splits.validate: unknown key; did you mean 'validation'?"),
        ("lambda", "lamda", "learner.centroids.lamda: unknown key; did you mean 'lambda'?"),
        ("r.centroids", "r.centroid", "learner.centroid: unknown 'centroid'; did you mean 'cen"),
        ("lambda", "learner='x'\nlambda", "learner.centroids.learner: unknown 'x'; did you"),
        ('question = "Why?"', "", "question: missing; it must be given"),
        ('"data/sample"', "[]", "corpus: expected `array` of length >= 1"),
        ('"data/sample"', "['a', 'a']", "corpus: 'a' occurs twice"),
        ("seed = 7", "measure = 'f1'", "measure: unknown 'f1'; did you mean"),
        ("seed = 7", "learning_curve = [0.5, 1.5]", "learning_curve.1: expected `float` <= 1"),
        ('by = "page"', 'by = "domain"', "splits.by.0: unknown 'domain'; did you mean"),
        ('by = "page"', "by = 'time', repeats = 2", "splits: by 'time' is one split"),
        ("validation = 0.2, ", "", "splits: expected train, validation and test together"),
        ("test = 0.2", "test = 0.3", "splits: train, validation and test are (0.6, 0.2, 0.3); exp"),
        (
            "test = 0.2",
            "test = 0.2, folds = 5",
            "splits: expected train, validation and test together",
        ),
        ("min_count = 2", "include = 'dom.tga'", "features: unknown feature 'dom.tga'"),
        ("min_count = 2", "windows = {'text.tokn' = [1]}", "features: "),
        ('"dom"]', '"dim"]', "features: unknown family 'dim'; expected some of"),
        ('["text", "dom"]', "[]", "features: no feature is chosen"),
        ("[0.1, 1.0]", "[]", "learner.centroids.lambda: expected `array` of length >= 1"),
        ("[0.1, 1.0]", "[0.1, -1.0]", "learner.centroids: lambda_=-1.0; expected 0 or"),
        ("[0.1, 1.0]", "5\nrandom_state = 5", "learner.centroids: not five and five"),
        ("seed = 7", "seed = ", "Invalid value (at line 4, column 8)"),
    ],
)
def test_every_mistake_names_its_key(write, learners, old, new, message):
    path = write(GOOD.replace(old, new, 1))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=learners)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_an_experiment_needs_a_learner(write):
    path = write('question = "Why?"\ncorpus = "data/sample"\n')
    with pytest.raises(ExperimentError, match=r"at least one table \[learner\.NAME\]"):
        read_experiment(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[method.bte]", "[method.bet]", "method.bet: unknown 'bet'; did you mean 'bte'?"),
        ("window", "windw", "method.narrow.windw: unknown key; did you mean 'window'?"),
        ("window = 25", "window = 0", "method.narrow: "),
        ("[package.cleaneval]", "[package.cleanevil]", "package.cleanevil: unknown 'cleanevil'"),
        ('by = "site"', 'bye = "site"', "package.big9.bye: unknown key; did you mean 'by'?"),
        ('by = "site"', "only = 'x'", 'package.big9.only: expected a fact in "by"'),
        ('"Which?"', '"?"\nmeasures = "bags"', "measures: unknown 'bags'; did you mean 'bag'?"),
        ("[method.bte]", "[method.content-extractor]", "package.cleaneval.by: a method compares"),
    ],
)
def test_every_mistake_of_an_extraction_file_names_its_key(write, old, new, message):
    path = write(EXTRACTION.replace(old, new, 1))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_an_extraction_file_is_read_with_its_methods(read):
    experiment = read(EXTRACTION, "reference=narrow", "folds.by=random")
    assert experiment.method["narrow"].parameters == {"window": 25}
    assert experiment.package["big9"].path == "big9.zip"
    assert experiment.package["big9"].by == ("site",)
    assert (experiment.reference, experiment.folds.by) == ("narrow", "random")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed=x", "seed: expected `int`, got `str`"),
        ("learner.centroids.lambda=-1", "learner.centroids: lambda_=-1; expected 0 or more"),
        ("learner.centroid.lambda=1", "learner.centroid: unknown 'centroid'; did you mean"),
        ("seed.x=3", "'seed' is 7, not a table"),
    ],
)
def test_a_mistake_in_an_override_names_the_override(read, text, message):
    with pytest.raises(ExperimentError) as caught:
        read(GOOD, "question=Why not?", text)
    assert str(caught.value).startswith(f"--set {text}: {message}")


def test_overrides_replace_and_add_values(read):
    overrides = ["seed=3", "learner.centroids.lambda=5", "corpus=news", "seed=4"]
    experiment = read(GOOD, *overrides, "learner.mine={learner='background'}")
    assert (experiment.seed, experiment.corpus) == (4, ("news",))
    assert list(experiment.learner) == ["centroids", "background", "mine"]
    assert read(GOOD.replace("seed = 7", "seed = -7"), "seed=7").seed == 7


@pytest.mark.parametrize("path", shipped_experiments(), ids=lambda path: path.stem)
def test_shipped_experiments_are_read_and_written(path, tmp_path):
    experiment = read_experiment(path)
    copy = tmp_path / "copy.toml"
    copy.write_text(tomli_w.dumps(to_table(experiment)), encoding="utf-8")
    assert read_experiment(copy) == experiment


def test_a_written_file_reads_as_an_equal_experiment(read):
    text = GOOD.replace("min_count = 2", 'windows = "none"\nstrengths = { dom = 2.0 }')
    experiment = read(text.replace("seed = 7", "learning_curve = [0.5, 1]\nrefit = false"))
    assert read(tomli_w.dumps(to_table(experiment))) == experiment


def test_quick_asks_for_all_learners_with_their_grids():
    experiment = quick("data/sample")
    assert list(experiment.learner)[:2] == ["multiclass-svm", "greedy-svm"]
    assert experiment.learner["greedy-svm"].values["context"] == (10,)
    assert sorted(experiment.learner) == sorted(LEARNERS)
    assert (experiment.splits, experiment.features.min_pages) == (Splits(), 2)


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_learners_check_their_values_before_any_page(name):
    overrides = [f"learner.{name}.lambda=[1.0, 0.0]"]
    with pytest.raises(ExperimentError, match=re.escape("lambda_=0.0; expected a fini")):
        quick("c", [name], overrides=overrides)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("seed=3", ("seed",), 3),
        ('splits.by=["site","page"]', ("splits", "by"), ["site", "page"]),
        ("splits={folds=5}", ("splits",), {"folds": 5}),
        ("corpus=data/sample", ("corpus",), "data/sample"),
        ("question=1\nseed = 2", ("question",), "1\nseed = 2"),
        ("splits={folds=5", ("splits",), "{folds=5"),
        ("learner . greedy-svm.'a.b'.\"\\u0041\"=1", ("learner", "greedy-svm", "a.b", "A"), 1),
    ],
)
def test_a_value_is_toml_or_else_a_string(text, key, value):
    assert parse_override(text) == (key, value, f"--set {text}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed", "--set seed: expected PATH=VALUE"),
        ("splits..by=3", "'splits..by' is not a key"),
        ("a\nb=3", "is not a key"),
        ("a b=3", "'a b' is not a key"),
    ],
)
def test_a_text_that_is_no_override_is_an_error(text, message):
    with pytest.raises(ExperimentError) as caught:
        parse_override(text)
    assert message in str(caught.value)
