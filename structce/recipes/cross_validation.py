"""Cross-validation by site: pages labelled by models that saw no page of their group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import Floats, Integers, Labels
from structce.corpus import VIEWS, Corpus, LabelledPage, View, hide_metadata, views_of
from structce.evaluation import Scores, confusion, confusion_intervals, score
from structce.features import Descriptions
from structce.labeller import Labelling, RegionLabeller
from structce.labels import LabelSet
from structce.language import language_code
from structce.recipes.ingredients import Say
from structce.recipes.recipe import Recipe

TESTED_VIEWS: tuple[View, ...] = ("stated", "bare")
"""Views of the pages that a model is measured on: as they are, and without metadata."""

FEW_PAGES = 15
"""Pages of a language or a type below which its score says little."""

_MEAN = "mean without background"

Fit = Callable[[Corpus, Recipe, Descriptions], RegionLabeller]
"""Fits the labeller of a recipe to views of pages, not calibrated."""


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


@dataclass(frozen=True, eq=False)
class _Fold:
    """One fold: the model of the others, and what it scores."""

    model: RegionLabeller
    part: Corpus
    scores: dict[View, list[Floats]]


def draw_views(corpus: Corpus, recipe: Recipe) -> Corpus:
    """Return the views of a corpus that a labeller of the recipe is fitted to."""
    return views_of(corpus, recipe.views, seed=recipe.seed, n_views=recipe.views_per_page)


def fit_views(
    views: Corpus, recipe: Recipe, descriptions: Descriptions | None = None
) -> RegionLabeller:
    """Return the labeller of a recipe, fitted to views of pages, not calibrated."""
    features = recipe.make_features(descriptions)
    return RegionLabeller(features, recipe.make_learner()).fit(views)


def label_unseen(
    corpus: Corpus, recipe: Recipe, *, fit: Fit = fit_views, say: Say = lambda line: None
) -> list[UnseenPage]:
    """Return each page of a corpus as a model labels it that has not seen its site, by views.

    Each page is labelled by the model of the other folds; no group of sites is in two of them.
    What is learnt from labels, such as which of them to trust, is learnt from these: those of a
    model's own training pages are surer than labels of unseen sites. How sure a model may be is
    learnt from another fold than the one that it labels.

    References
    ----------
    D. H. Wolpert (1992). Stacked generalization. Neural Networks 5(2).
    """
    views, descriptions = draw_views(corpus, recipe), Descriptions()
    parts = corpus.folds(recipe.folds, by="site", seed=recipe.seed)
    folds = []
    for n, part in enumerate(parts):
        say(f"fold {n + 1} of {len(parts)}: labelling {len(part)} pages of unseen sites")
        unseen = {one.id for one in part}
        rest = views.subset(one.id for one in views if _page_id(one) not in unseen)
        folds.append(_score_fold(fit(rest, recipe, descriptions), part, recipe))
    return list(_decoded(folds, recipe))


def _page_id(view: LabelledPage) -> str:
    """Return the id of the page that a view shows."""
    stem, _, name = view.id.rpartition(".")
    return stem if name in VIEWS else view.id


def _score_fold(model: RegionLabeller, part: Corpus, recipe: Recipe) -> _Fold:
    """Return a fold with its scores; the model is calibrated on it."""
    scores: dict[View, list[Floats]] = {}
    matrices, gold = [], []
    for view in TESTED_VIEWS:
        X = [model.features.transform(hide_metadata(one.page, view)) for one in part]
        scores[view] = model.learner.scores(X)
        matrices += X
        gold += [part.label_set.encode(one.labels) for one in part]
    if recipe.calibration is not None:
        model.learner.calibrate(matrices, gold, method=recipe.calibration)
    return _Fold(model, part, scores)


def _decoded(folds: list[_Fold], recipe: Recipe) -> Iterator[UnseenPage]:
    """Yield the pages of all folds, each labelled as surely as the next fold's model may be."""
    calibrations = [fold.model.learner for fold in folds]
    found = [(one.temperature_, one.calibration_) for one in calibrations]
    for n, fold in enumerate(folds):
        learner = fold.model.learner
        learner.temperature_, learner.calibration_ = found[(n + 1) % len(folds)]
        for view in TESTED_VIEWS:
            decoded = learner.decode_scores(fold.scores[view])
            for one, (labels, marginals) in zip(fold.part, decoded, strict=True):
                labelling = Labelling(
                    hide_metadata(one.page, view),
                    fold.model.label_set.decode(labels),
                    marginals[np.arange(len(labels)), labels],
                    fold.model.label_set,
                    fold.model,
                    marginals,
                )
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
    yield _MEAN, scores.macro_foreground.f1


def measure_unseen(
    unseen: Sequence[UnseenPage], label_set: LabelSet, *, seed: int = 0
) -> dict[str, dict[str, float]]:
    """Return what a model's card tells: scores with intervals, by label, language and page type.

    Returns
    -------
    Rows of :func:`cross_validate`, each with the ends of its interval of 95 % over sites, ``stated
    from`` and ``stated to``; and for each language and type of at least ``FEW_PAGES`` pages the
    mean F1 without background.
    """
    scores = cross_validate(unseen, label_set)
    for view in TESTED_VIEWS:
        pages = [one for one in unseen if one.view == view]
        for name, (low, high) in _intervals(pages, label_set, seed).items():
            if name in scores:
                scores[name] |= {f"{view} from": round(low, 4), f"{view} to": round(high, 4)}
    for name, group in _groups(unseen).items():
        if len(group) >= len(TESTED_VIEWS) * FEW_PAGES:
            scores[name] = cross_validate(group, label_set)[_MEAN]
    return scores


def _intervals(
    pages: Sequence[UnseenPage], label_set: LabelSet, seed: int
) -> dict[str, tuple[float, float]]:
    """Return the intervals over sites of the F1 of labels, and of their mean."""
    matrices: dict[str, Integers] = {}
    for one in pages:
        gold, found = map(label_set.encode, (one.page.labels, one.labelling.labels))
        matrix = confusion(gold, found, len(label_set))
        matrices[one.page.site] = matrices.get(one.page.site, np.zeros_like(matrix)) + matrix
    if not matrices:
        return {}
    ends = confusion_intervals(np.stack(list(matrices.values())), label_set, seed)
    names = {name.removeprefix("f1."): one for name, one in ends.items()}
    return {**names, _MEAN: ends["macro_f1_foreground"]}


def _groups(unseen: Sequence[UnseenPage]) -> dict[str, list[UnseenPage]]:
    """Return the pages of each language and of each type that the gold tells."""
    found: dict[str, list[UnseenPage]] = {}
    for one in unseen:
        kind = "" if one.page.gold is None else one.page.gold.about.get("page_type", "")
        language = language_code(one.page.page.lang)
        for what, name in (("language", language), ("page type", kind)):
            if name:
                found.setdefault(f"{what} {name}", []).append(one)
    return dict(sorted(found.items()))
