"""Recipes as files: what they may say, and what is said of those that are wrong."""

from pathlib import Path

import pytest

from structce.errors import ExperimentError
from structce.labels import NEWS
from structce.recipes.recipe import DataSet, read_recipe

TEXT = """
name = "small"
seed = 3
[data.htmldate]
[data.article-extraction-benchmark]
file = "pages.zip"
sha256 = "{digest}"
[views]
shares = {{ stated = 0.5, bare = 0.5 }}
[features]
families = ["text", "dom"]
exclude = ["text.token"]
[learner.structured-svm]
lambda = 0.5
max_epochs = 4
label_weights = {{ Author = 3.0 }}
""".format(digest="0a" * 32)


def read(tmp_path, text):
    path = tmp_path / "small.toml"
    path.write_text(text, encoding="utf-8")
    return read_recipe(path)


def test_a_recipe_is_read_with_its_defaults(tmp_path):
    recipe = read(tmp_path, TEXT)
    assert (recipe.name, recipe.seed, recipe.folds) == ("small", 3, 5)
    assert recipe.data == (
        DataSet("htmldate", "htmldate.zip"),
        DataSet("article-extraction-benchmark", "pages.zip", "0a" * 32),
    )
    assert (recipe.views.shares, recipe.views.per_page) == ({"stated": 0.5, "bare": 0.5}, 1)
    assert (recipe.renderers, recipe.calibration) == (("static",), "temperature")


def test_features_and_learner_are_made_as_it_says(tmp_path):
    recipe = read(tmp_path, TEXT)
    learner = recipe.make_learner()
    assert (learner.name, learner.lambda_, learner.max_epochs) == ("structured-svm", 0.5, 4)
    assert learner.random_state == 3
    weights = dict(zip(NEWS.names, learner.label_weights, strict=True))
    assert weights == {**dict.fromkeys(NEWS.names, 1.0), "Author": 3.0}
    assert recipe.make_features().families == ("text", "dom")
    assert "text.token" not in recipe.make_features().names


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("seed = 3", "seeds = 3", "seeds: unknown key; did you mean 'seed'"),
        ("seed = 3", 'seed = "three"', "seed: expected `int`"),
        ('name = "small"', "", "name: missing"),
        ('name = "small"', 'name = "a/b"', "name: expected letters"),
        ("[data.htmldate]", "[data.htmldates]", "did you mean 'htmldate'"),
        ("[data.htmldate]", "[data.dragnet]", "data.dragnet: .* must not be shared"),
        ('file = "pages.zip"', 'flie = "pages.zip"', "benchmark.flie: unknown key; did you mean"),
        ('file = "pages.zip"', 'file = "../pages.zip"', "file: expected a name without folders"),
        ("0a0a", "zz", "sha256: expected 64 hexadecimal digits"),
        ("bare = 0.5", "bare = 0.4", "views.shares: expected shares that sum to 1"),
        ("bare = 0.5", "bares = 0.5", "did you mean 'bare'"),
        ("[views]", "[views]\nper_page = 3", "views.per_page: expected 1 to 2"),
        ('"text", "dom"', '"text", "dim"', "unknown family 'dim'"),
        ('"text.token"', '"text.tokens"', "did you mean 'text.token"),
        ("lambda = 0.5", "lamda = 0.5", "structured-svm.lamda: unknown key; did you mean"),
        ("lambda = 0.5", "lambda = -1", "learner.structured-svm: .*lambda"),
        ("Author = 3.0", "Autor = 3.0", "did you mean 'Author'"),
        ("Author = 3.0", "Author = 0", "learner.structured-svm: .*label_weights"),
        ("[learner.structured-svm]", "[learner.structured]", "did you mean 'structured-svm'"),
        ("[features]", "[learner.greedy-svm]\n[features]", "learner: expected one learner, got 2"),
        ("seed = 3", "folds = 1", "folds: expected 2 or more"),
        ("seed = 3", 'renderers = ["statik"]', "did you mean 'static'"),
        ("seed = 3", 'calibration = "maybe"', "calibration: unknown 'maybe'; did you mean"),
        ("seed = 3", "seed 3", "small.toml"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert old in TEXT
    with pytest.raises(ExperimentError, match=named) as error:
        read(tmp_path, TEXT.replace(old, new))
    assert "small.toml" in str(error.value)
