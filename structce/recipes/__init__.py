"""Recipes: models from data sets, from one TOML file to the folder of a model.

``recipe`` reads the file, ``ingredients`` imports its data sets, joins and groups them, and
``training`` fits the model, measures it on sites that it has not seen, and writes its card.
"""

from structce.recipes.ingredients import collect_corpus
from structce.recipes.recipe import DataSet, Recipe, read_recipe, shipped_recipes
from structce.recipes.training import UnseenPage, cross_validate, follow_recipe, label_unseen

__all__ = [
    "DataSet",
    "Recipe",
    "UnseenPage",
    "collect_corpus",
    "cross_validate",
    "follow_recipe",
    "label_unseen",
    "read_recipe",
    "shipped_recipes",
]
