"""The training problem: chains of pages, costs, and the primal objective."""

import numpy as np
import pytest
from scipy import sparse

from structce.learners.inference.viterbi import sequence_score
from structce.learners.solvers.problem import Problem, primal

ONES = np.ones(3)


def pages_of(*labels):
    y = [np.array(row, dtype=np.int64) for row in labels]
    X = [sparse.csr_array(np.arange(2.0 * len(row)).reshape(-1, 2)) for row in y]
    return X, y


def test_a_page_is_a_chain_and_empty_pages_count():
    X, y = pages_of([0, 1, 2], [], [2, 2])
    problem = Problem.of_pages(X, y, np.array([0.5, 1.0, 4.0]))
    assert problem.lengths.tolist() == [3, 2]
    assert problem.has_left.tolist() == [False, True, True, False, True]
    assert problem.gold.tolist() == [0, 1, 2, 2, 2]
    assert problem.n_pages == 3
    assert problem.loss.tolist()[:3] == [[0, 0.5, 0.5], [1, 0, 1], [4, 4, 0]]


def test_unknown_labels_are_left_out_and_break_the_chain():
    X, y = pages_of([-1, 0, 1, -1, 2, -1], [1, -1, -1, 1], [-1], [0])
    problem = Problem.of_pages(X, y, ONES)
    assert problem.gold.tolist() == [0, 1, 2, 1, 1, 0]
    assert problem.lengths.tolist() == [2, 1, 1, 1, 1]
    expected = np.concatenate([X[0].toarray()[[1, 2, 4]], X[1].toarray()[[0, 3]], X[3].toarray()])
    assert np.array_equal(problem.rows.toarray(), expected)
    assert Problem.of_regions(X, y, ONES).lengths.tolist() == [1] * 6


@pytest.mark.parametrize("make", [Problem.of_pages, Problem.of_regions])
def test_primal_is_the_hinge_of_the_worst_of_all_sequences(make, make_pages, all_sequences):
    X, y = make_pages(6, n_regions=4, stay=0.5, noise=0.3)
    problem = make([sparse.csr_array(page) for page in X], y, np.array([1.0, 2.0, 0.5]))
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(12, 3)), random.normal(size=(3, 3))
    scores, expected, worst = problem.rows @ emissions, 0.0, []
    for start, length in zip(problem.starts, problem.lengths, strict=True):
        part = slice(start, start + length)
        augmented = scores[part] + problem.loss[part]
        best = max(
            all_sequences(length, 3),
            key=lambda z, augmented=augmented: sequence_score(augmented, transitions, z),
        )
        worst.append(best)
        right = sequence_score(scores[part], transitions, problem.gold[part])
        expected += sequence_score(augmented, transitions, best) - right
    expected += 0.7 / 2 * ((emissions**2).sum() + (transitions**2).sum())
    value, violators, _ = primal(problem, 0.7, emissions, transitions)
    assert value == pytest.approx(expected)
    assert np.array_equal(violators, np.concatenate(worst))
