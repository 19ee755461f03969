"""Losses of sequence taggers, with their gradients: functions of scores alone.

A network passes the scores of some pages, and receives the gradient of the loss with respect to
them. Each loss is therefore written once, in NumPy, and is the same on any device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels, allowed_labels

PageLoss: TypeAlias = Callable[[Sequence[Labels], Floats, Floats], tuple[float, Floats, Floats]]
"""Loss of a batch, from its labels, one array a page; its scores, one page below the other, shape
(n_rows, n_outputs); and the transitions, shape (n_labels, n_labels) of a chain, else (0, 0). Gives
the loss, and its gradients with respect to scores and transitions."""


@dataclass(frozen=True)
class BinaryCrossEntropy:
    """Mean cross-entropy of one score per row, the log odds of label 1.

    Parameters
    ----------
    weights
        Weights of rows with label 0 and with label 1.
    """

    weights: tuple[float, float] = (1.0, 1.0)

    def __call__(
        self, labels: Sequence[Labels], scores: Floats, transitions: Floats
    ) -> tuple[float, Floats, Floats]:
        """Return loss and gradients; see `PageLoss`. Rows of unknown label have no loss."""
        gold = np.concatenate(labels)
        weight = np.where(gold == UNKNOWN_INDEX, 0.0, np.asarray(self.weights)[gold])
        logits, n_rows = scores[:, 0], max(1, int(np.count_nonzero(gold != UNKNOWN_INDEX)))
        losses = np.logaddexp(0, np.where(gold == 1, -logits, logits))
        probability = np.exp(-np.logaddexp(0, -logits))
        gradient = weight * (probability - (gold == 1)) / n_rows
        return float(losses @ weight) / n_rows, gradient[:, None], np.zeros_like(transitions)


@dataclass(frozen=True, eq=False)
class SoftmaxCrossEntropy:
    """Cross-entropy of one score per label: the sum over a page's rows, averaged over pages.

    Parameters
    ----------
    weights : shape (n_labels,)
        Weight of a row by its correct label; 1 for a row with a set of labels, whose loss is that
        of the set (Jin and Ghahramani 2002).
    """

    weights: Floats

    def __call__(
        self, labels: Sequence[Labels], scores: Floats, transitions: Floats
    ) -> tuple[float, Floats, Floats]:
        """Return loss and gradients; see `PageLoss`. Rows of unknown label have no loss."""
        gold = np.concatenate(labels)
        known = gold != UNKNOWN_INDEX
        weight = np.where(gold >= 0, self.weights[gold.clip(0)], known) / max(1, len(labels))
        shifted = scores - scores.max(axis=1, keepdims=True)
        log_odds = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        allowed = np.where(allowed_labels(gold, scores.shape[1]), log_odds, -np.inf)
        right = np.logaddexp.reduce(allowed, axis=1)
        gradient = np.exp(log_odds) - np.exp(allowed - right[:, None])
        return -float(right @ weight), gradient * weight[:, None], np.zeros_like(transitions)


def balanced_weights(labels: Sequence[Labels]) -> tuple[float, float]:
    """Return weights of the labels 0 and 1 with which both count the same in total.

    A label that does not occur has weight 1.
    """
    gold = np.concatenate([np.empty(0, dtype=np.int64), *labels])
    counts = [int(np.count_nonzero(gold == label)) for label in (0, 1)]
    zero, one = (sum(counts) / (2 * count) if count else 1.0 for count in counts)
    return zero, one
