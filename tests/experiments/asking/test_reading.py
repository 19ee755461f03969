"""What is in a file, and in which line stands what should not be."""

import pickle
import re

import pytest

from structce.errors import ExperimentError
from structce.experiments.config import FRACTIONS, Splits
from structce.experiments.config_toml import read_arm, read_experiment
from structce.experiments.toml_tables import Section
from structce.features.registry import FAMILIES
from structce.learners.registry import LEARNERS


def test_a_file_says_everything(write, good, learners):
    experiment = read_experiment(write(good), known=learners)
    assert (experiment.question, experiment.corpora) == ("Why?", ("data/sample",))
    assert experiment.splits == Splits((0.6, 0.2, 0.2), ("page",))
    assert (experiment.seed, experiment.measure) == (7, "macro_f1")
    assert (experiment.families, experiment.min_count) == (("text", "dom"), 2)


def test_a_list_is_a_grid_and_a_single_value_is_fixed(write, good, learners):
    centroids, background = read_experiment(write(good), known=learners).arms
    assert centroids.values == {"lambda_": (0.1, 1.0)}
    assert background.points == ({"random_state": 3},)


def test_what_a_file_leaves_out_has_defaults(write, learners):
    text = 'question = "?"\ncorpus = "c"\n[learner.background]\n'
    experiment = read_experiment(write(text), known=learners)
    assert experiment.splits == Splits(FRACTIONS, ("site",), None, 1, "")
    assert (experiment.seed, experiment.renderers, experiment.learning_curve) == (0, (), ())
    assert (experiment.families, experiment.min_count, experiment.min_pages) == (FAMILIES, 3, 1)
    assert experiment.arms[0].points == ({},)


def test_several_corpora_renderers_and_ways_to_split_make_several_studies(write, good, learners):
    text = good.replace('"data/sample"', '["a", "b"]\nrenderer = ["static", "chromium"]')
    text = text.replace('by = "page"', 'by = ["site", "page"], repeats = 3')
    experiment = read_experiment(write(text), known=learners)
    assert experiment.corpora == ("a", "b")
    assert experiment.renderers == ("static", "chromium")
    assert (experiment.splits.by, experiment.splits.repeats) == (("site", "page"), 3)


def test_a_measure_and_a_learning_curve_may_be_asked_for(write, good, learners):
    text = good.replace("seed = 7", 'seed = 7\nmeasure = "accuracy"\nlearning_curve = [0.5, 1]')
    experiment = read_experiment(write(text), known=learners)
    assert (experiment.measure, experiment.learning_curve) == ("accuracy", (0.5, 1.0))


@pytest.mark.parametrize(
    ("parts", "splits"),
    [
        ("folds = 5", Splits(by=("page",), folds=5)),
        ('file = "a.split.json"', Splits(by=("page",), file="a.split.json")),
    ],
)
def test_folds_or_a_file_stand_in_the_place_of_fractions(write, good, learners, parts, splits):
    text = good.replace("train = 0.6, validation = 0.2, test = 0.2", parts)
    assert read_experiment(write(text), known=learners).splits == splits


def test_an_arm_may_have_a_name_of_its_own(write, good, learners):
    text = good + '\n["learner"."the.other one"]\nlearner = "centroids"\nlambda = 2\n'
    arm = read_experiment(write(text), known=learners).arms[2]
    assert (arm.name, arm.learner, arm.values) == ("the.other one", "centroids", {"lambda_": (2,)})


