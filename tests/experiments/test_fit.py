"""Fits of a split: encoded pages, calibration, kept models, mistakes, and what they cost."""

import itertools
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from scipy.sparse import csr_matrix

from structce.experiments import fit
from structce.experiments.fit import (
    NEIGHBOURS,
    EncodedPages,
    EncodedSplit,
    Job,
    encode_split,
    find_mistakes,
    metered,
    run_job,
)
from structce.experiments.page import report_page
from structce.features.feature_set import FeatureSet
from structce.labels import UNKNOWN_INDEX, LabelSet
from structce.learners.inference.viterbi import sequence_score
from structce.learners.svm import MulticlassSVM, StructuredSVM

LETTERS = LabelSet(("A", "B", "None"), background="None")
COLUMNS = tuple(f"text.token={word}" for word in "uvwxyz")
N = "None"


@pytest.fixture(scope="module")
def data(corpus):
    features = FeatureSet(("text", "dom"), min_count=1)
    parts = (corpus.subset(page.id for page in corpus.pages[i::3]) for i in range(3))
    return encode_split(features, *parts)


def make_job(**changes):
    job = Job(
        study="compass by site",
        split=0,
        candidate="svm",
        learner="svm",
        parameters={"lambda_": 1.0, "max_epochs": 5, "tol": 0.5},
        step="tuning",
        seed=0,
        measure="macro_f1",
    )
    return msgspec.structs.replace(job, **changes)


def test_each_part_has_the_columns_of_the_training_pages(corpus, data):
    features = FeatureSet(("text", "dom"), min_count=1)
    pages = [corpus.pages[i::3] for i in range(3)]
    features.fit([page.page for page in pages[0]])
    assert data.columns == features.columns_
    for part, chosen in zip((data.train, data.validation, data.test), pages, strict=True):
        for x, y, page in zip(part.matrices, part.targets, chosen, strict=True):
            assert (x != features.transform(page.page)).nnz == 0
            assert corpus.label_set.decode(y) == page.labels


def test_pages_can_be_joined_and_chosen(data):
    both = data.train + data.validation
    assert len(both) == 12
    assert (both.matrices[7] != data.validation.matrices[1]).nnz == 0
    few = data.train.pages((4, 1))
    assert (few.matrices[1] != data.train.matrices[1]).nnz == 0
    places = np.array([0, 5, 7])
    taken = data.take(places)
    assert taken.columns == tuple(data.columns[i] for i in places)
    assert (taken.test.matrices[2] != data.test.matrices[2][:, places]).nnz == 0


def test_the_tested_model_takes_over_the_temperature(data):
    settings = dict(make_job().parameters)
    careful = MulticlassSVM(**settings)
    careful.fit(data.train.matrices, data.train.targets, classes=range(5))
    careful.calibrate(data.validation.matrices, data.validation.targets)
    tuned = run_job(make_job(), MulticlassSVM, data)
    assert tuned.temperature == careful.temperature_ != 1

    both = data.train + data.validation
    tested = MulticlassSVM(**settings).fit(both.matrices, both.targets, classes=range(5))
    before = tested.confidence(data.test.matrices)
    tested.temperature_ = careful.temperature_
    after = tested.confidence(data.test.matrices)
    outcome = run_job(make_job(step="test", temperature=careful.temperature_), MulticlassSVM, data)
    for given, expected in ((outcome.before, before), (outcome.after, after)):
        assert [list(page) for page in given] == [page.tolist() for page in expected]


@pytest.fixture(scope="module")
def make_data():
    """Return a function that makes test pages of labels alone."""

    def make(gold):
        known = {name: i for i, name in enumerate(LETTERS.names)}
        y = [np.array([known.get(name, UNKNOWN_INDEX) for name in page]) for page in gold]
        part = EncodedPages.of([csr_matrix(np.eye(len(page), 4)) for page in y], y, 4)
        return EncodedSplit(part, part, part, COLUMNS[:4], LETTERS)

    return make


def wrong_of(data, predictions, confidence=()):
    given = [np.array([LETTERS.index(name) for name in page]) for page in predictions]
    return list(find_mistakes(object(), data, given, confidence))


