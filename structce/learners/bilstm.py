"""Neural learners: bidirectional LSTM layers over the regions of a page.

PyTorch trains them; the fitted networks are plain arrays, with which NumPy labels pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from structce import neural
from structce.arrays import UNKNOWN_INDEX, Floats, Labels
from structce.errors import LearnerError
from structce.learners import solvers
from structce.learners.base import Callback, Progress
from structce.learners.classes import LabelWeights, check_label_weights, resolve_weights
from structce.learners.inputs import Features, Pages, check_count, check_pages, check_positive
from structce.learners.linear import Chain, SeparateRegions
from structce.learners.registry import learner

_MOST_LAYERS = 16
_LARGEST_GRADIENT = 5.0  # norm; recurrent layers occasionally have steps that undo all progress


@learner("bilstm", module="torch", extra="neural")
@dataclass(kw_only=True, eq=False, repr=False)
class BiLSTM(SeparateRegions):
    """Labels each region by a recurrent network; trained with the log loss of the regions.

    The columns of a region are projected and rectified, bidirectional LSTM layers pass information
    along the page, and a linear layer gives the scores. Trained by Adam; the objective is not
    convex.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0.
    n_dense, n_hidden, n_layers
        Units of the projection, units of each direction of a recurrent layer, number of layers.
    dropout
        Share of the states that are dropped in training, in [0, 1).
    max_epochs, batch_size
        Number of passes over the pages, pages per step.
    learning_rate
        Learning rate of Adam, above 0.
    label_weights
        Weight of a region by its correct label; see `resolve_weights`.

    References
    ----------
    A. Graves, J. Schmidhuber (2005). Framewise phoneme classification with bidirectional LSTM and
    other neural network architectures. Neural Networks 18(5-6).
    """

    weight_names = tuple("dense_ dense_bias_ recurrent_ output_ output_bias_".split())
    diagnostic_names = ("objective_", "n_epochs_", "curve_")
    is_chain: ClassVar[bool] = False

    lambda_: float = 0.001
    n_dense: int = 64
    n_hidden: int = 48
    n_layers: int = 1
    dropout: float = 0.3
    max_epochs: int = 30
    batch_size: int = 4
    learning_rate: float = 0.005
    label_weights: LabelWeights = None
    random_state: int = 0

    dense_: Floats = field(init=False)  # weights as in `structce.neural.Tagger`
    dense_bias_: Floats = field(init=False)
    recurrent_: Floats = field(init=False)  # of all recurrent layers, concatenated
    output_: Floats = field(init=False)
    output_bias_: Floats = field(init=False)
    objective_: float = field(init=False)  # mean over the last epoch
    n_epochs_: int = field(init=False)
    curve_: list[tuple[int, float, float]] = field(init=False)
    """Epoch, objective, and gradient's norm, of each epoch."""

    def _check_parameters(self) -> None:
        check_positive("lambda_", self.lambda_)
        check_positive("learning_rate", self.learning_rate)
        for name in ("n_dense", "n_hidden", "max_epochs", "batch_size"):
            check_count(name, getattr(self, name), least=1)
        check_count("n_layers", self.n_layers, least=1, most=_MOST_LAYERS)
        check_count("random_state", self.random_state, least=0)
        check_label_weights(self.label_weights)
        if not isinstance(self.dropout, int | float) or not 0 <= self.dropout < 1:
            raise LearnerError(f"dropout={self.dropout!r}; expected a number in [0, 1)")

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        weights = resolve_weights(self.label_weights, labels, self.n_labels_)
        kept = [i for i, y in enumerate(labels) if (y != UNKNOWN_INDEX).any()]
        self.objective_, self.n_epochs_, self.curve_ = 0.0, 0, []
        if not kept:
            arrays = {name: np.zeros(shape) for name, shape in self._weight_shapes().items()}
        else:
            network = neural.train_tagger(
                [pages[i] for i in kept],
                [labels[i] for i in kept],
                self._loss(weights),
                n_outputs=self.n_labels_,
                is_chain=self.is_chain,
                shape=neural.NetworkShape(*self._sizes(), float(self.dropout)),
                schedule=neural.Schedule(
                    n_epochs=int(self.max_epochs),
                    batch_size=int(self.batch_size),
                    learning_rate=float(self.learning_rate),
                    weight_decay=float(self.lambda_),
                    largest_gradient=_LARGEST_GRADIENT,
                    seed=int(self.random_state),
                ),
                on_epoch=lambda epoch: self._record(epoch, callback),
            )
            arrays = self._weights(network)
        for name, array in arrays.items():
            setattr(self, name, array)

    def _sizes(self) -> tuple[int, int, int]:
        return int(self.n_dense), int(self.n_hidden), int(self.n_layers)

    def _loss(self, weights: Floats) -> neural.PageLoss:
        """Return the loss function of a batch, given the weight of each label."""
        return neural.SoftmaxCrossEntropy(weights)

    def _record(self, epoch: neural.Epoch, callback: Callback | None) -> bool | None:
        """Record the state of the training after an epoch, and notify the callback."""
        weights = tuple(self._weights(epoch.network).values())
        squared = sum(float(np.vdot(array, array)) for array in weights)
        self.objective_ = epoch.loss + float(self.lambda_) / 2 * squared
        self.n_epochs_ = epoch.number
        self.curve_.append((epoch.number, self.objective_, epoch.gradient_norm))
        if callback is None:
            return None
        gap, most = epoch.gradient_norm / max(1.0, squared**0.5), int(self.max_epochs)
        return callback(Progress(epoch.number, most, self.objective_, gap))

    def _weights(self, network: neural.TrainedTagger) -> dict[str, Floats]:
        """Return the weights of a network by their names in this learner."""
        arrays = network.tagger().arrays()
        recurrent = [arrays[name].ravel() for name in self._shapes() if name.startswith("layer")]
        arrays |= {"recurrent": np.concatenate(recurrent), "transitions": network.transitions}
        return {name: arrays[name.rstrip("_")] for name in self.weight_names}

    def scores(self, X: Sequence[Features]) -> list[Floats]:
        """Return the network's score of each label at each region; see `Learner.scores`."""
        self._check_fitted()
        pages, rest = check_pages(X, self.n_columns_, self.vectorizer_), self.recurrent_
        arrays: dict[str, Floats] = {}
        for name, shape in self._shapes().items():
            if name.startswith("layer"):
                own, rest = np.split(rest, [int(np.prod(shape))])
                arrays[name] = own.reshape(shape)
            else:
                arrays[name] = getattr(self, f"{name}_")
        tagger = neural.Tagger.of_arrays(arrays)
        return [tagger.scores(page).astype(np.float64) for page in pages]

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of the network's weights, by their names in `Tagger.arrays`."""
        return neural.weight_shapes(self.n_columns_, *self._sizes(), self.n_labels_)

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        shapes = self._shapes()
        recurrent = [np.prod(shape) for name, shape in shapes.items() if name.startswith("layer")]
        shapes["recurrent"] = (int(sum(recurrent)),)
        return {name: shapes[name.rstrip("_")] for name in BiLSTM.weight_names}


@learner("bilstm-crf", module="torch", extra="neural")
class BiLSTMCRF(Chain, BiLSTM):
    """Labels a page by the most probable label sequence of a recurrent network with a CRF.

    Like `BiLSTM`, but with transitions between labels and the log loss of the page (Huang, Xu and
    Yu 2015). With label weights, wrong labels score higher in training, as in `LinearChainCRF`.

    References
    ----------
    Z. Huang, W. Xu, K. Yu (2015). Bidirectional LSTM-CRF models for sequence tagging.
    arXiv:1508.01991.
    """

    weight_names = (*BiLSTM.weight_names, "transitions_")
    is_chain: ClassVar[bool] = True

    def _loss(self, weights: Floats) -> neural.PageLoss:
        own = None if self.label_weights is None else weights

        def loss(
            labels: Sequence[Labels], scores: Floats, transitions: Floats
        ) -> tuple[float, Floats, Floats]:
            of_chain = solvers.ChainLoss(labels, self.n_labels_, own)
            value, slope, edges = of_chain(scores, transitions)
            n_pages = len(labels)
            return value / n_pages, slope / n_pages, edges / n_pages

        return loss

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        return {**super()._weight_shapes(), "transitions_": (self.n_labels_, self.n_labels_)}
