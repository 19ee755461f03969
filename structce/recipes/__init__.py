"""Recipes for models: from one TOML file that names data sets to the folder of a model.

``recipe`` reads the file, ``ingredients`` imports, joins and groups its data sets, and ``training``
fits the model, measures it on unseen sites, and writes its card.
"""

from structce.recipes.cross_validation import UnseenPage, label_unseen
from structce.recipes.ingredients import collect_copies, collect_corpus
from structce.recipes.recipe import DataSet, Recipe, read_recipe, shipped_recipes
from structce.recipes.training import (
    answered,
    fit_model,
    follow_recipe,
    make_examples,
    read_unseen,
    trees_without,
    unseen_readers,
)

__all__ = [
    "DataSet", "Recipe", "UnseenPage", "answered", "collect_copies", "collect_corpus",
    "fit_model", "follow_recipe", "label_unseen", "make_examples", "read_recipe",
    "read_unseen", "shipped_recipes", "trees_without", "unseen_readers",
]  # fmt: skip
