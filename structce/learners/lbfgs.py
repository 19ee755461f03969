"""Training of a linear-chain CRF by L-BFGS on sparse matrices."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

import numpy as np
from scipy import sparse
from scipy.linalg import helmert
from scipy.optimize import OptimizeResult, minimize

from structce.learners.arrays import Floats, Labels, Rows, product
from structce.learners.chain_likelihood import ChainFit, ChainLoss, telling
from structce.learners.progress import Callback, Progress

MEMORY = 10
"""Steps that L-BFGS remembers; SciPy's default."""

PERIOD = 10
"""Steps over which an improvement is measured; CRFsuite's."""


class ChainProblem:
    """The objective as a function of one vector, for an optimiser.

    The loss of a page stays the same when one number is added to a column's weights for all
    labels, so at the optimum a column's weights sum to 0. They are given by ``n_labels - 1``
    numbers, their coordinates in an orthonormal basis of the sequences that sum to 0. This
    changes no length and no angle, so L-BFGS from 0 takes the very same steps, with less work.
    Columns that never occur have weights 0 and are left out; frequent ones stand side by side,
    where a processor's cache keeps them.

    Parameters
    ----------
    pages, labels
        `UNKNOWN` labels are allowed.
    n_labels, lambda_
    label_weights : shape (n_labels,)
        See `ChainLoss`.
    """

    def __init__(
        self,
        pages: Sequence[Rows],
        labels: Sequence[Labels],
        n_labels: int,
        lambda_: float,
        label_weights: Floats | None = None,
    ) -> None:
        told = telling(labels)
        self._loss = ChainLoss([labels[i] for i in told], n_labels, label_weights)
        self._basis: Floats = np.asarray(helmert(n_labels))
        self._n_columns, self._n_pages, self._lambda = pages[0].shape[1], len(pages), lambda_
        self._rows, self._columns = _stacked([pages[i] for i in told], self._n_columns)
        self._transposed = self._rows.T
        n_regions = self._rows.shape[0]
        self._scores = np.empty((n_regions, n_labels))
        self._residual = np.empty((n_regions, n_labels - 1))
        self._gradient = np.empty(len(self._columns) * (n_labels - 1) + n_labels**2)

    def __call__(self, vector: Floats) -> tuple[float, Floats]:
        """Return the objective and its gradient, which the next call overwrites."""
        inner, transitions = self._split(vector)
        by_inner, by_transitions = self._split(self._gradient)
        np.matmul(product(self._rows, inner), self._basis, out=self._scores)
        loss, residual, edges = self._loss(self._scores, transitions)
        np.matmul(residual, self._basis.T / self._n_pages, out=self._residual)
        np.multiply(vector, self._lambda, out=self._gradient)
        by_inner += product(self._transposed, self._residual)
        by_transitions += edges / self._n_pages
        return self._lambda / 2 * float(vector @ vector) + loss / self._n_pages, self._gradient

    def gradient_norm(self) -> float:
        """Return the norm of the gradient where the problem was last called."""
        return float(np.linalg.norm(self._gradient))

    def weights(self, vector: Floats) -> tuple[Floats, Floats]:
        """Return emissions, shape (n_columns, n_labels), and transitions."""
        inner, transitions = self._split(vector)
        emissions = np.zeros((self._n_columns, self._basis.shape[1]))
        emissions[self._columns] = inner @ self._basis
        return emissions, transitions.copy()

    def vector(self, emissions: Floats, transitions: Floats) -> Floats:
        """Return the vector nearest to these weights."""
        inner = emissions[self._columns] @ self._basis.T
        return np.concatenate([inner.ravel(), transitions.ravel()])

    def _split(self, vector: Floats) -> tuple[Floats, Floats]:
        fewer, n_labels = self._basis.shape
        cut = len(self._columns) * fewer
        inner, transitions = vector[:cut], vector[cut:]
        return inner.reshape(len(self._columns), fewer), transitions.reshape(n_labels, n_labels)


def _stacked(pages: Sequence[Rows], n_columns: int) -> tuple[Rows, Labels]:
    """Return the pages below each other, and the columns that occur, the most frequent first.

    Column ``j`` of the matrix is the page's column ``columns[j]``.
    """
    stacked = sparse.vstack([sparse.csr_array((0, n_columns)), *pages], format="csr")
    counts = np.bincount(stacked.indices, minlength=n_columns)
    columns = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    index: type[np.int32 | np.int64] = (
        np.int32 if stacked.nnz <= np.iinfo(np.int32).max else np.int64
    )
    place = np.zeros(n_columns, dtype=index)
    place[columns] = np.arange(len(columns))
    rows: Rows = sparse.csr_array(
        (stacked.data, place[stacked.indices], stacked.indptr.astype(index)),
        shape=(stacked.shape[0], len(columns)),
    )
    rows.sort_indices()
    return rows, columns


def fit_lbfgs(
    problem: ChainProblem,
    start: Floats,
    *,
    max_iterations: int,
    tol: float,
    callback: Callback | None = None,
) -> ChainFit:
    """Minimise the objective.

    Parameters
    ----------
    problem
    start
        Vector to begin with.
    max_iterations
    tol
        Stop when ten steps improve the objective by less than this part of it, or the gradient's
        norm is less than this part of the weights' norm (or of 1, if that is larger), as CRFsuite
        does. No step may be left that improves the objective; that is the end as well.
    callback
        Called after each iteration.

    References
    ----------
    R. H. Byrd, P. Lu, J. Nocedal, C. Zhu (1995). A limited memory algorithm for bound constrained
    optimization. SIAM Journal on Scientific Computing 16(5).
    """
    curve: list[tuple[int, float, float]] = []

    def watch(intermediate_result: OptimizeResult) -> None:
        vector, value = intermediate_result.x, float(intermediate_result.fun)
        gap = problem.gradient_norm() / max(1.0, float(np.linalg.norm(vector)))
        curve.append((len(curve) + 1, value, gap))
        if callback is not None:
            weights = partial(problem.weights, vector.copy())
            if callback(Progress(len(curve), max_iterations, value, gap, weights)):
                raise StopIteration
        slow = len(curve) > PERIOD and curve[-PERIOD - 1][1] - value < tol * value
        if slow or gap < tol:
            raise StopIteration

    found = minimize(
        problem,
        start,
        method="L-BFGS-B",
        jac=True,
        callback=watch,
        options={
            "maxiter": max_iterations,
            "maxfun": sys.maxsize,
            "maxcor": MEMORY,
            "ftol": 0,
            "gtol": 0,
        },
    )
    emissions, transitions = problem.weights(found.x)
    norm = float(np.linalg.norm(found.jac))
    return ChainFit(emissions, transitions, float(found.fun), norm, curve)
