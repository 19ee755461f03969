import warnings
from dataclasses import replace

import numpy as np
import pytest

from structce.errors import CorpusError, ExperimentError
from structce.experiments import Failure, Grid, learner_table, run, to_json
from structce.files import to_json as json_bytes


@pytest.fixture
def result(experiment, corpus, learners):
    return run(experiment, corpus, learners=learners, progress=False)


def test_one_row_a_learner_in_the_order_of_the_experiment(result):
    assert [row.learner for row in result.learners] == ["centroids", "background", "raising"]


def test_the_best_point_of_the_grid_is_the_one_that_is_tested(result):
    (trial,) = result.succeeded[0].trials
    assert [point.parameters for point in trial.points] == [{"lambda_": 0.0}, {"lambda_": 1.0}]
    assert trial.points[0].macro_f1 < trial.points[1].macro_f1
    assert trial.parameters == {"lambda_": 1.0}


def test_a_learner_with_nothing_to_choose_is_not_tuned(result):
    (trial,) = result.succeeded[1].trials
    assert trial.points == ()
    assert trial.parameters == {}


def test_always_none_scores_as_worked_by_hand(result):
    # Each page: two of None, and Title, Author and two paragraphs.
    scores = result.succeeded[1].scores
    assert scores.accuracy == scores.micro_f1 == pytest.approx(2 / 6)
    assert scores.macro_f1 == pytest.approx((2 * 2 / (2 + 6)) / 4)
    assert scores.macro_f1_foreground == 0
    assert scores.left_out == ("Date",)
    assert set(result.succeeded[1].page_accuracy.values()) == {2 / 6}


def test_a_learner_that_raises_is_a_failed_row_and_the_others_go_on(result):
    assert result.failed == (Failure("raising", "ArithmeticError: <b>no</b> minimum"),)
    assert len(result.succeeded) == 2


def test_a_learner_of_the_wrong_shape_fails_alone(experiment, corpus, learners):
    class Short(learners["background"]):
        def predict(self, X):
            return super().predict(X)[1:]

    class Beyond(learners["background"]):
        def predict(self, X):
            return [y + 90 for y in super().predict(X)]

    chosen = replace(experiment, learners=tuple(Grid(name, {}) for name in ("short", "beyond")))
    found = run(chosen, corpus, learners={"short": Short, "beyond": Beyond}, progress=False)
    short, beyond = found.failed
    assert short.error.startswith("LearnerError: short: predicted labels of shapes")
    assert beyond.error.startswith("LabelError: predicted label index out of range")


def test_columns_come_from_training_pages_alone(experiment, corpus, learners):
    seen = {}

    class Spy(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seen.setdefault("columns", {x.shape[1] for x in X})
            seen.setdefault("n_pages", []).append(len(X))
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(experiment, learners=(Grid("spy", {"lambda_": (1, 2)}),))
    (split,) = run(chosen, corpus, learners={"spy": Spy}, progress=False).splits
    n_train, n_validation = len(split.train.pages), len(split.validation.pages)
    assert seen["columns"] == {split.n_columns}
    assert seen["n_pages"] == [n_train, n_train, n_train + n_validation]


def test_the_parts_share_no_site(result):
    (split,) = result.splits
    parts = [set(part.sites) for part in (split.train, split.validation, split.test)]
    assert sum(map(len, parts)) == len(set().union(*parts)) == 6


def test_folds_test_each_page_once_by_a_model_that_has_not_seen_its_site(
    experiment, corpus, learners
):
    folded = run(replace(experiment, folds=3), corpus, learners=learners, progress=False)
    tested = [page for split in folded.splits for page in split.test.pages]
    assert sorted(tested) == sorted(page.id for page in corpus)
    for split in folded.splits:
        seen = set(split.train.sites) | set(split.validation.sites)
        assert not seen & set(split.test.sites)
        assert not set(split.train.sites) & set(split.validation.sites)
    row = folded.succeeded[0]
    assert sorted(row.page_accuracy) == sorted(page.id for page in corpus)
    assert row.confusion.sum() == sum(len(page.page) for page in corpus)
    assert len(row.trials) == 3
    assert folded.n_test == corpus.counts
    assert folded.n_train["Title"] == pytest.approx(len(corpus) * 2 / 3)


def test_one_seed_gives_one_result(experiment, corpus, learners):
    def report():
        found = to_json(run(experiment, corpus, learners=learners, progress=False))
        assert found.pop("times")
        return json_bytes(found)

    assert report() == report()


def test_another_seed_splits_otherwise(result, experiment, corpus, learners):
    other = run(replace(experiment, seed=8), corpus, learners=learners, progress=False)
    assert other.splits[0].test != result.splits[0].test


def test_the_seed_reaches_learners_that_take_one(experiment, corpus, learners):
    seeds = []

    class Seeded(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seeds.append(self.random_state)
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(experiment, learners=(Grid("a", {}), Grid("b", {"random_state": (5,)})))
    run(chosen, corpus, learners={"a": Seeded, "b": Seeded}, progress=False)
    assert seeds == [7, 5]


def test_what_a_learner_tells_of_its_stop_is_kept(result):
    (trial,) = result.succeeded[0].trials
    assert trial.stop == {"gap": 0.001, "n_epochs": 3, "objective": None}
    assert set(trial.seconds) == {"tuning", "training", "prediction"}


def test_warnings_of_a_learner_are_kept_once(experiment, corpus, learners):
    class Noisy(learners["background"]):
        def fit(self, X, y, *, n_labels):
            warnings.warn("not converged", stacklevel=2)
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(experiment, learners=(Grid("a", {"lambda_": (1, 2)}),))
    (row,) = run(chosen, corpus, learners={"a": Noisy}, progress=False).succeeded
    assert row.trials[0].warnings == ("not converged",)


def test_an_unfinished_solver_shows(experiment, corpus, learners):
    class Unfinished(learners["background"]):
        tol = 0.0001

    chosen = replace(experiment, learners=(Grid("a", {}),))
    found = run(chosen, corpus, learners={"a": Unfinished}, progress=False)
    said = "stopped at a gap of 0.001, above the tolerance 0.0001"
    assert found.succeeded[0].trials[0].warnings == (said,)
    assert f"a warned: {said}" in learner_table(found).notes


def test_learners_are_compared_with_the_best_where_no_structured_svm_is(result):
    centroids, background = result.succeeded
    assert centroids.comparison is None
    assert background.comparison.reference == "centroids"
    assert background.comparison.difference == pytest.approx(
        np.mean(list(background.page_accuracy.values()))
        - np.mean(list(centroids.page_accuracy.values()))
    )


def test_learners_are_compared_with_the_structured_svm_even_if_it_is_worse(
    experiment, corpus, learners
):
    known = {"centroids": learners["centroids"], "structured-svm": learners["background"]}
    chosen = replace(experiment, learners=tuple(Grid(name, {}) for name in known), folds=3)
    centroids, structured = run(chosen, corpus, learners=known, progress=False).succeeded
    assert structured.comparison is None
    assert centroids.comparison.reference == "structured-svm"
    assert centroids.comparison.difference > 0
    assert centroids.comparison.is_significant


def test_an_unknown_learner_stops_the_run_at_once(experiment, corpus):
    with pytest.raises(ExperimentError, match="unknown 'centroids'"):
        run(experiment, corpus, learners={}, progress=False)


def test_too_few_sites_are_an_error(experiment, corpus, learners):
    two = corpus.subset(page.id for page in corpus if page.site in ("north", "south"))
    with pytest.raises(CorpusError, match="too few groups"):
        run(experiment, two, learners=learners, progress=False)
