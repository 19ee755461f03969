"""Calibration in an experiment: on validation pages, told of test pages."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from structce.experiments.config import Candidate, Splits
from structce.experiments.fit import can_calibrate, run_job
from structce.experiments.job import Job, encode_split
from structce.experiments.schedule import count_jobs, is_tuned
from structce.features.feature_set import FeatureSet
from structce.learners.multiclass_svm import MulticlassSVM

ONE = {"lambda_": (1.0,), "max_epochs": (5,), "tol": (0.5,)}
TWO = {**ONE, "lambda_": (0.01, 1.0)}


@pytest.fixture
def spy():
    """A learner of the house, and notes of how many pages it is fitted and calibrated with."""
    seen = []

    class Spy(MulticlassSVM):
        def fit(self, X, y, **options):
            seen.append(("fit", self.lambda_, len(X)))
            return super().fit(X, y, **options)

        def calibrate(self, X, y, **options):
            seen.append(("calibrate", self.lambda_, len(X)))
            return super().calibrate(X, y, **options)

    Spy.seen = seen
    return Spy


@pytest.fixture(scope="module")
def folded(experiment, corpus, learners, study_of):
    """An SVM, and a learner of somebody else's that is never calibrated."""
    candidates = (Candidate("svm", TWO), Candidate("centroids"))
    chosen = replace(experiment, candidates=candidates, splits=Splits(folds=3))
    return study_of(chosen, corpus, {**learners, "svm": MulticlassSVM})


@pytest.fixture(scope="module")
def data(corpus):
    features = FeatureSet(("text", "dom"), min_count=1)
    parts = (corpus.subset(page.id for page in corpus.pages[i::3]) for i in range(3))
    return encode_split(features, *parts)


@pytest.fixture
def make_job():
    def make(**changes):
        job = Job(
            study="compass by site",
            split=0,
            candidate="svm",
            learner="svm",
            parameters={name: values[0] for name, values in ONE.items()},
            step="tune",
            seed=0,
            measure="macro_f1",
        )
        return replace(job, **changes)

    return make


def sizes(study):
    (split,) = study.splits
    return [len(part.pages) for part in (split.train, split.validation, split.test)]


def test_who_has_nothing_to_choose_is_calibrated_all_the_same(experiment, corpus, spy, study_of):
    study = study_of(replace(experiment, candidates=(Candidate("spy", ONE),)), corpus, {"spy": spy})
    n_train, n_validation, _ = sizes(study)
    assert spy.seen == [
        ("fit", 1.0, n_train),
        ("calibrate", 1.0, n_validation),
        ("fit", 1.0, n_train + n_validation),
    ]
    (trial,) = study.candidate("spy").row.trials
    assert [point.parameters["lambda_"] for point in trial.points] == [1.0]
    assert trial.temperature == trial.points[0].temperature


@pytest.mark.parametrize("best", [0.01, 1.0])
def test_the_temperature_is_that_of_the_best_point(experiment, corpus, spy, study_of, best):
    class Picky(spy):
        def predict(self, X):
            predictions = super().predict(X)
            return predictions if self.lambda_ == best else [np.zeros_like(y) for y in predictions]

    study = study_of(
        replace(experiment, candidates=(Candidate("picky", TWO),)), corpus, {"picky": Picky}
    )
    n_train, n_validation, _ = sizes(study)
    assert [call for call in spy.seen if call[0] == "fit"] == [
        ("fit", 0.01, n_train),
        ("fit", 1.0, n_train),
        ("fit", best, n_train + n_validation),
    ]
    (trial,) = study.candidate("picky").row.trials
    told = {point.parameters["lambda_"]: point.temperature for point in trial.points}
    assert len(set(told.values())) == 2
    assert trial.temperature == told[best]


def test_the_tested_model_takes_the_temperature_over(data, make_job):
    settings = dict(make_job().parameters)
    careful = MulticlassSVM(**settings)
    careful.fit(data.train.matrices, data.train.targets, n_labels=5)
    careful.calibrate(data.validation.matrices, data.validation.targets)
    tuned = run_job(make_job(), MulticlassSVM, data)
    assert tuned.point.temperature == careful.temperature_ != 1

    both = data.train + data.validation
    tested = MulticlassSVM(**settings).fit(both.matrices, both.targets, n_labels=5)
    before = tested.confidence(data.test.matrices)
    tested.temperature_ = careful.temperature_
    after = tested.confidence(data.test.matrices)
    result = run_job(make_job(step="test", temperature=careful.temperature_), MulticlassSVM, data)
    for said, expected in ((result.before, before), (result.after, after)):
        assert [list(page) for page in said] == [page.tolist() for page in expected]
    assert result.before != result.after
    assert [list(page) for page in result.predictions] == [
        page.tolist() for page in tested.predict(data.test.matrices)
    ]


