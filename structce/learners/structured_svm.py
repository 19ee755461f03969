"""The structured SVM: the best label sequence of the whole page."""

from __future__ import annotations

from typing import ClassVar

from structce.learners.arrays import Floats, Labels, Rows
from structce.learners.base import learner
from structce.learners.chain import forward_backward_batch, viterbi_batch
from structce.learners.svm import SVM


@learner("structured-svm")
class StructuredSVM(SVM):
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

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_", "transitions_")

    transitions_: Floats

    def _fit(self, pages: list[Rows], labels: list[Labels]) -> None:
        self.emissions_, self.transitions_ = self._solve(pages, labels, with_transitions=True)

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return viterbi_batch(scores, self.transitions_)

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        cooled = [page / temperature for page in scores]
        return forward_backward_batch(cooled, self.transitions_ / temperature)[1]

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        shape = (self.n_labels_, self.n_labels_)
        return {**super()._weight_shapes(), "transitions_": shape}
