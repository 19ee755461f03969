"""A job that raises is a row of the report, and the others go on."""

from dataclasses import replace

import numpy as np
import pytest

from structce.experiments.config import Candidate
from structce.experiments.results import FailureRecord
from structce.learners.multiclass_svm import MulticlassSVM

PARTS = ["without text", "without dom", "only text", "only dom"]
FEW = "ArithmeticError: <b>too</b> few"


@pytest.fixture(scope="session")
def picky(learners):
    """Cannot be fitted to fewer columns, or fewer pages, than it is told."""

    class Picky(learners["centroids"]):
        def __init__(self, *, n_columns=0, n_pages=0):
            self.n_columns, self.n_pages, self.lambda_ = n_columns, n_pages, 1.0

        def fit(self, X, y, *, n_labels):
            if X[0].shape[1] < self.n_columns or len(X) < self.n_pages:
                raise ArithmeticError("<b>too</b> few")
            return super().fit(X, y, n_labels=n_labels)

    return Picky


def test_a_candidate_none_of_whose_points_can_be_fitted_is_not_tested(
    experiment, corpus, learners, report_of
):
    report = report_of(replace(experiment, ablation=("text",)), corpus, learners)
    (study,) = report.studies
    error = "ArithmeticError: <b>no</b> minimum"
    assert study.failures == tuple(
        FailureRecord(
            "raising", f"raising, lambda = {value}, compass by site, split 1, tune", error
        )
        for value in (1.0, 2.0)
    )
    assert [candidate.name for candidate in study.candidates] == ["centroids", "background"]
    assert {ablation.candidate for ablation in study.ablations} == {"centroids", "background"}
    assert [(pair.first, pair.second) for pair in study.pairs] == [("centroids", "background")]
    assert not report.is_complete


def test_a_report_in_which_nothing_raised_is_complete(experiment, corpus, learners, report_of):
    report = report_of(replace(experiment, candidates=(Candidate("background"),)), corpus, learners)
    assert report.is_complete
    assert report.studies[0].failures == ()


def test_a_point_that_raises_is_left_out_and_the_others_are_chosen_from(
    experiment, corpus, learners, report_of
):
    class Partly(learners["centroids"]):
        def fit(self, X, y, *, n_labels):
            if self.lambda_ == 2:
                raise ArithmeticError("not two")
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(experiment, candidates=(Candidate("partly", {"lambda_": (0.0, 2.0, 1.0)}),))
    report = report_of(chosen, corpus, {"partly": Partly})
    (study,) = report.studies
    (trial,) = study.candidate("partly").row.trials
    assert [point.parameters["lambda_"] for point in trial.points] == [0.0, 1.0]
    assert trial.parameters == {"lambda_": 1.0}
    job = "partly, lambda = 2.0, compass by site, split 1, tune"
    assert study.failures == (FailureRecord("partly", job, "ArithmeticError: not two"),)
    assert not report.is_complete


def test_a_candidate_whose_test_raises_has_no_scores(experiment, corpus, learners, picky, study_of):
    class Later(picky):
        """Fails on training and validation pages together."""

        def fit(self, X, y, *, n_labels):
            if len(X) > self.n_pages:
                raise ArithmeticError("<b>too</b> many")
            return self

        def predict(self, X):
            return [np.full(x.shape[0], 2) for x in X]

    (split,) = study_of(
        replace(experiment, candidates=(Candidate("background"),)), corpus, learners
    ).splits
    candidates = (
        Candidate("later", {"n_pages": (len(split.train.pages), 1)}),
        Candidate("background"),
    )
    study = study_of(
        replace(experiment, candidates=candidates),
        corpus,
        {"later": Later, "background": learners["background"]},
    )
    assert [failure.job.rpartition(", ")[2] for failure in study.failures] == ["tune", "test"]
    assert {failure.error for failure in study.failures} == {"ArithmeticError: <b>too</b> many"}
    assert [candidate.name for candidate in study.candidates] == ["background"]
    assert study.reference == "background"
    assert study.pairs == ()
    assert study.power is None


