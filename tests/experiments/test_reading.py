from importlib import resources

import pytest

from structce.errors import ExperimentError
from structce.experiments import read_experiment
from structce.experiments.spec import FRACTIONS
from structce.features import FAMILIES

GOOD = """
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


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "question.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_file_says_everything(write, learners):
    experiment = read_experiment(write(GOOD), known=learners)
    assert (experiment.question, experiment.corpus) == ("Why?", "data/sample")
    assert experiment.fractions == (0.6, 0.2, 0.2)
    assert (experiment.by, experiment.seed, experiment.folds) == ("page", 7, None)
    assert (experiment.families, experiment.min_count) == (("text", "dom"), 2)


def test_a_list_is_a_grid_and_a_single_value_is_fixed(write, learners):
    centroids, background = read_experiment(write(GOOD), known=learners).learners
    assert centroids.values == {"lambda_": (0.1, 1.0)}
    assert background.points == ({"random_state": 3},)


def test_what_a_file_leaves_out_has_defaults(write, learners):
    text = 'question = "?"\ncorpus = "c"\n[learner.background]\n'
    experiment = read_experiment(write(text), known=learners)
    assert (experiment.fractions, experiment.by, experiment.seed) == (FRACTIONS, "site", 0)
    assert (experiment.families, experiment.min_count) == (FAMILIES, 3)
    assert experiment.learners[0].points == ({},)


def test_folds_stand_in_the_place_of_fractions(write, learners):
    text = GOOD.replace("train = 0.6, validation = 0.2, test = 0.2", "folds = 5")
    assert read_experiment(write(text), known=learners).folds == 5


def test_features_are_named_besides_families(write, learners):
    more = 'min_count = 2\ninclude = ["style.top"]\nexclude = ["dom.tag", "text.length"]\n'
    experiment = read_experiment(write(GOOD.replace("min_count = 2\n", more)), known=learners)
    assert experiment.include == ("style.top",)
    assert experiment.exclude == ("dom.tag", "text.length")
    assert experiment.ablation == ()


@pytest.mark.parametrize(
    ("value", "families"),
    [
        ("true", ("text", "dom", "style")),
        ("false", ()),
        ('["style", "text"]', ("style", "text")),
    ],
)
def test_an_ablation_is_of_all_chosen_families_or_of_some(write, learners, value, families):
    more = f'min_count = 2\ninclude = ["style.top"]\nablation = {value}\n'
    experiment = read_experiment(write(GOOD.replace("min_count = 2\n", more)), known=learners)
    assert experiment.ablation == families


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed", "sede", "unknown 'sede' in the file; did you mean 'seed'"),
        ("validation", "validate", "unknown 'validate' in splits; did you mean 'validation'"),
        ("min_count", "min_counts", "unknown 'min_counts' in features; did you mean 'min_count'"),
        ("min_count", "includes", "unknown 'includes' in features; did you mean 'include'"),
        ("min_count = 2", "include = 'dom.tag'", "include = 'dom.tag'; expected list"),
        ("min_count = 2", "include = ['dom.tga']", "'dom.tga' in features.include.*'dom.tag'"),
        ("min_count = 2", "exclude = ['dom.tga']", "'dom.tga' in features.exclude.*'dom.tag'"),
        ("min_count = 2", "exclude = [3]", "unknown 3 in features.exclude"),
        ("min_count = 2", "ablation = 'text'", "ablation = 'text'; expected true, false or a"),
        ("min_count = 2", "ablation = []", r"ablation = \[\]; expected true, false or a list"),
        ("min_count = 2", "ablation = ['style']", "unknown 'style' in features.ablation"),
        ("min_count = 2", "ablation = ['txet']", "'txet' in features.ablation.*'text'"),
        ('"dom"]', '"dim"]', "unknown 'dim' in features.families; did you mean 'dom'"),
        ("lambda", "lamda", "unknown 'lamda' in learner.centroids; did you mean 'lambda'"),
        ("learner.centroids", "learner.centroid", "unknown 'centroid'.*'centroids'"),
        ('question = "Why?"', "", "no 'question'"),
        ('"Why?"', "3", "question = 3; expected str"),
        ("seed = 7", 'seed = "7"', "seed = '7'; expected int"),
        ("seed = 7", "seed = true", "seed = True; expected int"),
        ("seed = 7", "seed = ", "Invalid value"),
        ("[0.1, 1.0]", "[]", r"lambda = \[\]; expected a number"),
        ("[0.1, 1.0]", "{ a = 1 }", "lambda = .*; expected a number"),
        ("validation = 0.2, ", "", "no 'validation'"),
        ("test = 0.2", "test = 0.2, folds = 5", "'train' and 'folds' exclude each other"),
    ],
)
def test_what_is_not_understood_is_an_error_with_file_and_key(write, learners, old, new, message):
    path = write(GOOD.replace(old, new))
    with pytest.raises(ExperimentError, match=message) as caught:
        read_experiment(path, known=learners)
    assert str(caught.value).startswith(str(path))


def test_a_learner_must_be_a_table(write, learners):
    text = 'question = "?"\ncorpus = "c"\nlearner = { background = 3 }\n'
    with pytest.raises(ExperimentError, match=r"learner\.background is 3; expected a table"):
        read_experiment(write(text), known=learners)


def test_a_file_without_learners_asks_for_one(write, learners):
    with pytest.raises(ExperimentError, match="no learner"):
        read_experiment(write('question = "?"\ncorpus = "c"\n'), known=learners)


def test_a_missing_file_is_named(tmp_path, learners):
    with pytest.raises(ExperimentError, match=r"none\.toml"):
        read_experiment(tmp_path / "none.toml", known=learners)


def test_every_ready_experiment_can_be_read():
    folder = resources.files("structce.experiments")
    ready = [path for path in folder.iterdir() if path.name.endswith(".toml")]
    assert ready
    for path in ready:
        with resources.as_file(path) as file:
            assert read_experiment(file).learners
