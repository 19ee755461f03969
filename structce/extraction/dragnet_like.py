"""Blocks classified by features like those of Dragnet: the baseline of Yao and Zuo (2013).

Source: M. E. Peters and D. Lecocq (2013). Content extraction using diverse feature sets. WWW 2013
companion; details that it does not specify follow what is known of the program of that name. P.
Geurts, D. Ernst and L. Wehenkel (2006). Extremely randomized trees. Machine Learning 63.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from structce.arrays import Flags, Floats, Floats32
from structce.extraction.block_labels import check_kinds, labelled_rows
from structce.extraction.blocks import (
    BlockFilter,
    Blocks,
    blocks_between,
    link_density,
    n_lines,
    tag_tokens,
    token_flags,
)
from structce.extraction.parsed_document import ElementSpans, ParsedDocument
from structce.extraction.registry import Positive, trainable_method
from structce.extraction.token_methods import smooth
from structce.extraction.trained import ExtractorState, stored_extractor

if TYPE_CHECKING:
    from structce.learners import BoostedTrees

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
_LOOK_AHEAD = 3  # following blocks whose mean ratio, minus the ratio of a block, is the slope there
_DEEPEST = 64  # levels of a tree, the most that a file may have
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


def slopes(values: Floats) -> Floats:
    """Return the mean of the next values minus each value; fewer next values at the end."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    n = len(values)
    behind = np.minimum(np.arange(n) + 1 + _LOOK_AHEAD, n)
    numbers = behind - np.arange(1, n + 1)
    means = (sums[behind] - sums[1:]) / np.maximum(numbers, 1)
    return np.where(numbers > 0, means - values, 0.0)


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


def _initial_score(elements: ElementSpans, i: int) -> float:
    values = elements.attributes(i)
    score = _INITIAL.get(elements.name[i], 0.0)
    for name in (values.get("class", ""), values.get("id", "")):
        score += 25.0 * (_POSITIVE.search(name) is not None)
        score -= 25.0 * (_NEGATIVE.search(name) is not None)
    return score


def grow_trees(
    rows: Floats, is_content: Flags, *, weights: Floats, n_trees: int, min_leaf: int, seed: int = 0
) -> BoostedTrees:
    """Grow trees with random splits drawn for all columns, and ``min_leaf`` rows per leaf.

    The value of a leaf is its share of content; the mean over the trees is the probability of
    content. Raises ExtractionError if all rows are of one class.
    """
    from sklearn.ensemble import ExtraTreesClassifier  # late: extraction does not need it

    from structce.learners import BoostedTrees

    check_kinds(is_content)
    forest = ExtraTreesClassifier(
        n_trees,
        max_depth=_DEEPEST,
        max_features=None,
        min_samples_leaf=min_leaf,
        random_state=seed,
    ).fit(rows, is_content, sample_weight=weights)
    trees = [tree.tree_ for tree in forest.estimators_]
    sizes = [tree.node_count for tree in trees]
    roots, node = np.cumsum([0, *sizes[:-1]]), np.arange(sum(sizes))
    left, right, columns, thresholds = (
        np.concatenate([getattr(tree, name) for tree in trees])
        for name in ("children_left", "children_right", "feature", "threshold")
    )
    is_leaf = left < 0
    below = np.stack((left, right), axis=1) + np.repeat(roots, sizes)[:, None]
    counts = np.concatenate([tree.value[:, 0, :] for tree in trees])
    return BoostedTrees(
        names=tuple(map(str, range(rows.shape[1]))),
        roots=roots.astype(np.int32),
        columns=np.where(is_leaf, 0, columns).astype(np.int32),
        thresholds=np.where(is_leaf, 0, _below(thresholds)).astype(np.float32),
        children=np.where(is_leaf[:, None], node[:, None], below).astype(np.int32),
        unknown_left=np.zeros(len(node), dtype=bool),
        values=(counts[:, 1] / counts.sum(axis=1)).astype(np.float32),
        depth=max(tree.max_depth for tree in trees),
        baseline=0.0,
    )


def _below(thresholds: Floats) -> Floats32:
    """Return the largest float32 not above each threshold, which splits rows in the same way."""
    near = thresholds.astype(np.float32)
    return np.where(near > thresholds, np.nextafter(near, np.float32(-np.inf)), near)


@stored_extractor("dragnet-like")
@dataclass(frozen=True, eq=False)
class TreeClassifier(BlockFilter):
    """Extractor of the blocks that trees on features like Dragnet's classify as main content."""

    trees: BoostedTrees

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
        rows, n_trees = dragnet_rows(blocks), len(self.trees.roots)
        votes = self.trees.leaf_sums(rows, np.zeros(1, dtype=np.int64))[:, 0]
        return np.asarray(votes > n_trees / 2)

    def state(self) -> ExtractorState:
        """Return the trees, and the tokens of their columns."""
        return ExtractorState({"tokens": list(TOKENS)}, self.trees.arrays())

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from a state; raises ValueError if that has other tokens."""
        if state.settings["tokens"] != list(TOKENS):
            raise ValueError(f"tokens {state.settings['tokens']}; this version has {TOKENS}")
        from structce.learners import BoostedTrees  # late: other methods do not need it

        return cls(BoostedTrees.of_arrays(list(map(str, range(N_COLUMNS))), state.arrays))


@trainable_method("dragnet-like")
@dataclass(frozen=True)
class DragnetLike:
    """Extremely randomised trees on features like those of Dragnet (Peters and Lecocq 2013).

    Not the program of that name, but our interpretation of it: its blocks, its features
    (`dragnet_rows`) and its model, with blocks weighted by words. Our choices are how tokens are
    split and that those of all elements around a block count, the readability of a block, and what
    is content in training. A leaf of a tree has at least ``min_leaf`` blocks.
    """

    n_trees: Positive = 10
    min_leaf: Positive = 75
    seed: int = 0

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
        trees = grow_trees(rows, is_content, weights=np.concatenate(weights), **settings)
        return TreeClassifier(trees)
