"""Cross-validation by site: pages labelled by models that saw no page of their group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from zlib import crc32

import numpy as np

from structce.corpus import VIEWS, Corpus, LabelledPage, View, hide_metadata, views_of
from structce.experiments import Pooled, learner_scores, pool
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

    The fold, from 0, is the same in all views of a page. The page is that of the corpus, or its
    perturbed copy; the page of the labelling is the view.
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
    corpus: Corpus, recipe: Recipe, copies: Corpus | None = None, *, fit: Fit = fit_views,
    say: Log = lambda line: None,
) -> list[UnseenPage]:  # fmt: skip
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


def measure_unseen(
    unseen: Sequence[UnseenPage], label_set: LabelSet, *, seed: int = 0
) -> dict[str, dict[str, float]]:
    """Return the scores of a model's card, with intervals, by label, language and page type.

    For instance ``{"Title": {"stated": 0.93, "stated from": 0.91, ...}}``: the F1 of each label,
    and their mean, by view, with the ends of its 95 % interval over sites; and for each language
    and type with at least ``FEW_PAGES`` pages the mean F1 without background. Labels without a
    region in gold or prediction are left out.
    """
    scores: dict[str, dict[str, float]] = {}
    for view, pooled in _pooled(unseen, label_set).items():
        for row in learner_scores(pooled, seed):
            name = row["label"] if row["measure"] == "f1" else _MEAN
            if row["measure"] in ("f1", "macro_f1_foreground"):
                own = scores.setdefault(name, {})
                own[view] = round(row["value"], 4)
                if row["low"] is not None:
                    own |= {
                        f"{view} from": round(row["low"], 4),
                        f"{view} to": round(row["high"], 4),
                    }
    groups: dict[str, list[UnseenPage]] = {}
    for page in unseen:
        kind = "" if page.page.gold is None else page.page.gold.about.get("page_type", "")
        language = language_code(page.page.page.lang)
        for what, name in (("language", language), ("page type", kind)):
            if name:
                groups.setdefault(f"{what} {name}", []).append(page)
    for name, group in sorted(groups.items()):
        if len(group) >= len(TESTED_VIEWS) * FEW_PAGES:
            scores[name] = {
                view: round(pooled.scores.macro_foreground.f1, 4)
                for view, pooled in _pooled(group, label_set).items()
            }
    return scores


def _pooled(unseen: Sequence[UnseenPage], label_set: LabelSet) -> dict[View, Pooled]:
    """Return the counts of the labels of pages by view; none for a view without pages."""
    by_view = {view: [one for one in unseen if one.view == view] for view in TESTED_VIEWS}
    return {
        view: pool(
            label_set,
            [one.page for one in own],
            [label_set.encode(one.labelling.labels).tolist() for one in own],
        )
        for view, own in by_view.items()
        if own
    }
