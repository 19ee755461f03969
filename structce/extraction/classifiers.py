"""Classifiers of rows of numbers: support vectors and extremely randomised trees, as plain arrays.

scikit-learn trains them; NumPy runs them, so that nothing is pickled and extraction needs no
scikit-learn.

Sources: C.-W. Hsu, C.-C. Chang and C.-J. Lin (2003). A practical guide to support vector
classification. Technical report, National Taiwan University. P. Geurts, D. Ernst and L. Wehenkel
(2006). Extremely randomized trees. Machine Learning 63.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.extraction.trained import rounded

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
        _check_kinds(is_content)
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


def _check_kinds(is_content: Flags) -> None:
    if is_content.all() or not is_content.any():
        raise ExtractionError("expected blocks of both kinds, content and others, to learn from")


def _scaled(rows: Floats, low: Floats, width: Floats) -> Floats:
    return np.clip((rows - low) / width, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class TreeVote:
    """Trees whose mean is the probability of content; the nodes of all trees share arrays."""

    roots: Integers  # node at which each tree begins
    columns: Integers  # a row goes left if its value in the node's column is at most the threshold
    thresholds: Floats
    children: Integers  # left and right, which come after their parent; a leaf is its own child
    shares: Floats  # share of content at a node

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
        """Grow trees with random splits drawn for all columns, and ``min_leaf`` rows per leaf.

        Raises ExtractionError if all rows are of one class.
        """
        from sklearn.ensemble import ExtraTreesClassifier  # late: extraction does not need it

        _check_kinds(is_content)
        forest = ExtraTreesClassifier(
            n_estimators=n_trees, max_features=None, min_samples_leaf=min_leaf, random_state=seed
        )
        forest.fit(rows, is_content, sample_weight=weights)
        trees = [tree.tree_ for tree in forest.estimators_]
        sizes = [tree.node_count for tree in trees]
        roots = np.cumsum([0, *sizes[:-1]])
        first, node = np.repeat(roots, sizes), np.arange(sum(sizes))
        left, right, columns, thresholds = (
            np.concatenate([getattr(tree, name) for tree in trees])
            for name in ("children_left", "children_right", "feature", "threshold")
        )
        is_leaf = left < 0
        below = np.stack((left, right), axis=1) + first[:, None]
        counts = np.concatenate([tree.value[:, 0, :] for tree in trees])
        return cls(
            roots=roots,
            columns=np.where(is_leaf, 0, columns),
            thresholds=np.where(is_leaf, 0.0, _below(thresholds)),
            children=np.where(is_leaf[:, None], node[:, None], below),
            shares=rounded(counts[:, 1] / counts.sum(axis=1)),
        )

    def probability(self, rows: Floats) -> Floats:
        """Return the probability that each row is content, in [0, 1]: the mean of the trees."""
        rows = np.asarray(rows, dtype=np.float32)  # as scikit-learn sees them
        row = np.arange(len(rows))[:, None]
        nodes = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        while True:
            is_right = rows[row, self.columns[nodes]] > self.thresholds[nodes]
            below = self.children[nodes, is_right.astype(np.int64)]
            if (below == nodes).all():
                return np.asarray(self.shares[nodes].mean(axis=1))
            nodes = below

    def arrays(self) -> dict[str, Floats]:
        """Return the trees as arrays, for a file; float32 suffices for all of them."""
        return {name: np.asarray(array, dtype=np.float64) for name, array in vars(self).items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Floats], n_columns: int) -> Self:
        """Restore the trees from what `arrays` returned; raises ExtractionError if damaged."""
        try:
            roots, columns, children = (
                arrays[name].astype(np.int64) for name in ("roots", "columns", "children")
            )
            trees = cls(roots, columns, arrays["thresholds"], children, arrays["shares"])
        except KeyError as error:
            raise ExtractionError(f"damaged trees: no {error}") from error
        if not trees._is_whole(n_columns):
            raise ExtractionError("damaged trees: wrong shapes, or a node or column out of range")
        return trees

    def _is_whole(self, n_columns: int) -> bool:
        n_nodes = self.columns.size
        shapes = {array.shape for array in (self.columns, self.thresholds, self.shares)}
        if self.children.shape != (n_nodes, 2) or shapes != {(n_nodes,)} or self.roots.ndim != 1:
            return False
        node = np.arange(n_nodes)[:, None]
        is_leaf = (self.children == node).all(axis=1, keepdims=True)
        is_below = (is_leaf | (self.children > node)).all() and (self.children < n_nodes).all()
        has_roots = len(self.roots) and (self.roots >= 0).all() and (self.roots < n_nodes).all()
        has_columns = (self.columns >= 0).all() and (self.columns < n_columns).all()
        return bool(is_below and has_roots and has_columns)


def _below(thresholds: Floats) -> Floats:
    """Return the largest float32 not above each threshold, which splits rows in the same way."""
    near = thresholds.astype(np.float32)
    lower = np.nextafter(near, np.float32(-np.inf))
    return np.where(near > thresholds, lower, near).astype(np.float64)
