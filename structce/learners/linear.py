"""Base classes of linear learners, and of learners that decode chains of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from structce.arrays import Floats, Labels
from structce.learners.base import Learner
from structce.learners.inference.forward_backward import node_marginals
from structce.learners.inference.viterbi import (
    max_marginals,
    split_pages,
    viterbi_batch,
    viterbi_concatenated,
)
from structce.learners.inputs import Features, check_pages, to_rows


class LinearLearner(Learner):
    """A learner with a weight of each column for each label.

    It minimises ``lambda/2 |w|^2 + mean loss per page``, where a page's loss is a sum over its
    regions (Spengler, Bordes and Gallinari 2010, RIAO, eq. 2). There is no intercept; a column that
    is 1 everywhere serves as one, and is regularised like any other.

    Attributes
    ----------
    emissions_ : shape (n_columns, n_labels)
        Weights of a page's emission scores ``X @ emissions_``.
    """

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_",)

    emissions_: Floats

    def scores(self, X: Sequence[Features]) -> list[Floats]:
        """Return the emission score of each label at each region, shape (n_regions, n_labels).

        Pages of float32 are multiplied in float32, which takes half the time. Errors are those of
        `Learner.scores`.
        """
        self._check_fitted()
        rows = to_rows(X, self.n_columns_, self.vectorizer_)
        exact, rough = self.emissions_, self.emissions_.astype(np.float32)
        pages = [np.asarray(page @ (rough if page.dtype == np.float32 else exact)) for page in rows]
        if not all(np.isfinite(scores).all() for scores in pages):
            check_pages(rows)  # names the page
        return [scores.astype(np.float64, copy=False) for scores in pages]

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        return {"emissions_": (self.n_columns_, self.n_labels_)}


class SeparateRegions(Learner):
    """A learner for which the label of a region does not depend on those of other regions."""

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return [page.argmax(axis=1) for page in scores]

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        return [softmax(page / temperature) for page in scores]


class Chain(Learner):
    """A learner that scores the transition from the label of each region to that of the next.

    Attributes
    ----------
    transitions_ : shape (n_labels, n_labels)
        ``transitions_[a, b]`` scores label ``b`` right after label ``a``.
    """

    transitions_: Floats

    def max_marginals(self, X: Sequence[Features]) -> list[Floats]:
        """Return the score of the best sequence of a page with each label at each region.

        One array per page, shape (n_regions, n_labels), dimensionless.
        """
        return [max_marginals(page, self.transitions_) for page in self.scores(X)]

    def decode_rows(self, scores: Floats, lengths: Labels) -> tuple[Labels, Floats]:
        """Return `decode_scores` of pages whose rows are in one matrix, for finite scores.

        Positions of the labels, shape (n_regions,), and marginals, (n_regions, n_labels).
        """
        self._check_fitted()
        labels = viterbi_concatenated(scores, lengths, self.transitions_)
        cooled, transitions = scores / self.temperature_, self.transitions_ / self.temperature_
        marginals = node_marginals(cooled, lengths, transitions)
        if self.calibration_ is not None:
            marginals = self.calibration_.rescale(marginals, labels)
        return labels, marginals

    def _decode(self, scores: list[Floats]) -> list[Labels]:
        return viterbi_batch(scores, self.transitions_)

    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        if not scores:
            return []
        lengths = np.array([len(page) for page in scores], dtype=np.int64)
        cooled = np.concatenate(scores) / temperature
        return split_pages(
            node_marginals(cooled, lengths, self.transitions_ / temperature), lengths
        )


class LinearChain(Chain, LinearLearner):
    """A linear learner with transitions between labels."""

    weight_names: ClassVar[tuple[str, ...]] = ("emissions_", "transitions_")

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        return {**super()._weight_shapes(), "transitions_": (self.n_labels_, self.n_labels_)}


def softmax(scores: Floats) -> Floats:
    """Return the Gibbs distribution of the labels of each region, shape (n_regions, n_labels)."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
