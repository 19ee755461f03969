"""What an experiment is run like: tuned on validation pages, fitted again, tested once."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from structce.errors import CorpusError, ExperimentError
from structce.experiments import cache, runner
from structce.experiments.config import Candidate
from structce.experiments.job import encode_split


def one_candidate(experiment, name, values=None):
    return replace(experiment, candidates=(Candidate(name, values or {}),))


def test_one_candidate_each_that_has_scores_in_the_order_of_the_experiment(study):
    assert [candidate.name for candidate in study.candidates] == ["centroids", "background"]


def test_the_best_point_of_the_grid_is_the_one_that_is_tested(study):
    (trial,) = study.candidate("centroids").row.trials
    assert [point.parameters for point in trial.points] == [{"lambda_": 0.0}, {"lambda_": 1.0}]
    # On validation pages as on all: always None gives the F1 of None, 1/2, for one label of four.
    assert [point.value for point in trial.points] == [pytest.approx(0.125), 1.0]
    assert trial.parameters == {"lambda_": 1.0}
    assert study.candidate("centroids").row.scores.accuracy == 1


def test_of_equal_points_the_first_is_tested(experiment, corpus, learners, study_of):
    chosen = one_candidate(experiment, "background", {"lambda_": (3.0, 1.0, 2.0)})
    (trial,) = study_of(chosen, corpus, learners).candidate("background").row.trials
    assert trial.parameters == {"lambda_": 3.0}


def test_points_are_chosen_by_the_measure_of_the_experiment(experiment, corpus, learners, study_of):
    # A page is None, None, Title, Author and two paragraphs. One loses the two labels of the
    # middle, the other one label: both are right in four regions of six, but macro F1 differs.
    given = {1.0: [2, 2, 2, 2, 3, 3], 2.0: [3, 3, 4, 0, 3, 3]}

    class Either(learners["background"]):
        def predict(self, X):
            return [np.array(given[self.lambda_]) for _ in X]

    chosen = one_candidate(experiment, "either", {"lambda_": (1.0, 2.0)})
    for measure, best in (("accuracy", 1.0), ("macro_f1", 2.0)):
        study = study_of(replace(chosen, measure=measure), corpus, {"either": Either})
        (trial,) = study.candidate("either").row.trials
        assert trial.parameters == {"lambda_": best}


def test_a_candidate_with_nothing_to_choose_is_not_tuned(study):
    (trial,) = study.candidate("background").row.trials
    assert trial.points == ()
    assert trial.parameters == {}
    assert trial.temperature is None


def test_always_none_scores_as_worked_by_hand(study):
    # Each page: two of None, and Title, Author and two paragraphs.
    row = study.candidate("background").row
    assert row.scores.accuracy == row.scores.micro_f1 == pytest.approx(2 / 6)
    assert row.scores.macro_f1 == pytest.approx((2 * 2 / (2 + 6)) / 4)
    assert row.scores.macro_f1_foreground == 0
    assert row.scores.left_out == ("Date",)
    assert set(row.page_accuracy.values()) == {2 / 6}
    assert row.page_exactness == 0


def test_columns_come_from_training_pages_alone(experiment, corpus, learners, study_of):
    seen = {}

    class Spy(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seen.setdefault("columns", set()).update(x.shape[1] for x in X)
            seen.setdefault("n_pages", []).append(len(X))
            return super().fit(X, y, n_labels=n_labels)

    chosen = one_candidate(experiment, "spy", {"lambda_": (1, 2)})
    (split,) = study_of(chosen, corpus, {"spy": Spy}).splits
    n_train, n_validation = len(split.train.pages), len(split.validation.pages)
    assert seen["columns"] == {split.n_columns}
    assert seen["n_pages"] == [n_train, n_train, n_train + n_validation]
    alone = corpus.subset(split.train.pages)
    assert len(encode_split(chosen.feature_set(), alone, alone, alone).columns) == split.n_columns


def test_without_refitting_the_test_is_of_what_was_fitted_on_training_pages(
    experiment, corpus, learners, study_of
):
    n_pages = []

    class Spy(learners["background"]):
        def fit(self, X, y, *, n_labels):
            n_pages.append(len(X))
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(one_candidate(experiment, "spy", {"lambda_": (1, 2)}), refit=False)
    chosen = replace(chosen, learning_curve=(0.5,))
    study = study_of(chosen, corpus, {"spy": Spy})
    (split,) = study.splits
    n_train = len(split.train.pages)
    assert n_pages[:2] == [n_train] * 2  # the best of the two is tested as it is
    assert 0 < n_pages[2] < n_train
    assert study.learning[0].n_pages == n_pages[2]
    assert study.n_train == corpus.subset(split.train.pages).counts


def test_a_candidate_may_leave_the_columns_of_neighbours_alone(
    experiment, corpus, learners, study_of
):
    """It sees what one sees whose features have no windows."""
    seen = {}

    class Spy(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seen.setdefault(self.random_state, []).append(X)
            return super().fit(X, y, n_labels=n_labels)

    candidates = (
        Candidate("spy", {"random_state": (1,)}, "own", neighbours=False),
        Candidate("spy", {"random_state": (2,)}, "windows"),
    )
    chosen = replace(experiment, families=("text", "task"), candidates=candidates)
    study_of(chosen, corpus, {"spy": Spy})
    alone = replace(chosen, windows={}, candidates=(Candidate("spy", {"random_state": (3,)}),))
    study_of(alone, corpus, {"spy": Spy})
    own, windows, plain = ([page.shape for page in seen[i][0]] for i in (1, 2, 3))
    assert own == plain
    assert own[0][1] < windows[0][1]
    assert all((a != b).nnz == 0 for a, b in zip(seen[1][0], seen[3][0], strict=True))


def test_presets_are_studies_of_their_own(experiment, corpus, learners, report_of):
    chosen = one_candidate(replace(experiment, presets=("spengler2010", "all")), "background")
    report = report_of(chosen, corpus, learners)
    names = [study.name for study in report.studies]
    assert names == [
        "compass by site with spengler2010 features",
        "compass by site with all features",
    ]
    first, second = (study.splits[0].n_columns for study in report.studies)
    assert first != second


def test_the_parts_share_no_site(study):
    (split,) = study.splits
    parts = [set(part.sites) for part in (split.train, split.validation, split.test)]
    assert sum(map(len, parts)) == len(set().union(*parts)) == 6


def test_a_study_counts_its_pages_and_regions(study, corpus):
    (split,) = study.splits
    assert study.n_test == corpus.subset(split.test.pages).counts
    seen = corpus.subset((*split.train.pages, *split.validation.pages))
    assert study.n_train == seen.counts
    assert study.page_sites == {page: page.split("-")[0] for page in split.test.pages}
    assert study.source.digest == corpus.digest
    assert study.source.path == "data/compass"
    assert study.name == "compass by site"


def test_one_seed_gives_one_report_but_for_its_costs(experiment, corpus, learners, report_of):
    first, second = (report_of(experiment, corpus, learners) for _ in range(2))
    assert first.costs
    assert replace(first, costs=()) == replace(second, costs=())


def test_another_seed_splits_otherwise(study, experiment, corpus, learners, study_of):
    other = study_of(replace(experiment, seed=8), corpus, learners)
    assert other.splits[0].test != study.splits[0].test


def test_the_seed_reaches_learners_that_take_one(experiment, corpus, learners, study_of):
    seeds = []

    class Seeded(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seeds.append(self.random_state)
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(
        experiment, candidates=(Candidate("a"), Candidate("b", {"random_state": (5,)}))
    )
    study_of(chosen, corpus, {"a": Seeded, "b": Seeded})
    assert seeds == [7, 5]


def test_what_a_learner_tells_of_its_stop_is_kept(study):
    (trial,) = study.candidate("centroids").row.trials
    assert trial.stop == {"gap": 0.001, "n_epochs": 3, "objective": None}
    assert trial.points[0].stop == trial.stop


def test_warnings_of_the_tested_model_are_kept_once(experiment, corpus, learners, study_of):
    class Noisy(learners["background"]):
        def fit(self, X, y, *, n_labels):
            for _ in range(2):
                warnings.warn("not converged", stacklevel=2)
            return super().fit(X, y, n_labels=n_labels)

    chosen = one_candidate(experiment, "a", {"lambda_": (1, 2)})
    study = study_of(chosen, corpus, {"a": Noisy})
    assert study.candidate("a").row.trials[0].warnings == ("not converged",)


def test_an_unfinished_solver_shows(experiment, corpus, learners, study_of):
    class Unfinished(learners["background"]):
        tol = 0.0001

    class Finished(learners["background"]):
        tol = 0.001

    chosen = replace(experiment, candidates=(Candidate("a"), Candidate("b")))
    study = study_of(chosen, corpus, {"a": Unfinished, "b": Finished})
    said = "stopped at a gap of 0.001, above the tolerance 0.0001"
    assert [candidate.row.trials[0].warnings for candidate in study.candidates] == [(said,), ()]


def test_costs_name_each_step_of_each_unit(experiment, corpus, learners, report_of):
    costs = report_of(experiment, corpus, learners).costs
    assert [(cost.candidate, cost.step, cost.parameters) for cost in costs] == [
        ("", "features", {}),
        ("centroids", "tuning", {"lambda_": 0.0}),
        ("centroids", "tuning", {"lambda_": 1.0}),
        ("centroids", "training", {}),
        ("centroids", "prediction", {}),
        ("background", "training", {}),
        ("background", "prediction", {}),
    ]
    assert {(cost.study, cost.split, cost.part) for cost in costs} == {("compass by site", 0, "")}
    assert all(cost.seconds > 0 and cost.megabytes >= 0 for cost in costs)


def test_costs_of_parts_and_shares_are_named(experiment, corpus, learners, report_of):
    candidates = (Candidate("background"),)
    chosen = replace(experiment, candidates=candidates, ablation=("text",), learning_curve=(0.25,))
    costs = report_of(chosen, corpus, learners).costs
    parts = [cost.part for cost in costs if cost.step == "training"]
    assert parts == ["", "without text", "only text", "25 % of the sites"]


def test_the_bar_counts_every_job(experiment, corpus, learners, report_of, monkeypatch):
    class Progress:
        def __init__(self, total, **_):
            self.total, self.n = total, 0
            shown.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def set_description(self, _):
            pass

        def update(self, n=1):
            self.n += n

    shown = []
    monkeypatch.setattr(cache, "tqdm", Progress)
    chosen = replace(experiment, ablation=("text", "dom"), learning_curve=(0.5, 1.0))
    report_of(chosen, corpus, learners)
    # Each is tested whole, on four parts and on a share; two have two points. What is not tested
    # since it could not be fitted counts, too.
    assert [(bar.total, bar.n) for bar in shown] == [(8 + 6 + 8, 8 + 6 + 8)]


def test_a_report_says_which_versions_it_depends_on(experiment, corpus, learners, report_of):
    versions = report_of(experiment, corpus, learners).versions
    assert list(versions) == list(runner.PACKAGES)
    assert versions["numpy"] == np.__version__


def test_an_unknown_learner_stops_the_run_at_once(experiment, corpus, report_of):
    with pytest.raises(ExperimentError, match="unknown 'centroids'"):
        report_of(experiment, corpus, {})


def test_too_few_sites_are_an_error(experiment, corpus, learners, report_of):
    two = corpus.subset(page.id for page in corpus if page.site in ("north", "south"))
    with pytest.raises(CorpusError, match="too few groups"):
        report_of(experiment, two, learners)


def test_features_without_layout_are_reported_before_the_run(experiment, corpus, learners, caplog):
    chosen = one_candidate(replace(experiment, families=("dom", "style")), "background")
    report = runner.run(chosen, corpus, learners=learners, progress=False).report
    (record,) = caplog.records
    assert "gives no layout" in record.getMessage()
    n_unknown = report.studies[0].n_unknown_features
    assert f"{n_unknown} of {len(chosen.feature_set().names)} features" in record.getMessage()
    caplog.clear()
    runner.run(replace(chosen, families=("dom",)), corpus, learners=learners, progress=False)
    assert not caplog.records
