import sysconfig

import numpy as np
import pytest
from scipy import sparse

from structce.errors import LearnerError, MissingExtraError
from structce.learners.backends.pystruct import solve_pystruct
from structce.learners.inference.viterbi import viterbi
from structce.learners.inputs import check_pages
from structce.learners.solvers.problem import Problem, Solution, primal
from structce.learners.svm import StructuredSVM


def run(X, y, *, n_labels=3, **changes):
    settings = {
        "weights": np.ones(n_labels),
        "lambda_": 1.0,
        "max_epochs": 1000,
        "tol": 1e-3,
        "random_state": 0,
    }
    return solve_pystruct(check_pages(X), y, **{**settings, **changes})


def run_ours(X, y, *, n_labels=3, lambda_=1.0):
    ours = StructuredSVM(lambda_=lambda_, tol=1e-3, max_epochs=2000).fit(
        X, y, classes=range(n_labels)
    )
    weights = ours.emissions_, ours.transitions_
    return Solution(*weights, ours.objective_, ours.gap_, ours.n_epochs_, ours.curve_)


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("lambda_", [1.0, 0.3])
def test_pystruct_agrees_with_our_structured_svm(make_pages, accuracy, lambda_):
    X, y = make_pages(12, stay=0.5, noise=0.3)
    ours, theirs = run_ours(X, y, lambda_=lambda_), run(X, y, lambda_=lambda_)
    assert theirs.gap <= 1e-3
    assert theirs.primal == pytest.approx(ours.primal, rel=2e-3)
    labels = [
        [viterbi(page @ solution.emissions, solution.transitions) for page in X]
        for solution in (ours, theirs)
    ]
    assert accuracy(*labels) >= 0.99


def test_nothing_is_learnt_without_regions_or_choices(make_pages):
    X, y = make_pages(3)
    alone = run(X, [labels * 0 for labels in y], n_labels=1)
    empty = run([page[:0] for page in X], [labels[:0] for labels in y])
    for solution, n_labels in ((alone, 1), (empty, 3)):
        assert solution.emissions.shape == (12, n_labels)
        assert not solution.emissions.any()
        assert (solution.primal, solution.gap) == (0, 0)


@pytest.mark.usefixtures("pystruct")
def test_the_loss_can_be_weighted(make_pages):
    X, y = make_pages(5, stay=0.5, noise=0.3)
    costs = np.array([1.0, 0.5, 4.0])
    plain, weighted = run(X, y), run(X, y, weights=costs)
    assert weighted.gap <= 1e-3  # the bound holds only where solver and objective agree on costs
    problem = Problem.of_pages(check_pages(X), y, costs)
    value, _, _ = primal(problem, 1.0 * len(X), plain.emissions, plain.transitions)
    assert weighted.primal < 0.99 * value / len(X)


@pytest.mark.usefixtures("pystruct")
def test_the_callback_sees_every_epoch_and_can_stop(make_pages):
    X, y = make_pages(8, stay=0.5, noise=0.3)
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.epoch == 4

    solution = run(X, y, max_epochs=50, tol=1e-6, callback=watch)
    assert [progress.epoch for progress in seen] == [1, 2, 3, 4]
    assert solution.n_epochs == 4
    assert all(progress.objective > 0 and progress.gap >= 0 for progress in seen)


def test_too_large_a_problem_is_refused():
    pages = [sparse.csr_array((820, 100_000)) for _ in range(100)]
    labels = [np.zeros(820, dtype=np.int64)] * 100
    with pytest.raises(LearnerError, match=r"82,000 regions of 100,000 columns .* 66\.3 GB"):
        run(pages, labels, n_labels=9)


@pytest.mark.usefixtures("no_pystruct")
def test_without_pystruct_the_error_names_the_command(make_pages, monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path))
    with pytest.raises(MissingExtraError, match="structce engines add pystruct"):
        run(*make_pages(2))
