"""A small recipe, and the corpus of its two data sets."""

import pytest

from structce.recipes.ingredients import collect_corpus
from structce.recipes.recipe import read_recipe
from structce.rendering.static import StaticRenderer


@pytest.fixture
def recipe(small_recipe):
    return read_recipe(small_recipe)


@pytest.fixture
def recipe_corpus(recipe, two_data_sets, tmp_path):
    return collect_corpus(recipe, two_data_sets, tmp_path / "corpora", StaticRenderer)
