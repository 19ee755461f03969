import numpy as np
import pytest

from structce.errors import LearnerError
from structce.learners.crf import LinearChainCRF
from structce.learners.inference.viterbi import k_best, sequence_score, viterbi
from structce.learners.structured_svm import StructuredSVM


def ranked(emissions, transitions, sequences):
    """All sequences that are not forbidden, the best first, ties by the labels from the end."""
    scored = [(sequence_score(emissions, transitions, y), y.tolist()) for y in sequences]
    possible = [one for one in scored if one[0] > -np.inf]
    return sorted(possible, key=lambda one: (-one[0], one[1][::-1]))


@pytest.mark.parametrize("kind", ["random", "tied", "forbidden"])
@pytest.mark.parametrize("k", [1, 2, 7, 10_000])
def test_the_k_best_are_the_first_of_all_sequences_in_order(all_sequences, kind, k):
    random = np.random.default_rng(k)
    for n_regions in [1, 2, 3, 5] * 3:
        emissions = random.normal(size=(n_regions, 3))
        transitions = random.normal(size=(3, 3))
        if kind != "random":
            emissions, transitions = emissions.round(), transitions.round()
        if kind == "forbidden":
            emissions[random.random(emissions.shape) < 0.3] = -np.inf
        found = k_best(emissions, transitions, k)
        expected = ranked(emissions, transitions, all_sequences(n_regions, 3))[:k]
        assert [y.tolist() for y, _ in found] == [y for _, y in expected]
        np.testing.assert_allclose([s for _, s in found], [s for s, _ in expected], rtol=1e-12)
        assert all(y.dtype == np.int64 and type(s) is float for y, s in found)


@pytest.mark.parametrize(("n_regions", "n_labels"), [(3, 2), (2, 5), (9, 1)])
def test_there_are_no_more_than_all_sequences(n_regions, n_labels):
    found = k_best(np.zeros((n_regions, n_labels)), np.zeros((n_labels, n_labels)), 999)
    assert len({tuple(y.tolist()) for y, _ in found}) == len(found) == n_labels**n_regions


def test_an_empty_page_has_one_sequence_the_empty_one():
    ((labels, total),) = k_best(np.empty((0, 3)), np.zeros((3, 3)), 5)
    assert labels.shape == (0,)
    assert total == 0.0


def test_a_region_without_any_label_leaves_no_sequence():
    assert k_best(np.array([[0.0, 1.0], [-np.inf, -np.inf]]), np.zeros((2, 2)), 3) == []


def test_the_first_of_a_long_page_is_that_of_viterbi_and_scores_descend():
    random = np.random.default_rng(1)
    emissions = random.integers(0, 4, size=(150, 6)).astype(float)
    transitions = random.integers(-1, 2, size=(6, 6)).astype(float)
    found = k_best(emissions, transitions, 20)
    assert found[0][0].tolist() == viterbi(emissions, transitions).tolist()
    totals = [total for _, total in found]
    assert totals == sorted(totals, reverse=True)
    assert totals == [sequence_score(emissions, transitions, y) for y, _ in found]
    assert len({tuple(y.tolist()) for y, _ in found}) == 20


@pytest.mark.parametrize("k", [0, -1, 1.5, True, None])
def test_a_bad_k_is_refused(k):
    with pytest.raises(LearnerError, match="k="):
        k_best(np.zeros((2, 2)), np.zeros((2, 2)), k)


@pytest.mark.parametrize("kind", [LinearChainCRF, StructuredSVM])
def test_chain_learners_give_the_k_best_of_every_page(kind, make_pages):
    X, y = make_pages(12, noise=0.3)
    fitted = kind().fit(X, y, n_labels=3)
    found = fitted.k_best([*X, X[0][:0]], 4)
    assert [len(one) for one in found] == [min(4, 3 ** page.shape[0]) for page in [*X, X[0][:0]]]
    for best, labels, scores in zip(found, fitted.predict(X), fitted.scores(X), strict=False):
        assert best[0][0].tolist() == labels.tolist()
        assert best[0][1] == pytest.approx(sequence_score(scores, fitted.transitions_, labels))
