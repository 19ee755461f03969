"""Calibration in an experiment: on validation pages, told of test pages, shown in the report."""

import json
from dataclasses import replace

import numpy as np
import pytest
from lxml import html

from structce.evaluation import Bin, expected_calibration_error
from structce.experiments import (
    Calibration,
    Grid,
    Reliability,
    calibration_table,
    run,
    summary,
    to_json,
)
from structce.experiments.diagram import diagram
from structce.experiments.html import render_html
from structce.experiments.trial import Bench, Data, Encoded, can_calibrate, count_fits
from structce.features import FeatureSet
from structce.files import to_json as json_bytes
from structce.learners import MulticlassSVM

ONE = {"lambda_": (1.0,), "max_epochs": (5,), "tol": (0.5,)}
TWO = {**ONE, "lambda_": (0.01, 1.0)}


class Spy(MulticlassSVM):
    """Notes with how many pages each model is fitted and calibrated."""

    seen: list[tuple[str, float, int]]

    def fit(self, X, y, **options):
        self.seen.append(("fit", self.lambda_, len(X)))
        return super().fit(X, y, **options)

    def calibrate(self, X, y, **options):
        self.seen.append(("calibrate", self.lambda_, len(X)))
        return super().calibrate(X, y, **options)


@pytest.fixture
def spy():
    return type("Spy", (Spy,), {"seen": [], "__init__": MulticlassSVM.__init__})


@pytest.fixture
def folded(experiment, corpus, learners):
    """An SVM, and a learner of somebody else's that is never calibrated."""
    grids = (Grid("svm", TWO), Grid("centroids", {}))
    chosen = replace(experiment, learners=grids, folds=3)
    return run(chosen, corpus, learners={**learners, "svm": MulticlassSVM}, progress=False)


@pytest.fixture
def make_data():
    def make(corpus):
        features = FeatureSet(("text", "dom"), min_count=1)
        features.fit([page.page for page in corpus])
        parts = []
        for i in range(3):
            pages = corpus.pages[i::3]
            labels = [corpus.label_set.encode(page.labels) for page in pages]
            parts.append(Encoded([features.transform(page.page) for page in pages], labels))
        return Data(*parts, corpus.label_set)

    return make


def sizes(result):
    (split,) = result.splits
    return [len(part.pages) for part in (split.train, split.validation, split.test)]


def test_who_has_nothing_to_choose_is_calibrated_all_the_same(experiment, corpus, spy):
    chosen = replace(experiment, learners=(Grid("spy", ONE),))
    found = run(chosen, corpus, learners={"spy": spy}, progress=False)
    n_train, n_validation, _ = sizes(found)
    assert spy.seen == [
        ("fit", 1.0, n_train),
        ("calibrate", 1.0, n_validation),
        ("fit", 1.0, n_train + n_validation),
    ]
    (trial,) = found.succeeded[0].trials
    assert [point.parameters["lambda_"] for point in trial.points] == [1.0]


@pytest.mark.parametrize("best", [0.01, 1.0])
def test_the_best_point_alone_is_calibrated(experiment, corpus, spy, best):
    class Picky(spy):
        def predict(self, X):
            found = super().predict(X)
            return found if self.lambda_ == best else [np.zeros_like(y) for y in found]

    chosen = replace(experiment, learners=(Grid("picky", TWO),))
    found = run(chosen, corpus, learners={"picky": Picky}, progress=False)
    n_train, n_validation, _ = sizes(found)
    assert spy.seen == [
        ("fit", 0.01, n_train),
        ("fit", 1.0, n_train),
        ("calibrate", best, n_validation),
        ("fit", best, n_train + n_validation),
    ]
    assert found.succeeded[0].trials[0].parameters["lambda_"] == best


