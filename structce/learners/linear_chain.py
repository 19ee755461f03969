"""What the CRF and the structured SVM share: one model, trained with two losses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from structce.arrays import Floats, Labels
from structce.learners.base import Learner
from structce.learners.inference.constrained import constrained_viterbi
from structce.learners.inference.forward_backward import forward_backward_batch
from structce.learners.inference.viterbi import k_best, max_marginals_batch, viterbi_batch
from structce.learners.typing import Features


class LinearChain(Learner):
    """A learner whose pages are linear chains: emissions and label-label transitions.

    Attributes
    ----------
    transitions_ : shape (n_labels, n_labels)
        ``transitions_[a, b]`` scores label ``b`` right after label ``a``.
    """

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_", "transitions_")

    transitions_: Floats

    def max_marginals(self, X: Sequence[Features]) -> list[Floats]:
        """Return the score of the best sequence with each label at each region.

        One array a page, shape (n_regions, n_labels). A score is a whole page's, dimensionless;
        two labels of a region differ by what the page would lose. See `max_product.max_marginals`.
        """
        return max_marginals_batch(self.scores(X), self.transitions_)

    def k_best(self, X: Sequence[Features], k: int) -> list[list[tuple[Labels, float]]]:
        """Return the ``k`` highest-scoring label sequences of each page, the best first.

        Pairs of labels, shape (n_regions,), and score; fewer where fewer sequences exist. Ties
        and errors are those of `k_best.k_best`.
        """
        return [k_best(page, self.transitions_, k) for page in self.scores(X)]

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return viterbi_batch(scores, self.transitions_)

    def _decode_constrained(
        self, scores: Floats, fixed: Mapping[int, int], at_most_once: Collection[int]
    ) -> Labels:
        steps = self.transitions_
        return constrained_viterbi(scores, steps, fixed=fixed, at_most_once=at_most_once)

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        cooled = [page / temperature for page in scores]
        return forward_backward_batch(cooled, self.transitions_ / temperature)[1]

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        shape = (self.n_labels_, self.n_labels_)
        return {**super()._weight_shapes(), "transitions_": shape}