class WarningSVM(MulticlassSVM):
    """A learner whose fit warns."""

    def fit(self, X, y, **options):
        warnings.warn("few pages", stacklevel=1)
        return super().fit(X, y, **options)


@pytest.mark.parametrize("factory", [MulticlassSVM, WarningSVM])
def test_the_model_fitted_while_choosing_is_tested_like_one_fitted_again(data, make_job, factory):
    best = {}
    points = [
        run_job(
            make_job(refit=False, parameters={**make_job().parameters, "lambda_": lambda_}),
            factory,
            data,
            best,
        ).point
        for lambda_ in (0.01, 1.0)
    ]
    chosen = max(points, key=lambda point: point.value)
    test = make_job(
        step="test", refit=False, parameters=chosen.parameters, temperature=chosen.temperature
    )
    kept, again = run_job(test, factory, data, best), run_job(test, factory, data)
    assert kept.training == best["svm"].fitted.training
    assert kept.after
    assert replace(kept, training=again.training, prediction=again.prediction) == again


@pytest.mark.parametrize(
    "changes",
    [{"refit": True}, {"part": "only dom"}, {"parameters": {"lambda_": 3.0, "max_epochs": 1}}],
)
def test_a_model_for_other_pages_columns_or_settings_is_fitted(data, make_job, spy, changes):
    best = {}
    run_job(make_job(refit=False), spy, data, best)
    spy.seen.clear()
    run_job(make_job(**{"refit": False, "step": "test", **changes}), spy, data, best)
    assert [name for name, *_ in spy.seen] == ["fit"]


def test_a_part_gives_no_confidence_no_steps_and_no_mistakes(data, make_job):
    whole = run_job(make_job(step="test", temperature=2.0), MulticlassSVM, data)
    part = run_job(make_job(step="test", temperature=2.0, part="only dom"), MulticlassSVM, data)
    assert whole.steps
    assert whole.before
    assert (part.steps, part.before, part.after, part.wrong) == ((), (), (), ())
    assert part.stop.keys() == whole.stop.keys()


def test_every_job_is_counted(experiment, learners):
    known = {**learners, "svm": MulticlassSVM}
    for name, values, n_units in (
        ("svm", ONE, 2),
        ("svm", TWO, 3),
        ("centroids", {}, 1),
        ("centroids", {"lambda_": (0.0, 1.0)}, 3),
    ):
        candidate = Candidate(name, values)
        assert count_jobs(replace(experiment, candidates=(candidate,)), known) == n_units
        assert is_tuned(candidate, known) == (n_units > 1)
        more = replace(
            experiment, candidates=(candidate,), ablation=("text",), learning_curve=(0.5, 1.0)
        )
        assert count_jobs(more, known) == n_units + 2 + 1


def test_only_learners_of_the_house_are_calibrated(learners):
    assert can_calibrate(MulticlassSVM)
    assert not can_calibrate(learners["centroids"])
    assert not can_calibrate(lambda **settings: MulticlassSVM(**settings))


def test_figures_are_pooled_over_the_regions_of_all_folds(folded, corpus):
    svm = folded.candidate("svm")
    reliability = svm.calibration.after
    assert sum(bin_.n_regions for bin_ in reliability.bins) == sum(folded.n_test.values())
    assert sum(folded.n_test.values()) == 6 * len(corpus)
    right = sum(bin_.n_regions * bin_.accuracy for bin_ in reliability.bins)
    assert right == pytest.approx(np.trace(np.array(svm.row.confusion)))
    distances = [bin_.n_regions * abs(bin_.confidence - bin_.accuracy) for bin_ in reliability.bins]
    assert reliability.error == pytest.approx(sum(distances) / (6 * len(corpus)))


def test_calibration_makes_confidence_more_honest(folded):
    calibration = folded.candidate("svm").calibration
    assert calibration.after.error < calibration.before.error
    assert calibration.after.brier < calibration.before.brier


def test_a_learner_that_gives_no_confidence_runs_without_these_figures(folded):
    assert folded.candidate("centroids").calibration is None
    assert {trial.temperature for trial in folded.candidate("centroids").row.trials} == {None}
    assert all(trial.temperature > 0 for trial in folded.candidate("svm").row.trials)
    assert folded.failures == ()


def test_where_a_solver_stood_is_told_epoch_by_epoch(folded):
    for trial in folded.candidate("svm").row.trials:
        assert [step.epoch for step in trial.steps] == list(range(1, len(trial.steps) + 1))
        assert trial.steps[-1].gap == pytest.approx(trial.stop["gap"])
        assert trial.stop["n_epochs"] == len(trial.steps)
    assert all(trial.steps == () for trial in folded.candidate("centroids").row.trials)
