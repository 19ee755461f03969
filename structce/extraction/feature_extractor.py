"""FeatureExtractor and K-FeatureExtractor: the blocks of a page richest in desired features.

Source: S. Debnath, P. Mitra and C. L. Giles (2005). Automatic extraction of informative blocks from
webpages. SAC 2005, section 3.2. No other page of the site is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.extraction.blocks import (
    FEATURE_CLASSES,
    FEATURES,
    BlockFilter,
    Blocks,
    block_set,
    start_tokens,
)
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import EXTRACTORS, extractor, listed_names, page_class_method

PAPER_TAGS = "table,p,hr,ul"
"""Tags at which the paper splits, except table rows."""

_MAX_ROUNDS = 100


@extractor("feature-extractor")
@extractor("feature-extractor-text", desired="text", tags=PAPER_TAGS)
@dataclass(frozen=True)
class FeatureExtractor(BlockFilter):
    """FeatureExtractor (Debnath, Mitra and Giles 2005): the block with the most wanted features.

    The value of a feature in a block is its count divided by the largest count of any block. Blocks
    whose desired features outweigh the sum of all others are in the winner basket; there, values
    are recomputed, and the block with the highest sum of desired features is the main content; on a
    tie the first. A table without a nested table is one block, as in the paper.

    Our choices: the largest counts are those of the page, unless `maxima` are given; tags of text
    (headings, paragraphs, emphasis) are desired as well as words, since with words alone an article
    is outweighed by its own paragraphs; and pages are split at ``div``, but not at ``p``, or an
    article would be split. The preset ``feature-extractor-text`` is as in the paper.
    """

    desired: str = "text,text-tag"  # names of features, separated by commas
    tags: str = "table,hr,ul,div"  # at which to split
    maxima: Mapping[str, int] | None = None  # largest counts in a data set, see `MaximaOfPages`

    def __post_init__(self) -> None:
        wanted = set(listed_names(self.desired))
        if not wanted or not wanted < set(FEATURES):
            raise ExtractionError(
                f"feature-extractor: desired {self.desired!r}; expected some of {FEATURES}, not all"
            )

    def blocks(self, document: ParsedDocument) -> Blocks:
        """Return the pieces between tags; a table without a nested table is one block."""
        return block_set(document, listed_names(self.tags), whole_tables=True)

    def choose(self, blocks: Blocks) -> Flags:
        """Return the winners among the blocks in the basket."""
        desired = listed_names(self.desired)
        counts = inner_counts(blocks, listed_names(self.tags))
        basket = np.flatnonzero(winner_basket(counts, desired, self.maxima))
        chosen = np.zeros(len(blocks), dtype=bool)
        if len(basket):
            within = {name: column[basket] for name, column in counts.items()}
            chosen[basket] = self._winners(_sum_of(feature_values(within), desired))
        return chosen

    def _winners(self, values: Floats) -> Flags:
        """Return which blocks of the basket win: the one with the highest value, or the first."""
        return np.asarray(np.arange(len(values)) == np.argmax(values))


@extractor("k-feature-extractor")
@extractor("k-feature-extractor-3", k=3, n_clusters=2)
@extractor("k-feature-extractor-text", desired="text", tags=PAPER_TAGS)
@dataclass(frozen=True)
class KFeatureExtractor(FeatureExtractor):
    """K-FeatureExtractor (Debnath, Mitra and Giles 2005): all blocks rich in desired features.

    Like `FeatureExtractor`, which describes the other parameters, except that the winner basket is
    divided into ``k`` clusters, 2 or 3 in the paper, by k-means on the values of its blocks, and
    the ``n_clusters`` with the highest values are the main content.
    """

    k: int = 2
    n_clusters: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.n_clusters <= self.k:
            raise ExtractionError(
                f"k-feature-extractor: {self.n_clusters} of {self.k} clusters; expected 1 to k"
            )

    def _winners(self, values: Floats) -> Flags:
        """Return the blocks in the clusters with the highest values; all if there are too few."""
        cluster = clusters(values, self.k)
        return np.asarray(cluster > cluster.max() - self.n_clusters)


@page_class_method("feature-extractor-data")
@page_class_method("feature-extractor-text-data", extractor="feature-extractor-text")
@page_class_method("k-feature-extractor-data", extractor="k-feature-extractor")
@page_class_method("k-feature-extractor-text-data", extractor="k-feature-extractor-text")
@dataclass(frozen=True)
class MaximaOfPages:
    """FeatureExtractor with the largest counts of several pages, as in the paper's example."""

    extractor: str = "feature-extractor"

    def learn(self, documents: Iterable[ParsedDocument]) -> FeatureExtractor:
        """Return the extractor with the largest counts of a block in these pages.

        Raises ExtractionError if fewer than two distinct pages show words.
        """
        named = EXTRACTORS.make(self.extractor)
        if not isinstance(named, FeatureExtractor):
            raise ExtractionError(f"{self.extractor} has no largest counts")
        pages = {document.html: document for document in documents if len(document.words)}
        if len(pages) < 2:
            raise ExtractionError(
                f"{self.extractor}: the largest counts of a site need at least two pages that "
                f"differ and show words; got {len(pages)}"
            )
        maxima = dict.fromkeys(FEATURES, 0)
        for page in pages.values():
            counts = inner_counts(named.blocks(page), listed_names(named.tags))
            maxima = {name: max(n, *counts[name].tolist(), 0) for name, n in maxima.items()}
        return replace(named, maxima=maxima)


