"""Training after a recipe: from the data sets to a model that is measured on unseen sites."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from structce.arrays import Labels
from structce.corpus import Corpus, LabelledPage, View, hide_metadata, views_of
from structce.evaluation import Scores, score
from structce.labeller import RegionLabeller
from structce.recipes.ingredients import Say, collect_corpus
from structce.recipes.recipe import Recipe
from structce.rendering import Renderer

_TESTED: tuple[View, ...] = ("stated", "bare")
"""Views of the pages that a model is measured on: as they are, and without metadata."""

Fit = Callable[[Corpus, Recipe], RegionLabeller]
"""Fits the model of a recipe to a corpus, whose families are groups that no split may part."""


def fit_labeller(corpus: Corpus, recipe: Recipe) -> RegionLabeller:
    """Return a labeller that is fitted to the views of the pages of a corpus."""
    views = views_of(corpus, recipe.views, seed=recipe.seed, n_views=recipe.views_per_page)
    labeller = RegionLabeller(recipe.make_features(), recipe.make_learner())
    return labeller.fit(views, calibrate=recipe.calibration)


def follow_recipe(
    recipe: Recipe,
    data: Path,
    corpora: Path,
    start: Callable[[], Renderer],
    *,
    any_archive: bool = False,
    is_measured: bool = True,
    fit: Fit = fit_labeller,
    say: Say = lambda line: None,
) -> RegionLabeller:
    """Return the model of a recipe, with its card, from a folder of data sets.

    Parameters
    ----------
    data, corpora, start, any_archive
        See :func:`structce.recipes.ingredients.collect_corpus`.
    is_measured
        Cross-validate as well, which takes ``recipe.folds`` times as long again.
    fit
        What is fitted.

    Raises
    ------
    CorpusError
        As for collecting the corpus, and if it has fewer groups of sites than folds.
    """
    corpus = collect_corpus(recipe, data, corpora, start, any_archive=any_archive, say=say)
    n_groups = len({one.family for one in corpus})
    say(f"{len(corpus)} pages of {len(corpus.sites)} sites in {n_groups} groups")
    scores = cross_validate(corpus, recipe, fit=fit, say=say) if is_measured else {}
    say("training on all pages")
    labeller = fit(corpus, recipe)
    labeller.card |= _card(corpus, recipe, scores)
    return labeller


def cross_validate(
    corpus: Corpus, recipe: Recipe, *, fit: Fit = fit_labeller, say: Say = lambda line: None
) -> dict[str, dict[str, float]]:
    """Return the F1 of each label, and their mean, on sites that were not trained on, by view.

    Each page is tested once, by a model that was fitted to the other folds; no group of sites is in
    two of them. Regions of unknown label do not count.

    Returns
    -------
    ``{"Title": {"stated": 0.93, "bare": 0.87}, ...}``; labels without a region that is known or
    was found are left out.
    """
    gold: list[Labels] = []
    found: dict[str, list[Labels]] = {view: [] for view in _TESTED}
    folds = corpus.folds(recipe.folds, by="site", seed=recipe.seed)
    for n, test in enumerate(folds, start=1):
        say(f"fold {n} of {len(folds)}: testing on {len(test)} pages of unseen sites")
        ids = {one.id for one in test}
        model = fit(corpus.subset(one.id for one in corpus if one.id not in ids), recipe)
        gold += [corpus.label_set.encode(one.labels) for one in test]
        for view in _TESTED:
            found[view] += _predict(model, test.pages, view)
    scores: dict[str, dict[str, float]] = {}
    for view in _TESTED:
        made = score(np.concatenate(gold), np.concatenate(found[view]), corpus.label_set)
        for name, value in _f1(made):
            scores.setdefault(name, {})[view] = round(value, 4)
    return scores


def _predict(model: RegionLabeller, pages: tuple[LabelledPage, ...], view: View) -> list[Labels]:
    shown = [hide_metadata(one.page, view) for one in pages]
    labelled = model.label_all(shown, [one.site for one in pages])
    return [model.label_set.encode(one.labels) for one in labelled]


def _f1(scores: Scores) -> Iterator[tuple[str, float]]:
    """Yield the F1 of each label that occurs, then the mean of those but the background's."""
    yield from ((one.name, one.measures.f1) for one in scores.labels if one.occurs)
    yield "mean without background", scores.macro_foreground.f1


def _card(
    corpus: Corpus, recipe: Recipe, scores: Mapping[str, Mapping[str, float]]
) -> dict[str, object]:
    """Return what the model's card tells of data, views and scores, as plain JSON values.

    Pages and regions are those of the data sets: a view of a page is none of its own.
    """
    shares = ", ".join(f"{view} {share:g}" for view, share in recipe.views.items())
    how = (
        f"Scores are the F1 of labels over {recipe.folds} folds, each tested by a model of the "
        "other folds that saw no site, copy, template or publisher of it: pages as they are "
        "(stated) and without metadata (bare)."
    )
    views = f"Each page was trained on in {recipe.views_per_page} of the views {shares}."
    return {
        "recipe": recipe.name,
        "corpus": corpus.name,
        "corpus_digest": corpus.digest,
        "licence": corpus.licence,
        "pages": len(corpus),
        "sites": len(corpus.sites),
        "regions": sum(corpus.counts.values()),
        "labels": corpus.counts,
        "unknown_regions": corpus.n_unknown,
        "groups": len({one.family for one in corpus}),
        "views": dict(recipe.views),
        "data": [{"name": one.name, "sha256": one.sha256} for one in recipe.data],
        "scores": dict(scores),
        "model_licence": recipe.model_licence,
        "notes": " ".join(part for part in (recipe.notes, views, how if scores else "") if part),
    }
