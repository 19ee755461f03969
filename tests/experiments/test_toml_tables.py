import pytest

from structce.errors import ExperimentError
from structce.experiments.config_toml import read_experiment
from structce.experiments.toml_tables import apply_overrides, parse_override


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("seed=3", ("seed",), 3),
        ("seed = 3 # three", ("seed",), 3),
        ("learner.greedy-svm.lambda=0.5", ("learner", "greedy-svm", "lambda"), 0.5),
        ('splits.by=["site","page"]', ("splits", "by"), ["site", "page"]),
        ("features.ablation=true", ("features", "ablation"), True),
        ("splits={folds=5}", ("splits",), {"folds": 5}),
        ("corpus=news", ("corpus",), "news"),
        ("corpus=data/sample", ("corpus",), "data/sample"),
        ("corpus='3'", ("corpus",), "3"),
        ("question=Is a = b?", ("question",), "Is a = b?"),
        ("question=", ("question",), ""),
        ("question=1\nseed = 2", ("question",), "1\nseed = 2"),
        ('learner."a=b".x=1', ("learner", "a=b", "x"), 1),
        ("learner . greedy-svm.'a.b'.\"\\u0041\"=1", ("learner", "greedy-svm", "a.b", "A"), 1),
    ],
)
def test_a_value_is_toml_and_else_a_string(text, key, value):
    override = parse_override(text)
    assert (override.key, override.value) == (key, value)
    assert str(override) == f"--set {text}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed", "--set seed: expected PATH=VALUE"),
        ("=3", "'' is not a key"),
        ("splits..by=3", "'splits..by' is not a key"),
        ("a\nb=3", "is not a key"),
        ("[t]\n[u]\na=3", "is not a key"),
        ("#=3", "'#' is not a key"),
        ("a b=3", "'a b' is not a key"),
        ("splits.by=[1, 2", "the value is not complete"),
        ('question="why', "the value is not complete"),
        ("splits={folds=5", "the value is not complete"),
    ],
)
def test_what_is_no_override_is_named(text, message):
    with pytest.raises(ExperimentError) as caught:
        parse_override(text)
    assert message in str(caught.value)


def test_values_are_replaced_and_added_and_the_table_given_stays():
    table = {"seed": 1, "learner": {"a": {"x": 1}}}
    texts = ["seed=2", "learner.a.y=2", "learner.b={z=3}", "learner.b.z=4", "splits.folds=5"]
    changed = apply_overrides(table, [parse_override(text) for text in texts])
    assert changed == {
        "seed": 2,
        "learner": {"a": {"x": 1, "y": 2}, "b": {"z": 4}},
        "splits": {"folds": 5},
    }
    assert table == {"seed": 1, "learner": {"a": {"x": 1}}}


def test_overrides_stand_in_the_place_of_a_files_values(write, good, checked_learners):
    texts = ["seed=3", "learner.centroids.lambda=5", "learner.centroids.random_state=[1, 2]",
             "corpus=news", "learner.mine={learner='background'}"]  # fmt: skip
    experiment = read_experiment(write(good), overrides=texts, known=checked_learners)
    assert (experiment.seed, experiment.corpora) == (3, ("news",))
    assert experiment.candidates[0].values == {"lambda_": (5,), "random_state": (1, 2)}
    assert [candidate.name for candidate in experiment.candidates] == [
        "centroids",
        "background",
        "mine",
    ]


def test_an_override_may_mend_a_file(write, good, checked_learners):
    path = write(good.replace("seed = 7", "seed = -7"))
    assert read_experiment(path, overrides=["seed=7"], known=checked_learners).seed == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed=x", "seed: expected `int`, got `str`"),
        ("sede=3", "sede: unknown key; did you mean 'seed'?"),
        ("splits.by=domain", "splits.by: unknown 'domain'; did you mean"),
        ('splits.by=["site","site"]', "splits.by: 'site' occurs twice"),
        ("splits={folds=2}", "splits.folds: 2 folds; expected 3 or more"),
        ("splits.folds=5", "splits.folds: excludes train, validation, test"),
        ("features.min_count=0", "features.min_count: 0; expected 1 or more"),
        ("learner.centroids.lamda=1", "learner.centroids.lamda: unknown key; did you mean"),
        ("learner.centroids.lambda=-1", "learner.centroids.lambda: lambda_=-1; expected 0 or more"),
        (
            "learner.centroid.lambda=1",
            "learner.centroid.lambda: no such learner in the experiment; there are: centroids, ",
        ),
        ("seed.x=3", "seed.x: 'seed' is 7, which is not a table"),
        ("learner.centroids.lambda.x=3", "learner.centroids.lambda.x: 'lambda' is [0.1, 1.0], whi"),
    ],
)
def test_a_mistake_in_an_override_names_it_and_no_file(
    write, good, checked_learners, text, message
):
    path = write(good)
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, overrides=["question=Why not?", text], known=checked_learners)
    assert str(caught.value).startswith(f"--set {text}: {message}")


def test_where_no_override_set_the_key_but_the_file_is_good_all_are_named(
    write, good, checked_learners
):
    texts = ["question=Why not?", "splits.test=0.9"]
    with pytest.raises(ExperimentError) as caught:
        read_experiment(write(good), overrides=texts, known=checked_learners)
    start = "--set question=Why not? --set splits.test=0.9: splits: train, validation and test are"
    assert str(caught.value).startswith(start)


def test_a_mistake_of_the_file_names_the_file(write, good, checked_learners):
    path = write(good.replace("min_count = 2", "min_count = 0"))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(
            path, overrides=["seed=3", "learner.centroids.lambda=2"], known=checked_learners
        )
    assert str(caught.value) == f"{path}: features.min_count: 0; expected 1 or more"


def test_a_learner_is_only_added_whole(write):
    text = 'question = "?"\ncorpus = "c"\n'
    with pytest.raises(ExperimentError, match="no such learner in the experiment; there are: none"):
        read_experiment(write(text), overrides=["learner.greedy-svm.context=5"])
    experiment = read_experiment(write(text), overrides=["learner.greedy-svm={context=5}"])
    assert experiment.candidates[0].values == {"context": (5,)}


def test_of_two_overrides_of_one_key_the_last_counts(write, good, checked_learners):
    overrides = ["seed=-1", "seed=4"]
    assert read_experiment(write(good), overrides=overrides, known=checked_learners).seed == 4
    with pytest.raises(ExperimentError, match=r"^--set seed=-2: "):
        read_experiment(write(good), overrides=[*overrides, "seed=-2"], known=checked_learners)
