"""What the CRF and the structured SVM share: one model, trained with two losses."""

from __future__ import annotations

from typing import ClassVar

from structce.learners.arrays import Floats, Labels
from structce.learners.base import Learner
from structce.learners.max_product import viterbi_batch
from structce.learners.sum_product import forward_backward_batch


class LinearChain(Learner):
    """A learner whose pages are linear chains: emissions and label-label transitions.

    Attributes
    ----------
    transitions_ : shape (n_labels, n_labels)
        ``transitions_[a, b]`` scores label ``b`` right after label ``a``.
    """

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_", "transitions_")

    transitions_: Floats

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return viterbi_batch(scores, self.transitions_)

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        cooled = [page / temperature for page in scores]
        return forward_backward_batch(cooled, self.transitions_ / temperature)[1]

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        shape = (self.n_labels_, self.n_labels_)
        return {**super()._weight_shapes(), "transitions_": shape}
