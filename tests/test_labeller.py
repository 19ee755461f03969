from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.corpus import Corpus
from structce.errors import ModelError
from structce.labeller import DEFAULT_MODELS, RegionLabeller, find_model, shipped_models
from structce.learners import LEARNERS
from structce.page import Page


@pytest.fixture(scope="module")
def corpus(make_corpus: Callable[..., Corpus]) -> Corpus:
    return make_corpus(8)


@pytest.fixture(scope="module")
def labeller(corpus: Corpus) -> RegionLabeller:
    return RegionLabeller(learner=LEARNERS["structured-svm"](max_epochs=20, tol=0.1)).fit(corpus)


def test_it_labels_an_unseen_page_of_the_same_kind(
    labeller: RegionLabeller, make_corpus: Callable[..., Corpus]
) -> None:
    unseen = make_corpus(12).pages[-1]
    labelling = labeller.label(unseen.page)
    assert labelling.labels == unseen.labels
    assert labelling.confidence.shape == (len(unseen.page),)
    assert ((labelling.confidence >= 0) & (labelling.confidence <= 1)).all()
    assert [region.text for region in labelling.regions("Author")] == ["Mira Okafor"]
    assert len(list(labelling.regions())) == sum(label != "None" for label in unseen.labels)


def test_calibration_makes_it_surer_of_unseen_sites(make_corpus: Callable[..., Corpus]) -> None:
    learner = LEARNERS["structured-svm"](max_epochs=10, tol=0.5)
    plain = RegionLabeller(learner=learner).fit(make_corpus(10))
    page = make_corpus(12).pages[-1].page
    unsure = plain.label(page).confidence.mean()
    labeller = RegionLabeller(learner=learner).fit(make_corpus(10), calibrate="temperature")
    assert labeller.card["calibrated"] is True
    assert labeller.label(page).confidence.mean() > unsure


def test_a_page_without_regions_gives_no_labels(
    labeller: RegionLabeller, make_page: Callable[..., Page]
) -> None:
    assert labeller.label(make_page("<html></html>")).labels == ()


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_a_saved_model_labels_the_same(corpus: Corpus, tmp_path: Path, name: str) -> None:
    learner = LEARNERS[name]()
    if "max_epochs" in learner.get_params():
        learner.set_params(max_epochs=5, tol=0.5)
    labeller = RegionLabeller(learner=learner).fit(corpus)
    labeller.save(tmp_path / "model")
    back = RegionLabeller.load(tmp_path / "model")
    assert back.card["pages"] == 8
    assert back.renderer == "static"
    for page in corpus:
        one, other = labeller.label(page.page), back.label(page.page)
        assert one.labels == other.labels
        np.testing.assert_allclose(one.confidence, other.confidence, atol=1e-4)


def test_no_file_of_a_model_is_pickled(labeller: RegionLabeller, tmp_path: Path) -> None:
    labeller.save(tmp_path)
    kinds = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert kinds == {".json", ".gz", ".npz", ".md"}
    for path in tmp_path.rglob("*.npz"):
        with np.load(path, allow_pickle=False) as arrays:
            assert all(arrays[name].dtype == np.float32 for name in arrays.files)


def test_where_there_is_no_model_the_shipped_ones_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model here.*news-static"):
        RegionLabeller.load(tmp_path / "none")


def test_the_card_counts_the_languages_that_pages_state(make_corpus: Callable[..., Corpus]) -> None:
    corpus = make_corpus(4)
    stated = ("de-AT", "", "EN_us", "de")
    pages = tuple(
        replace(one, page=replace(one.page, lang=lang))
        for one, lang in zip(corpus.pages, stated, strict=True)
    )
    learner = LEARNERS["multiclass-svm"](max_epochs=1)
    model = RegionLabeller(learner=learner).fit(replace(corpus, pages=pages))
    assert model.card["languages"] == {"de": 2, "en": 1}


def test_a_model_is_shipped_for_every_renderer() -> None:
    for name in DEFAULT_MODELS.values():
        assert find_model(name) == shipped_models()[name]
