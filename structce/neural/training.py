"""Training of sequence taggers in PyTorch, on a GPU where there is one.

References
----------
D. P. Kingma, J. Ba (2015). Adam: a method for stochastic optimization. ICLR.
N. Srivastava, G. Hinton, A. Krizhevsky, I. Sutskever, R. Salakhutdinov (2014). Dropout. JMLR 15.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.extras import load_extra
from structce.neural.recurrent import LSTM, BidirectionalLSTM, Tagger

if TYPE_CHECKING:
    from types import ModuleType

    import scipy
    from torch import Tensor, nn

    SparsePage: TypeAlias = (
        "scipy.sparse.csr_array[np.float32] | scipy.sparse.csr_array[np.float64]"
    )

_PURPOSE = "training of neural networks"
_FORGET = 1  # place of the forget gate: input, forget, cell, output
_SIDES = ("forward", "backward")
_MIN_ALIKE = 0.6  # length of a page beside the longest that is computed with it


class TrainedTagger:
    """Network in training, or at its end."""

    def __init__(
        self, n_columns: int, *, n_dense: int, n_hidden: int, n_layers: int, dropout: float
    ) -> None:
        torch = load_extra("torch", _PURPOSE, "neural")
        nn, width = torch.nn, 2 * n_hidden
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._dense = nn.Parameter(torch.empty(n_columns, n_dense, device=self._device))
        self._dense_bias = nn.Parameter(torch.zeros(n_dense, device=self._device))
        self._layers = [
            tuple(nn.LSTM(n_inputs, n_hidden).to(self._device) for _ in _SIDES)
            for n_inputs in [n_dense] + [width] * (n_layers - 1)
        ]
        self._output = nn.Linear(width, 1).to(self._device)
        self._dropout, self._torch = dropout, torch
        # Initial weights like those of Keras (Glorot and Bengio 2010; open forget gates).
        init = torch.nn.init
        init.xavier_uniform_(self._dense)
        init.xavier_uniform_(self._output.weight)
        init.zeros_(self._output.bias)
        for name, weights in self._recurrent_weights():
            if name.startswith("weight_ih"):
                init.xavier_uniform_(weights)
            elif name.startswith("weight_hh"):
                init.orthogonal_(weights)
            else:
                init.zeros_(weights)
                if name.startswith("bias_ih"):
                    init.ones_(weights.data[_FORGET * n_hidden : (_FORGET + 1) * n_hidden])

    def _recurrent_weights(self) -> Iterator[tuple[str, nn.Parameter]]:
        for layer in self._layers:
            for lstm in layer:
                yield from lstm.named_parameters()

    def parameters(self) -> list[nn.Parameter]:
        """Return all trained weights."""
        recurrent = (weights for _, weights in self._recurrent_weights())
        return [self._dense, self._dense_bias, *recurrent, *self._output.parameters()]

    def tagger(self) -> Tagger:
        """Return a tagger with the current weights."""
        layers = tuple(BidirectionalLSTM(*map(_memory, layer)) for layer in self._layers)
        output = np.ascontiguousarray(_array(self._output.weight).T)
        dense, bias = _array(self._dense), _array(self._dense_bias)
        return Tagger(dense, bias, layers, output, _array(self._output.bias))

    def scores(self, pages: Sequence[SparsePage], batch_size: int = 16) -> list[Floats]:
        """Return the log odds of label 1 at the rows of each page, shape (n_rows,)."""
        lengths = [page.shape[0] for page in pages]
        outputs: list[Floats] = [np.zeros(0)] * len(pages)
        order = sorted(np.flatnonzero(lengths).tolist(), key=lengths.__getitem__)
        with self._torch.no_grad():
            for start in range(0, len(order), batch_size):
                batch = order[start : start + batch_size]
                scores = _array(self._forward([pages[i] for i in batch], 0.0)).astype(np.float64)
                ends = np.cumsum([lengths[i] for i in batch])[:-1]
                for i, own in zip(batch, np.split(scores, ends), strict=True):
                    outputs[i] = own
        return outputs

    def _forward(self, pages: Sequence[SparsePage], dropout: float) -> Tensor:
        """Return the scores of all pages in one array."""
        torch, lengths = self._torch, [page.shape[0] for page in pages]
        rows = torch.relu(self._project(pages) + self._dense_bias)
        inputs = torch.split(rows, lengths)
        groups: list[list[int]] = []  # of similar lengths, so that little padding is needed
        for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
            if groups and lengths[i] >= _MIN_ALIKE * lengths[groups[-1][0]]:
                groups[-1].append(i)
            else:
                groups.append([i])
        states: list[Tensor] = [rows] * len(pages)
        for group in groups:
            for i, own in zip(group, self._run([inputs[i] for i in group]), strict=True):
                states[i] = own
        whole = torch.cat(states)
        if dropout:
            whole = torch.nn.functional.dropout(whole, dropout)
        return self._output(whole)[:, 0]

    def _run(self, pages: Sequence[Tensor]) -> list[Tensor]:
        """Return the states of pages of similar lengths, padded at their ends.

        Packed sequences would do the same, and take ten times as long on a processor.
        """
        torch, lengths = self._torch, [len(page) for page in pages]
        places, ends = np.arange(max(lengths)), np.array(lengths)[:, None]
        turned = np.where(places < ends, ends - 1 - places, places)  # padding stays in place
        order = torch.from_numpy(np.ascontiguousarray(turned.T[:, :, None])).to(self._device)
        states = torch.nn.utils.rnn.pad_sequence(list(pages))
        for forward, backward in self._layers:
            ahead, _ = forward(states)
            behind, _ = backward(states.gather(0, order.expand_as(states)))
            back = behind.gather(0, order.expand_as(behind))
            states = torch.cat([ahead, back], dim=2)
        return [states[:n, i] for i, n in enumerate(lengths)]

    def _project(self, pages: Sequence[SparsePage]) -> Tensor:
        """Return the rows of pages times the weights of the dense layer; most entries are 0."""
        torch = self._torch
        sizes = np.concatenate([np.diff(page.indptr) for page in pages])
        offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        columns = np.concatenate([page.indices for page in pages]).astype(np.int64)
        values = np.concatenate([page.data for page in pages]).astype(np.float32)
        given = [torch.from_numpy(array).to(self._device) for array in (columns, offsets, values)]
        return torch.nn.functional.embedding_bag(
            given[0], self._dense, given[1], mode="sum", per_sample_weights=given[2]
        )

    def learn(
        self, pages: Sequence[SparsePage], labels: Sequence[Labels], weights: tuple[float, float]
    ) -> float:
        """Add the gradients of the loss of a batch, and return the loss; see `train_tagger`."""
        gold = np.concatenate(labels)
        wanted, weight = (
            self._torch.from_numpy(values.astype(np.float32)).to(self._device)
            for values in (gold, np.asarray(weights)[gold])
        )
        scores = self._forward(pages, self._dropout)
        cross_entropy = self._torch.nn.functional.binary_cross_entropy_with_logits
        loss = cross_entropy(scores, wanted, weight)
        value: float = loss.item()
        if not np.isfinite(value):
            raise LearnerError(
                "the network's scores contain NaN or infinity: lower the learning rate"
            )
        loss.backward()
        return value


def train_tagger(
    pages: Sequence[SparsePage],
    labels: Sequence[Labels],
    *,
    n_dense: int,
    n_hidden: int,
    n_layers: int,
    dropout: float,
    n_epochs: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
    weights: tuple[float, float] = (1.0, 1.0),
    on_epoch: Callable[[int, float, TrainedTagger], object] | None = None,
) -> TrainedTagger:
    """Train a tagger of labels 0 and 1 by Adam, with the mean cross-entropy of a batch's rows.

    Parameters
    ----------
    pages, labels
        Rows of each page, shape (n_rows, n_columns), and their labels. Pages without rows are
        skipped.
    n_dense, n_hidden, n_layers
        Units that a row is projected to, units of each direction of a recurrent layer, number of
        recurrent layers.
    dropout
        Share of the last layer's states that are left out, in [0, 1).
    n_epochs, batch_size
        Number of passes over the pages, pages per step.
    weights
        Weights of rows with label 0 and with label 1.
    on_epoch
        Called after each pass with its number, from 1, the mean loss and the network.

    Raises
    ------
    LearnerError
        If no page has a row, a number is out of range, or the weights grow without bound.
    MissingExtraError
        If PyTorch is not installed.
    """
    torch = load_extra("torch", _PURPOSE, "neural")
    least = min(n_dense, n_hidden, n_layers, n_epochs, batch_size)
    if least < 1 or not 0 <= dropout < 1 or learning_rate <= 0:
        raise LearnerError("expected sizes of at least 1, dropout in [0, 1), and a rate above 0")
    filled = [i for i, page in enumerate(pages) if page.shape[0]]
    if not filled:
        raise LearnerError("no page has a row to learn from")
    rng = np.random.default_rng(seed)
    with _own_randomness(torch, seed):
        network = TrainedTagger(
            pages[0].shape[1], n_dense=n_dense, n_hidden=n_hidden, n_layers=n_layers,
            dropout=dropout,
        )  # fmt: skip
        optimiser = torch.optim.Adam(network.parameters(), lr=learning_rate)
        for number in range(1, n_epochs + 1):
            losses, order = [], rng.permutation(filled).tolist()
            for start in range(0, len(order), batch_size):
                batch = order[start : start + batch_size]
                optimiser.zero_grad()
                chosen = [pages[i] for i in batch], [labels[i] for i in batch]
                losses.append(network.learn(*chosen, weights))
                optimiser.step()
            if on_epoch is not None:
                on_epoch(number, float(np.mean(losses)), network)
    return network


def _memory(lstm: nn.LSTM) -> LSTM:
    """Return the weights of one direction of a layer; PyTorch has two biases."""
    weights = {name: _array(weight) for name, weight in lstm.named_parameters()}
    bias = weights["bias_ih_l0"] + weights["bias_hh_l0"]
    return LSTM(weights["weight_ih_l0"], weights["weight_hh_l0"], bias)


def _array(tensor: Tensor) -> np.ndarray:
    """Return a copy of a tensor in this processor's memory."""
    return np.array(tensor.detach().cpu().numpy())


@contextmanager
def _own_randomness(torch: ModuleType, seed: int) -> Iterator[None]:
    """Seed PyTorch and use one thread, which gives equal results; both are restored at the end."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(n_threads)


def balanced_weights(labels: Sequence[Labels]) -> tuple[float, float]:
    """Return weights with which labels 0 and 1 count the same in total; 1 if one does not occur."""
    gold = np.concatenate([np.empty(0, dtype=np.int64), *labels])
    counts = [int(np.count_nonzero(gold == label)) for label in (0, 1)]
    zero, positive = (sum(counts) / (2 * count) if count else 1.0 for count in counts)
    return zero, positive
