import logging
import sys
import sysconfig
from importlib.util import find_spec

import numpy as np
import pytest
from scipy import sparse

from structce.errors import LearnerError, MissingExtraError
from structce.learners.backends.pystruct import solve_pystruct
from structce.learners.inference.viterbi import viterbi
from structce.learners.inputs import check_pages
from structce.learners.solvers.dual import primal
from structce.learners.solvers.problem import Problem
from structce.learners.solvers.solution import Solution
from structce.learners.structured_svm import StructuredSVM

SOLVERS = [
    "frank-wolfe",
    pytest.param(
        "one-slack",
        marks=pytest.mark.skipif(find_spec("cvxopt") is None, reason="needs the extra: pystruct"),
    ),
]


def run(X, y, **changes):
    settings = {
        "n_labels": 3,
        "lambda_": 1.0,
        "solver": "frank-wolfe",
        "max_epochs": 1000,
        "tol": 1e-3,
        "random_state": 0,
    }
    return solve_pystruct(check_pages(X), y, **{**settings, **changes})


def run_ours(X, y, *, n_labels=3, lambda_=1.0):
    ours = StructuredSVM(lambda_=lambda_, tol=1e-3, max_epochs=2000).fit(X, y, n_labels=n_labels)
    weights = ours.emissions_, ours.transitions_
    return Solution(*weights, ours.objective_, ours.gap_, ours.n_epochs_, ours.curve_)


def distance(first, other):
    squares = ((first.emissions - other.emissions) ** 2).sum()
    return np.sqrt(squares + ((first.transitions - other.transitions) ** 2).sum())


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("lambda_", [1.0, 0.3])
def test_objective_and_labels_agree_with_our_structured_svm(make_pages, accuracy, solver, lambda_):
    X, y = make_pages(12, stay=0.5, noise=0.3)
    ours, theirs = run_ours(X, y, lambda_=lambda_), run(X, y, lambda_=lambda_, solver=solver)
    assert theirs.gap <= 1e-3
    assert theirs.primal == pytest.approx(ours.primal, rel=2e-3)
    labels = [
        [viterbi(page @ solution.emissions, solution.transitions) for page in X]
        for solution in (ours, theirs)
    ]
    assert accuracy(*labels) >= 0.99


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_each_dual_bounds_the_other_solver_and_the_weights_are_as_near_as_the_gaps_say(
    make_pages, solver
):
    X, y = make_pages(12, stay=0.5, noise=0.3)
    ours, theirs = run_ours(X, y), run(X, y, solver=solver)
    assert max(dual for _, _, dual in theirs.curve) <= ours.primal
    assert ours.curve[-1][2] <= theirs.primal
    # The objective is lambda-strongly convex, lambda 1: so near the optimum is what has such a gap.
    radii = [np.sqrt(2 * solution.gap * solution.primal) for solution in (ours, theirs)]
    assert distance(ours, theirs) <= sum(radii)


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_transitions_lead_from_the_row_to_the_column(solver):
    y = [np.arange(start, start + 6) % 3 for start in (0, 1, 2, 0)]  # 0, 1, 2, 0, 1, ...
    X = [sparse.csr_matrix(np.ones((6, 1))) for _ in y]
    theirs = run(X, y, lambda_=0.3, solver=solver)
    assert theirs.transitions.argmax(axis=1).tolist() == [1, 2, 0]
    assert np.allclose(theirs.transitions, run_ours(X, y, lambda_=0.3).transitions, atol=0.05)


@pytest.mark.usefixtures("pystruct")
def test_emissions_belong_to_their_column_and_label():
    y = [np.array([0, 1, 2, 1])] * 3
    X = [sparse.csr_matrix(np.eye(5)[[4, 2, 0, 2]]) for _ in y]
    theirs = run(X, y, lambda_=0.1)
    assert theirs.emissions.shape == (5, 3)
    assert theirs.emissions[[4, 2, 0]].argmax(axis=1).tolist() == [0, 1, 2]
    assert not theirs.emissions[[1, 3]].any()


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_labels_that_never_occur_are_part_of_the_model(make_pages, solver):
    X, y = make_pages(8, stay=0.5, noise=0.3)
    theirs = run(X, y, n_labels=5, solver=solver)
    assert theirs.emissions.shape == (12, 5)
    assert theirs.transitions.shape == (5, 5)
    assert theirs.primal == pytest.approx(run_ours(X, y, n_labels=5).primal, rel=2e-3)


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_pages_without_regions_count_and_pages_of_one_region_are_no_trouble(make_pages, solver):
    X, y = make_pages(8, noise=0.3)
    X, y = [X[0][:0], X[1][:1], *X[2:]], [y[0][:0], y[1][:1], *y[2:]]
    theirs = run(X, y, solver=solver)
    assert theirs.gap <= 1e-3
    assert theirs.primal == pytest.approx(run_ours(X, y).primal, rel=2e-3)


