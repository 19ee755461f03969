"""What a file holds, and which key is at fault."""

import pickle
import re

import pytest

from structce.errors import ExperimentError
from structce.experiments.config import FRACTIONS, Splits
from structce.experiments.config_toml import read_candidate, read_experiment
from structce.features.registry import FAMILIES
from structce.learners.registry import LEARNERS


def test_a_file_says_everything(write, good, checked_learners):
    experiment = read_experiment(write(good), known=checked_learners)
    assert (experiment.question, experiment.corpora) == ("Why?", ("data/sample",))
    assert experiment.splits == Splits((0.6, 0.2, 0.2), ("page",))
    assert (experiment.seed, experiment.measure) == (7, "macro_f1")
    assert (experiment.families, experiment.min_count) == (("text", "dom"), 2)


def test_a_list_is_a_grid_and_a_single_value_is_fixed(write, good, checked_learners):
    centroids, background = read_experiment(write(good), known=checked_learners).candidates
    assert centroids.values == {"lambda_": (0.1, 1.0)}
    assert background.points == ({"random_state": 3},)


def test_what_a_file_leaves_out_has_defaults(write, checked_learners):
    text = 'question = "?"\ncorpus = "c"\n[learner.background]\n'
    experiment = read_experiment(write(text), known=checked_learners)
    assert experiment.splits == Splits(FRACTIONS, ("site",), None, 1, "")
    assert (experiment.seed, experiment.renderers, experiment.learning_curve) == (0, (), ())
    assert (experiment.families, experiment.min_count, experiment.min_pages) == (FAMILIES, 3, 1)
    assert experiment.candidates[0].points == ({},)


def test_several_corpora_renderers_and_ways_to_split_make_several_studies(
    write, good, checked_learners
):
    text = good.replace('"data/sample"', '["a", "b"]\nrenderer = ["static", "chromium"]')
    text = text.replace('by = "page"', 'by = ["site", "page"], repeats = 3')
    experiment = read_experiment(write(text), known=checked_learners)
    assert experiment.corpora == ("a", "b")
    assert experiment.renderers == ("static", "chromium")
    assert (experiment.splits.by, experiment.splits.repeats) == (("site", "page"), 3)


def test_a_measure_and_a_learning_curve_may_be_asked_for(write, good, checked_learners):
    text = good.replace("seed = 7", 'seed = 7\nmeasure = "accuracy"\nlearning_curve = [0.5, 1]')
    experiment = read_experiment(write(text), known=checked_learners)
    assert (experiment.measure, experiment.learning_curve) == ("accuracy", (0.5, 1.0))


@pytest.mark.parametrize(
    ("parts", "splits"),
    [
        ("folds = 5", Splits(by=("page",), folds=5)),
        ('file = "a.split.json"', Splits(by=("page",), file="a.split.json")),
    ],
)
def test_folds_or_a_file_stand_in_the_place_of_fractions(
    write, good, checked_learners, parts, splits
):
    text = good.replace("train = 0.6, validation = 0.2, test = 0.2", parts)
    assert read_experiment(write(text), known=checked_learners).splits == splits


def test_a_candidate_may_have_a_name_of_its_own(write, good, checked_learners):
    text = good + '\n["learner"."the.other one"]\nlearner = "centroids"\nlambda = 2\n'
    candidate = read_experiment(write(text), known=checked_learners).candidates[2]
    assert (candidate.name, candidate.learner, candidate.values) == (
        "the.other one",
        "centroids",
        {"lambda_": (2,)},
    )


def test_features_are_named_besides_families(write, good, checked_learners):
    more = 'min_count = 2\ninclude = ["style.top"]\nexclude = ["dom.tag", "text.length"]\n'
    experiment = read_experiment(
        write(good.replace("min_count = 2\n", more)), known=checked_learners
    )
    assert experiment.include == ("style.top",)
    assert experiment.exclude == ("dom.tag", "text.length")
    assert experiment.ablation == ()


