"""Blocks classified by features like those of Dragnet: the baseline of Yao and Zuo (2013).

Source: M. E. Peters and D. Lecocq (2013). Content extraction using diverse feature sets. WWW 2013
companion; details that it does not specify follow what is known of the program of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from structce.arrays import Flags, Floats
from structce.errors import ExtractionError
from structce.extraction.block_features import link_density, n_lines, token_flags
from structce.extraction.block_labels import labelled_rows
from structce.extraction.blocks import BlockFilter, Blocks, blocks_between, tag_tokens
from structce.extraction.classifiers import TreeVote
from structce.extraction.parsed_document import Elements, ParsedDocument
from structce.extraction.registry import trainable_method
from structce.extraction.token_methods import slopes, smooth
from structce.extraction.trained import ExtractorState, stored_extractor

BORDERS = frozenset("h1 h2 h3 h4 h5 h6 p div table map".split())  # elements that begin a block
IGNORED = frozenset(
    "area base button caption fieldset iframe img input legend link menu meta noscript object "
    "option param script select style svg textarea".split()
)
"""Elements whose words are in no block."""

TOKENS = tuple(
    "alt author avatar button cat comment content depth facebook header item link menu meta nav "
    "post rating reply share ss thread time title tools top twitter url widget".split()
)
"""Tokens of ``id`` and ``class`` with a column each."""

MIN_BLOCKS = 3  # a page with fewer has no content
LARGEST_WEIGHT = 200.0  # words at which the weight of a block in training is capped
N_COLUMNS = 9 + len(TOKENS)

_SIGMA, _RADIUS = 1.0, 4  # parameters of the Gaussian; the radius is SciPy's default
_SHORTEST = 25  # characters of a paragraph that scores
_POSITIVE = re.compile(r"article|body|content|entry|main|page|post|text|blog|story", re.I)
_NEGATIVE = re.compile(
    r"comment|contact|foot|masthead|media|meta|outbrain|promo|related|scroll|shoutbox|sidebar|"
    r"sponsor|shopping|tags|tool|widget",
    re.I,
)
_INITIAL = {
    **dict.fromkeys(("div",), 5.0),
    **dict.fromkeys(("pre", "td", "blockquote"), 3.0),
    **dict.fromkeys("address ol ul dl dd dt li form".split(), -3.0),
    **dict.fromkeys("h1 h2 h3 h4 h5 h6 th".split(), -5.0),
}


def dragnet_blocks(document: ParsedDocument) -> Blocks:
    """Return the spans between `BORDERS`, of a document without the words of `IGNORED`."""
    read = document.restrict(~document.words_within(IGNORED))
    return blocks_between(read, tag_tokens(read, BORDERS))


def dragnet_rows(blocks: Blocks) -> Floats:
    """Return the features of blocks, shape (n_blocks, 9 + n_tokens).

    Link density and words per line of the previous block, the block and the next one (Kohlschütter,
    Fankhauser and Nejdl 2010); characters per tag, smoothed, and their slope (Weninger, Hsu and Han
    2010); the readability of the elements around it; tokens of ``id`` and ``class``.
    """
    columns: list[Floats] = []
    for values in (link_density(blocks), blocks.n_words / np.maximum(n_lines(blocks), 1)):
        padded = np.concatenate((np.zeros(1), values, np.zeros(1)))
        columns += (padded[:-2], values, padded[2:])
    n_characters = blocks.sum_of_words(blocks.document.words.length)
    sums = np.concatenate(([0], np.cumsum(~blocks.document.tokens.is_word)))
    n_tags = sums[blocks.end_token] - sums[blocks.first_token]
    ratios = n_characters / np.maximum(n_tags, 1)
    if len(blocks):
        ratios = smooth(ratios, _RADIUS, _SIGMA)
        columns += (ratios, smooth(np.abs(slopes(ratios)), _RADIUS, _SIGMA))
    else:
        columns += (ratios, ratios)
    columns.append(readability(blocks))
    flags = token_flags(blocks.attribute_tokens(), TOKENS)
    return np.hstack((np.stack(columns, axis=1), flags))


def readability(blocks: Blocks) -> Floats:
    """Return the readability of each block: the highest score of the elements around it.

    A block of 25 characters or more adds 1, 1 for each comma, and up to 3 for its length to the
    parent of the element that contains it, and half of that to the grandparent. An element that
    receives points has an initial score by its name, and by words in its ``id`` and ``class``. 0 if
    no element around a block has a score.
    """
    elements = blocks.document.elements
    above = np.append(np.array(elements.parent, dtype=np.int64), -1)
    parent = above[blocks.element]
    words = blocks.document.words
    commas = np.array([word.count(",") + word.count("\uff0c") for word in words.text], dtype=int)
    length = blocks.sum_of_words(words.length) + np.maximum(blocks.n_words - 1, 0)
    points = 1 + blocks.sum_of_words(commas) + np.minimum(length // 100, 3)
    points = np.where(length >= _SHORTEST, points, 0).astype(np.float64)
    given = np.bincount(parent + 1, points, len(above)) + np.bincount(
        above[parent] + 1, points / 2, len(above)
    )
    scores = np.full(len(above), -np.inf)
    for i in np.flatnonzero(given[1:]).tolist():
        scores[i] = _initial_score(elements, i) + given[i + 1]
    for i, outer in enumerate(elements.parent):  # parents come first
        scores[i] = max(scores[i], scores[outer])
    highest = scores[blocks.element]
    return np.where(np.isfinite(highest), highest, 0.0)


def _initial_score(elements: Elements, i: int) -> float:
    values = elements.attributes(i)
    score = _INITIAL.get(elements.name[i], 0.0)
    for name in (values.get("class", ""), values.get("id", "")):
        score += 25.0 * (_POSITIVE.search(name) is not None)
        score -= 25.0 * (_NEGATIVE.search(name) is not None)
    return score


@stored_extractor("dragnet-like")
@dataclass(frozen=True, eq=False)
class TreeClassifier(BlockFilter):
    """Extractor of the blocks that trees on features like Dragnet's classify as main content."""

    trees: TreeVote

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a kept block."""
        kept = ~document.words_within(IGNORED)
        blocks = dragnet_blocks(document)
        kept[kept] = blocks.keep(self.choose(blocks))
        return kept

    def choose(self, blocks: Blocks) -> Flags:
        """Return which blocks are more likely content than not; none on pages with fewer than 3."""
        if len(blocks) < MIN_BLOCKS:
            return np.zeros(len(blocks), dtype=bool)
        return self.trees.probability(dragnet_rows(blocks)) > 0.5

    def state(self) -> ExtractorState:
        """Return the trees, and the tokens of their columns."""
        return ExtractorState({"tokens": list(TOKENS)}, self.trees.arrays())

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from a state; raises ValueError if that has other tokens."""
        if state.settings["tokens"] != list(TOKENS):
            raise ValueError(f"tokens {state.settings['tokens']}; this version has {TOKENS}")
        return cls(TreeVote.of_arrays(state.arrays, N_COLUMNS))


