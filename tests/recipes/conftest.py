"""A small recipe, and the corpus of its two data sets."""

from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.recipes.ingredients import collect_corpus
from structce.recipes.recipe import Recipe, read_recipe
from structce.rendering.static import StaticRenderer

TEXT = """
name = "small"
notes = "Made in a test."
model_licence = "MIT"
folds = 2
calibration = "none"
[data.article-extraction-benchmark]
[data.htmldate]
[views]
shares = { stated = 0.5, bare = 0.5 }
[features]
families = ["text", "dom"]
min_count = 1
[learner.structured-svm]
lambda = 0.1
max_epochs = 5
tol = 0.5
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    path = tmp_path / "small.toml"
    path.write_text(TEXT)
    return read_recipe(path)


@pytest.fixture
def corpus(recipe: Recipe, two_data_sets: Path, tmp_path: Path) -> Corpus:
    return collect_corpus(recipe, two_data_sets, tmp_path / "corpora", StaticRenderer)