@pytest.mark.parametrize(
    ("value", "families"),
    [
        ("true", ("text", "dom", "style")),
        ("false", ()),
        ('["style", "text"]', ("style", "text")),
        ('"style"', ("style",)),
    ],
)
def test_an_ablation_is_of_all_chosen_families_or_of_some(
    write, good, checked_learners, value, families
):
    more = f'min_count = 2\ninclude = ["style.top"]\nablation = {value}\n'
    experiment = read_experiment(
        write(good.replace("min_count = 2\n", more)), known=checked_learners
    )
    assert experiment.ablation == families


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed", "sede", "sede: unknown key; did you mean 'seed'?"),
        ("validation", "validate", "splits.validate: unknown key; did you mean 'validation'?"),
        ("min_count", "min_counts", "features.min_counts: unknown key; did you mean 'min_count'"),
        ("lambda", "lamda", "learner.centroids.lamda: unknown key; did you mean 'lambda'?"),
        ("r.centroids", "r.centroid", "learner.centroid: unknown 'centroid'; did you mean 'cen"),
        ("lambda", "learner='x'\nlambda", "learner.centroids.learner: unknown 'x'; did you"),
        ("lambda", "learner=3\nlambda", "learner.centroids.learner: unknown 3; "),
        ('question = "Why?"', "", "question: missing; it must be given"),
        ('"Why?"', "3", "question: expected `str`, got `int`"),
        ('"data/sample"', "[]", "corpus: expected a corpus, or several"),
        ('"data/sample"', "['a', 'a']", "corpus: 'a' occurs twice"),
        ('"data/sample"', "['a', 3]", "corpus: expected `str`, got `int`"),
        ("seed = 7", 'seed = "7"', "seed: expected `int`, got `str`"),
        ("seed = 7", "seed = 7.0", "seed: expected `int`, got `float`"),
        ("seed = 7", "seed = true", "seed: expected `int`, got `bool`"),
        ("seed = 7", "seed = 1979-05-27", "seed: expected `int`, got `date`"),
        ("seed = 7", "seed = -1", "seed: -1; expected 0 or more"),
        ("seed = 7", "measure = 'f1'", "measure: unknown 'f1'; did you mean"),
        ("seed = 7", "renderer = 'chrome'", "renderer: unknown 'chrome'; did you mean 'chromi"),
        ("seed = 7", "learning_curve = [0.5, 1.5]", "learning_curve: 1.5; expected shares in"),
        ("seed = 7", "learning_curve = [1, 1.0]", "learning_curve: 1.0 occurs twice"),
        ("seed = 7", "learning_curve = [nan]", "learning_curve: nan; expected shares in (0, 1]"),
        ("seed = 7", "learning_curve = [true]", "learning_curve: expected `float`, got `bool`"),
        ('by = "page"', 'by = "domain"', "splits.by: unknown 'domain'; did you mean"),
        ('by = "page"', "by = []", "splits.by: expected a way to split, or several"),
        ('by = "page"', 'by = ["page", "page"]', "splits.by: 'page' occurs twice"),
        ("validation = 0.2, ", "", "splits.validation: missing; it must be given"),
        ("test = 0.2", "test = 0.3", "splits: train, validation and test are (0.6, 0.2, 0.3); exp"),
        ("test = 0.2", "test = 204", "splits: train, validation and test are (0.6, 0.2, 204); exp"),
        ("test = 0.2", "test = 0.2, folds = 5", "splits.folds: excludes train, validation, test"),
        ("test = 0.2", "test = 0.2, file = 'x'", "splits.file: excludes train, validation, test"),
        ("test = 0.2", "test = 0.2, repeats = 0", "splits.repeats: 0 repeats; expected 1 or more"),
        ("test = 0.2", "test = '0.2'", "splits.test: expected `int | float | null`, got"),
        ("min_count = 2", "min_count = 0", "features.min_count: 0; expected 1 or more"),
        ("min_count = 2", "min_pages = 0", "features.min_pages: 0; expected 1 or more"),
        ("min_count = 2", "include = 'dom.tga'", "features.include: unknown 'dom.tga'; did you"),
        ("min_count = 2", "exclude = ['dom.tga']", "features.exclude: unknown 'dom.tga'; did you"),
        ("min_count = 2", "exclude = [3]", "features.exclude: expected `str`, got `int`"),
        ("min_count = 2", "ablation = []", "features.ablation: expected true, false or a list"),
        ("min_count = 2", "ablation = ['style']", "features.ablation: unknown 'style'; did you"),
        ('"dom"]', '"dim"]', "features.families: unknown 'dim'; did you mean 'dom'?"),
        ('["text", "dom"]', "[]", "features.families: no feature family; expected some of"),
        ("[0.1, 1.0]", "[]", "learner.centroids.lambda: expected a value, or a list of values"),
        ("[0.1, 1.0]", "{ a = 1 }", "learner.centroids.lambda: expected a number, a string"),
        ("[0.1, 1.0]", "[0.1, [1.0]]", "learner.centroids.lambda: expected a number, a string"),
        ("[0.1, 1.0]", "[1, 1.0]", "learner.centroids.lambda: 1.0 occurs twice"),
        ("[0.1, 1.0]", "[0.1, -1.0]", "learner.centroids.lambda: lambda_=-1.0; expected 0 or"),
        ("[0.1, 1.0]", "5\nrandom_state = 5", "learner.centroids: not five and five"),
    ],
)
def test_every_mistake_names_its_key(write, good, checked_learners, old, new, message):
    assert good.count(old) >= 1
    path = write(good.replace(old, new, 1))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=checked_learners)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 7", "seed = ", "Invalid value (at line 5, column 8)"),
        ("seed = 7", "seed = 7\nseed = 8", "Cannot overwrite a value (at line 6, column 9)"),
        ("random_state = 3\n", 'random_state = """\n', "Unterminated string (at end of document)"),
    ],
)
def test_what_is_no_toml_has_its_line(write, good, checked_learners, old, new, message):
    path = write(good.replace(old, new))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=checked_learners)
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learner = { background = 3 }", "learner.background: expected a table, got 3"),
        ("learner = 3", "learner: expected `object`, got `int`"),
        ("[learner]", "learner: missing; expected a table such as"),
        ("", "learner: missing; expected a table such as"),
        ("[[learner.background]]", "learner.background: expected a table, got [{}]"),
        ("splits = 3\n[learner.background]", "splits: expected `object`, got `int`"),
    ],
)
def test_a_table_must_be_one(write, checked_learners, text, message):
    path = write(f'question = "?"\ncorpus = "c"\n{text}')
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=checked_learners)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_missing_file_is_named(tmp_path, checked_learners):
    with pytest.raises(ExperimentError, match=r"none\.toml"):
        read_experiment(tmp_path / "none.toml", known=checked_learners)


