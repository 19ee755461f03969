"""Greedy SVM: labels regions from left to right, each given the labels decided before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels
from structce.learners import solvers
from structce.learners.base import Callback
from structce.learners.classes import choose_labels
from structce.learners.inference.greedy import greedy_decode_batch
from structce.learners.inputs import Pages, SparseRows, check_count, check_one_of, matmul
from structce.learners.linear import softmax
from structce.learners.registry import learner
from structce.learners.svm import SVM

TRAIN_CONTEXTS = ("gold", "paper")


@learner("greedy-svm")
@dataclass(kw_only=True, eq=False, repr=False)
class GreedySVM(SVM):
    """Labels regions in order; the previous predicted labels are columns of the next region.

    Trained with a hinge per region, by the solver of the others. By default all labels of a region
    are scored in one context, which is fixed before the solver starts, so that the problem is
    convex and has a duality gap. `SVM` describes the other hyper-parameters and the attributes.

    Parameters
    ----------
    context
        Number of previous labels that a region sees, at least 0; 0 gives the multi-class SVM. The
        default is the paper's best.
    train_context
        Labels that form the context of a region in training.

        ``gold``: the correct labels. An unknown label sets no column of later regions.

        ``paper``: the loss of the paper, minimised as in the paper, which scores the loser after
        the learner's own earlier predictions and the winner after the correct labels; see
        `structce.learners.solvers.greedy_sgd`. ``gap_`` is the relative spread of the objective
        over the last half of the epochs; ``engine`` and ``warm_start`` have no effect.

    References
    ----------
    A. Spengler, A. Bordes, P. Gallinari (2010). A comparison of discriminative classifiers for
    web news content extraction. RIAO, section 3.1.
    """

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_", "context_weights_")

    context: int = 10
    train_context: str = "gold"

    context_weights_: Floats = field(init=False)
    """``[k, a, b]`` scores label ``b`` when the label ``k + 1`` regions earlier is ``a``; shape
    (context, n_labels, n_labels)."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("context", self.context, least=0)
        check_one_of("train_context", self.train_context, TRAIN_CONTEXTS)

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        if self.train_context == "paper" and self.context:
            self._fit_paper(pages, labels, callback)
            return
        solution = self._solve(self._in_context(pages, labels), labels, callback, is_chain=False)
        self.emissions_, self.context_weights_ = self._split(solution.emissions)

    def _fit_paper(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        """Minimise the paper's loss as the paper does, decision by decision."""
        if any((y < UNKNOWN_INDEX).any() for y in labels):
            solution = self._solve(self._in_context(pages, labels), labels, None, is_chain=False)
            emissions, _ = self._split(solution.emissions)
            labels = choose_labels([matmul(page, emissions) for page in pages], labels)
        weights, settings = self._weights(labels), self._settings(callback)
        solution = solvers.solve_greedy(pages, labels, weights, context=self.context, **settings)
        self._keep(solution)
        self.emissions_, self.context_weights_ = self._split(solution.emissions)

    def _in_context(self, pages: Pages, labels: list[Labels]) -> Pages:
        """Return every page with the columns of the labels before its regions."""
        pairs = zip(pages, labels, strict=True)
        return [_with_context(page, y, self.context, self.n_labels_) for page, y in pairs]

    def _split(self, emissions: Floats) -> tuple[Floats, Floats]:
        """Return the weights of the columns and of the context."""
        columns, context_weights = np.split(emissions, [self.n_columns_])
        shape = (self.context, self.n_labels_, self.n_labels_)
        return columns, context_weights.reshape(shape)

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return greedy_decode_batch(scores, self.context_weights_)[0]

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        steps = greedy_decode_batch(scores, self.context_weights_)[1]
        return [softmax(page / temperature) for page in steps]

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        shape = (self.context, self.n_labels_, self.n_labels_)
        return {**super()._weight_shapes(), "context_weights_": shape}


def _with_context(page: SparseRows, y: Labels, context: int, n_labels: int) -> SparseRows:
    """Return the page with ``context * n_labels`` more columns for the previous labels.

    Column ``k * n_labels + a`` of these is 1 if the label ``k + 1`` regions earlier is ``a``.
    """
    import scipy  # late: labelling a page does not need it

    n_regions = page.shape[0]
    region, back = np.nonzero(np.arange(n_regions)[:, None] > np.arange(context)[None, :])
    earlier = y[region - back - 1]
    known = earlier >= 0
    column = (back * n_labels + earlier)[known].astype(np.int32)  # as narrow as the page's own
    cells = np.ones(len(column)), (region[known].astype(np.int32), column)
    previous = scipy.sparse.csr_array(cells, shape=(n_regions, context * n_labels))
    return scipy.sparse.csr_array(scipy.sparse.hstack([page, previous], format="csr"))
