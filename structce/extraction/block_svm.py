"""Blocks classified by a support vector machine: Yao and Zuo's method, and L-Extractor.

Sources: J. Yao and X. Zuo (2013). A machine learning approach to webpage content extraction. CS229,
Stanford University. S. Debnath, P. Mitra, N. Pal and C. L. Giles (2005). Automatic identification
of informative sections of web pages. IEEE TKDE 17(9). C.-W. Hsu, C.-C. Chang and C.-J. Lin (2003).
A practical guide to support vector classification. Technical report, National Taiwan University.

scikit-learn trains the machine; NumPy runs it, so that nothing is pickled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import msgspec
import numpy as np

from structce.arrays import Flags, Floats
from structce.errors import ExtractionError
from structce.extraction.block_labels import check_kinds, labelled_rows
from structce.extraction.blocks import (
    BLOCK_TAGS,
    FEATURES,
    BlockFilter,
    Blocks,
    best_tokens,
    block_set,
    relative_position,
    text_blocks,
    text_features,
    token_flags,
    token_scores,
)
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import Positive, trainable_method
from structce.extraction.trained import ExtractorState, rounded, stored_extractor

FeatureChoice = Literal["text", "text+position", "all"]
"""Features that are used: the feature sets of the paper's Figures 2 and 3."""

_N_TEXT = 7
_CELLS = 2_000_000  # cells of the kernel matrix at once, 16 MB; hostile pages have 100,000 blocks
_CACHE = 500  # megabytes of libsvm's kernel cache


@dataclass(frozen=True, eq=False)
class SupportVectors:
    """Support vector machine with an RBF kernel, and the scales of its columns."""

    vectors: Floats  # scaled support vectors, shape (n_vectors, n_columns)
    coefficients: Floats  # positive for content and negative for the rest
    intercept: float
    gamma: float
    low: Floats  # a value is scaled to ``(value - low) / width`` and clipped to [0, 1]
    width: Floats

    @classmethod
    def fit(
        cls,
        rows: Floats,
        is_content: Flags,
        *,
        C: float = 1.0,
        gamma: float | None = None,
        max_rows: int | None = None,
        seed: int = 0,
    ) -> Self:
        """Fit the machine; every column is scaled to [0, 1] by its minimum and maximum.

        By default, as in libsvm, ``C``, the weight of a row's hinge loss, is 1, and ``gamma`` in
        the kernel ``exp(-gamma * |x - z|**2)`` is one divided by the number of columns. At most
        ``max_rows`` rows, drawn without replacement, are used.

        Raises ExtractionError if all rows are of one class, or C or gamma is not above 0.
        """
        from sklearn.svm import SVC  # late: extraction does not need it

        chosen = 1 / rows.shape[1] if gamma is None else gamma
        if not (0 < C < np.inf and 0 < chosen < np.inf):
            raise ExtractionError(f"C {C}, gamma {gamma}; expected numbers above 0")
        if max_rows is not None and len(rows) > max_rows:
            drawn = np.sort(np.random.default_rng(seed).permutation(len(rows))[:max_rows])
            rows, is_content = rows[drawn], is_content[drawn]
        check_kinds(is_content)
        low, high = rounded(rows.min(axis=0)), rounded(rows.max(axis=0))
        width = np.where(high > low, rounded(high - low), 1.0)
        # Equal rows once, with their number as weight: the same problem, as their losses are equal.
        labelled = np.column_stack((rounded(_scaled(rows, low, width)), is_content))
        distinct, numbers = np.unique(labelled, axis=0, return_counts=True)
        machine = SVC(C=C, gamma=chosen, cache_size=_CACHE, shrinking=True)
        machine.fit(distinct[:, :-1], distinct[:, -1], sample_weight=numbers)
        return cls(
            vectors=rounded(machine.support_vectors_),
            coefficients=rounded(machine.dual_coef_[0]),
            intercept=float(np.float32(machine.intercept_[0])),
            gamma=float(np.float32(chosen)),
            low=low,
            width=width,
        )

    def decision(self, rows: Floats) -> Floats:
        """Return the decision value of each row: above 0 for content, shape (n_rows,)."""
        scaled = _scaled(rows, self.low, self.width)
        step = max(_CELLS // max(len(self.vectors), 1), 1)
        norms, values = (self.vectors**2).sum(axis=1), np.zeros(len(rows))
        for start in range(0, len(rows), step):
            part = scaled[start : start + step]
            squares = (part**2).sum(axis=1)[:, None] + norms
            kernel = np.exp(-self.gamma * np.maximum(squares - 2 * part @ self.vectors.T, 0))
            values[start : start + step] = kernel @ self.coefficients + self.intercept
        return values

    def arrays(self) -> dict[str, Floats]:
        """Return the machine as arrays, for a file; float32 suffices for all of them."""
        names = ("vectors", "coefficients", "low", "width")
        constants = np.array([self.intercept, self.gamma])
        return {**{name: getattr(self, name) for name in names}, "constants": constants}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Floats], n_columns: int) -> Self:
        """Restore the machine from what `arrays` returned; raises ExtractionError if damaged."""
        try:
            intercept, gamma = arrays["constants"].tolist()
            names = ("vectors", "coefficients", "low", "width")
            vectors, coefficients, low, width = (arrays[name] for name in names)
        except (KeyError, TypeError, ValueError) as error:
            raise ExtractionError(f"damaged support vectors: {error}") from error
        shapes = vectors.shape, low.shape, width.shape
        is_whole = coefficients.ndim == 1 and shapes == (
            (len(coefficients), n_columns),
            (n_columns,),
            (n_columns,),
        )
        if not is_whole or not (width > 0).all() or not gamma > 0:
            raise ExtractionError("damaged support vectors: shapes, scales or gamma")
        return cls(vectors, coefficients, intercept, gamma, low, width)


