"""The greedy SVM: left to right, each region given the labels decided before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

import numpy as np
from scipy import sparse

from structce.learners.arrays import UNKNOWN, Floats, Labels, Rows
from structce.learners.base import learner
from structce.learners.checks import check_count
from structce.learners.decoding import constrained_greedy
from structce.learners.greedy import greedy_decode
from structce.learners.progress import Callback
from structce.learners.sum_product import softmax
from structce.learners.svm import SVM
from structce.learners.weighting import LabelWeights


@learner("greedy-svm")
class GreedySVM(SVM):
    """Labels regions in order; the previous predicted labels are columns of the next region.

    Trained with a hinge per region on the right previous labels, by the same solver as the
    others. Spengler, Bordes and Gallinari (2010, section 3.1) let the learner's own earlier
    predictions into the training loss; right labels instead are our choice: they keep the problem
    convex, with one optimum and a duality gap. The price is that the learner never sees its own
    mistakes in training: where labels repeat and columns often err, it leans on the label before
    and repeats a mistake to the end of the page. `SVM` describes the other hyper-parameters and
    the attributes.

    Parameters
    ----------
    context
        How many previous labels a region sees, at least 0; 0 gives the multi-class SVM. The
        default is the best of the paper, chosen on the validation pages of News600.

    Attributes
    ----------
    context_weights_ : shape (context, n_labels, n_labels)
        ``[k, a, b]`` scores label ``b`` when the label ``k + 1`` regions earlier is ``a``.
    """

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_", "context_weights_")

    context_weights_: Floats

    def __init__(
        self,
        *,
        lambda_: float = 1.0,
        context: int = 10,
        engine: str = "frank-wolfe",
        max_epochs: int = 100,
        tol: float = 0.01,
        label_weights: LabelWeights = None,
        warm_start: bool = False,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            lambda_=lambda_,
            engine=engine,
            max_epochs=max_epochs,
            tol=tol,
            label_weights=label_weights,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.context = context

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("context", self.context, least=0)

    def _fit(self, pages: list[Rows], labels: list[Labels], callback: Callback | None) -> None:
        extended = [
            _with_context(page, y, self.context, self.n_labels_)
            for page, y in zip(pages, labels, strict=True)
        ]
        weights = self._solve_regions(extended, labels, callback)
        self.emissions_, self.context_weights_ = self._as_kept(weights, weights[:0])

    def _as_kept(self, emissions: Floats, transitions: Floats) -> tuple[Floats, ...]:
        columns, context_weights = np.split(emissions, [self.n_columns_])
        shape = (self.context, self.n_labels_, self.n_labels_)
        return columns, context_weights.reshape(shape)

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return [greedy_decode(page, self.context_weights_)[0] for page in scores]

    def _decode_constrained(
        self, scores: Floats, fixed: Mapping[int, int], at_most_once: Collection[int]
    ) -> Labels:
        weights = self.context_weights_
        return constrained_greedy(scores, weights, fixed=fixed, at_most_once=at_most_once)

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        steps = (greedy_decode(page, self.context_weights_)[1] for page in scores)
        return [softmax(page / temperature) for page in steps]

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        shape = (self.context, self.n_labels_, self.n_labels_)
        return {**super()._weight_shapes(), "context_weights_": shape}


def _with_context(page: Rows, y: Labels, context: int, n_labels: int) -> Rows:
    """Return the page with ``context * n_labels`` more columns, which tell the previous labels.

    Column ``k * n_labels + a`` of these is 1 where the label ``k + 1`` regions earlier is ``a``.
    """
    n_regions = page.shape[0]
    region, back = np.nonzero(np.arange(n_regions)[:, None] > np.arange(context)[None, :])
    earlier = y[region - back - 1]
    known = earlier != UNKNOWN
    region, column = region[known], (back * n_labels + earlier)[known]
    ones = np.ones(len(region))
    shape = (n_regions, context * n_labels)
    previous = sparse.csr_array((ones, (region, column)), shape=shape)
    return sparse.csr_array(sparse.hstack([page, previous], format="csr"))