@trainable_method("dragnet-like")
@dataclass(frozen=True)
class DragnetLike:
    """Extremely randomised trees on features like those of Dragnet (Peters and Lecocq 2013).

    Not the program of that name, but our interpretation of it: its blocks, its features
    (`dragnet_rows`) and its model, with blocks weighted by words. Our choices are how tokens are
    split and that those of all elements around a block count, the readability of a block, and what
    is content in training. A leaf of a tree has at least ``min_leaf`` blocks.
    """

    n_trees: int = 10
    min_leaf: int = 75
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.n_trees, self.min_leaf) < 1:
            raise ExtractionError(f"expected at least one tree and one block per leaf; got {self}")

    def fit(self, documents: Iterable[ParsedDocument], texts: Sequence[str]) -> TreeClassifier:
        """Return the classifier of blocks learnt from the pages.

        Raises ExtractionError if no block is content, or all are.
        """
        weights: list[Floats] = []

        def rows_of(blocks: Blocks) -> Floats:
            weights.append(np.minimum(blocks.n_words, LARGEST_WEIGHT))
            return dragnet_rows(blocks)

        rows, is_content = labelled_rows(documents, texts, dragnet_blocks, rows_of)
        settings = {"n_trees": self.n_trees, "min_leaf": self.min_leaf, "seed": self.seed}
        return TreeClassifier(
            TreeVote.fit(rows, is_content, weights=np.concatenate(weights), **settings)
        )
