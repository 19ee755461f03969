"""Collapsed DOM: the tree of a page's texts, without elements that have no child or one child.

A node with exactly one child is merged with it, so that a leaf is a text with the elements that
contain only this text, and every inner node has at least two children.

Source: T. Vogels, O.-E. Ganea and C. Eickhoff (2018). Web2Text: deep structured boilerplate
removal. ECIR 2018, section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from structce.arrays import Flags, Integers
from structce.extraction.block_labels import text_labels
from structce.extraction.parsed_document import JOINED, ParsedDocument

SKIPPED = frozenset("iframe noscript select textarea title video".split())
"""Elements whose text is not a leaf; what a browser never shows has no words anyway."""


@dataclass(frozen=True, eq=False)
class CollapsedDom:
    """Collapsed DOM of a page, as columns.

    Leaves are the nodes 0 to `n_leaves` - 1, in the order of the source; the inner nodes follow in
    the order of their start tags, so that the root is the first of them.

    Parameters
    ----------
    first_word, end_word : shape (n_leaves,)
        First word of each leaf, and the one after its last.
    parent : shape (n_nodes,)
        Node above each; -1 for the root.
    first_leaf, end_leaf : shape (n_nodes,)
        First leaf below each node, and the one after the last; a leaf is below itself.
    element : shape (n_nodes,)
        Innermost element that is part of a node; -1 for the page itself.
    node_of_element : shape (n_elements,)
        Node that each element is part of; -1 for an element without leaves.
    """

    document: ParsedDocument
    first_word: Integers
    end_word: Integers
    parent: Integers
    first_leaf: Integers
    end_leaf: Integers
    element: Integers
    node_of_element: Integers

    @classmethod
    def of(cls, document: ParsedDocument) -> Self:
        """Return the collapsed DOM of a document, without leaves if no text is shown.

        A leaf is the text between two tags. The root is the common ancestor of all leaves, whether
        or not the page has an explicit ``body``.
        """
        first_word, end_word = _texts(document)
        elements = document.elements
        first = np.searchsorted(first_word, elements.first_word)
        end = np.searchsorted(first_word, elements.end_word)
        # From here on the page itself is the first element, around all others.
        first, end = np.append(0, first), np.append(len(first_word), end)
        above = np.append(-1, np.array(elements.parent, dtype=np.int64) + 1)
        holder = document.words.element[first_word] + 1
        is_inner = _n_children(above, first < end, holder) >= 2
        node = _nodes(above, is_inner, holder)
        nearest = _nearest(above, is_inner, node)
        inner = np.flatnonzero(is_inner)
        leaves = np.arange(len(first_word))
        return cls(
            document,
            first_word,
            end_word,
            np.append(nearest[holder], np.where(inner > 0, nearest[above[inner]], -1)),
            np.append(leaves, first[inner]),
            np.append(leaves + 1, end[inner]),
            np.append(holder, inner) - 1,
            node[1:],
        )

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.first_word)

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def root(self) -> int:
        """Node above all leaves; the leaf itself if there is only one."""
        return self.n_leaves if len(self) > self.n_leaves else 0

    @cached_property
    def texts(self) -> Sequence[str]:
        """Text of each leaf, with white space folded."""
        shown, breaks = self.document.words.text, self.document.words.breaks
        separators = ["" if level == JOINED else " " for level in breaks.tolist()]
        leaf_texts = []
        for first, end in zip(self.first_word.tolist(), self.end_word.tolist(), strict=True):
            pieces = [shown[first]]
            for i in range(first + 1, end):
                pieces += (separators[i], shown[i])
            leaf_texts.append("".join(pieces))
        return leaf_texts

    @cached_property
    def depth(self) -> Integers:
        """Number of nodes above each node."""
        depth = [0] * len(self)
        parents = self.parent.tolist()
        for i in (*range(self.n_leaves, len(self)), *range(self.n_leaves)):
            if parents[i] >= 0:
                depth[i] = depth[parents[i]] + 1
        return np.array(depth, dtype=np.int64)

    @cached_property
    def common_ancestor(self) -> Integers:
        """Lowest node above each leaf and the next, shape (n_leaves - 1,).

        The first leaf below a node directly follows the last one below the node's previous sibling,
        and the node's parent is their common ancestor.
        """
        below = np.flatnonzero(self.parent >= 0)
        behind = below[self.first_leaf[below] > self.first_leaf[self.parent[below]]]
        common = np.full(max(self.n_leaves - 1, 0), self.root)
        common[self.first_leaf[behind] - 1] = self.parent[behind]
        return common

    @cached_property
    def distance(self) -> Integers:
        """Steps in the tree from each leaf to the next, at least 2; shape (n_leaves - 1,)."""
        depth = self.depth[: self.n_leaves]
        steps: Integers = depth[:-1] + depth[1:] - 2 * self.depth[self.common_ancestor]
        return steps

    @cached_property
    def is_break(self) -> Flags:
        """Whether a line ends between each leaf and the next, shape (n_leaves - 1,).

        At the border of a block-level element, or at a forced break.
        """
        block = self.document.words.block
        borders: Flags = block[self.first_word[1:]] != block[self.end_word[:-1] - 1]
        return borders

    def has_tag(self, names: Sequence[str]) -> Flags:
        """Return which nodes include elements of each name, shape (n_nodes, n_names)."""
        column = {name: j for j, name in enumerate(names)}
        columns = np.array([column.get(name, -1) for name in self.document.elements.name], int)
        chosen = (columns >= 0) & (self.node_of_element >= 0)
        flags = np.zeros((len(self), len(names)), dtype=bool)
        flags[self.node_of_element[chosen], columns[chosen]] = True
        return flags

    @cached_property
    def class_path(self) -> Integers:
        """Number of the path above each leaf, by names and classes of elements; (n_leaves,)."""
        elements = self.document.elements
        known: dict[tuple[int, str, frozenset[str]], int] = {}
        paths: list[int] = []
        for i, (name, above) in enumerate(zip(elements.name, elements.parent, strict=True)):
            classes = frozenset(elements.attributes(i).get("class", "").split())
            key = (paths[above] if above >= 0 else -1, name, classes)
            paths.append(known.setdefault(key, len(known)))
        return np.array([*paths, -1], dtype=np.int64)[self.element[: self.n_leaves]]

    def of_words(self, is_chosen: Flags) -> Flags:
        """Return which words are in chosen leaves, shape (n_words,).

        Parameters
        ----------
        is_chosen : shape (n_leaves,)
        """
        ends = np.zeros(len(self.document.words) + 1, dtype=np.int64)
        ends[self.first_word[is_chosen]] += 1
        np.subtract.at(ends, self.end_word[is_chosen], 1)
        kept: Flags = np.cumsum(ends)[:-1] > 0
        return kept

    def content_leaves(self, text: str) -> Flags:
        """Return which leaves are main content, by alignment of the page with its gold text.

        As in :func:`structce.extraction.text_labels`.

        Returns
        -------
        shape (n_leaves,)
        """
        return text_labels(self.texts, text)


def _texts(document: ParsedDocument) -> tuple[Integers, Integers]:
    """Return the first word of each text that is a leaf, and the one after its last."""
    elements, shown = document.elements, document.words
    is_skipped = document.of_words(elements.below(elements.named(SKIPPED)))
    is_first = np.append(True, (np.diff(shown.token) > 1) | shown.is_cut[1:])[: len(shown)]
    first = np.flatnonzero(is_first)
    end = np.append(first[1:], len(shown))[: len(first)]
    return first[~is_skipped[first]], end[~is_skipped[first]]


def _n_children(above: Integers, has_leaf: Flags, holder: Integers) -> Integers:
    """Return how many texts, and elements with texts, are directly below each element."""
    n_elements = len(above)
    counts: Integers = np.bincount(above[1:][has_leaf[1:]], minlength=n_elements)
    return counts + np.bincount(holder, minlength=n_elements)


def _nodes(above: Integers, is_inner: Flags, holder: Integers) -> Integers:
    """Return the node that each element is part of; -1 for an element without leaves."""
    node = np.full(len(above), -1)
    node[holder] = np.arange(
        len(holder)
    )  # correct if an element contains one text and nothing else
    node[is_inner] = len(holder) + np.arange(int(is_inner.sum()))
    nodes, inner, parents = node.tolist(), is_inner.tolist(), above.tolist()
    for i in range(len(nodes) - 1, 0, -1):  # descendants before ancestors
        if nodes[i] >= 0 and not inner[parents[i]]:
            nodes[parents[i]] = nodes[i]
    return np.array(nodes, dtype=np.int64)


def _nearest(above: Integers, is_inner: Flags, node: Integers) -> Integers:
    """Return the inner node that each element is or is inside; -1 for none."""
    nearest: list[int] = []
    for parent, inner, own in zip(above.tolist(), is_inner.tolist(), node.tolist(), strict=True):
        nearest.append(own if inner else nearest[parent] if parent >= 0 else -1)
    return np.array(nearest, dtype=np.int64)
