import numpy as np
import pytest
from scipy import sparse

from structce.learners.solvers.crfsuite import fit_crfsuite
from structce.learners.solvers.lbfgs import ChainProblem, fit_lbfgs


def test_columns_of_negative_values_keep_their_weights():
    """By default CRFsuite drops the weight of a column and a label whose values sum below 0."""
    rng = np.random.default_rng(0)
    labels = [rng.integers(3, size=length) for length in (5, 8, 6, 7)]
    noise = [0.1 * rng.standard_normal((len(y), 3)) for y in labels]
    pages = [sparse.csr_array(-1.5 * np.eye(3)[y] + n) for y, n in zip(labels, noise, strict=True)]
    solution = fit_crfsuite(pages, labels, n_labels=3, lambda_=0.1, max_iterations=500, tol=1e-9)
    problem, zeros = ChainProblem(pages, labels, 3, 0.1, None), np.zeros((3, 3))
    ours = fit_lbfgs(problem, [zeros, zeros], max_iterations=500, tol=1e-9)
    assert solution.emissions.all()
    assert solution.primal == pytest.approx(ours.primal, rel=1e-6)
    np.testing.assert_allclose(solution.emissions, ours.emissions, atol=1e-3)


def test_unused_labels_and_columns_are_legal():
    page, none = sparse.csr_array(np.eye(2)[[0, 0, 0]]), sparse.csr_array((0, 2))
    y, nothing = np.array([1, 1, 0]), np.array([], dtype=np.int64)
    solution = fit_crfsuite(
        [none, page], [nothing, y], n_labels=3, lambda_=0.1, max_iterations=50, tol=1e-6
    )
    assert solution.emissions.shape == (2, 3)
    assert not solution.emissions[1].any()
    assert solution.transitions[1, 1] > solution.transitions[1, 2]
    alone = fit_crfsuite([none], [nothing], n_labels=3, lambda_=0.1, max_iterations=50, tol=1e-6)
    assert not alone.emissions.any()