def test_the_tested_model_takes_the_temperature_over(corpus, make_data):
    data = make_data(corpus)
    trial = Bench(Grid("svm", ONE), data, MulticlassSVM, 0, lambda: None).trial()
    settings = {"lambda_": 1.0, "max_epochs": 5, "tol": 0.5}
    careful = MulticlassSVM(**settings).fit(data.train.X, data.train.y, n_labels=5)
    temperature = careful.calibrate(data.validation.X, data.validation.y).temperature_
    both = data.train + data.validation
    tested = MulticlassSVM(**settings).fit(both.X, both.y, n_labels=5)
    before = tested.confidence(data.test.X)
    tested.temperature_ = temperature
    assert trial.confidence.temperature == temperature != 1
    assert all(map(np.array_equal, trial.confidence.before, before))
    assert all(map(np.array_equal, trial.confidence.after, tested.confidence(data.test.X)))


def test_every_fit_is_counted_and_ticked(corpus, make_data, learners):
    data = make_data(corpus)
    foreign = learners["centroids"]
    cases = [
        (Grid("svm", ONE), MulticlassSVM, 2),
        (Grid("svm", TWO), MulticlassSVM, 3),
        (Grid("centroids", {}), foreign, 1),
        (Grid("centroids", {"lambda_": (0.0, 1.0)}), foreign, 3),
    ]
    for grid, make, n_fits in cases:
        ticks = []
        Bench(grid, data, make, 0, lambda ticks=ticks: ticks.append(1)).trial()
        assert len(ticks) == count_fits(grid, make) == n_fits


def test_only_learners_of_the_house_are_calibrated(learners):
    assert can_calibrate(MulticlassSVM)
    assert not can_calibrate(learners["centroids"])
    assert not can_calibrate(lambda **settings: MulticlassSVM(**settings))


def test_figures_are_pooled_over_the_regions_of_all_folds(folded, corpus):
    svm = folded.succeeded[0]
    labels = {page.id: corpus.label_set.encode(page.labels) for page in corpus}
    right, before, after = [], [], []
    for trial, split in zip(svm.trials, folded.splits, strict=True):
        tested = [page.id for page in corpus if page.id in split.test.pages]
        for i, page in enumerate(tested):
            right.append(labels[page] == trial.predictions[i])
            before.append(trial.confidence.before[i])
            after.append(trial.confidence.after[i])
    for said, found in ((before, svm.calibration.before), (after, svm.calibration.after)):
        assert sum(one.n_regions for one in found.bins) == sum(folded.n_test.values())
        error = expected_calibration_error(np.concatenate(said), np.concatenate(right))
        assert found.error == pytest.approx(error)
        brier = np.mean((np.concatenate(said) - np.concatenate(right)) ** 2)
        assert found.brier == pytest.approx(brier)


def test_calibration_makes_confidence_more_honest(folded):
    calibration = folded.succeeded[0].calibration
    assert calibration.after.error < calibration.before.error
    assert calibration.after.brier < calibration.before.brier


def test_a_learner_that_tells_no_confidence_runs_without_these_figures(folded):
    svm, centroids = folded.succeeded
    assert centroids.calibration is None
    assert centroids.trials[0].confidence is None
    assert [row[0] for row in calibration_table(folded).rows] == ["svm"]
    found = to_json(folded)["learners"]
    assert found["centroids"]["calibration"] is None
    assert found["centroids"]["trials"][0]["temperature"] is None
    assert found["svm"]["trials"][0]["temperature"] == svm.trials[0].confidence.temperature


def test_a_confidence_that_is_none_fails_alone(experiment, corpus):
    class Lost(MulticlassSVM):
        def confidence(self, X):
            return [np.full(x.shape[0], np.nan) for x in X]

    chosen = replace(experiment, learners=(Grid("lost", ONE), Grid("svm", ONE)))
    found = run(chosen, corpus, learners={"lost": Lost, "svm": MulticlassSVM}, progress=False)
    assert [row.learner for row in found.succeeded] == ["svm"]
    assert found.failed[0].error == "LearnerError: a confidence is not in [0, 1]"