def test_pages_of_the_lowest_accuracy_come_first(make_data):
    gold = [("A", N), ("A", "B", N, N), (N, N, N), ("A", "B")]
    predictions = [("A", "A"), ("A", "A", "A", N), (N, N, N), ("B", "A")]
    regions = wrong_of(make_data(gold), predictions)
    # Of two pages of accuracy one half, that with more wrong regions; the one that is right, never.
    assert list(dict.fromkeys(region.page for region in regions)) == [3, 1, 0]


def test_wrong_foreground_regions_come_first(make_data):
    regions = wrong_of(make_data([(N, "A", N, "B", "?")]), [("A", "B", N, N, "A")])
    assert [region.region for region in regions] == [1, 3, 0]
    assert (LETTERS.names[regions[1].gold], LETTERS.names[regions[1].predicted]) == ("B", N)


@pytest.fixture(scope="module")
def chained():
    """A structured SVM of six columns, and pages whose labels it can know in part."""
    random = np.random.default_rng(3)
    true = random.normal(size=(6, 3))
    X = [csr_matrix(random.integers(0, 3, size=(4, 6)) * 1.0) for _ in range(40)]
    y = [(x @ true + random.normal(size=(4, 3))).argmax(axis=1) for x in X]
    for labels in y:  # some are those of the region before
        labels[1:] = np.where(random.random(3) < 0.4, labels[:-1], labels[1:])
    part = EncodedPages.of(X, y, 6)
    model = StructuredSVM(lambda_=0.01, max_epochs=8).fit(X, y, classes=range(3))
    return model, EncodedSplit(part, part, part, COLUMNS, LETTERS)


def best_with(model, x, region, label):
    """Return the score of the best labelling that gives a region a label, by trying them all."""
    emissions = np.asarray(x @ model.emissions_)
    return max(
        sequence_score(emissions, model.transitions_, np.array(y))
        for y in itertools.product(range(3), repeat=x.shape[0])
        if y[region] == label
    )


def test_reasons_add_up_to_the_lead_of_the_wrong_label(chained, monkeypatch):
    monkeypatch.setattr(fit, "N_REASONS", 100)
    model, data = chained
    regions = list(find_mistakes(model, data, model.predict(data.test.matrices), ()))
    assert len(regions) > 20
    for region in regions:
        x = data.test.matrices[region.page]
        ours, theirs = (
            best_with(model, x, region.region, k) for k in (region.predicted, region.gold)
        )
        row = x.toarray()[region.region]
        leads = row * (model.emissions_[:, region.predicted] - model.emissions_[:, region.gold])
        parts = dict(zip(COLUMNS, leads, strict=True))
        parts[NEIGHBOURS] = (ours - theirs) - leads.sum()
        expected = {name: lead for name, lead in parts.items() if lead > 1e-9}
        assert region.reasons == pytest.approx(expected)
        assert list(region.reasons.values()) == sorted(region.reasons.values(), reverse=True)


def test_worst_pages_are_listed_once_with_their_text(corpus, experiment, choose, run_quietly):
    def stretched(page):
        return replace(page, page=replace(page.page, text=(*page.page.text[:-1], "x" * 500)))

    longer = replace(corpus, pages=tuple(map(stretched, corpus)))
    splits = msgspec.structs.replace(experiment.splits, folds=3)
    result = run_quietly(choose(experiment, "background", splits=splits), longer)
    mistakes = result.report.mistakes
    pages = list(dict.fromkeys(mistake.page for mistake in mistakes))
    assert pages == sorted(page.id for page in corpus)[:20]
    assert {mistake.text for mistake in mistakes if mistake.region == 5} == {"x" * 120}
    assert {(mistake.n_wrong, mistake.n_known) for mistake in mistakes} == {(4, 6)}
    assert set(result.pictures) == {("compass by site", page) for page in pages}
    assert all(drawn.startswith("<figure") for drawn in result.pictures.values())
    page = report_page(result.report, {}, result.pictures)
    assert "background got these pages most wrong" in page
    assert all(drawn in page for drawn in result.pictures.values())


def test_seconds_and_megabytes_of_a_block_are_measured():
    with metered() as cost:
        held = np.ones(4_000_000)
    seconds, megabytes = cost
    assert seconds > 0
    assert 0 <= megabytes < 2 * held.nbytes / 1e6
