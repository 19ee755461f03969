"""Cross-validation by site: pages labelled by models that saw no page of their group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from zlib import crc32

import numpy as np

from structce.arrays import Integers, Labels
from structce.corpus import VIEWS, Corpus, LabelledPage, View, hide_metadata, views_of
from structce.evaluation import confusion, confusion_intervals, score
from structce.features import Descriptions
from structce.labelling import Labelling, RegionLabeller
from structce.labels import LabelSet
from structce.language import language_code
from structce.recipes.ingredients import SUFFIX, Log
from structce.recipes.recipe import Recipe

TESTED_VIEWS: tuple[View, ...] = ("stated", "bare")
"""Views of the pages on which a model is measured: unchanged, and without metadata."""

FEW_PAGES = 15
"""Least number of pages of a language or a type for a score."""

_MEAN = "mean without background"

Fit = Callable[[Corpus, Recipe, Descriptions], RegionLabeller]
"""Function that fits a recipe's labeller to views of pages, without calibration."""


@dataclass(frozen=True)
class UnseenPage:
    """Page labelled by a model that was not fitted to its site.

    The fold is counted from 0 and the same in all views of a page. The page is that of the corpus,
    or its perturbed copy; the page of the labelling is the view.
    """

    fold: int
    view: View
    page: LabelledPage
    labelling: Labelling

    @property
    def is_copy(self) -> bool:
        """Whether the page is a perturbed copy, which trains models and measures none."""
        return _is_copy(self.page)


def draw_views(corpus: Corpus, recipe: Recipe, copies: Corpus | None = None) -> Corpus:
    """Return the views of a corpus, and of copies, that a labeller of the recipe is fitted to."""
    draw = partial(
        views_of, shares=recipe.views.shares, seed=recipe.seed, n_views=recipe.views.per_page
    )
    views = draw(corpus)
    return views if copies is None else replace(views, pages=views.pages + draw(copies).pages)


def body_view(page_id: str) -> View:
    """Return the one view in which a page is an example of bodies and roles."""
    return TESTED_VIEWS[crc32(page_id.encode()) % len(TESTED_VIEWS)]


def fit_views(
    views: Corpus, recipe: Recipe, descriptions: Descriptions | None = None
) -> RegionLabeller:
    """Return the labeller of a recipe, fitted to views of pages, without calibration."""
    features = recipe.make_features(descriptions)
    return RegionLabeller(features, recipe.make_learner()).fit(views)


def label_unseen(
    corpus: Corpus,
    recipe: Recipe,
    copies: Corpus | None = None,
    *,
    fit: Fit = fit_views,
    say: Log = lambda line: None,
) -> list[UnseenPage]:
    """Return each page of a corpus in each view, labelled by a model that has not seen its site.

    Perturbed copies of the pages follow them, each in the view in which it teaches bodies. Each
    page is labelled by the model of the other folds; no group of sites is in two of them. A model
    is calibrated on another fold than the one that it labels.
    """
    views, descriptions = draw_views(corpus, recipe, copies), Descriptions()
    parts = corpus.folds(recipe.folds, by="site", seed=recipe.seed)
    models, seen, scores = [], [], []  # by fold; pages with their views, and their scores
    for n, part in enumerate(parts):
        say(f"fold {n + 1} of {len(parts)}: labelling {len(part)} pages of unseen sites")
        unseen = {page.id for page in part}
        rest = views.subset(page.id for page in views if _page_id(page.id) not in unseen)
        model = fit(rest, recipe, descriptions)
        pages = [*part, *(copy for copy in copies or () if _page_id(copy.id) in unseen)]
        pairs = ((view, page) for view in TESTED_VIEWS for page in pages)
        tested = [(v, page) for v, page in pairs if not _is_copy(page) or v == body_view(page.id)]
        X = [model.features.transform(hide_metadata(page.page, view)) for view, page in tested]
        if recipe.calibration is not None:
            places = [i for i, (_, page) in enumerate(tested) if not _is_copy(page)]
            gold = [model.label_set.encode(tested[i][1].labels) for i in places]
            model.learner.calibrate([X[i] for i in places], gold, method=recipe.calibration)
        models.append(model)
        seen.append(tested)
        scores.append(model.learner.scores(X))
    settings = [(model.learner.temperature_, model.learner.calibration_) for model in models]
    labelled = []
    for n, model in enumerate(models):
        model.learner.temperature_, model.learner.calibration_ = settings[(n + 1) % len(models)]
        decoded = model.learner.decode_scores(scores[n])
        for (view, page), (labels, marginals) in zip(seen[n], decoded, strict=True):
            names, sure = model.label_set.decode(labels), marginals[np.arange(len(labels)), labels]
            shown = hide_metadata(page.page, view)
            labelling = Labelling(shown, names, sure, model.label_set, model, marginals)
            labelled.append(UnseenPage(n, view, page, labelling))
    return labelled