def test_without_regions_or_with_one_label_there_is_nothing_to_learn(make_pages):
    X, y = make_pages(3)
    alone = run(X, [labels * 0 for labels in y], n_labels=1)
    empty = run([page[:0] for page in X], [labels[:0] for labels in y])
    for solution, n_labels in ((alone, 1), (empty, 3)):
        assert solution.emissions.shape == (12, n_labels)
        assert not solution.emissions.any()
        assert (solution.primal, solution.gap) == (0, 0)


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_loss_can_be_weighted_by_the_label_that_is_missed(make_pages, solver):
    X, y = make_pages(8, stay=0.5, noise=0.3)
    costs = np.array([1.0, 0.5, 4.0])
    plain, weighted = run(X, y, solver=solver), run(X, y, solver=solver, weights=costs)
    assert weighted.gap <= 1e-3  # the bound holds only where solver and objective agree on costs
    problem = Problem.of_pages(check_pages(X), y, costs)
    value, _, _ = primal(problem, 1.0 * len(X), plain.emissions, plain.transitions)
    assert weighted.primal < 0.99 * value / len(X)


@pytest.mark.usefixtures("pystruct")
def test_one_seed_gives_one_result_and_leaves_the_inputs_alone(make_pages):
    X, y = make_pages(6, stay=0.5, noise=0.3)
    before = [page.toarray() for page in X], [labels.copy() for labels in y]
    first, second = (run(X, y, max_epochs=5, tol=0.5, random_state=2**40) for _ in range(2))
    assert np.array_equal(first.emissions, second.emissions)
    assert np.array_equal(first.transitions, second.transitions)
    assert all(np.array_equal(page.toarray(), old) for page, old in zip(X, before[0], strict=True))
    assert all(np.array_equal(labels, old) for labels, old in zip(y, before[1], strict=True))


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_an_unfinished_solver_says_so_and_still_tells_its_gap(make_pages, caplog, solver):
    X, y = make_pages(8, stay=0.5, noise=0.3)
    with caplog.at_level(logging.WARNING):
        solution = run(X, y, max_epochs=3, tol=1e-6, solver=solver)
    assert "stopped after 3 epochs" in caplog.text
    assert solution.n_epochs == 3
    assert 1e-6 < solution.gap <= 1
    epoch, primal, dual = solution.curve[-1]
    assert epoch == 3
    assert solution.gap == pytest.approx((primal - dual) / primal)


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_callback_sees_every_epoch_and_can_stop(make_pages, solver):
    X, y = make_pages(8, stay=0.5, noise=0.3)
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.epoch == 4

    solution = run(X, y, max_epochs=50, tol=1e-6, solver=solver, callback=watch)
    assert [progress.epoch for progress in seen] == [1, 2, 3, 4]
    assert solution.n_epochs == 4
    emissions, transitions = seen[-1].weights()
    assert np.array_equal(emissions, solution.emissions)
    assert np.array_equal(transitions, solution.transitions)
    assert all(progress.objective > 0 and progress.gap >= 0 for progress in seen)


def test_too_large_a_problem_is_refused_before_it_is_made_dense():
    pages = [sparse.csr_array((820, 100_000)) for _ in range(100)]
    labels = [np.zeros(820, dtype=np.int64)] * 100
    with pytest.raises(LearnerError, match=r"82,000 regions of 100,000 columns .* 66\.3 GB"):
        run(pages, labels, n_labels=9)


def test_one_slack_counts_a_constraint_an_epoch():
    pages, labels = [sparse.csr_array((10, 10_000))], [np.zeros(10, dtype=np.int64)]
    with pytest.raises(LearnerError, match=r"would take 28\.8 GB, expected at most 4 GB"):
        run(pages, labels, n_labels=9, solver="one-slack", max_epochs=20_000)


def test_a_region_without_a_label_is_named(make_pages):
    X, y = make_pages(3)
    y[1][2] = -1
    with pytest.raises(LearnerError, match="page 1: region 2 has no label"):
        run(X, y)


def test_an_unknown_solver_is_refused_with_those_that_exist(make_pages):
    with pytest.raises(LearnerError, match=r"'two-slack' of pystruct; expected one of .*one-slack"):
        run(*make_pages(2), solver="two-slack")


@pytest.mark.usefixtures("no_pystruct")
def test_without_pystruct_the_error_names_the_command_that_installs_it(
    make_pages, monkeypatch, tmp_path
):
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path))
    with pytest.raises(MissingExtraError, match="structce engines add pystruct"):
        run(*make_pages(2))


def test_without_cvxopt_the_error_names_the_extra(make_pages, monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxopt", None)
    with pytest.raises(MissingExtraError, match=r"structce\[pystruct\]"):
        run(*make_pages(2), solver="one-slack")