def test_json_holds_the_numbers_of_the_diagram_and_is_the_same_each_time(folded, corpus, learners):
    found = to_json(folded)
    known = {**learners, "svm": MulticlassSVM}
    again = to_json(run(folded.experiment, corpus, learners=known, progress=False))
    assert found.pop("times")
    assert again.pop("times")
    assert json_bytes(found) == json_bytes(again)
    after = json.loads(json_bytes(found))["learners"]["svm"]["calibration"]["after"]
    assert set(after) == {"error", "brier", "bins"}
    assert set(after["bins"][0]) == {"low", "high", "n_regions", "confidence", "accuracy"}
    assert sum(one["n_regions"] for one in after["bins"]) == 6 * len(corpus)


def test_the_table_shows_errors_scores_and_the_range_of_temperatures(folded):
    ((_, *cells),) = calibration_table(folded).rows
    svm = folded.succeeded[0]
    before, after = svm.calibration.before, svm.calibration.after
    values = (before.error, after.error, before.brier, after.brier)
    assert cells[:4] == [f"{value:.4f}" for value in values]
    found = sorted(trial.confidence.temperature for trial in svm.trials)
    ends = cells[4].split("–")  # once, if both are the same to three digits
    assert (ends[0], ends[-1]) == (f"{found[0]:.3g}", f"{found[-1]:.3g}")
    assert "Confidence before and after calibration" in summary(folded)


def test_the_table_is_left_out_where_nobody_tells_a_confidence(experiment, corpus, learners):
    found = run(experiment, corpus, learners=learners, progress=False)
    assert calibration_table(found).rows == ()
    assert "Confidence before" not in summary(found)
    page = render_html(found, {}, "")
    assert "reliability-1" not in page
    assert "centroids does not tell how sure it is" in page


def test_points_and_bars_stand_where_their_numbers_are():
    half = Bin(0.5, 0.6, 1000, 0.55, 0.5)
    sure = Bin(0.9, 1.0, 12345, 1.0, 0.9)
    calibration = Calibration(Reliability(0, 0, (half,)), Reliability(0, 0, (half, sure)))
    drawn = diagram(calibration)
    # The square is 300 wide and begins 46 from the left and 10 from above.
    assert [(spot.x, spot.y) for spot in drawn.before] == [(46 + 165, 10 + 150)]
    assert [(spot.x, spot.y) for spot in drawn.after] == [(211, 160), (346, 40)]
    assert drawn.after[0].text == "1,000 regions of mean confidence 0.55, 0.50 of them right"
    small, large = drawn.bars
    assert (small.x, small.width, small.text) == (46 + 150 + 1, 28, "1.0k")
    assert (large.x, large.height, large.text) == (46 + 270 + 1, 50, "12k")
    assert small.height == pytest.approx(50 * 1000 / 12345, abs=0.05)
    assert drawn.ticks[0] == (0, 46, 310)
    assert drawn.ticks[-1] == (1, 346, 10)
    assert drawn.description.startswith("Before calibration: 1,000 regions of mean confidence 0.55")


def test_a_diagram_without_regions_has_no_points():
    nothing = Reliability(0.0, 0.0, ())
    drawn = diagram(Calibration(nothing, nothing))
    assert (drawn.before, drawn.after, drawn.bars) == ((), (), ())
    assert drawn.description == "Before calibration: no regions. After: no regions."


def test_the_page_draws_a_diagram_that_can_be_read_without_seeing_it(folded):
    tree = html.document_fromstring(render_html(folded, {}, ""))
    (figure,) = tree.xpath("//figure")
    assert figure.xpath("string(figcaption)") == "svm"
    (svg,) = figure.xpath("svg")
    title, text = (tree.get_element_by_id(name) for name in svg.get("aria-labelledby").split())
    assert title.text_content() == "Reliability of the confidence of svm"
    assert "of them right" in text.text_content()
    calibration = folded.succeeded[0].calibration
    hollow, filled = svg.xpath("circle[@class='before']"), svg.xpath("circle[@class='filled']")
    assert len(hollow) == len(calibration.before.bins)
    assert len(filled) == len(svg.xpath("rect")) == len(calibration.after.bins)
    ids = tree.xpath("//@id")
    assert len(set(ids)) == len(ids)
    assert not tree.xpath("//script | //img | //*[@src]")
