"""The region labeller: fitted, saved and loaded; pages alone and beside those of their site."""

from collections.abc import Sequence

import numpy as np
import pytest

from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.learners.registry import LEARNERS


def model(max_epochs: int = 10, families: Sequence[str] = ("text", "dom")) -> RegionLabeller:
    """Return a labeller that is fitted fast: few features, few epochs."""
    learner = LEARNERS["structured-svm"](max_epochs=max_epochs, tol=0.1)
    return RegionLabeller(FeatureSet(families), learner)


@pytest.fixture(scope="module")
def labeller(small_corpus):
    return model().fit(small_corpus)


def test_it_labels_an_unseen_page_of_the_same_kind(labeller, make_corpus):
    unseen = make_corpus(12).pages[-1]
    labelling = labeller.label(unseen.page)
    assert labelling.labels == unseen.labels
    assert labelling.confidence.shape == (len(unseen.page),)
    assert ((labelling.confidence >= 0) & (labelling.confidence <= 1)).all()
    assert [region.text for region in labelling.regions("Author")] == ["Mira Okafor"]
    assert len(list(labelling.regions())) == sum(label != "None" for label in unseen.labels)


def test_calibration_makes_it_surer_of_unseen_sites(make_corpus):
    page = make_corpus(12).pages[-1].page
    unsure = model(3).fit(make_corpus(10)).label(page).confidence.mean()
    labeller = model(3).fit(make_corpus(10), calibrate="temperature")
    assert labeller.card["calibrated"] is True
    assert labeller.label(page).confidence.mean() > unsure


def test_a_page_without_regions_gives_no_labels(labeller, make_page):
    assert labeller.label(make_page("<html></html>")).labels == ()


@pytest.fixture(scope="module")
def two_sites(make_corpus):
    return make_corpus(6, pages_per_site=3)


def site_model() -> RegionLabeller:
    """A labeller that has nothing but other pages of the site to go by."""
    learner = LEARNERS["multiclass-svm"](max_epochs=20)
    return RegionLabeller(FeatureSet(["site"], min_count=1), learner)


@pytest.fixture(scope="module")
def comparing(two_sites):
    return site_model().fit(two_sites)


def test_site_features_learn_from_the_corpus(comparing, two_sites):
    assert comparing.needs_sites
    assert "site.on-every-page" in comparing.features.columns_
    assert comparing.card["corpus_digest"] == two_sites.digest


def test_pages_labelled_together_know_one_another(comparing, two_sites, tmp_path):
    comparing.save(tmp_path / "model")
    pages, sites = (
        [labelled.page for labelled in two_sites],
        [labelled.site for labelled in two_sites],
    )
    for labeller in (comparing, RegionLabeller.load(tmp_path / "model")):
        together = labeller.label_all(pages, sites)
        assert [labelling.page.text for labelling in together] == [page.text for page in pages]
        assert all(labelling.page.site is not None for labelling in together)
        labels = dict(zip(pages[0].text, together[0].labels, strict=True))
        assert (labels["Home"], labels["No end in sight"]) == ("None", "None")
        paragraph = next(i for i, text in enumerate(pages[0].text) if text.startswith("Story 0"))
        assert together[0].explain(paragraph).label == "Paragraph"


def test_a_page_alone_is_labelled_without_what_it_does_not_know(comparing, two_sites):
    page = two_sites.pages[0].page
    assert len(comparing.label(page).labels) == len(page)
    (alone,) = comparing.label_all([page], ["site0.example"])
    assert alone.labels == comparing.label(page).labels
    assert len(set(alone.labels)) == 1


def test_a_labelling_has_the_probability_of_every_label(labeller, small_corpus, make_page):
    page = small_corpus.pages[0].page
    labelling = labeller.label(page)
    assert labelling.marginals.shape == (len(page), len(labelling.label_set))
    assert np.allclose(labelling.marginals.sum(axis=1), 1)
    own = labelling.label_set.encode(labelling.labels)
    assert np.allclose(labelling.marginals[np.arange(len(page)), own], labelling.confidence)
    assert labeller.label(make_page("")).marginals.shape == (0, len(labelling.label_set))