def test_features_are_named_besides_families(write, good, learners):
    more = 'min_count = 2\ninclude = ["style.top"]\nexclude = ["dom.tag", "text.length"]\n'
    experiment = read_experiment(write(good.replace("min_count = 2\n", more)), known=learners)
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
def test_an_ablation_is_of_all_chosen_families_or_of_some(write, good, learners, value, families):
    more = f'min_count = 2\ninclude = ["style.top"]\nablation = {value}\n'
    experiment = read_experiment(write(good.replace("min_count = 2\n", more)), known=learners)
    assert experiment.ablation == families


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("seed", "sede", 5, "sede: unknown key; did you mean 'seed'?"),
        ("validation", "validate", 4, "splits.validate: unknown key; did you mean 'validation'?"),
        (
            "min_count",
            "min_counts",
            9,
            "features.min_counts: unknown key; did you mean 'min_count'",
        ),
        ("lambda", "lamda", 12, "learner.centroids.lamda: unknown key; did you mean 'lambda'?"),
        (
            "r.centroids",
            "r.centroid",
            11,
            "learner.centroid: unknown 'centroid'; did you mean 'cen",
        ),
        ("lambda", "learner='x'\nlambda", 12, "learner.centroids.learner: unknown 'x'; did you"),
        ('question = "Why?"', "", 1, "question: missing; it must be given"),
        ('"Why?"', "3", 2, "question: expected a string, got 3"),
        ('"data/sample"', "[]", 3, "corpus: expected a corpus, or several"),
        ('"data/sample"', "['a',\n'a']", 4, "corpus: 'a' is there twice"),
        ('"data/sample"', "['a',\n3]", 4, "corpus: expected a string, got 3"),
        ("seed = 7", 'seed = "7"', 5, 'seed: expected a whole number, got "7"'),
        ("seed = 7", "seed = 7.0", 5, "seed: expected a whole number, got 7.0"),
        ("seed = 7", "seed = true", 5, "seed: expected a whole number, got true"),
        ("seed = 7", "seed = 1979-05-27", 5, 'seed: expected a whole number, got "1979-05-27"'),
        ("seed = 7", "seed = -1", 5, "seed: -1; expected 0 or more"),
        ("seed = 7", "\nmeasure = 'f1'", 6, "measure: unknown 'f1'; did you mean"),
        (
            "seed = 7",
            "\nrenderer = 'chrome'",
            6,
            "renderer: unknown 'chrome'; did you mean 'chromi",
        ),
        (
            "seed = 7",
            "learning_curve = [\n0.5,\n1.5]",
            7,
            "learning_curve: 1.5; expected shares in",
        ),
        ("seed = 7", "learning_curve = [1, 1.0]", 5, "learning_curve: 1.0 is there twice"),
        ("seed = 7", "learning_curve = [nan]", 5, "learning_curve: nan; expected shares in (0, 1]"),
        ("seed = 7", "learning_curve = [true]", 5, "learning_curve: expected a number, got true"),
        ('by = "page"', 'by = "domain"', 4, "splits.by: unknown 'domain'; did you mean"),
        ('by = "page"', "by = []", 4, "splits.by: expected a way to split, or several"),
        ('by = "page"', 'by = ["page", "page"]', 4, "splits.by: 'page' is there twice"),
        ("validation = 0.2, ", "", 4, "splits.validation: missing; it must be given"),
        (
            "test = 0.2",
            "test = 0.3",
            4,
            "splits: train, validation and test are (0.6, 0.2, 0.3); exp",
        ),
        (
            "test = 0.2",
            "test = 0.2, folds = 5",
            4,
            "splits.folds: excludes train, validation, test",
        ),
        (
            "test = 0.2",
            "test = 0.2, file = 'x'",
            4,
            "splits.file: excludes train, validation, test",
        ),
        (
            "test = 0.2",
            "test = 0.2, repeats = 0",
            4,
            "splits.repeats: 0 repeats; expected 1 or more",
        ),
        ("test = 0.2", "test = '0.2'", 4, 'splits.test: expected a number, got "0.2"'),
        ("min_count = 2", "min_count = 0", 9, "features.min_count: 0; expected 1 or more"),
        ("min_count = 2", "min_pages = 0", 9, "features.min_pages: 0; expected 1 or more"),
        ("min_count = 2", "include = 'dom.tga'", 9, "features.include: unknown 'dom.tga'; did you"),
        (
            "min_count = 2",
            "exclude = ['dom.tga']",
            9,
            "features.exclude: unknown 'dom.tga'; did you",
        ),
        ("min_count = 2", "exclude = [3]", 9, "features.exclude: expected a string, got 3"),
        ("min_count = 2", "ablation = []", 9, "features.ablation: expected true, false or a list"),
        ("min_count = 2", "ablation = ['style']", 9, "features.ablation: unknown 'style'; did you"),
        ('"dom"]', '"dim"]', 8, "features.families: unknown 'dim'; did you mean 'dom'?"),
        ('["text", "dom"]', "[]", 8, "features.families: no feature family; expected some of"),
        ("[0.1, 1.0]", "[]", 12, "learner.centroids.lambda: expected a value, or a list of values"),
        ("[0.1, 1.0]", "{ a = 1 }", 12, "learner.centroids.lambda: expected a number, a string"),
        (
            "[0.1, 1.0]",
            "[0.1,\n[1.0]]",
            13,
            "learner.centroids.lambda: expected a number, a string",
        ),
        ("[0.1, 1.0]", "[1,\n1.0]", 13, "learner.centroids.lambda: 1.0 is there twice"),
        ("[0.1, 1.0]", "[0.1,\n-1.0]", 13, "learner.centroids.lambda: lambda_=-1.0; expected 0 or"),
        ("[0.1, 1.0]", "5\nrandom_state = 5", 11, "learner.centroids: not five and five"),
    ],
)
def test_every_mistake_has_its_line(write, good, learners, old, new, line, message):
    assert good.count(old) >= 1
    path = write(good.replace(old, new, 1))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=learners)
    assert str(caught.value).startswith(f"{path}:{line}: {message}")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("seed = 7", "seed = ", 5, "Invalid value (column 8)"),
        ("seed = 7", "seed = 7\nseed = 8", 6, "Cannot overwrite a value (column 9)"),
        ("random_state = 3\n", 'random_state = """\n', 15, "Unterminated string (end of the file)"),
    ],
)
def test_what_is_no_toml_has_its_line_too(write, good, learners, old, new, line, message):
    path = write(good.replace(old, new))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=learners)
    assert str(caught.value) == f"{path}:{line}: {message}"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\nlearner = { background = 3 }", 2, "learner.background: expected a table, got 3"),
        ("\nlearner = 3", 2, "learner: expected a table, got 3"),
        ("\n[learner]", 2, "learner: there is none; expected a table such as"),
        ("", 1, "learner: there is none; expected a table such as"),
        ("\n[[learner.background]]", 2, "learner.background: expected a table, got [{}]"),
        ("splits = 3\n[learner.background]", 1, "splits: expected a table, got 3"),
    ],
)
def test_a_table_must_be_one(write, learners, text, line, message):
    path = write(f'question = "?"; corpus = "c"\n{text}'.replace("; ", "\n"))
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, known=learners)
    assert str(caught.value).startswith(f"{path}:{line + (2 if text else 0)}: {message}")


