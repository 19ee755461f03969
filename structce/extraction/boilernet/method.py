"""BoilerNet: text leaves of a page as a sequence, classified by bidirectional LSTM layers.

Source: J. Leonhardt, A. Anand and M. Khosla (2020). Boilerplate removal using a neural sequence
labeling model. WWW 2020 companion.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.evaluation import Overlap
from structce.extraction.base import WordFilter
from structce.extraction.boilernet.leaves import (
    TextLeaves,
    leaf_labels,
    leaf_of_words,
    text_leaves,
)
from structce.extraction.boilernet.vocabulary import N_TAGS, N_WORDS, Vocabulary
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import trainable_method
from structce.extraction.trained import ExtractorState, stored_extractor
from structce.neural import (
    BinaryCrossEntropy,
    Epoch,
    NetworkShape,
    Rows,
    Schedule,
    Tagger,
    balanced_weights,
    train_tagger,
)

if TYPE_CHECKING:
    import scipy

    from structce.arrays import Floats32

PIECE = 4096
"""Leaves processed together: longer pages are processed in pieces, so that memory is bounded."""

_log = logging.getLogger(__name__)

THRESHOLD = 0.5
"""Probability from which a leaf is main content."""


class LeafNetwork(Protocol):
    """Network that predicts for each leaf of a page the probability of being main content."""

    @property
    def n_columns(self) -> int:
        """Number of columns of a leaf."""
        ...

    def probabilities(self, rows: Rows) -> Floats32:
        """Return the probabilities of the leaves of a page, shape (n_leaves, 1)."""
        ...


@stored_extractor("boilernet")
@dataclass(frozen=True, eq=False)
class BoilerNet(WordFilter):
    """BoilerNet (Leonhardt, Anand and Khosla 2020), after training.

    Parameters
    ----------
    threshold
        Probability from which a leaf is main content, in [0, 1].
    """

    vocabulary: Vocabulary
    network: LeafNetwork
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.network.n_columns != self.vocabulary.n_columns:
            raise ExtractionError(
                f"boilernet: a network of {self.network.n_columns} columns, and a vocabulary of "
                f"{self.vocabulary.n_columns}"
            )
        if not 0 <= self.threshold <= 1:
            raise ExtractionError(f"boilernet: threshold {self.threshold}; expected in [0, 1]")

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in leaves of main content."""
        leaves = text_leaves(document)
        chosen = self.probabilities(leaves) >= self.threshold
        kept: Flags = np.append(chosen, False)[leaf_of_words(document, leaves)]
        return kept

    def probabilities(self, leaves: TextLeaves) -> Floats:
        """Return the probability that each leaf is main content, shape (n_leaves,)."""
        rows = self.vocabulary.encode(leaves)
        pieces = [
            self.network.probabilities(rows[start : start + PIECE])[:, 0]
            for start in range(0, len(leaves), PIECE)
        ]
        return np.concatenate([np.zeros(0), *pieces])

    def state(self) -> ExtractorState:
        """Return the vocabulary and the weights.

        Raises
        ------
        ExtractionError
            If the network is an ONNX model, whose weights are not known.
        """
        if not isinstance(self.network, Tagger):
            raise ExtractionError("boilernet: the weights of an ONNX model cannot be stored")
        settings = {
            "tags": list(self.vocabulary.tags),
            "words": list(self.vocabulary.words),
            "threshold": self.threshold,
        }
        return ExtractorState(settings, self.network.arrays())

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from a vocabulary and weights; NumPy runs it.

        Raises
        ------
        StructceError
            If something is missing or inconsistent.
        """
        threshold = float(str(state.settings["threshold"]))
        vocabulary = Vocabulary.from_entries(state.settings)
        return cls(vocabulary, Tagger.of_arrays(state.arrays), threshold)


@trainable_method("boilernet")
@dataclass(frozen=True)
class BoilerNetTraining:
    """BoilerNet (Leonhardt, Anand and Khosla 2020): text leaves as a sequence, by LSTM layers.

    The defaults are the paper's. Both classes of leaves have the same total weight; the epoch with
    the best mean F1 of both classes on the validation pages is kept. The leaves of a training text
    are found by alignment.

    Parameters
    ----------
    n_tags, n_words
        Size of the vocabulary.
    n_dense, n_hidden, n_layers, dropout
        Shape of the network; see `NetworkShape`.
    n_epochs, batch_size, learning_rate
    n_validation
        Number of validation pages, taken from the end; None for a tenth, drawn by the seed.
    seed
    """

    n_tags: int = N_TAGS
    n_words: int = N_WORDS
    n_dense: int = 256
    n_hidden: int = 256
    n_layers: int = 2
    dropout: float = 0.5
    n_epochs: int = 50
    batch_size: int = 16
    learning_rate: float = 1e-3
    n_validation: int | None = None
    seed: int = 0

    def fit(self, documents: Sequence[ParsedDocument], texts: Sequence[str]) -> BoilerNet:
        """Return the extractor learnt from the pages.

        Raises
        ------
        ExtractionError
            If there are not two pages with text, one of them with main content.
        MissingExtraError
            If PyTorch is not installed.
        """
        pages = [text_leaves(document) for document in documents]
        pairs = zip(pages, texts, strict=True)
        return self.fit_leaves(pages, [leaf_labels(page, text) for page, text in pairs])

    def fit_leaves(
        self,
        pages: Sequence[TextLeaves],
        labels: Sequence[Flags],
        vocabulary: Vocabulary | None = None,
    ) -> BoilerNet:
        """Return the extractor learnt from pages with labelled leaves; see `fit`.

        Parameters
        ----------
        vocabulary
            Vocabulary to use instead of that of the training pages.
        """
        train, validation = self._split(pages)
        gold = [np.asarray(flags, dtype=np.int64) for flags in labels]
        if not any(gold[i].any() for i in train) or not any(len(pages[i]) for i in validation):
            raise ExtractionError("boilernet: expected pages with main content, got none")
        if vocabulary is None:
            vocabulary = Vocabulary.of_pages((pages[i] for i in train), self.n_tags, self.n_words)
        rows = [vocabulary.encode(page) for page in pages]
        best = _BestEpoch([rows[i] for i in validation], [gold[i] for i in validation])
        pieces = [piece for i in train for piece in _pieces(rows[i], gold[i])]
        train_tagger(
            [piece_rows for piece_rows, _ in pieces],
            [piece_gold for _, piece_gold in pieces],
            BinaryCrossEntropy(balanced_weights([gold[i] for i in train])),
            n_outputs=1,
            shape=NetworkShape(self.n_dense, self.n_hidden, self.n_layers, self.dropout),
            schedule=Schedule(
                n_epochs=self.n_epochs,
                batch_size=self.batch_size,
                learning_rate=self.learning_rate,
                seed=self.seed,
            ),
            on_epoch=best,
        )
        return BoilerNet(vocabulary, best.tagger)

    def _split(self, pages: Sequence[TextLeaves]) -> tuple[list[int], list[int]]:
        """Return the indices of the training pages and of the validation pages."""
        order = list(range(len(pages)))
        n_validation = self.n_validation
        if n_validation is None:
            n_validation = max(1, round(len(pages) / 10))
            order = np.random.default_rng(self.seed).permutation(len(pages)).tolist()
        if not 0 < n_validation < len(pages):
            raise ExtractionError(
                f"boilernet: {n_validation} of {len(pages)} pages for validation; expected at "
                "least one, and at least one for training"
            )
        return order[:-n_validation], order[-n_validation:]


class _BestEpoch:
    """Weights of the epoch with the best mean F1 of both classes on validation pages.

    On a tie, of the first such epoch.
    """

    def __init__(self, rows: list[scipy.sparse.csr_array], labels: list[Integers]) -> None:
        self._rows = rows
        self._gold = np.concatenate(labels)
        self._best = -1.0
        self.tagger: Tagger

    def __call__(self, epoch: Epoch) -> None:
        predicted = np.concatenate(epoch.network.scores(self._rows))[:, 0] >= 0
        overlaps = class_overlaps(predicted, self._gold > 0)
        score = float(np.mean([overlap.f1 for overlap in overlaps]))
        _log.info("epoch %d: loss %.4f, validation F1 %.4f", epoch.number, epoch.loss, score)
        if score > self._best:
            self._best, self.tagger = score, epoch.network.tagger()


def class_overlaps(found: Flags, gold: Flags) -> tuple[Overlap, Overlap]:
    """Return precision and recall of boilerplate leaves, and of content leaves."""
    overlaps = []
    for ours, theirs in ((~found, ~gold), (found, gold)):
        counts = (int(np.count_nonzero(flags)) for flags in (ours & theirs, ours, theirs))
        overlaps.append(Overlap.of_counts(*counts))
    return overlaps[0], overlaps[1]


def _pieces(
    rows: scipy.sparse.csr_array, labels: Integers
) -> list[tuple[scipy.sparse.csr_array, Integers]]:
    """Return a page in the same pieces as for prediction."""
    starts = range(0, len(labels), PIECE)
    return [(rows[start : start + PIECE], labels[start : start + PIECE]) for start in starts]