def _page_id(view_id: str) -> str:
    """Return the id of the page of which there is a view, or a view of its copy."""
    stem, _, name = view_id.rpartition(".")
    return (stem if name in VIEWS else view_id).removesuffix(SUFFIX)


def _is_copy(page: LabelledPage) -> bool:
    return page.id.endswith(SUFFIX)


def cross_validate(
    unseen: Iterable[UnseenPage], label_set: LabelSet
) -> dict[str, dict[str, float]]:
    """Return the F1 of each label, and their mean, on unseen sites, by view.

    For instance ``{"Title": {"stated": 0.93, "bare": 0.87}}``. Regions of unknown label do not
    count; labels without a region in gold or prediction are left out.
    """
    gold: dict[str, list[Labels]] = {}
    predicted: dict[str, list[Labels]] = {}
    for page in unseen:
        gold.setdefault(page.view, []).append(label_set.encode(page.page.labels))
        predicted.setdefault(page.view, []).append(label_set.encode(page.labelling.labels))
    scores: dict[str, dict[str, float]] = {}
    for view, rows in gold.items():
        measured = score(np.concatenate(rows), np.concatenate(predicted[view]), label_set)
        values = {label.name: label.measures.f1 for label in measured.labels if label.occurs}
        for name, value in {**values, _MEAN: measured.macro_foreground.f1}.items():
            scores.setdefault(name, {})[view] = round(value, 4)
    return scores


def measure_unseen(
    unseen: Sequence[UnseenPage], label_set: LabelSet, *, seed: int = 0
) -> dict[str, dict[str, float]]:
    """Return the scores of a model's card, with intervals, by label, language and page type.

    They are the rows of :func:`cross_validate`, each with the ends of its 95 % interval over sites,
    ``stated from`` and ``stated to``; and for each language and type with at least ``FEW_PAGES``
    pages the mean F1 without background.
    """
    scores = cross_validate(unseen, label_set)
    for view in TESTED_VIEWS:
        pages = [page for page in unseen if page.view == view]
        for name, (low, high) in _intervals(pages, label_set, seed).items():
            if name in scores:
                scores[name] |= {f"{view} from": round(low, 4), f"{view} to": round(high, 4)}
    groups: dict[str, list[UnseenPage]] = {}
    for page in unseen:
        kind = "" if page.page.gold is None else page.page.gold.about.get("page_type", "")
        language = language_code(page.page.page.lang)
        for what, name in (("language", language), ("page type", kind)):
            if name:
                groups.setdefault(f"{what} {name}", []).append(page)
    for name, group in sorted(groups.items()):
        if len(group) >= len(TESTED_VIEWS) * FEW_PAGES:
            scores[name] = cross_validate(group, label_set)[_MEAN]
    return scores


def _intervals(
    pages: Sequence[UnseenPage], label_set: LabelSet, seed: int
) -> dict[str, tuple[float, float]]:
    """Return the intervals over sites of the F1 of labels, and of their mean."""
    n = len(label_set)
    matrices: dict[str, Integers] = {}
    for page in pages:
        gold, predicted = map(label_set.encode, (page.page.labels, page.labelling.labels))
        whole = matrices.setdefault(page.page.site, np.zeros((n, n), dtype=np.int64))
        whole += confusion(gold, predicted, n)
    if len(matrices) < 2:
        return {}
    ends = confusion_intervals(np.stack(list(matrices.values())), label_set, seed)
    names = {name.removeprefix("f1."): interval for name, interval in ends.items()}
    return {**names, _MEAN: ends["macro_f1_foreground"]}
