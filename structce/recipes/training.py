"""Training after a recipe: from the data sets to a model that is measured on unseen sites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from structce.arrays import Labels
from structce.corpus import Corpus, LabelledPage, View, hide_metadata, views_of
from structce.evaluation import Scores, score
from structce.labeller import Labelling, RegionLabeller
from structce.labels import LabelSet
from structce.recipes.ingredients import Say, collect_corpus
from structce.recipes.recipe import Recipe
from structce.rendering import Renderer

TESTED_VIEWS: tuple[View, ...] = ("stated", "bare")
"""Views of the pages that a model is measured on: as they are, and without metadata."""

Fit = Callable[[Corpus, Recipe], RegionLabeller]
"""Fits the model of a recipe to a corpus, whose families are groups that no split may part."""


@dataclass(frozen=True)
class UnseenPage:
    """A page as a model labels it that was not fitted to its site.

    Parameters
    ----------
    fold
        Part of the cross-validation that the page is in, from 0; the same in all views.
    page
        As it stands in the corpus; the page of the labelling is its view.
    """

    fold: int
    view: View
    page: LabelledPage
    labelling: Labelling


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
    unseen = label_unseen(corpus, recipe, fit=fit, say=say) if is_measured else ()
    scores = cross_validate(unseen, corpus.label_set) if is_measured else {}
    say("training on all pages")
    labeller = fit(corpus, recipe)
    labeller.card |= _card(corpus, recipe, scores)
    return labeller


def label_unseen(
    corpus: Corpus, recipe: Recipe, *, fit: Fit = fit_labeller, say: Say = lambda line: None
) -> Iterator[UnseenPage]:
    """Yield each page of a corpus as a model labels it that has not seen its site, by views.

    Each page is labelled by the model of the other folds; no group of sites is in two of them.
    What is learnt from labels, such as which of them to trust, is learnt from these: those of a
    model's own training pages are surer than labels of unseen sites.

    References
    ----------
    D. H. Wolpert (1992). Stacked generalization. Neural Networks 5(2).
    """
    folds = corpus.folds(recipe.folds, by="site", seed=recipe.seed)
    for n, part in enumerate(folds):
        say(f"fold {n + 1} of {len(folds)}: testing on {len(part)} pages of unseen sites")
        ids = {one.id for one in part}
        model = fit(corpus.subset(one.id for one in corpus if one.id not in ids), recipe)
        for view in TESTED_VIEWS:
            pages = [hide_metadata(one.page, view) for one in part]
            labelled = model.label_all(pages, [one.site for one in part])
            for one, labelling in zip(part, labelled, strict=True):
                yield UnseenPage(n, view, one, labelling)


def cross_validate(
    unseen: Iterable[UnseenPage], label_set: LabelSet
) -> dict[str, dict[str, float]]:
    """Return the F1 of each label, and their mean, on sites that were not trained on, by view.

    Regions of unknown label do not count.

    Returns
    -------
    ``{"Title": {"stated": 0.93, "bare": 0.87}, ...}``; labels without a region that is known or
    was found are left out.
    """
    gold: dict[str, list[Labels]] = {}
    found: dict[str, list[Labels]] = {}
    for one in unseen:
        gold.setdefault(one.view, []).append(label_set.encode(one.page.labels))
        found.setdefault(one.view, []).append(label_set.encode(one.labelling.labels))
    scores: dict[str, dict[str, float]] = {}
    for view, rows in gold.items():
        made = score(np.concatenate(rows), np.concatenate(found[view]), label_set)
        for name, value in _f1(made):
            scores.setdefault(name, {})[view] = round(value, 4)
    return scores


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
