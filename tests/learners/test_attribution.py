"""Attribution of labels to columns and neighbours, and the smallest sets of columns behind them."""

from itertools import chain, combinations

import numpy as np
import pytest
from scipy import sparse

from structce.errors import LearnerError
from structce.learners.attribution import attribute_label, find_counterfactual
from structce.learners.inference.viterbi import sequence_score
from structce.learners.linear import LinearLearner
from structce.learners.registry import LEARNERS
from structce.learners.svm import MulticlassSVM

LINEAR = sorted(name for name, kind in LEARNERS.items() if issubclass(kind, LinearLearner))


@pytest.fixture
def leaning(fitted):
    """Return learners that depend on their columns and on their neighbours."""
    pages = {"n_pages": 12, "stay": 0.6, "noise": 0.4, "seed": 5}
    return lambda name: fitted(name, pages, lambda_=0.05)


def by_hand(emissions, kind=MulticlassSVM):
    """Return a learner with weights of our choice, as if fitted."""
    learner = kind()
    learner.n_columns_, learner.classes_ = len(emissions), np.arange(len(emissions[0]))
    learner.temperature_, learner.emissions_ = 1.0, np.array(emissions, dtype=float)
    return learner


def pages_of(seed, n_pages=12, n_columns=12):
    """Yield pages of one to five regions with few columns, some of them negative."""
    random = np.random.default_rng(seed)
    for n in range(n_pages):
        shape = (1 + n % 5, n_columns)
        cells = (random.random(shape) < 0.35) * random.choice([1.0, 1.0, 0.5, -1.0], size=shape)
        yield sparse.csr_matrix(cells)


@pytest.mark.parametrize("name", [*LINEAR, "boosted-trees"])
def test_columns_and_terms_add_up_to_the_margin(name, leaning):
    learner = leaning(name)
    for page in pages_of(0):
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            pair = [attribution.chosen, attribution.runner_up]
            columns = attribution.contributions[:, pair].sum(axis=0)
            terms = np.sum([term.scores for term in attribution.terms], axis=0)
            assert attribution.labels.tolist() == learner.predict([page])[0].tolist()
            assert attribution.labels[i] == attribution.chosen != attribution.runner_up
            np.testing.assert_allclose(columns + terms, attribution.label_scores[pair], atol=1e-12)
            parts = columns + terms
            assert parts[0] - parts[1] == pytest.approx(attribution.margin, abs=1e-12)
            assert attribution.margin >= -1e-12
            if name in LINEAR:
                dense = page.toarray()[i]
                assert attribution.columns.tolist() == np.flatnonzero(dense).tolist()
                own = dense[attribution.columns, None] * learner.emissions_[attribution.columns]
                np.testing.assert_array_equal(attribution.contributions, own)


def test_terms_of_a_chain_are_transitions_of_the_best_sequences(leaning, all_sequences):
    learner = leaning("linear-chain-crf")
    n_changes = 0
    for page in pages_of(3, n_pages=20):
        emissions, transitions = learner.scores([page])[0], learner.transitions_
        sequences = list(all_sequences(page.shape[0], 3))
        totals = np.array([sequence_score(emissions, transitions, y) for y in sequences])
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            best = [totals[[y[i] == label for y in sequences]].max() for label in range(3)]
            np.testing.assert_allclose(attribution.label_scores, best, atol=1e-12)
            y, z = attribution.labels, attribution.labels.copy()
            z[i] = attribution.runner_up
            for region, label in attribution.flips:
                assert y[region] != label
                z[region] = label
            n_changes += len(attribution.flips)
            assert sequence_score(emissions, transitions, z) == pytest.approx(
                attribution.label_scores[attribution.runner_up]
            )
            beside = [offset for offset in (-1, 1) if 0 <= i + offset < len(y)]
            offsets = [term.offset for term in attribution.terms]
            assert offsets == ([*beside, None] if beside else [])
            for offset, labels, scores in attribution.terms[:-1]:
                assert labels == (y[i + offset], z[i + offset])
                ends = slice(min(i, i + offset), max(i, i + offset) + 1)
                assert scores == tuple(transitions[tuple(path[ends])] for path in (y, z))
    assert n_changes > 0


@pytest.mark.parametrize("name", LINEAR)
def test_no_smaller_set_of_columns_changes_the_label(name, leaning):
    learner = leaning(name)
    n_flipped = n_held = 0
    for page in pages_of(6, n_pages=30):
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            columns, label = find_counterfactual(learner, page, i, attribution)
            every = attribution.columns.tolist()
            sets = chain.from_iterable(combinations(every, n + 1) for n in range(len(every)))
            chosen = attribution.chosen
            others = (own for own in sets if label_without(learner, page, i, own) != chosen)
            smallest = next(others, ())
            assert len(columns) == len(smallest)
            if columns:
                assert label == label_without(learner, page, i, columns) != attribution.chosen
            n_flipped += bool(columns)
            n_held += not columns
    assert n_flipped > 20
    assert n_held > 0


def label_without(learner, page, i, columns):
    dense = page.toarray()
    dense[i, list(columns)] = 0
    return learner.predict([sparse.csr_matrix(dense)])[0][i]


@pytest.mark.parametrize(
    ("emissions", "expected"),
    [
        ([[1.0, 0.0], [0.0, 1.0]], ((0,), 1)),  # a tie goes to the lower label
        ([[1.0, 0.0]], ((), None)),  # without its column a tie, which goes to it
        ([[0.0, 1.0]], ((0,), 0)),
        # Four columns speak against the runner-up, a little each; one against the third, a lot.
        ([[3.0, 2.9, 0.0], *[[0.5, 0.4, 0.5]] * 3, [0.0, 0.05, 2.0]], ((0,), 2)),
    ],
)
def test_counterfactuals_worked_by_hand(emissions, expected):
    learner, page = by_hand(emissions), sparse.csr_matrix(np.ones((1, len(emissions))))
    before = page.copy()
    assert find_counterfactual(learner, page, 0, attribute_label(learner, page, 0)) == expected
    assert (page != before).nnz == 0


def test_unexplainable_learners_are_refused():
    with pytest.raises(LearnerError, match="no runner-up"):
        attribute_label(by_hand([[1.0]]), sparse.csr_matrix([[1.0]]), 0)

    class Odd(MulticlassSVM):
        name = "odd"
        weight_names = ("emissions_", "oddities_")

    with pytest.raises(LearnerError, match="odd cannot be explained"):
        attribute_label(by_hand([[1.0, 0.0]], Odd), sparse.csr_matrix([[1.0]]), 0)