def test_a_candidate_that_fails_on_one_fold_has_no_scores(experiment, corpus, learners, study_of):
    seen = []

    class Once(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seen.append(1)
            if len(seen) == 2:
                raise ArithmeticError("the second")
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(
        experiment, candidates=(Candidate("once"),), splits=replace(experiment.splits, folds=3)
    )
    study = study_of(chosen, corpus, {"once": Once})
    job = "once, compass by site, split 2, test"
    assert study.failures == (FailureRecord("once", job, "ArithmeticError: the second"),)
    assert len(seen) == 3
    assert (study.candidates, study.worst, study.reference) == ((), (), "")
    assert len(study.splits) == 3


def test_a_part_of_an_ablation_that_raises_is_a_row_and_the_others_go_on(
    experiment, corpus, learners, picky, report_of
):
    chosen = replace(experiment, candidates=(Candidate("centroids"),), ablation=("text", "dom"))
    (study,) = report_of(chosen, corpus, learners).studies
    counts = {ablation.name: ablation.n_columns[0] for ablation in study.ablations}
    candidate = Candidate("picky", {"n_columns": (min(counts.values()) + 1,)})
    report = report_of(replace(chosen, candidates=(candidate,)), corpus, {"picky": picky})
    (study,) = report.studies
    assert not report.is_complete
    lost = [part for part in PARTS if counts[part] == min(counts.values())]
    assert len(lost) == 2
    assert [ablation.name for ablation in study.ablations] == [
        part for part in PARTS if part not in lost
    ]
    assert [
        (failure.error, part in failure.job)
        for failure, part in zip(study.failures, lost, strict=True)
    ] == [(FEW, True)] * 2
    assert [candidate.name for candidate in study.candidates] == ["picky"]


def test_a_share_of_the_learning_curve_that_raises_is_a_row_and_the_others_go_on(
    experiment, corpus, picky, study_of
):
    candidate = Candidate("picky", {"n_pages": (6,)})
    chosen = replace(experiment, candidates=(candidate,), learning_curve=(0.25, 0.75))
    study = study_of(chosen, corpus, {"picky": picky})
    assert [point.share for point in study.learning] == [0.75]
    job = "picky, n_pages = 6, 25 % of the training sites, compass by site, split 1, test"
    assert study.failures == (FailureRecord("picky", job, FEW),)


def test_a_learner_of_the_wrong_shape_fails_alone(experiment, corpus, learners, study_of):
    class Short(learners["background"]):
        def predict(self, X):
            return super().predict(X)[1:]

    class Beyond(learners["background"]):
        def predict(self, X):
            return [y + 90 for y in super().predict(X)]

    chosen = replace(
        experiment, candidates=(Candidate("short"), Candidate("beyond"), Candidate("background"))
    )
    known = {"short": Short, "beyond": Beyond, "background": learners["background"]}
    study = study_of(chosen, corpus, known)
    short, beyond = study.failures
    assert short.error.startswith("LearnerError: short: predicted labels of shapes")
    assert beyond.error.startswith("LabelError: predicted label index out of range")
    assert [candidate.name for candidate in study.candidates] == ["background"]


def test_a_confidence_that_is_none_fails_alone(experiment, corpus, study_of):
    class Lost(MulticlassSVM):
        def confidence(self, X):
            return [np.full(x.shape[0], np.nan) for x in X]

    values = {"lambda_": (1.0,), "max_epochs": (5,)}
    chosen = replace(experiment, candidates=(Candidate("lost", values), Candidate("svm", values)))
    study = study_of(chosen, corpus, {"lost": Lost, "svm": MulticlassSVM})
    assert [candidate.name for candidate in study.candidates] == ["svm"]
    assert [failure.error for failure in study.failures] == [
        "LearnerError: a confidence is not in [0, 1]"
    ]


@pytest.mark.parametrize("n_folds", [None, 3])
def test_a_study_in_which_everything_raises_is_a_study_all_the_same(
    experiment, corpus, learners, report_of, n_folds
):
    splits = replace(experiment.splits, folds=n_folds, by=("site", "page"))
    chosen = replace(
        experiment, candidates=(Candidate("raising"),), splits=splits, ablation=("text",)
    )
    report = report_of(chosen, corpus, learners)
    assert [len(study.failures) for study in report.studies] == [3 * (n_folds or 1)] * 2
    assert [study.candidates for study in report.studies] == [(), ()]
    assert (report.rankings, report.contrasts) == ((), ())