def _scaled(rows: Floats, low: Floats, width: Floats) -> Floats:
    return np.clip((rows - low) / width, 0.0, 1.0)


@dataclass(frozen=True)
class BlockColumns:
    """Columns of a block: text features, relative position, and tokens of ``id`` and ``class``."""

    features: FeatureChoice
    n_positions: int
    tokens: tuple[str, ...] = ()

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return _N_TEXT + (self.features != "text") + len(self.tokens)

    def rows(self, blocks: Blocks) -> Floats:
        """Return the features of blocks, shape (n_blocks, n_columns)."""
        columns = [*text_features(blocks).values()]
        if self.features != "text":
            columns.append(relative_position(len(blocks), self.n_positions))
        rows = np.stack(columns, axis=1)
        if not self.tokens:
            return rows
        return np.hstack((rows, token_flags(blocks.attribute_tokens(), self.tokens)))


@stored_extractor("block-svm")
@dataclass(frozen=True, eq=False)
class BlockClassifier(BlockFilter):
    """Extractor of the blocks that a support vector machine classifies as main content."""

    columns: BlockColumns
    machine: SupportVectors

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tokens of ``id`` and ``class`` that the machine uses, the strongest first."""
        return self.columns.tokens

    def choose(self, blocks: Blocks) -> Flags:
        """Return which blocks are classified as content."""
        return self.machine.decision(self.columns.rows(blocks)) > 0

    def state(self) -> ExtractorState:
        """Return columns and support vectors."""
        return ExtractorState(msgspec.to_builtins(self.columns), self.machine.arrays())

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from a state."""
        columns = msgspec.convert(dict(state.settings), BlockColumns)
        return cls(columns, SupportVectors.of_arrays(state.arrays, columns.n_columns))


