"""Training by a recipe: from data sets to a model that is measured on unseen sites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from structce.article import Example, fit_trees
from structce.corpus import Corpus
from structce.labelling import RegionLabeller, corpus_card
from structce.recipes.cross_validation import (
    UnseenPage,
    draw_views,
    fit_views,
    label_unseen,
    measure_unseen,
)
from structce.recipes.ingredients import Log, collect_copies, collect_corpus
from structce.recipes.recipe import Recipe
from structce.recipes.stacking import (
    answered,
    make_examples,
    read_unseen,
    trees_without,
    unseen_readers,
)
from structce.rendering import Renderer


def fit_model(
    corpus: Corpus,
    recipe: Recipe,
    unseen: Sequence[UnseenPage],
    examples: Sequence[Example],
    copies: Corpus | None = None,
    *,
    say: Log = lambda line: None,
) -> RegionLabeller:
    """Return the model of a recipe: a labeller fitted to all pages, and trees above it.

    Unseen pages, labelled by :func:`label_unseen`, give the calibration of the labeller; without
    any, the model has no trees. The examples are made of them by :func:`make_examples`.
    """
    say("training the labeller on all pages")
    labeller = fit_views(draw_views(corpus, recipe, copies), recipe)
    if not unseen:
        return labeller
    if (like := unseen[0].labelling.labeller) is not None:
        labeller.learner.take_calibration(like.learner)
        labeller.card["calibrated"] = recipe.calibration is not None
    say("fitting the trees that choose values, body and roles")
    return replace(labeller, trees=fit_trees(examples, seed=recipe.seed))


def follow_recipe(
    recipe: Recipe,
    data: Path,
    corpora: Path,
    start: Callable[[], Renderer],
    *,
    any_archive: bool = False,
    is_measured: bool = True,
    say: Log = lambda line: None,
) -> RegionLabeller:
    """Return the model of a recipe, with its card, from a folder of data sets.

    For ``data``, ``corpora``, ``start`` and ``any_archive`` see
    :func:`structce.recipes.ingredients.collect_corpus`. Unless it ``is_measured``, by
    cross-validation, which takes ``recipe.folds`` times as long again, the model has neither scores
    nor trees, which are fitted to the result. Raises CorpusError if the corpus cannot be collected,
    or has fewer groups of sites than folds.
    """
    corpus = collect_corpus(recipe, data, corpora, start, any_archive=any_archive, say=say)
    n_groups = len({page.family for page in corpus})
    say(f"{len(corpus)} pages of {len(corpus.sites)} sites in {n_groups} groups")
    copies = collect_copies(recipe, data, corpora, start, corpus, say=say)
    unseen = label_unseen(corpus, recipe, copies, say=say) if is_measured else []
    readers = unseen_readers(unseen, say=say)
    examples = make_examples(unseen, readers)
    scores: Mapping[str, Mapping[str, float]] = {}
    if unseen:
        say("answers for pages of unseen sites")
        trees = trees_without(examples, seed=recipe.seed)
        answers = answered(read_unseen(unseen, trees, readers))
        scores = measure_unseen(answers, corpus.label_set, seed=recipe.seed)
    labeller = fit_model(corpus, recipe, unseen, examples, copies, say=say)
    labeller.card |= card_of(corpus, recipe, scores)
    return labeller


def card_of(
    corpus: Corpus, recipe: Recipe, scores: Mapping[str, Mapping[str, float]]
) -> dict[str, object]:
    """Return the entries of a model's card on data, views and scores, as plain JSON values.

    Pages and regions are those of the data sets; views are not counted as pages.
    """
    shares = ", ".join(f"{view} {share:g}" for view, share in recipe.views.items())
    how = (
        f"Scores are the F1 of labels over {recipe.folds} folds, each tested by a model of the "
        "other folds that saw no site, copy, template or publisher of it: pages as they are "
        "(stated) and without metadata (bare). From and to are the ends of an interval of 95 % "
        "over sites; rows of languages and page types are means over labels without background."
    )
    views = f"Each page was trained on in {recipe.views_per_page} of the views {shares}"
    views += ", and so was a perturbed copy of it." if recipe.perturbed else "."
    return {
        "recipe": recipe.name,
        **corpus_card(corpus),
        "groups": len({page.family for page in corpus}),
        "views": dict(recipe.views),
        "data": [{"name": each.name, "sha256": each.sha256} for each in recipe.data],
        "scores": dict(scores),
        "model_licence": recipe.model_licence,
        "notes": " ".join(part for part in (recipe.notes, views, how if scores else "") if part),
    }