def test_bytes_that_are_no_text_are_named(tmp_path, checked_learners):
    path = tmp_path / "odd.toml"
    path.write_bytes(b'question = "\xff"')
    with pytest.raises(ExperimentError, match=r"odd\.toml: .*utf-8"):
        read_experiment(path, known=checked_learners)


def test_a_file_from_windows_is_as_good(tmp_path, good, checked_learners):
    path = tmp_path / "crlf.toml"
    path.write_bytes(b"\xef\xbb\xbf" + good.replace("\n", "\r\n").encode())
    assert len(read_experiment(path, known=checked_learners).candidates) == 2
    path.write_bytes(good.replace("min_count = 2", "min_count = 0").replace("\n", "\r\n").encode())
    with pytest.raises(ExperimentError, match=r"crlf\.toml: features.min_count"):
        read_experiment(path, known=checked_learners)


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_real_learners_check_their_values_before_any_page(name):
    with pytest.raises(ExperimentError, match=re.escape("lambda_=0.0; expected a fini")) as caught:
        read_candidate(name, {"lambda": [1.0, 0.0]}, LEARNERS)
    assert caught.value.key == ("learner", name, "lambda", 1)


def test_values_that_do_not_go_together_are_an_error_of_the_candidate():
    values = {"engine": ["crfsuite"], "label_weights": "sqrt"}
    with pytest.raises(ExperimentError, match="has no label_weights") as caught:
        read_candidate("linear-chain-crf", values, LEARNERS)
    assert caught.value.key == ("learner", "linear-chain-crf")


def test_an_error_travels_between_processes_with_its_key():
    error = ExperimentError("3; expected 4", key=("splits", "by", 1))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.key) == ("splits.by: 3; expected 4", ("splits", "by", 1))
