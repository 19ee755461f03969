"""The multi-class SVM: every region on its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from scipy.special import softmax

from structce.arrays import Floats, Labels
from structce.learners.base import Callback
from structce.learners.inference.constrained import constrained_viterbi
from structce.learners.registry import learner
from structce.learners.svm import SVM
from structce.learners.typing import SparseRows


@learner("multiclass-svm")
class MulticlassSVM(SVM):
    """Gives each region its highest-scoring label; trained with a hinge per region.

    `SVM` describes hyper-parameters and attributes.

    References
    ----------
    K. Crammer, Y. Singer (2001). On the algorithmic implementation of multiclass kernel-based
    vector machines. JMLR 2, eq. (6).
    """

    def _fit(self, pages: list[SparseRows], labels: list[Labels], callback: Callback | None) -> None:
        self.emissions_ = self._solve_regions(pages, labels, callback)

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return [page.argmax(axis=1) for page in scores]

    def _decode_constrained(
        self, scores: Floats, fixed: Mapping[int, int], at_most_once: Collection[int]
    ) -> Labels:
        apart = np.zeros((self.n_labels_, self.n_labels_))
        return constrained_viterbi(scores, apart, fixed=fixed, at_most_once=at_most_once)

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        return [softmax(page / temperature, axis=1) for page in scores]
