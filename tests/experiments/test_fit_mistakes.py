"""The pages that came out worst, their wrong regions, and what speaks for wrong labels."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from structce.experiments import fit
from structce.experiments.config import Candidate, Splits
from structce.experiments.fit import NEIGHBOURS, find_mistakes
from structce.experiments.job import EncodedPages, EncodedSplit
from structce.experiments.runner import run
from structce.labels import UNKNOWN, UNKNOWN_INDEX, LabelSet
from structce.learners.inference.viterbi import sequence_score
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.structured_svm import StructuredSVM

LETTERS = LabelSet(("A", "B", "None"), background="None")
COLUMNS = tuple(f"text.token={word}" for word in "uvwxyz")


@pytest.fixture(scope="module")
def make_data():
    """Return a function that makes data of test pages that are nothing but labels."""

    def make(gold):
        known = {name: i for i, name in enumerate(LETTERS.names)}
        y = [np.array([known.get(name, UNKNOWN_INDEX) for name in page]) for page in gold]
        X = [csr_matrix(np.eye(len(page), 4)) for page in y]
        part = EncodedPages.of(X, y, 4)
        return EncodedSplit(part, part, part, COLUMNS[:4], LETTERS)

    return make


def wrong_of(data, predictions, confidence=()):
    given = [np.array([LETTERS.index(name) for name in page]) for page in predictions]
    return list(find_mistakes(object(), data, given, confidence))


N = "None"


def test_pages_of_the_lowest_accuracy_come_first(make_data):
    gold = [("A", N), ("A", "B", N, N), (N, N, N), ("A", "B")]
    predictions = [("A", "A"), ("A", "A", "A", N), (N, N, N), ("B", "A")]
    regions = wrong_of(make_data(gold), predictions)
    # Of two pages of accuracy one half, that with more wrong regions; the one that is right, never.
    assert list(dict.fromkeys(region.page for region in regions)) == [3, 1, 0]


def test_wrong_regions_of_the_foreground_come_before_those_of_the_background(make_data):
    gold = [(N, "A", N, "B", "?")]
    regions = wrong_of(make_data(gold), [("A", "B", N, N, "A")])
    assert [region.region for region in regions] == [1, 3, 0]
    names = [(LETTERS.names[region.gold], LETTERS.names[region.predicted]) for region in regions]
    assert names == [("A", "B"), ("B", N), (N, "A")]


def test_unknown_labels_are_never_wrong(make_data):
    gold = [("?", "?"), ("?", "A")]
    assert wrong_of(make_data(gold), [("A", "B"), ("A", "A")]) == []
    (region,) = wrong_of(make_data(gold), [("A", "B"), ("A", "B")])
    assert (region.page, region.region) == (1, 1)


def test_confidence_is_that_of_the_wrong_label(make_data):
    data = make_data([("A", N), ("A", "B")])
    given = [("A", N), ("A", N)]
    assert [region.confidence for region in wrong_of(data, given, ((0.9, 0.8), (0.7, 0.25)))] == [
        0.25
    ]
    assert [region.confidence for region in wrong_of(data, given)] == [None]


def test_there_is_an_end_to_pages_and_to_regions(make_data, monkeypatch):
    monkeypatch.setattr(fit, "N_PAGES", 2)
    monkeypatch.setattr(fit, "N_REGIONS", 3)
    data = make_data([("A",) * 4] * 3)
    regions = wrong_of(data, [("B",) * 4] * 3)
    assert [(region.page, region.region) for region in regions] == [
        (page, region) for page in (0, 1) for region in (0, 1, 2)
    ]


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
    model = StructuredSVM(lambda_=0.01, max_epochs=8).fit(X, y, n_labels=3)
    return model, EncodedSplit(part, part, part, COLUMNS, LETTERS)


def best_with(model, x, region, label):
    """Return the score of the best labelling that gives a region a label, by trying them all."""
    emissions = np.asarray(x @ model.emissions_)
    labellings = itertools.product(range(3), repeat=x.shape[0])
    return max(
        sequence_score(emissions, model.transitions_, np.array(y))
        for y in labellings
        if y[region] == label
    )


def test_reasons_add_up_to_the_lead_of_the_wrong_label(chained, monkeypatch):
    monkeypatch.setattr(fit, "N_REASONS", 100)
    model, data = chained
    regions = list(find_mistakes(model, data, model.predict(data.test.matrices), ()))
    assert len(regions) > 20
    n_neighbours = 0
    for region in regions:
        x = data.test.matrices[region.page]
        ours, theirs = (
            best_with(model, x, region.region, k) for k in (region.predicted, region.gold)
        )
        assert ours >= theirs
        row = x.toarray()[region.region]
        leads = row * (model.emissions_[:, region.predicted] - model.emissions_[:, region.gold])
        parts = dict(zip(COLUMNS, leads, strict=True))
        parts[NEIGHBOURS] = (ours - theirs) - leads.sum()
        expected = {name: lead for name, lead in parts.items() if lead > 1e-9}
        assert {why.column: why.lead for why in region.reasons} == pytest.approx(expected)
        leads_told = [why.lead for why in region.reasons]
        assert leads_told == sorted(leads_told, reverse=True)
        n_neighbours += NEIGHBOURS in expected
    assert n_neighbours > 5


def test_only_the_strongest_reasons_are_told(chained, monkeypatch):
    model, data = chained
    predictions = model.predict(data.test.matrices)
    monkeypatch.setattr(fit, "N_REASONS", 100)
    everything = list(find_mistakes(model, data, predictions, ()))
    monkeypatch.setattr(fit, "N_REASONS", 2)
    few = list(find_mistakes(model, data, predictions, ()))
    assert [region.reasons for region in few] == [region.reasons[:2] for region in everything]
    assert max(len(region.reasons) for region in everything) > 2


def test_a_learner_that_cannot_be_explained_gives_no_reasons(chained, learners):
    model, data = chained

    class Odd(MulticlassSVM):
        """Has weights whose part in its labels nobody knows."""

        weight_names = ("emissions_", "others_")
        others_ = np.zeros(3)

    odd = Odd(max_epochs=1).fit(data.train.matrices, data.train.targets, n_labels=3)
    for unclear in (odd, learners["centroids"]()):
        regions = list(find_mistakes(unclear, data, model.predict(data.test.matrices), ()))
        assert regions
        assert {region.reasons for region in regions} == {()}


@pytest.fixture(scope="module")
def result(experiment, corpus):
    """A real learner that hardly learns, on folds."""
    holed = replace(
        corpus,
        pages=tuple(
            replace(page, labels=(*page.labels[:-1], UNKNOWN)) if i % 3 == 0 else page
            for i, page in enumerate(corpus)
        ),
    )
    values = {"max_epochs": (1,), "lambda_": (1000.0,)}
    candidates = (
        Candidate("structured-svm", values),
        Candidate("multiclass-svm", {**values, "max_epochs": (2,)}),
    )
    chosen = replace(experiment, candidates=candidates, splits=Splits(folds=3), min_count=60)
    return run(chosen, holed, progress=False), holed


def test_a_study_shows_the_worst_pages_of_its_best_candidate_from_the_worst_on(result):
    (study,), corpus = result[0].report.studies, result[1]
    scores = {candidate.name: candidate.row.scores.macro_f1 for candidate in study.candidates}
    best = max(scores, key=scores.get)
    assert study.worst
    assert {page.candidate for page in study.worst} == {best}
    order = [(page.accuracy, -page.n_wrong, page.page) for page in study.worst]
    assert order == sorted(order)
    accuracy = study.candidate(best).row.page_accuracy
    imperfect = {page for page, share in accuracy.items() if share < 1}
    assert {page.page for page in study.worst} == imperfect
    pages = {page.id: page for page in corpus}
    for worst in study.worst:
        page = pages[worst.page]
        assert worst.accuracy == pytest.approx(accuracy[worst.page])
        assert worst.accuracy == pytest.approx(1 - worst.n_wrong / worst.n_known)
        assert (worst.site, worst.n_known) == (page.site, page.n_known)
        assert worst.page in study.splits[worst.split].test.pages
        assert len(worst.mistakes) == worst.n_wrong
        for mistake in worst.mistakes:
            assert mistake.text == page.page.text[mistake.region]
            assert mistake.gold == page.labels[mistake.region] != mistake.predicted
            assert 0 < mistake.confidence <= 1


def test_each_of_the_worst_pages_is_drawn(result):
    (study,) = result[0].report.studies
    assert set(result[0].pictures) == {(study.name, page.page) for page in study.worst}
    for page in study.worst:
        drawn = result[0].pictures[study.name, page.page]
        assert drawn.startswith("<figure")
        assert f"6 regions, {page.n_wrong} of them wrong" in drawn
    assert len(set(result[0].pictures.values())) == len(study.worst)


def test_of_more_than_twenty_bad_pages_twenty_are_shown(experiment, corpus, learners, study_of):
    more = [replace(page, id=f"{page.id}-{again}") for again in range(2) for page in corpus]
    chosen = replace(experiment, candidates=(Candidate("background"),), families=("dom",))
    folded = replace(chosen, splits=Splits(folds=3))
    study = study_of(folded, replace(corpus, pages=tuple(more)), learners)
    assert [page.page for page in study.worst] == sorted(page.id for page in more)[:20]


def test_a_long_text_is_cut(experiment, corpus, learners, study_of):
    def stretched(page):
        return replace(page, page=replace(page.page, text=(*page.page.text[:-1], "x" * 500)))

    longer = replace(corpus, pages=tuple(map(stretched, corpus)))
    chosen = replace(experiment, candidates=(Candidate("background"),), families=("dom",))
    study = study_of(chosen, longer, learners)
    assert {page.mistakes[-1].text for page in study.worst} == {"x" * 120}
    assert {page.mistakes[-1].confidence for page in study.worst} == {None}
    assert {page.mistakes[-1].reasons for page in study.worst} == {()}


def test_what_is_given_to_a_region_of_unknown_label_may_be_anything(
    experiment, corpus, learners, report_of
):
    class Odd(learners["background"]):
        def predict(self, X):
            return [np.array([90, 2, 2, 2, 2, -1]) for _ in X]

    pages = (replace(page, labels=(UNKNOWN, *page.labels[1:-1], UNKNOWN)) for page in corpus)
    holed = replace(corpus, pages=tuple(pages))
    chosen = replace(experiment, candidates=(Candidate("odd"),), families=("dom",))
    report = report_of(chosen, holed, {"odd": Odd})
    assert report.is_complete
    (study,) = report.studies
    assert [page.accuracy for page in study.worst] == [pytest.approx(1 / 4)] * 6