@trainable_method("block-svm")
@trainable_method("block-svm-position", features="text+position")
@trainable_method("block-svm-text", features="text")
@dataclass(frozen=True)
class BlockSVM:
    """Support vector machine on blocks of text (Yao and Zuo 2013), with an RBF kernel.

    A block is the text between borders of block-level elements and ``br``. Seven features describe
    its text, one its relative position, and ten whether it has the tokens of ``id`` and ``class``
    that are the strongest signs of non-content, as chosen by naive Bayes on the training pages.

    Our choices: ten positions; tokens of the elements around a block, up to ``body`` and at most
    fifty; the unit of features, the ends of sentences, and the scaling of all columns to [0, 1].

    ``C`` and ``gamma`` are those of the machine. The paper keeps libsvm's defaults: 1, and one
    divided by the number of columns (None). Of more than ``max_blocks`` training blocks some are
    drawn by the seed; None keeps all, as in the paper.
    """

    features: FeatureChoice = "all"
    n_positions: Positive = 10
    n_tokens: Positive = 10
    C: float = 1.0
    gamma: float | None = None
    max_blocks: int | None = None
    seed: int = 0

    def fit(self, documents: Iterable[ParsedDocument], texts: Sequence[str]) -> BlockClassifier:
        """Return the classifier of blocks; ExtractionError if no block is content, or all are."""
        columns = BlockColumns(self.features, self.n_positions)
        around: list[tuple[str, ...]] = []

        def rows_of(blocks: Blocks) -> Floats:
            around.extend(blocks.attribute_tokens() if self.features == "all" else ())
            return columns.rows(blocks)

        X, is_content = labelled_rows(documents, texts, text_blocks, rows_of)
        if self.features == "all":
            tokens = best_tokens(token_scores(around, is_content), self.n_tokens)
            columns = replace(columns, tokens=tuple(tokens))
            X = np.hstack((X, token_flags(around, tokens)))
        machine = SupportVectors.fit(
            X, is_content, C=self.C, gamma=self.gamma, max_rows=self.max_blocks, seed=self.seed
        )
        return BlockClassifier(columns, machine)


_SETTINGS = {"features": list(FEATURES), "tags": list(BLOCK_TAGS)}  # what the columns stand for


@stored_extractor("l-extractor")
@dataclass(frozen=True, eq=False)
class FeatureClassifier(BlockFilter):
    """Extractor of the blocks that a support vector machine on feature counts accepts."""

    machine: SupportVectors

    def blocks(self, document: ParsedDocument) -> Blocks:
        """Return the blocks between tags."""
        return block_set(document)

    def choose(self, blocks: Blocks) -> Flags:
        """Return which blocks are classified as content."""
        return self.machine.decision(feature_rows(blocks)) > 0

    def state(self) -> ExtractorState:
        """Return the support vectors, with the features and tags that they are based on."""
        return ExtractorState(_SETTINGS, self.machine.arrays())

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from a state; raises ValueError for other features or tags."""
        if state.settings != _SETTINGS:
            raise ValueError(f"settings {state.settings}; this version has {_SETTINGS}")
        return cls(SupportVectors.of_arrays(state.arrays, 2 * len(FEATURES)))


@trainable_method("l-extractor")
@dataclass(frozen=True)
class LExtractor:
    """L-Extractor (Debnath, Mitra, Pal and Giles 2005): a support vector machine on block features.

    The blocks are those of ContentExtractor (`block_set`). Each has the count of every feature
    class (words, images, links, lists ...), and a flag for a count above 0. Our choices: blocks are
    labelled by their words in the page's text; a radial kernel with the defaults of libsvm; and
    log(1 + count) scaled to [0, 1], since scaled counts are close to 0 for all but the longest
    blocks. Parameters are those of `BlockSVM`.
    """

    C: float = 1.0
    gamma: float | None = None
    max_blocks: int | None = None
    seed: int = 0

    def fit(self, documents: Iterable[ParsedDocument], texts: Sequence[str]) -> FeatureClassifier:
        """Return the classifier of blocks; ExtractionError if no block is content, or all are."""
        X, is_content = labelled_rows(documents, texts, block_set, feature_rows)
        machine = SupportVectors.fit(
            X, is_content, C=self.C, gamma=self.gamma, max_rows=self.max_blocks, seed=self.seed
        )
        return FeatureClassifier(machine)


def feature_rows(blocks: Blocks) -> Floats:
    """Return log(1 + count) of each feature, then whether each count is above 0."""
    counts = blocks.features()
    columns = np.stack([counts[name] for name in FEATURES], axis=1)
    return np.hstack((np.log1p(columns), columns > 0))
