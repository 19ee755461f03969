"""Extremely randomised trees on rows of numbers, stored as plain arrays.

scikit-learn grows the trees; NumPy evaluates them, so that nothing is pickled and extraction needs
no scikit-learn.

Source: P. Geurts, D. Ernst and L. Wehenkel (2006). Extremely randomized trees. Machine Learning 63.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.extraction.trained import rounded


@dataclass(frozen=True, eq=False)
class TreeVote:
    """Trees whose mean is the probability of content; the nodes of all trees share arrays.

    Parameters
    ----------
    roots : shape (n_trees,)
        Node at which each tree begins.
    columns, thresholds : shape (n_nodes,)
        A row goes left if its value in the column is at most the threshold.
    children : shape (n_nodes, 2)
        Left and right child, which come after their parent; a leaf is its own child.
    shares : shape (n_nodes,)
        Share of content at a node.
    """

    roots: Integers
    columns: Integers
    thresholds: Floats
    children: Integers
    shares: Floats

    @classmethod
    def fit(
        cls,
        rows: Floats,
        is_content: Flags,
        *,
        weights: Floats,
        n_trees: int,
        min_leaf: int,
        seed: int = 0,
    ) -> Self:
        """Grow trees, with random splits drawn for all columns.

        Parameters
        ----------
        rows : shape (n_rows, n_columns)
        is_content, weights : shape (n_rows,)
        min_leaf
            Smallest number of rows in a leaf.

        Raises
        ------
        ExtractionError
            If all rows are of one class.
        """
        from sklearn.ensemble import ExtraTreesClassifier  # late: extraction does not need it

        if is_content.all() or not is_content.any():
            raise ExtractionError(
                "expected blocks of both kinds, content and others, to learn from"
            )
        forest = ExtraTreesClassifier(
            n_estimators=n_trees, max_features=None, min_samples_leaf=min_leaf, random_state=seed
        )
        forest.fit(rows, is_content, sample_weight=weights)
        trees = [tree.tree_ for tree in forest.estimators_]
        sizes = [tree.node_count for tree in trees]
        roots = np.cumsum([0, *sizes[:-1]])
        first, own = np.repeat(roots, sizes), np.arange(sum(sizes))
        left, right, columns = (
            np.concatenate([getattr(tree, name) for tree in trees])
            for name in ("children_left", "children_right", "feature")
        )
        is_leaf = left < 0
        counts = np.concatenate([tree.value[:, 0, :] for tree in trees])
        thresholds = np.concatenate([tree.threshold for tree in trees])
        return cls(
            roots=roots,
            columns=np.where(is_leaf, 0, columns),
            thresholds=np.where(is_leaf, 0.0, _below(thresholds)),
            children=np.where(
                is_leaf[:, None], own[:, None], np.stack((left, right), 1) + first[:, None]
            ),
            shares=rounded(counts[:, 1] / counts.sum(axis=1)),
        )

    def probability(self, rows: Floats) -> Floats:
        """Return the probability that each row is content: the mean of the trees.

        Parameters
        ----------
        rows : shape (n_rows, n_columns)

        Returns
        -------
        shape (n_rows,), in [0, 1]
        """
        rows = np.asarray(rows, dtype=np.float32)  # as scikit-learn sees them
        place = np.arange(len(rows))[:, None]
        nodes = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        while True:
            is_right = rows[place, self.columns[nodes]] > self.thresholds[nodes]
            below = self.children[nodes, is_right.astype(np.int64)]
            if (below == nodes).all():
                break
            nodes = below
        mean: Floats = self.shares[nodes].mean(axis=1)
        return mean

    def arrays(self) -> dict[str, Floats]:
        """Return the trees as arrays, for a file; float32 suffices for all of them."""
        return {name: np.asarray(array, dtype=np.float64) for name, array in vars(self).items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Floats], n_columns: int) -> Self:
        """Restore the trees from what `arrays` returned.

        Raises
        ------
        ExtractionError
            If an array is missing or has a wrong shape, or a node points out of range or backwards.
        """
        try:
            roots, columns, children = (
                arrays[name].astype(np.int64) for name in ("roots", "columns", "children")
            )
            trees = cls(roots, columns, arrays["thresholds"], children, arrays["shares"])
        except KeyError as error:
            raise ExtractionError(f"damaged trees: no {error}") from error
        trees._check(n_columns)
        return trees

    def _check(self, n_columns: int) -> None:
        n_nodes = self.children.shape[0] if self.children.ndim else 0
        shapes = {array.shape for array in (self.columns, self.thresholds, self.shares)}
        if self.children.shape != (n_nodes, 2) or shapes != {(n_nodes,)} or self.roots.ndim != 1:
            raise ExtractionError("damaged trees: arrays of different lengths")
        if not (len(self.roots) and self.roots.min() >= 0 and self.roots.max() < n_nodes):
            raise ExtractionError("damaged trees: a root out of range")
        if self.columns.min() < 0 or self.columns.max() >= n_columns:
            raise ExtractionError("damaged trees: a column out of range")
        own = np.arange(n_nodes)[:, None]
        is_leaf = (self.children == own).all(axis=1, keepdims=True)
        if not (is_leaf | (self.children > own)).all() or self.children.max() >= n_nodes:
            raise ExtractionError("damaged trees: a child out of range, or before its parent")


def _below(thresholds: Floats) -> Floats:
    """Return the largest float32 not above each threshold, which splits rows in the same way."""
    near = thresholds.astype(np.float32)
    return np.where(near > thresholds, np.nextafter(near, np.float32(-np.inf)), near).astype(
        np.float64
    )
