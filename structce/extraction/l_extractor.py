"""L-Extractor: blocks classified by a support vector machine on counts of their features.

Source: S. Debnath, P. Mitra, N. Pal and C. L. Giles (2005). Automatic identification of informative
sections of web pages. IEEE TKDE 17(9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from structce.arrays import Flags, Floats
from structce.extraction.block_labels import labelled_rows
from structce.extraction.blocks import BLOCK_TAGS, FEATURES, BlockFilter, Blocks, block_set
from structce.extraction.classifiers import SupportVectors
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import trainable_method
from structce.extraction.trained import ExtractorState, stored_extractor

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
    class (words, images, links, lists ...), and a flag for a count above 0. In the paper, people
    labelled the content blocks; here a block is content if its words occur in the page's text.

    Our choices: a radial kernel with the defaults of libsvm, and log(1 + count), with all columns
    then scaled to [0, 1], since scaled counts are close to 0 for all except the longest blocks.

    Parameters
    ----------
    C, gamma
        Parameters of the machine; None for gamma is one divided by the number of columns.
    max_blocks
        Maximum number of training blocks, drawn by the seed; None for all, as in the paper.
    """

    C: float = 1.0
    gamma: float | None = None
    max_blocks: int | None = None
    seed: int = 0

    def fit(self, documents: Sequence[ParsedDocument], texts: Sequence[str]) -> FeatureClassifier:
        """Return the classifier of blocks learnt from the pages.

        Raises ExtractionError if no block is content, or all are.
        """
        rows, is_content = labelled_rows(documents, texts, block_set, feature_rows)
        machine = SupportVectors.fit(
            rows, is_content, C=self.C, gamma=self.gamma, max_rows=self.max_blocks, seed=self.seed
        )
        return FeatureClassifier(machine)


def feature_rows(blocks: Blocks) -> Floats:
    """Return log(1 + count) of each feature, then whether each count is above 0."""
    counts = blocks.features()
    columns = np.stack([counts[name] for name in FEATURES], axis=1)
    return np.hstack((np.log1p(columns), columns > 0))
