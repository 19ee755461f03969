"""Experiments with learners: tuning, tests, parts, failures, and what is resumed."""

from functools import partial

import msgspec
import pytest

from structce.errors import ExperimentError
from structce.experiments.config import Features, Splits
from structce.experiments.fit import EncodedSplit

SVM = {"lambda_": (0.01, 1.0), "max_epochs": (5,), "tol": (0.5,)}


def fits(report, subject, step):
    return report.rows("fits", subject=subject, step=step)


@pytest.fixture
def spy(learners):
    """A learner that notes how many pages and columns it is fitted on."""
    seen = []

    class Spy(learners["background"]):
        def fit(self, X, y, *, classes):
            seen.append((self.lambda_, len(X), X[0].shape[1]))
            return super().fit(X, y, classes=classes)

    Spy.seen = seen
    return Spy


def test_the_best_point_of_a_grid_is_tested(report):
    tuned = fits(report, "centroids", "tuning")
    assert [fit.parameters for fit in tuned] == [{"lambda_": 0.0}, {"lambda_": 1.0}]
    # Always None gives F1 1/2 for one of four labels, on validation pages as on all.
    assert [fit.value for fit in tuned] == [pytest.approx(0.125), 1.0]
    (tested,) = fits(report, "centroids", "test")
    assert tested.parameters == {"lambda_": 1.0}
    assert tested.stop == {"gap": 0.001, "n_epochs": 3, "objective": None}
    assert report.value("compass by site", "centroids", "accuracy") == 1
    assert not fits(report, "background", "tuning")  # nothing to choose, nothing to calibrate


def test_scores_of_always_none_are_those_worked_by_hand(report):
    # Each page: two of None, and Title, Author and two paragraphs.
    scores = partial(report.value, "compass by site")
    assert scores("background", "accuracy") == pytest.approx(2 / 6)
    assert scores("background", "macro_f1") == pytest.approx((2 * 2 / (2 + 6)) / 4)
    assert scores("background", "macro_f1_foreground") == 0
    assert scores("background", "page_exactness") == 0
    assert scores("background", "f1", "Date") is None
    assert {unit.value for unit in report.rows("units", subject="background")} == {2 / 6}


def test_columns_come_from_training_pages_alone(experiment, corpus, choose, spy, run_quietly):
    asked = choose(experiment, ("spy", {"lambda_": (1, 2)}))
    report = run_quietly(asked, corpus, {"spy": spy})
    (split,) = report.rows("splits")
    n_train, n_validation = len(split.train), len(split.validation)
    assert [n for _, n, _ in spy.seen] == [n_train, n_train, n_train + n_validation]
    assert {n for *_, n in spy.seen} == {split.n_columns}
    alone = corpus.subset(split.train)
    features = asked.features.feature_set()
    assert len(EncodedSplit.of(features, alone, alone, alone).columns) == split.n_columns


def test_parts_and_shares_are_tested(experiment, corpus, choose, run_quietly):
    features = msgspec.structs.replace(experiment.features, ablation=True)
    asked = choose(experiment, "centroids", features=features, learning_curve=(0.25, 1.0))
    report = run_quietly(asked, corpus)
    parts = [fit.part for fit in report.rows("fits")]
    assert parts == ["", "without text", "without dom", "only text", "only dom", "share 0.25"]
    assert report.value("compass by site", "centroids", "n_columns", part="only text") > 1
    pairs = [(pair.subject, pair.first, pair.second) for pair in report.rows("pairs")]
    assert pairs == [("centroids", part, "all features") for part in parts[1:-1]]


