import numpy as np
import pytest
from scipy import sparse

from structce.errors import LearnerError
from structce.learners.solvers.problem import Compactor, Problem, scattered_regions
from structce.learners.solvers.solution import ConvergenceMonitor

ONES = np.ones(3)


def pages_of(*labels):
    y = [np.array(row, dtype=np.int64) for row in labels]
    X = [sparse.csr_array(np.arange(2.0 * len(row)).reshape(-1, 2)) for row in y]
    return X, y


def test_a_page_is_a_chain_and_an_empty_page_counts_among_the_pages():
    X, y = pages_of([0, 1, 2], [], [2, 2])
    problem = Problem.of_pages(X, y, ONES)
    assert problem.lengths.tolist() == [3, 2]
    assert problem.has_left.tolist() == [False, True, True, False, True]
    assert problem.gold.tolist() == [0, 1, 2, 2, 2]
    assert problem.n_pages == 3
    assert problem.loss.tolist()[:2] == [[0, 1, 1], [1, 0, 1]]


def test_regions_of_unknown_label_are_left_out_and_break_the_chain():
    X, y = pages_of([-1, 0, 1, -1, 2, -1], [1, -1, -1, 1], [-1], [0])
    problem = Problem.of_pages(X, y, ONES)
    assert problem.gold.tolist() == [0, 1, 2, 1, 1, 0]
    assert problem.lengths.tolist() == [2, 1, 1, 1, 1]
    expected = np.concatenate([X[0].toarray()[[1, 2, 4]], X[1].toarray()[[0, 3]], X[3].toarray()])
    assert np.array_equal(problem.rows.toarray(), expected)


def test_regions_alone_are_chains_of_one():
    X, y = pages_of([0, -1, 2], [1])
    problem = Problem.of_regions(X, y, ONES)
    assert problem.lengths.tolist() == [1, 1, 1]
    assert not problem.has_left.any()


def test_filled_in_labels_cost_nothing_and_hold_the_chain_together():
    X, y = pages_of([0, -1, 2], [-1])
    filled = [np.array([0, 1, 2]), np.array([2])]
    problem = Problem.of_completed(X, y, filled, np.array([1.0, 2.0, 3.0]))
    assert problem.lengths.tolist() == [3, 1]
    assert problem.gold.tolist() == [0, 1, 2, 2]
    assert problem.loss.tolist() == [[0, 1, 1], [0, 0, 0], [3, 3, 0], [0, 0, 0]]


def test_weights_say_what_it_costs_to_miss_a_label():
    X, y = pages_of([0, 2])
    problem = Problem.of_pages(X, y, np.array([0.5, 1.0, 4.0]))
    assert problem.loss.tolist() == [[0, 0.5, 0.5], [4, 4, 0]]


def test_scattered_groups_hold_every_region_once_and_no_neighbours(make_pages):
    X, y = make_pages(60)
    problem = Problem.of_pages([sparse.csr_array(page) for page in X], y, ONES)
    groups = scattered_regions(problem, np.random.default_rng(0))
    assert len(groups) > 2
    regions = np.concatenate(groups)
    assert sorted(regions.tolist()) == list(range(len(problem.gold)))
    for group in groups:
        neighbours = np.flatnonzero(np.diff(group) == 1)
        assert not problem.has_left[group[neighbours + 1]].any()


def test_compact_rows_hold_the_columns_that_occur():
    compact = Compactor(6)
    rows = sparse.csr_array(np.array([[0.0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 4, 0]]))
    for _ in range(2):  # it forgets what it has seen
        columns, rows_kept = compact(rows)
        assert columns.tolist() == [1, 4]
        assert rows_kept.toarray().tolist() == [[2, 3], [0, 4]]
    columns, rows_kept = compact(rows[:0])
    assert (len(columns), rows_kept.shape) == (0, (0, 0))


def test_scattered_groups_can_be_of_some_regions_only(make_pages):
    X, y = make_pages(60)
    problem = Problem.of_pages([sparse.csr_array(page) for page in X], y, ONES)
    chosen = np.random.default_rng(1).random(len(problem.gold)) < 0.2
    groups = scattered_regions(problem, np.random.default_rng(0), chosen)
    assert sorted(np.concatenate(groups).tolist()) == np.flatnonzero(chosen).tolist()
    none = scattered_regions(problem, np.random.default_rng(0), np.zeros_like(chosen))
    assert none == []


def test_a_negative_objective_is_an_error():
    monitor = ConvergenceMonitor(2, max_epochs=9, tol=0.01, callback=None)
    with pytest.raises(LearnerError, match="0 or more"):
        monitor.note(-1.0, -2.0, (np.zeros((1, 2)), np.zeros((2, 2))))
