"""The same candidate without a family of features, with it alone, and on a share of the sites."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from structce.experiments import schedule
from structce.experiments.config import Candidate, Splits
from structce.experiments.splits import draw_splits

PARTS = ["without text", "without dom", "only text", "only dom"]


@pytest.fixture(scope="module")
def ablated(experiment):
    return replace(experiment, ablation=("text", "dom"))


@pytest.fixture(scope="module")
def study(ablated, corpus, learners, study_of):
    return study_of(ablated, corpus, learners)


@pytest.fixture(scope="module")
def centroids(study):
    """The parts of one candidate, by their name."""
    return {
        ablation.name: ablation for ablation in study.ablations if ablation.candidate == "centroids"
    }


@pytest.fixture
def spy(learners):
    """Notes with how many pages and columns each model is fitted."""
    seen = []

    class Spy(learners["centroids"]):
        def fit(self, X, y, *, n_labels):
            seen.append((len(X), X[0].shape[1], self.lambda_))
            return super().fit(X, y, n_labels=n_labels)

    Spy.seen = seen
    return Spy


def sizes(study):
    (split,) = study.splits
    return [len(part.pages) for part in (split.train, split.validation, split.test)]


def test_each_candidate_that_has_scores_has_a_row_without_and_with_each_family(study):
    parts = [(ablation.candidate, ablation.name) for ablation in study.ablations]
    assert parts == [
        (candidate, part) for candidate in ("centroids", "background") for part in PARTS
    ]


def test_a_family_alone_scores_as_in_an_experiment_of_its_own(
    centroids, experiment, corpus, learners, study_of
):
    # Two families: leaving one out leaves the other alone.
    for family, other in (("text", "dom"), ("dom", "text")):
        candidate = Candidate("centroids", {"lambda_": (1.0,)})
        chosen = replace(experiment, families=(family,), candidates=(candidate,))
        alone = study_of(chosen, corpus, learners)
        for part in (f"only {family}", f"without {other}"):
            ablation = centroids[part]
            assert ablation.n_columns == (alone.splits[0].n_columns,)
            assert ablation.row.confusion == alone.candidate("centroids").row.confusion
            assert ablation.row.page_accuracy == alone.candidate("centroids").row.page_accuracy


def test_nothing_is_tuned_again_for_a_part(study, centroids):
    (whole,) = study.candidate("centroids").row.trials
    assert len(whole.points) == 2
    for ablation in centroids.values():
        (trial,) = ablation.row.trials
        assert trial.parameters == whole.parameters == {"lambda_": 1.0}
        assert trial.points == ()
        assert trial.temperature is None


def test_every_part_is_fitted_once_on_training_and_validation_pages(ablated, corpus, spy, study_of):
    chosen = replace(ablated, candidates=(Candidate("centroids", {"lambda_": (0.0, 1.0)}),))
    study = study_of(chosen, corpus, {"centroids": spy})
    n_train, n_validation, _ = sizes(study)
    full = study.splits[0].n_columns
    counts = {ablation.name: ablation.n_columns[0] for ablation in study.ablations}
    assert spy.seen == [
        (n_train, full, 0.0),
        (n_train, full, 1.0),
        (n_train + n_validation, full, 1.0),
        *((n_train + n_validation, counts[part], 1.0) for part in PARTS),
    ]
    # Both have the bias.
    assert counts["only text"] + counts["without text"] == full + 1


@pytest.fixture(scope="module")
def encodings():
    """The splits that were encoded for :func:`folded`."""
    return []


@pytest.fixture(scope="module")
def folded(ablated, corpus, learners, study_of, encodings):
    """The study on three folds, with candidates that do not raise."""

    def encode(*arguments):
        encodings.append(arguments)
        return real(*arguments)

    real = schedule.encode_split
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule, "encode_split", encode)
        chosen = replace(ablated, candidates=ablated.candidates[:2], splits=Splits(folds=3))
        return study_of(chosen, corpus, learners)


def test_a_split_is_encoded_once(folded, encodings):
    assert len(encodings) == len(folded.splits) == 3


def test_parts_are_compared_with_the_full_set_page_by_page(study):
    for ablation in study.ablations:
        whole = study.candidate(ablation.candidate).row
        assert (ablation.pair.first, ablation.pair.second) == (ablation.name, "full set")
        ours, theirs = (np.mean(list(row.page_accuracy.values())) for row in (ablation.row, whole))
        assert ablation.pair.difference == pytest.approx(ours - theirs)
    # Who always says None does so whatever the features are.
    assert {
        ablation.pair.p for ablation in study.ablations if ablation.candidate == "background"
    } == {1.0}


def test_parts_are_corrected_for_being_several_candidate_by_candidate(
    ablated, folded, corpus, learners, study_of
):
    whole = min(split.n_columns for split in folded.splits)

    class Needy(learners["centroids"]):
        """Always None without all of the columns."""

        def predict(self, X):
            if X[0].shape[1] < whole:
                return [np.full(x.shape[0], 2) for x in X]
            return [np.array([2, 2, 4, 0, 3, 3]) for _ in X]

    chosen = replace(
        ablated, candidates=(Candidate("background"), Candidate("needy")), splits=Splits(folds=3)
    )
    known = {"background": learners["background"], "needy": Needy}
    pairs = [
        ablation.pair
        for ablation in study_of(chosen, corpus, known).ablations
        if ablation.candidate == "needy"
    ]
    assert len(pairs) == 4
    for pair in pairs:
        assert pair.p < 0.001
        assert pair.p_holm == pytest.approx(4 * pair.p)


def test_parts_are_pooled_over_folds(folded, corpus):
    assert folded.ablations
    for ablation in folded.ablations:
        assert len(ablation.n_columns) == len(ablation.row.trials) == 3
        assert sorted(ablation.row.page_accuracy) == sorted(page.id for page in corpus)
        assert np.sum(ablation.row.confusion) == 6 * len(corpus)


def test_without_an_ablation_and_a_learning_curve_there_are_no_such_rows(
    experiment, corpus, learners, study_of
):
    study = study_of(replace(experiment, candidates=(Candidate("background"),)), corpus, learners)
    assert (study.ablations, study.learning) == ((), ())


def test_the_family_of_sites_has_columns_where_it_is_asked_for(
    experiment, corpus, learners, study_of
):
    chosen = replace(
        experiment,
        families=("text", "site"),
        ablation=("site",),
        candidates=(Candidate("centroids"),),
    )
    study = study_of(chosen, corpus, learners)
    without, only = study.ablations
    assert only.n_columns[0] > 1
    assert without.n_columns[0] + only.n_columns[0] == study.splits[0].n_columns + 1


def test_a_share_is_fitted_on_whole_sites_of_training_and_validation_pages(
    experiment, corpus, spy, study_of
):
    candidate = Candidate("spy", {"lambda_": (0.0, 1.0)})
    chosen = replace(experiment, candidates=(candidate,), learning_curve=(0.25, 0.5, 1.0))
    study = study_of(chosen, corpus, {"spy": spy})
    n_train, n_validation, _ = sizes(study)
    # Four sites of three pages each are for training and validation: one and two of them.
    assert (n_train + n_validation) == 12
    full = study.splits[0].n_columns
    assert spy.seen[-3:] == [(12, full, 1.0), (3, full, 1.0), (6, full, 1.0)]
    assert [(point.candidate, point.share, point.n_pages) for point in study.learning] == [
        ("spy", 0.25, 3),
        ("spy", 0.5, 6),
    ]
    for point in study.learning:
        (trial,) = point.row.trials
        assert (trial.parameters, trial.points) == ({"lambda_": 1.0}, ())
        assert list(point.row.page_accuracy) == list(study.candidate("spy").row.page_accuracy)


@pytest.mark.parametrize("by", ["site", "page"])
def test_a_smaller_share_is_part_of_a_greater_one(experiment, corpus, by):
    (parts,) = draw_splits(experiment, corpus, by)
    shares = [set(parts.share(share)) for share in (0.01, 0.2, 0.5, 0.8, 1.0)]
    for smaller, greater in pairwise(shares):
        assert smaller <= greater
    assert len(shares[0]) == {"site": 3, "page": 1}[by]
    n = len(parts.train) + len(parts.validation)
    assert shares[-1] == set(range(n))
    for share in shares:
        taken = {parts.groups[i] for i in share}
        assert share == {i for i, group in enumerate(parts.groups) if group in taken}


def test_a_share_depends_on_the_seed_of_its_split(experiment, corpus):
    (parts,) = draw_splits(experiment, corpus, "page")
    assert parts.share(0.5) == replace(parts).share(0.5)
    others = {replace(parts, seed=seed).share(0.5) for seed in range(5)}
    assert len(others) > 1


def test_pages_of_a_share_are_the_mean_over_splits(experiment, corpus, learners, study_of):
    uneven = corpus.subset([page.id for page in corpus][:-2])
    chosen = replace(
        experiment,
        candidates=(Candidate("background"),),
        splits=Splits(folds=3),
        learning_curve=(0.5,),
        families=("dom",),
    )
    (point,) = study_of(chosen, uneven, learners).learning
    counts = [len(parts.share(0.5)) for parts in draw_splits(chosen, uneven, "site")]
    assert point.n_pages == sum(counts) / 3
    assert len(point.row.trials) == 3
