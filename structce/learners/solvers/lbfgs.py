"""Training of a linear-chain CRF: log loss, and L-BFGS on sparse matrices."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels, allowed_labels
from structce.learners.base import Callback, Progress
from structce.learners.inference.forward_backward import ForwardBackward
from structce.learners.inference.viterbi import count_edges
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.problem import inside_chains, label_costs, squared_norm

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

PERIOD = 10  # steps over which the improvement is measured; CRFsuite's default


class ChainFit(NamedTuple):
    """Result of an engine."""

    emissions: Floats  # shape (n_columns, n_labels)
    transitions: Floats  # shape (n_labels, n_labels)
    objective: float
    gradient_norm: float
    curve: list[tuple[int, float, float]]
    """Iteration, objective, and gradient's norm over the weights' norm, of each iteration."""


class ChainLoss:
    """Sum of the pages' log losses as a function of their scores.

    A page's loss is the log partition over all label sequences minus that over the sequences which
    its gold allows. It is not convex if some labels are unknown. With ``label_weights``, shape
    (n_labels,), every wrong label at a region scores higher, in the partition over all sequences,
    by the weight of the correct label minus 1.

    References
    ----------
    Y. Tsuboi, H. Kashima, S. Mori, H. Oda, Y. Matsumoto (2008). Training conditional random
    fields using incomplete annotations. COLING: unknown labels, and sets of them.
    K. Gimpel, N. A. Smith (2010). Softmax-margin CRFs: training log-linear models with cost
    functions. NAACL.
    """

    def __init__(
        self, labels: Sequence[Labels], n_labels: int, label_weights: Floats | None = None
    ) -> None:
        gold = np.concatenate([np.empty(0, dtype=np.int64), *labels])
        lengths = np.array([len(y) for y in labels], dtype=np.int64)
        partial = np.array([bool((y < 0).any()) for y in labels], dtype=bool)
        is_partial = np.repeat(partial, lengths)
        self._all = ForwardBackward(lengths)
        self._right = np.flatnonzero(~is_partial) * n_labels + gold[~is_partial]
        follows = inside_chains(lengths) & ~is_partial
        self._gold_edges = count_edges(gold, n_labels, follows)
        self._partial_rows = np.flatnonzero(is_partial)
        self._agreeing = ForwardBackward(lengths[partial])
        self._forbidden = ~allowed_labels(gold[is_partial], n_labels)
        self._costs: Floats | None = None
        if label_weights is not None:
            known = gold >= 0
            self._costs = np.zeros((len(gold), n_labels))
            self._costs[known] = label_costs(gold[known], label_weights - 1)

    def __call__(self, scores: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
        """Return the loss, and its gradients by scores and by transitions.

        The scores are the pages' emission scores, concatenated, shape (n_regions, n_labels).
        """
        augmented = scores if self._costs is None else scores + self._costs
        partitions, nodes, edges = self._all(augmented, transitions)
        loss = partitions.sum() - scores.ravel().take(self._right).sum()
        loss -= np.vdot(self._gold_edges, transitions)
        nodes.ravel()[self._right] -= 1
        edges = edges - self._gold_edges
        if len(self._partial_rows):
            agreeing = np.where(self._forbidden, -np.inf, scores[self._partial_rows])
            partitions, expected, expected_edges = self._agreeing(agreeing, transitions)
            loss -= partitions.sum()
            nodes[self._partial_rows] -= expected
            edges -= expected_edges
        return float(loss), nodes, edges


def chain_objective(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    emissions: Floats,
    transitions: Floats,
    lambda_: float,
    label_weights: Floats | None = None,
) -> tuple[float, tuple[Floats, Floats]]:
    """Return ``lambda/2 |w|^2 + mean loss per page`` and its gradients; see `ChainLoss`."""
    import scipy  # late: labelling a page does not need it

    rows = scipy.sparse.vstack(pages, format="csr")
    loss_of = ChainLoss(labels, len(transitions), label_weights)
    loss, residual, edges = loss_of(matmul(rows, emissions), transitions)
    gradients = (
        lambda_ * emissions + matmul(rows.T, residual) / len(pages),
        lambda_ * transitions + edges / len(pages),
    )
    norm = squared_norm(emissions, transitions)
    return lambda_ / 2 * norm + loss / len(pages), gradients


class ChainProblem:
    """Objective as a function of one vector, for an optimiser.

    At the optimum a column's weights sum to 0, so they are ``n_labels - 1`` coordinates in an
    orthonormal basis of the vectors that sum to 0. Columns that never occur are left out; frequent
    ones are adjacent, so that they stay in the processor's cache.
    """

    def __init__(
        self,
        pages: Sequence[SparseRows],
        labels: Sequence[Labels],
        n_labels: int,
        lambda_: float,
        label_weights: Floats | None = None,
    ) -> None:
        import scipy  # late: labelling a page does not need it

        kept = [i for i, y in enumerate(labels) if (y != UNKNOWN_INDEX).any()]  # others: no loss
        self._loss = ChainLoss([labels[i] for i in kept], n_labels, label_weights)
        self._basis: Floats = np.asarray(scipy.linalg.helmert(n_labels))
        self._n_columns, self._n_pages, self._lambda = pages[0].shape[1], len(pages), lambda_
        self._rows, self._columns = _stacked([pages[i] for i in kept], self._n_columns)
        self._transposed = self._rows.T
        n_regions = self._rows.shape[0]
        self._scores = np.empty((n_regions, n_labels))
        self._residual = np.empty((n_regions, n_labels - 1))
        self._gradient = np.empty(len(self._columns) * (n_labels - 1) + n_labels**2)

    def __call__(self, vector: Floats) -> tuple[float, Floats]:
        """Return the objective and its gradient, which the next call overwrites."""
        inner, transitions = self._split(vector)
        by_inner, by_transitions = self._split(self._gradient)
        np.matmul(matmul(self._rows, inner), self._basis, out=self._scores)
        loss, residual, edges = self._loss(self._scores, transitions)
        np.matmul(residual, self._basis.T / self._n_pages, out=self._residual)
        np.multiply(vector, self._lambda, out=self._gradient)
        by_inner += matmul(self._transposed, self._residual)
        by_transitions += edges / self._n_pages
        return self._lambda / 2 * float(vector @ vector) + loss / self._n_pages, self._gradient

    def gradient_norm(self) -> float:
        """Return the norm of the gradient at the last call."""
        return float(np.linalg.norm(self._gradient))

    def weights(self, vector: Floats) -> tuple[Floats, Floats]:
        """Return emissions, shape (n_columns, n_labels), and transitions."""
        inner, transitions = self._split(vector)
        emissions = np.zeros((self._n_columns, self._basis.shape[1]))
        emissions[self._columns] = inner @ self._basis
        return emissions, transitions.copy()

    def vector(self, emissions: Floats, transitions: Floats) -> Floats:
        """Return the vector closest to these weights."""
        inner = emissions[self._columns] @ self._basis.T
        return np.concatenate([inner.ravel(), transitions.ravel()])

    def _split(self, vector: Floats) -> tuple[Floats, Floats]:
        fewer, n_labels = self._basis.shape
        cut = len(self._columns) * fewer
        inner, transitions = vector[:cut], vector[cut:]
        return inner.reshape(len(self._columns), fewer), transitions.reshape(n_labels, n_labels)


def _stacked(pages: Sequence[SparseRows], n_columns: int) -> tuple[SparseRows, Labels]:
    """Return the stacked pages with the columns that occur, the most frequent first."""
    import scipy  # late: labelling a page does not need it

    stacked = scipy.sparse.vstack([scipy.sparse.csr_array((0, n_columns)), *pages], format="csr")
    counts = np.bincount(stacked.indices, minlength=n_columns)
    columns = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    index = np.dtype(np.int32 if stacked.nnz <= np.iinfo(np.int32).max else np.int64)
    place = np.zeros(n_columns, dtype=index)
    place[columns] = np.arange(len(columns))
    cells = stacked.data, place[stacked.indices], stacked.indptr.astype(index)
    rows = scipy.sparse.csr_array(cells, shape=(stacked.shape[0], len(columns)))
    rows.sort_indices()
    return rows, columns


def fit_lbfgs(
    problem: ChainProblem,
    start: Sequence[Floats],
    *,
    max_iterations: int,
    tol: float,
    callback: Callback | None = None,
) -> ChainFit:
    """Minimise the objective, starting from given emissions and transitions.

    It stops when ten steps improve the objective by less than the fraction `tol` of it, or the
    gradient's norm is less than this fraction of the weights' norm (or of 1, if larger), as in
    CRFsuite. Source: R. H. Byrd, P. Lu, J. Nocedal, C. Zhu (1995). A limited memory algorithm for
    bound constrained optimization. SIAM Journal on Scientific Computing 16(5).
    """
    from scipy.optimize import minimize  # late: takes 0.4 s, and is not needed for labelling

    curve: list[tuple[int, float, float]] = []

    def watch(intermediate_result: OptimizeResult) -> None:
        vector, value = intermediate_result.x, float(intermediate_result.fun)
        gap = problem.gradient_norm() / max(1.0, float(np.linalg.norm(vector)))
        curve.append((len(curve) + 1, value, gap))
        if callback is not None and callback(Progress(len(curve), max_iterations, value, gap)):
            raise StopIteration
        slow = len(curve) > PERIOD and curve[-PERIOD - 1][1] - value < tol * value
        if slow or gap < tol:
            raise StopIteration

    result = minimize(
        problem,
        problem.vector(*start),
        method="L-BFGS-B",
        jac=True,
        callback=watch,
        options={"maxiter": max_iterations, "maxfun": sys.maxsize, "ftol": 0, "gtol": 0},
    )
    emissions, transitions = problem.weights(result.x)
    norm = float(np.linalg.norm(result.jac))
    return ChainFit(emissions, transitions, float(result.fun), norm, curve)