def test_scores_are_pooled_over_folds(experiment, corpus, choose, known, run_quietly):
    asked = choose(experiment, ("multiclass-svm", SVM), "centroids", splits=Splits(folds=3))
    report = run_quietly(asked, corpus, known)
    scores = partial(report.value, "compass by site")
    n_regions = sum(len(page.labels) for page in corpus)
    assert sum(scores("multiclass-svm", "n_test", name) for name in corpus.counts) == n_regions
    assert len(report.rows("units", subject="centroids")) == len(corpus)
    bins = report.rows("bins", is_calibrated=True)
    assert sum(one.n_regions for one in bins) == n_regions
    assert {one.subject for one in bins} == {"multiclass-svm"}  # no other gives confidences
    distances = [one.n_regions * abs(one.confidence - one.accuracy) for one in bins]
    error = scores("multiclass-svm", "calibration_error_after")
    assert error == pytest.approx(sum(distances) / n_regions)
    assert error < scores("multiclass-svm", "calibration_error_before")
    for fit in fits(report, "multiclass-svm", "test"):
        assert fit.temperature > 0


def test_one_seed_gives_one_report_except_for_times(experiment, corpus, report, run_quietly):
    again = run_quietly(experiment, corpus)
    for name, table in report.tables.items():
        other = again.tables[name].drop(columns="seconds", errors="ignore")
        assert table.drop(columns="seconds", errors="ignore").equals(other), name
    other = run_quietly(msgspec.structs.replace(experiment, seed=8), corpus)
    assert other.rows("splits")[0].test != report.rows("splits")[0].test


def test_a_learner_without_a_fitted_point_is_not_tested(report):
    assert [(one.subject, one.job) for one in report.rows("failures")] == [
        ("raising", f"raising, lambda = {value}, compass by site, split 1, tuning")
        for value in (1.0, 2.0)
    ]
    assert report.rows("failures")[0].error == "ArithmeticError: <b>no</b> minimum"
    assert report.subjects == ("centroids", "background")
    assert not report.is_complete


def test_a_failure_on_one_fold_leaves_no_scores(experiment, corpus, choose, learners, run_quietly):
    seen = []

    class Once(learners["centroids"]):
        def fit(self, X, y, *, classes):
            seen.append(1)
            if len(seen) == 2:
                raise ArithmeticError("too few")
            return super().fit(X, y, classes=classes)

    asked = choose(experiment, "once", "background", splits=Splits(folds=3))
    report = run_quietly(asked, corpus, {**learners, "once": Once})
    (failure,) = report.rows("failures")
    assert failure.job == "once, compass by site, split 2, test"
    assert report.subjects == ("background",)


@pytest.mark.parametrize(
    ("predict", "error"),
    [
        (lambda y: y[1:], "LearnerError: predicted labels do not fit"),
        (lambda y: [labels + 90 for labels in y], "LabelError: predicted label index out of"),
    ],
)
def test_a_learner_of_odd_predictions_fails_alone(
    experiment, corpus, choose, learners, run_quietly, predict, error
):
    class Odd(learners["background"]):
        def predict(self, X):
            return predict(super().predict(X))

    report = run_quietly(choose(experiment, "odd", "background"), corpus, {**learners, "odd": Odd})
    (failure,) = report.rows("failures")
    assert failure.error.startswith(error)
    assert report.subjects == ("background",)


@pytest.mark.parametrize("settings", [{"learners": {}}, {"learners": {"centroids": object}}])
def test_an_unknown_learner_stops_the_run(experiment, corpus, run_quietly, settings):
    with pytest.raises(ExperimentError, match="unknown"):
        run_quietly(experiment, corpus, **settings)


@pytest.mark.parametrize(
    ("change", "n_new"),
    [
        ({}, 0),
        ({"question": "Another?"}, 0),
        ({"seed": 8}, 3),
        ({"lambda_": (1.0, 2.0, 3.0)}, 1),
        ({"features": Features(families=("text", "dom"), min_count=2)}, 3),
    ],
)
def test_only_changed_jobs_are_run_again(
    experiment, corpus, choose, spy, run_quietly, tmp_path, change, n_new
):
    values = {"lambda_": change.pop("lambda_", (1.0, 2.0))}
    first = choose(experiment, ("spy", {"lambda_": (1.0, 2.0)}))
    run_quietly(first, corpus, {"spy": spy}, journal=tmp_path / "jobs")
    spy.seen.clear()
    second = choose(experiment, ("spy", values), **change)
    run_quietly(second, corpus, {"spy": spy}, journal=tmp_path / "jobs")
    assert len(spy.seen) == n_new
