"""The structured SVM: the best label sequence of the whole page."""

from __future__ import annotations

from structce.learners.arrays import Labels, Rows
from structce.learners.base import learner
from structce.learners.linear_chain import LinearChain
from structce.learners.progress import Callback
from structce.learners.svm import SVM


@learner("structured-svm")
class StructuredSVM(LinearChain, SVM):
    """Gives a page its highest-scoring label sequence; trained with a hinge over the page.

    Margins are rescaled by the Hamming loss. Transitions are regularised like emissions. `SVM`
    describes hyper-parameters and attributes.

    Attributes
    ----------
    transitions_ : shape (n_labels, n_labels)
        ``transitions_[a, b]`` scores label ``b`` right after label ``a``.

    References
    ----------
    I. Tsochantaridis, T. Joachims, T. Hofmann, Y. Altun (2005). Large margin methods for
    structured and interdependent output variables. JMLR 6.
    """

    def _fit(self, pages: list[Rows], labels: list[Labels], callback: Callback | None) -> None:
        self.emissions_, self.transitions_ = self._solve(pages, labels, with_transitions=True)
