"""Recipes: models from data sets, from one TOML file to the folder of a model.

``recipe`` reads the file, ``ingredients`` imports its data sets, joins and groups them, and
``training`` fits the model, measures it on sites that it has not seen, and writes its card.
"""

from structce.recipes.ingredients import collect_corpus
from structce.recipes.recipe import DataSet, Recipe, read_recipe, shipped_recipes
from structce.recipes.training import cross_validate, follow_recipe

__all__ = [
    "DataSet",
    "Recipe",
    "collect_corpus",
    "cross_validate",
    "follow_recipe",
    "read_recipe",
    "shipped_recipes",
]
