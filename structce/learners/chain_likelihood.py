"""The log loss of linear chains: what a conditional random field minimises, and its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structce.learners.arrays import UNKNOWN, Floats, Labels, Rows, product
from structce.learners.chain import count_edges
from structce.learners.packing import Packing
from structce.learners.sum_product import ForwardBackward


class ChainFit(NamedTuple):
    """Where an engine stopped.

    Parameters
    ----------
    emissions : shape (n_columns, n_labels)
    transitions : shape (n_labels, n_labels)
    objective, gradient_norm : float
    curve : list
        (iteration, objective, gradient's norm over the weights' norm) of each iteration.
    """

    emissions: Floats
    transitions: Floats
    objective: float
    gradient_norm: float
    curve: list[tuple[int, float, float]]


class ChainLoss:
    """Sum of the pages' log losses as a function of their scores.

    A page's loss is the log partition over all label sequences less that over the sequences which
    agree with its known labels. With all labels known the latter is the score of one sequence;
    with none the loss is 0, and with some it is not convex in the weights.

    Parameters
    ----------
    labels
        One array a page, shape (n_regions,), `UNKNOWN` allowed.
    n_labels
    label_weights : shape (n_labels,)
        In the partition over all sequences, every wrong label at a region scores higher by the
        weight of the right label less 1. All ones is the log loss proper, and the default.

    References
    ----------
    Y. Tsuboi, H. Kashima, S. Mori, H. Oda, Y. Matsumoto (2008). Training conditional random
    fields using incomplete annotations. COLING.
    K. Gimpel, N. A. Smith (2010). Softmax-margin CRFs: training log-linear models with cost
    functions. NAACL.
    """

    def __init__(
        self, labels: Sequence[Labels], n_labels: int, label_weights: Floats | None = None
    ) -> None:
        gold = np.concatenate([np.empty(0, dtype=np.int64), *labels])
        lengths = np.array([len(y) for y in labels], dtype=np.int64)
        partial = np.array([UNKNOWN in y for y in labels], dtype=bool)
        is_partial = np.repeat(partial, lengths)
        self._all = ForwardBackward(Packing.of(lengths.tolist()), n_labels)
        self._right = np.flatnonzero(~is_partial) * n_labels + gold[~is_partial]
        self._gold_edges = np.zeros((n_labels, n_labels))
        for y, has_unknown in zip(labels, partial, strict=True):
            if not has_unknown:
                self._gold_edges += count_edges(y, n_labels)
        self._partial_rows = np.flatnonzero(is_partial)
        self._agreeing = ForwardBackward(Packing.of(lengths[partial].tolist()), n_labels)
        some = gold[is_partial, None]
        self._forbidden = (some != UNKNOWN) & (some != np.arange(n_labels))
        self._costs = None if label_weights is None else _costs(gold, label_weights)

    def __call__(self, scores: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
        """Return the loss and its gradient.

        Parameters
        ----------
        scores : shape (n_regions, n_labels)
            Emission scores of the pages, one below the other.
        transitions : shape (n_labels, n_labels)

        Returns
        -------
        loss : float
        score_gradient : shape (n_regions, n_labels)
            Rows sum to 0. The next call overwrites it.
        transition_gradient : shape (n_labels, n_labels)
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


def _costs(gold: Labels, label_weights: Floats) -> Floats:
    """Return what is added to the score of each label, shape (n_regions, n_labels)."""
    known = gold != UNKNOWN
    costs = np.zeros((len(gold), len(label_weights)))
    costs[known] = label_weights[gold[known], None] - 1
    costs[known, gold[known]] = 0
    return costs


def telling(labels: Sequence[Labels]) -> list[int]:
    """Return the pages with a known label; the others have loss 0 whatever the weights are."""
    return [i for i, y in enumerate(labels) if (y != UNKNOWN).any()]


def chain_objective(
    pages: Sequence[Rows],
    labels: Sequence[Labels],
    emissions: Floats,
    transitions: Floats,
    lambda_: float,
    label_weights: Floats | None = None,
) -> tuple[float, tuple[Floats, Floats]]:
    """Return ``lambda/2 |w|^2 + mean loss per page``, and its gradient; see `ChainLoss`.

    Returns
    -------
    objective
    gradients
        With respect to emissions and transitions, and of their shapes.
    """
    told, n_labels = telling(labels), len(transitions)
    evaluate = ChainLoss([labels[i] for i in told], n_labels, label_weights)
    scores = [product(pages[i], emissions) for i in told]
    joined = np.concatenate([np.empty((0, n_labels)), *scores])
    loss, residual, edges = evaluate(joined, transitions)
    gradient = np.zeros_like(emissions)
    ends = np.cumsum([len(page) for page in scores], dtype=np.int64)
    for i, part in zip(told, np.split(residual, ends)[:-1], strict=True):
        gradient += product(pages[i].T, part)
    norm = np.vdot(emissions, emissions) + np.vdot(transitions, transitions)
    gradients = (
        lambda_ * emissions + gradient / len(pages),
        lambda_ * transitions + edges / len(pages),
    )
    return float(lambda_ / 2 * norm + loss / len(pages)), gradients
