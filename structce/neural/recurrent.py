"""Recurrent sequence tagger: a dense layer, bidirectional LSTM layers, and scores, in NumPy.

The textbook version. The faster ones are tested against it: training in PyTorch, inference in ONNX
Runtime.

References
----------
S. Hochreiter, J. Schmidhuber (1997). Long short-term memory. Neural Computation 9(8), with the
forget gate of F. A. Gers, J. Schmidhuber, F. Cummins (2000). Learning to forget. Neural
Computation 12(10).
M. Schuster, K. K. Paliwal (1997). Bidirectional recurrent neural networks. IEEE Transactions on
Signal Processing 45(11).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from structce.arrays import Floats32

if TYPE_CHECKING:
    import scipy

Rows: TypeAlias = (
    "scipy.sparse.csr_array[np.float32] | scipy.sparse.csr_array[np.float64] | Floats32"
)
"""Inputs of one page, shape (n_steps, n_columns)."""

_LARGEST_LOGIT = 80.0  # beyond which a sigmoid of float32 overflows on its way to 0


@dataclass(frozen=True, eq=False)
class LSTM:
    """Long short-term memory of one direction.

    The rows of the weights are those of the four gates in order: input, forget, cell, output.
    """

    input_weights: Floats32  # shape (4 * n_hidden, n_inputs)
    recurrent_weights: Floats32  # shape (4 * n_hidden, n_hidden)
    bias: Floats32  # shape (4 * n_hidden,)

    @property
    def n_hidden(self) -> int:
        """Number of hidden units."""
        return int(self.recurrent_weights.shape[1])

    def run(self, inputs: Floats32) -> Floats32:
        """Return the hidden state after each step, shape (n_steps, n_hidden)."""
        n_hidden = self.n_hidden
        gates = inputs @ self.input_weights.T + self.bias
        states = np.zeros((len(inputs), n_hidden), dtype=np.float32)
        hidden = cell = np.zeros(n_hidden, dtype=np.float32)
        for i, row in enumerate(gates):
            here = row + self.recurrent_weights @ hidden
            entry, forget, _, out = sigmoid(here).reshape(4, n_hidden)
            cell = forget * cell + entry * np.tanh(here[2 * n_hidden : 3 * n_hidden])
            hidden = states[i] = out * np.tanh(cell)
        return states


@dataclass(frozen=True, eq=False)
class BidirectionalLSTM:
    """Two memories, one of which reads from the last step to the first."""

    forward: LSTM
    backward: LSTM

    def run(self, inputs: Floats32) -> Floats32:
        """Return the states of both directions side by side, shape (n_steps, 2 * n_hidden)."""
        behind = self.backward.run(inputs[::-1])[::-1]
        return np.concatenate([self.forward.run(inputs), behind], axis=1)


@dataclass(frozen=True, eq=False)
class Tagger:
    """Sequence tagger: log odds of label 1 of a page's rows, each of which depends on all rows."""

    dense: Floats32  # projection of a row, rectified; shape (n_columns, n_dense)
    dense_bias: Floats32  # shape (n_dense,)
    layers: tuple[BidirectionalLSTM, ...]  # recurrent layers, from the lowest
    output: Floats32  # shape (2 * n_hidden, 1)
    output_bias: Floats32  # shape (1,)

    @property
    def n_columns(self) -> int:
        """Number of columns of a row."""
        return int(self.dense.shape[0])

    def scores(self, rows: Rows) -> Floats32:
        """Return the scores of the rows of one page, shape (n_steps, 1)."""
        projected = np.asarray(rows @ self.dense, dtype=np.float32) + self.dense_bias
        states = np.maximum(projected, np.float32(0))
        for layer in self.layers:
            states = layer.run(states)
        return np.asarray(states @ self.output + self.output_bias)

    def probabilities(self, rows: Rows) -> Floats32:
        """Return the probability of label 1 of the rows of one page, shape (n_steps, 1)."""
        return sigmoid(self.scores(rows))


def sigmoid(logits: Floats32) -> Floats32:
    """Return the logistic function of each number."""
    bounded = np.clip(logits, -_LARGEST_LOGIT, _LARGEST_LOGIT)
    return np.asarray(1 / (1 + np.exp(-bounded)), dtype=logits.dtype)