def inner_counts(blocks: Blocks, tags: Collection[str]) -> dict[str, Integers]:
    """Return the count of each feature in each block, without the tag at which it was split."""
    document, first = blocks.document, blocks.first_token
    opened = np.where(start_tokens(document)[first], document.tokens.element[first], -1)
    names = [document.elements.name[i] if i >= 0 else "" for i in opened.tolist()]
    counts = blocks.features()
    for feature, members in FEATURE_CLASSES.items():
        is_counted = [name in members and name in tags for name in names]
        counts[feature] = counts[feature] - np.array(is_counted, dtype=np.int64)
    return counts


def feature_values(
    counts: Mapping[str, Integers], maxima: Mapping[str, int] | None = None
) -> dict[str, Floats]:
    """Return the value of each feature in each block: its count divided by the largest count.

    By default, and for features that ``maxima`` lacks, that is the largest count of these blocks. A
    feature that no block has has the value 0.
    """
    values = {}
    for name, column in counts.items():
        largest = column.max(initial=0)
        largest = largest if maxima is None else maxima.get(name, largest)
        values[name] = column / max(largest, 1)
    return values


def _sum_of(values: Mapping[str, Floats], names: Iterable[str]) -> Floats:
    return np.asarray(np.sum([values[name] for name in names], axis=0))


def winner_basket(
    counts: Mapping[str, Integers], desired: Iterable[str], maxima: Mapping[str, int] | None = None
) -> Flags:
    """Return the blocks in which the desired features outweigh all others."""
    values, wanted = feature_values(counts, maxima), set(desired)
    return _sum_of(values, wanted) > _sum_of(values, values.keys() - wanted)


def clusters(values: Floats, k: int) -> Integers:
    """Return the cluster of each value by k-means in one dimension; cluster 0 has the lowest.

    The initial centres are at equal distances in the sorted list of values, including the lowest
    and the highest (our choice). A centre that is not nearest to any value is dropped; a value
    midway between two centres belongs to the lower one.
    """
    ranks = np.linspace(0, len(values) - 1, k).round().astype(np.int64)
    centres = np.unique(np.sort(values)[ranks])
    for _ in range(_MAX_ROUNDS):
        assigned = _nearest(values, centres)
        sums = np.bincount(assigned, values, len(centres))
        sizes = np.bincount(assigned, minlength=len(centres))
        moved = sums[sizes > 0] / sizes[sizes > 0]
        if np.array_equal(moved, centres):
            return assigned
        centres = moved
    return _nearest(values, centres)


def _nearest(values: Floats, centres: Floats) -> Integers:
    """Return the index of the nearest centre of each value; centres are in ascending order."""
    return np.searchsorted((centres[1:] + centres[:-1]) / 2, values)
