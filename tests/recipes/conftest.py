"""A small recipe, and the corpus of its two data sets."""

from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.recipes.ingredients import collect_corpus
from structce.recipes.recipe import Recipe, read_recipe
from structce.rendering.static import StaticRenderer


@pytest.fixture
def recipe(small_recipe: Path) -> Recipe:
    return read_recipe(small_recipe)


@pytest.fixture
def recipe_corpus(recipe: Recipe, two_data_sets: Path, tmp_path: Path) -> Corpus:
    return collect_corpus(recipe, two_data_sets, tmp_path / "corpora", StaticRenderer)