def test_a_missing_file_is_named(tmp_path, learners):
    with pytest.raises(ExperimentError, match=r"none\.toml"):
        read_experiment(tmp_path / "none.toml", known=learners)


def test_bytes_that_are_no_text_are_named(tmp_path, learners):
    path = tmp_path / "odd.toml"
    path.write_bytes(b'question = "\xff"')
    with pytest.raises(ExperimentError, match=r"odd\.toml: .*utf-8"):
        read_experiment(path, known=learners)


def test_a_file_from_windows_is_as_good(tmp_path, good, learners):
    path = tmp_path / "crlf.toml"
    path.write_bytes(b"\xef\xbb\xbf" + good.replace("\n", "\r\n").encode())
    assert len(read_experiment(path, known=learners).arms) == 2
    path.write_bytes(good.replace("min_count = 2", "min_count = 0").replace("\n", "\r\n").encode())
    with pytest.raises(ExperimentError, match=r"crlf\.toml:9: features.min_count"):
        read_experiment(path, known=learners)


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_real_learners_check_their_values_before_any_page(name):
    section = Section({"lambda": [1.0, 0.0]}, ("learner", name))
    with pytest.raises(ExperimentError, match=re.escape("lambda_=0.0; expected a fini")) as caught:
        read_arm(section, LEARNERS)
    assert caught.value.key == ("learner", name, "lambda", 1)


def test_values_that_do_not_go_together_are_an_error_of_the_arm():
    values = {"engine": ["crfsuite"], "label_weights": "sqrt"}
    with pytest.raises(ExperimentError, match="knows no label_weights") as caught:
        read_arm(Section(values, ("learner", "linear-chain-crf")), LEARNERS)
    assert caught.value.key == ("learner", "linear-chain-crf")


def test_an_error_travels_between_processes_with_its_key():
    error = ExperimentError("3; expected 4", key=("splits", "by", 1))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.key) == ("splits.by: 3; expected 4", ("splits", "by", 1))
