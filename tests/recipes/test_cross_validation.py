"""Cross-validation by site: who is labelled by whom, in which view, and how surely."""

from dataclasses import replace

import msgspec
import numpy as np
from msgspec import structs

from structce.learners import Learner
from structce.recipes.cross_validation import TESTED_VIEWS, fit_views, label_unseen, measure_unseen


def test_pages_are_labelled_by_models_of_other_groups(recipe, recipe_corpus):
    trained = []

    def fit(views, recipe, descriptions):
        trained.append({view.family for view in views})
        return fit_views(views, recipe, descriptions)

    seen = []
    for labelled in label_unseen(recipe_corpus, recipe, fit=fit):
        assert labelled.page.family not in trained[labelled.fold]
        assert bool(labelled.labelling.page.title) == bool(labelled.page.page.title)
        seen.append((labelled.page.id, labelled.view))
    views = ("stated", "bare")
    assert sorted(seen) == sorted((page.id, view) for page in recipe_corpus for view in views)


def test_a_model_is_as_sure_as_the_next_fold_has_taught(recipe, recipe_corpus, monkeypatch):
    taught = []

    def calibrate(learner, X, y, method):
        taught.append(len(X))
        learner.temperature_ = float(len(taught))
        return learner

    monkeypatch.setattr(Learner, "calibrate", calibrate)
    unseen = label_unseen(recipe_corpus, msgspec.structs.replace(recipe, calibration="temperature"))
    parts = recipe_corpus.folds(2, by="site", seed=recipe.seed)
    assert taught == [len(TESTED_VIEWS) * len(part) for part in parts]
    for labelled in unseen:
        assert labelled.labelling.labeller.learner.temperature_ == 2.0 - labelled.fold


def test_labels_have_the_marginals_of_their_view(recipe, recipe_corpus):
    for labelled in label_unseen(recipe_corpus, recipe):
        labelling = labelled.labelling
        again = labelling.labeller.label(labelling.page)
        assert again.labels == labelling.labels
        assert np.allclose(again.marginals, labelling.marginals)
        assert np.allclose(again.confidence, labelling.confidence)


def test_the_card_gets_intervals_languages_and_page_types(recipe, recipe_corpus):
    unseen = label_unseen(recipe_corpus, recipe)
    several = []
    for labelled in unseen:
        page = replace(labelled.page, page=structs.replace(labelled.page.page, lang="de-AT"))
        several += [replace(labelled, page=page)] * 2
    scores = measure_unseen(several, recipe_corpus.label_set)
    row = scores["Paragraph"]
    assert set(row) == {"stated", "stated from", "stated to", "bare", "bare from", "bare to"}
    assert row["stated from"] <= row["stated"] <= row["stated to"]
    assert set(scores["language de"]) == {"stated", "bare"}
    assert not [name for name in scores if name.startswith("page type")], "the gold tells none"
    assert "language de" not in measure_unseen(unseen[:4], recipe_corpus.label_set), "too few pages"
    assert measure_unseen([], recipe_corpus.label_set) == {}
