"""The region labeller: fitted, saved and loaded."""

import numpy as np
import pytest

from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.learners.registry import LEARNERS


def model(max_epochs=10, families=("text", "dom")):
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


def test_a_labelling_has_the_probability_of_every_label(labeller, small_corpus, make_page):
    page = small_corpus.pages[0].page
    labelling = labeller.label(page)
    assert labelling.marginals.shape == (len(page), len(labelling.label_set))
    assert np.allclose(labelling.marginals.sum(axis=1), 1)
    own = labelling.label_set.encode(labelling.labels)
    assert np.allclose(labelling.marginals[np.arange(len(page)), own], labelling.confidence)
    assert labeller.label(make_page("")).marginals.shape == (0, len(labelling.label_set))
