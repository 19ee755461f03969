"""Recurrent sequence tagger: a dense layer, bidirectional LSTM layers, and scores, in NumPy.

The textbook version, in which fitted networks are stored. The faster ones are tested against it:
training in PyTorch, inference in ONNX Runtime.

References
----------
S. Hochreiter, J. Schmidhuber (1997). Long short-term memory. Neural Computation 9(8), with the
forget gate of F. A. Gers, J. Schmidhuber, F. Cummins (2000). Learning to forget. Neural
Computation 12(10).
M. Schuster, K. K. Paliwal (1997). Bidirectional recurrent neural networks. IEEE Transactions on
Signal Processing 45(11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np

from structce.arrays import Floats, Floats32
from structce.errors import LearnerError

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
    """Sequence tagger: scores of a page's rows, each of which depends on all rows."""

    dense: Floats32  # projection of a row, rectified; shape (n_columns, n_dense)
    dense_bias: Floats32  # shape (n_dense,)
    layers: tuple[BidirectionalLSTM, ...]  # recurrent layers, from the lowest
    output: Floats32  # shape (2 * n_hidden, n_outputs)
    output_bias: Floats32  # shape (n_outputs,)

    @property
    def n_columns(self) -> int:
        """Number of columns of a row."""
        return int(self.dense.shape[0])

    @property
    def n_outputs(self) -> int:
        """Number of scores of a row."""
        return int(self.output.shape[1])

    def scores(self, rows: Rows) -> Floats32:
        """Return the scores of the rows of one page, shape (n_steps, n_outputs)."""
        projected = np.asarray(rows @ self.dense, dtype=np.float32) + self.dense_bias
        states = np.maximum(projected, np.float32(0))
        for layer in self.layers:
            states = layer.run(states)
        return np.asarray(states @ self.output + self.output_bias)

    def probabilities(self, rows: Rows) -> Floats32:
        """Return the probabilities of the rows of one page, shape (n_steps, n_outputs).

        One score goes through a sigmoid, several through a softmax.
        """
        scores = self.scores(rows)
        if self.n_outputs == 1:
            return sigmoid(scores)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def arrays(self) -> dict[str, Floats]:
        """Return all weights by name, for a file without pickle; float32 keeps them exactly."""
        named = {"dense": self.dense, "dense_bias": self.dense_bias}
        for i, layer in enumerate(self.layers):
            for side, lstm in vars(layer).items():
                named |= {f"layer{i}_{side}_{name}": array for name, array in vars(lstm).items()}
        named |= {"output": self.output, "output_bias": self.output_bias}
        return {name: array.astype(np.float64) for name, array in named.items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Floats]) -> Self:
        """Return the tagger that :meth:`arrays` described.

        Raises LearnerError if an array is missing, or shapes do not fit together.
        """
        exact = {name: np.asarray(array, dtype=np.float32) for name, array in arrays.items()}
        n_layers = sum(name.endswith("_forward_bias") for name in exact)
        try:
            n_hidden = exact["layer0_forward_recurrent_weights"].shape[-1]
            (n_columns, *_, n_dense), n_outputs = exact["dense"].shape, exact["output"].shape[-1]
            shapes = weight_shapes(n_columns, n_dense, n_hidden, n_layers, n_outputs)
            weights = {name: exact[name] for name in shapes}
        except (KeyError, ValueError, IndexError) as error:
            raise LearnerError(f"damaged network: no array {error}") from error
        for name, shape in shapes.items():
            if (found := weights[name].shape) != shape:
                raise LearnerError(f"damaged network: {name} has shape {found}, expected {shape}")
        recurrent = iter([weights[name] for name in shapes if name.startswith("layer")])
        memories = list(map(LSTM, recurrent, recurrent, recurrent))
        layers = tuple(map(BidirectionalLSTM, memories[::2], memories[1::2]))
        ends = (weights[name] for name in ("output", "output_bias"))
        return cls(weights["dense"], weights["dense_bias"], layers, *ends)


def weight_shapes(
    n_columns: int, n_dense: int, n_hidden: int, n_layers: int, n_outputs: int
) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a tagger's weights, by their names in `Tagger.arrays`."""
    shapes: dict[str, tuple[int, ...]] = {"dense": (n_columns, n_dense), "dense_bias": (n_dense,)}
    width = n_dense
    for i in range(n_layers):
        for side in ("forward", "backward"):
            shapes[f"layer{i}_{side}_input_weights"] = 4 * n_hidden, width
            shapes[f"layer{i}_{side}_recurrent_weights"] = 4 * n_hidden, n_hidden
            shapes[f"layer{i}_{side}_bias"] = (4 * n_hidden,)
        width = 2 * n_hidden
    return shapes | {"output": (width, n_outputs), "output_bias": (n_outputs,)}


def sigmoid(logits: Floats32) -> Floats32:
    """Return the logistic function of each number."""
    bounded = np.clip(logits, -_LARGEST_LOGIT, _LARGEST_LOGIT)
    return np.asarray(1 / (1 + np.exp(-bounded)), dtype=logits.dtype)
