"""The multi-class SVM: every region on its own."""

from __future__ import annotations

from structce.learners.arrays import Floats, Labels, Rows
from structce.learners.base import learner
from structce.learners.progress import Callback
from structce.learners.sum_product import softmax
from structce.learners.svm import SVM


@learner("multiclass-svm")
class MulticlassSVM(SVM):
    """Gives each region its highest-scoring label; trained with a hinge per region.

    `SVM` describes hyper-parameters and attributes.

    References
    ----------
    K. Crammer, Y. Singer (2001). On the algorithmic implementation of multiclass kernel-based
    vector machines. JMLR 2, eq. (6).
    """

    def _fit(self, pages: list[Rows], labels: list[Labels], callback: Callback | None) -> None:
        self.emissions_, _ = self._solve(pages, labels, with_transitions=False)

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return [page.argmax(axis=1) for page in scores]

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        return [softmax(page / temperature) for page in scores]
