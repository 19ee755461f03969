"""Training of sequence taggers in PyTorch, on a GPU where there is one.

References
----------
D. P. Kingma, J. Ba (2015). Adam: a method for stochastic optimization. ICLR.
N. Srivastava, G. Hinton, A. Krizhevsky, I. Sutskever, R. Salakhutdinov (2014). Dropout. JMLR 15.

A network passes the scores of some pages to a loss, and receives the gradient of the loss with
respect to them. Each loss is therefore written once, in NumPy, and is the same on any device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels, allowed_labels
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


@dataclass(frozen=True)
class NetworkShape:
    """Size of a network."""

    n_dense: int = 256  # units that a row is projected to
    n_hidden: int = 256  # units of each direction of a recurrent layer
    n_layers: int = 2  # number of recurrent layers
    dropout: float = 0.5  # share of the last layer's states left out in training, in [0, 1)

    def __post_init__(self) -> None:
        if min(self.n_dense, self.n_hidden, self.n_layers) < 1 or not 0 <= self.dropout < 1:
            raise LearnerError(f"{self}: expected sizes of at least 1, and dropout in [0, 1)")


@dataclass(frozen=True)
class Schedule:
    """Course of a training."""

    n_epochs: int = 50  # number of passes over the pages
    batch_size: int = 16  # number of pages per step
    learning_rate: float = 1e-3  # of Adam
    weight_decay: float = 0.0  # weight of the regulariser: half the squared norm of all weights
    largest_gradient: float | None = None  # norm to which a longer gradient is cut
    seed: int = 0  # of initial weights, order of pages and dropout

    def __post_init__(self) -> None:
        if min(self.n_epochs, self.batch_size) < 1 or self.learning_rate <= 0:
            raise LearnerError(f"{self}: expected counts of at least 1, and a rate above 0")


class TrainedTagger:
    """Network in training, or at its end; ``n_labels`` is above 0 for a chain over the scores."""

    def __init__(self, n_columns: int, n_outputs: int, shape: NetworkShape, n_labels: int) -> None:
        torch = load_extra("torch", _PURPOSE, "neural")
        nn, width = torch.nn, 2 * shape.n_hidden
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._dense = nn.Parameter(torch.empty(n_columns, shape.n_dense, device=self._device))
        self._dense_bias = nn.Parameter(torch.zeros(shape.n_dense, device=self._device))
        inputs = [shape.n_dense] + [width] * (shape.n_layers - 1)
        self._layers = [
            tuple(nn.LSTM(n_inputs, shape.n_hidden).to(self._device) for _ in _SIDES)
            for n_inputs in inputs
        ]
        self._output = nn.Linear(width, n_outputs).to(self._device)
        self._transitions = nn.Parameter(torch.zeros(n_labels, n_labels, device=self._device))
        self._dropout, self._torch = shape.dropout, torch
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
                    n_hidden = len(weights) // 4
                    init.ones_(weights.data[_FORGET * n_hidden : (_FORGET + 1) * n_hidden])

    def _recurrent_weights(self) -> Iterator[tuple[str, nn.Parameter]]:
        for layer in self._layers:
            for lstm in layer:
                yield from lstm.named_parameters()

    def parameters(self) -> list[nn.Parameter]:
        """Return all trained weights."""
        own = [self._dense, self._dense_bias, self._transitions]
        recurrent = (weights for _, weights in self._recurrent_weights())
        return [*own, *recurrent, *self._output.parameters()]

    @property
    def transitions(self) -> Floats:
        """Scores of a label after a label, shape (n_labels, n_labels)."""
        return np.asarray(self._transitions.detach().cpu().numpy().astype(np.float64))

    def tagger(self) -> Tagger:
        """Return a tagger with the current weights."""
        layers = tuple(BidirectionalLSTM(*map(_memory, layer)) for layer in self._layers)
        output = np.ascontiguousarray(_array(self._output.weight).T)
        dense, bias = _array(self._dense), _array(self._dense_bias)
        return Tagger(dense, bias, layers, output, _array(self._output.bias))

    def scores(self, pages: Sequence[SparsePage], batch_size: int = 16) -> list[Floats]:
        """Return the scores of each page, shape (n_rows, n_outputs)."""
        lengths = [page.shape[0] for page in pages]
        outputs: list[Floats] = [np.zeros((0, self._output.out_features))] * len(pages)
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
        return self._output(whole)

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

    def learn(self, pages: Sequence[SparsePage], labels: Sequence[Labels], loss: PageLoss) -> float:
        """Add the gradients of the loss of a batch, and return the loss."""
        scores = self._forward(pages, self._dropout)
        values = _array(scores).astype(np.float64)
        if not np.isfinite(values).all():
            raise LearnerError(
                "the network's scores contain NaN or infinity: lower the learning rate"
            )
        value, slope, edges = loss(labels, values, self.transitions)
        scores.backward(self._tensor(slope))
        self._transitions.grad = self._tensor(edges)
        return value

    def _tensor(self, values: Floats) -> Tensor:
        return self._torch.from_numpy(values.astype(np.float32)).to(self._device)


@dataclass(frozen=True)
class Epoch:
    """State of a training after a pass over the pages."""

    number: int  # of the pass, from 1
    loss: float  # mean loss of a batch
    gradient_norm: float  # mean norm of a batch's gradient
    network: TrainedTagger  # its weights change in the next pass


def train_tagger(
    pages: Sequence[SparsePage],
    labels: Sequence[Labels],
    loss: PageLoss,
    *,
    n_outputs: int,
    is_chain: bool = False,
    shape: NetworkShape,
    schedule: Schedule,
    on_epoch: Callable[[Epoch], bool | None] | None = None,
) -> TrainedTagger:
    """Train a tagger by Adam.

    Pages without rows are skipped. With ``is_chain``, transitions between outputs are learnt as
    well. ``on_epoch`` is called after each pass; training ends if it returns True. Raises
    LearnerError if no page has a row, or the weights grow without bound, MissingExtraError if
    PyTorch is not installed.
    """
    torch = load_extra("torch", _PURPOSE, "neural")
    filled = [i for i, page in enumerate(pages) if page.shape[0]]
    if not filled:
        raise LearnerError("no page has a row to learn from")
    rng = np.random.default_rng(schedule.seed)
    with _own_randomness(torch, schedule.seed):
        network = TrainedTagger(pages[0].shape[1], n_outputs, shape, n_outputs if is_chain else 0)
        optimiser = torch.optim.Adam(
            network.parameters(), lr=schedule.learning_rate, weight_decay=schedule.weight_decay
        )
        for number in range(1, schedule.n_epochs + 1):
            steps = []
            order, size = rng.permutation(filled).tolist(), schedule.batch_size
            for batch in (order[start : start + size] for start in range(0, len(order), size)):
                optimiser.zero_grad()
                value = network.learn([pages[i] for i in batch], [labels[i] for i in batch], loss)
                largest = schedule.largest_gradient or np.inf
                norm = torch.nn.utils.clip_grad_norm_(network.parameters(), largest)
                optimiser.step()
                steps.append((value, float(norm)))
            mean_loss, mean_norm = np.mean(steps, axis=0).tolist()
            if on_epoch is not None and on_epoch(Epoch(number, mean_loss, mean_norm, network)):
                break
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


PageLoss: TypeAlias = Callable[[Sequence[Labels], Floats, Floats], tuple[float, Floats, Floats]]
"""Loss of a batch, from its labels, one array per page; its scores, one page below the other, shape
(n_rows, n_outputs); and the transitions, shape (n_labels, n_labels) of a chain, else (0, 0). Gives
the loss, and its gradients with respect to scores and transitions."""


@dataclass(frozen=True)
class BinaryCrossEntropy:
    """Mean cross-entropy of one score per row, the log odds of label 1."""

    weights: tuple[float, float] = (1.0, 1.0)  # of rows with label 0 and with label 1

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

    ``weights``, shape (n_labels,), are those of a row by its correct label; a row with a set of
    labels has weight 1 and the loss of the set (Jin and Ghahramani 2002).
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
    """Return weights with which labels 0 and 1 count the same in total; 1 if one does not occur."""
    gold = np.concatenate([np.empty(0, dtype=np.int64), *labels])
    counts = [int(np.count_nonzero(gold == label)) for label in (0, 1)]
    zero, positive = (sum(counts) / (2 * count) if count else 1.0 for count in counts)
    return zero, positive
