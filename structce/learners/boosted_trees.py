"""Gradient-boosted trees for small tables: candidates of a field, blocks of a page, whole pages.

scikit-learn grows the trees with histograms; the fitted trees are plain arrays, which NumPy
evaluates and model folders store, so that nothing is pickled and labelling needs no scikit-learn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from structce import kernels
from structce.arrays import Flags, Floats, Floats32, Integers, Integers32, Labels
from structce.errors import LearnerError

Weights = Mapping[str, np.ndarray]
"""Arrays of an ensemble by name, as stored in a model's folder."""

_MANY_ROWS = 20_000  # with fewer, threads spend more time waiting than working
_DEEPEST = 64  # levels of a tree in a file
_MOST_TREES = 2**16  # in a file
_DEEPEST_COMPLETED = 8  # levels of trees that are completed; nodes double with each level
_LARGEST = float(np.finfo(np.float32).max)
_LARGEST_LOGIT = 30.0  # beyond this a probability is 0 or 1 in all printed digits
Trees = TypeVar("Trees", bound="BoostedTrees")

_KINDS = {
    "roots": np.int32, "columns": np.int32, "thresholds": np.float32, "children": np.int32,
    "unknown_left": np.bool_, "values": np.float32,
}  # fmt: skip
"""Type of each array of an ensemble in a file."""


class BoostedTrees(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Ensemble of regression trees whose sum is a log odds.

    The nodes of all trees share one array per property; a leaf is its own child, so that every row
    takes the same number of steps. After calibration (Platt 1999), a log odds x becomes ``slope * x
    + offset``.

    References
    ----------
    J. H. Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29(5). J. Platt (1999). Probabilistic outputs for support vector machines.
    """

    names: tuple[str, ...]  # of a row's columns, in order
    roots: Integers32  # node at which each tree begins, shape (n_trees,)
    columns: Integers32  # column that a node tests; 0 at a leaf; shape (n_nodes,), as the others
    thresholds: Floats32  # a row goes left if its value is at most this
    children: Integers32  # left and right child, shape (n_nodes, 2)
    unknown_left: Flags  # whether a row whose value is NaN goes left
    values: Floats32  # what a leaf adds; at other nodes the mean over the training rows there, or 0
    depth: int  # steps from any root to its deepest leaf
    baseline: float  # log odds before the first tree
    slope: float = 1.0
    offset: float = 0.0

    @classmethod
    def fit(
        cls,
        rows: Floats,
        is_right: Flags,
        names: Sequence[str],
        *,
        weights: Floats | None = None,
        seed: int = 0,
        **growth: float,
    ) -> Self:
        """Grow trees that separate right rows from wrong ones.

        Rows have shape (n_rows, n_columns), NaN for an unknown value. ``growth`` are ``n_trees``,
        ``depth``, ``learning_rate``, ``min_leaf``, the least number of rows of a leaf, ``l2``,
        which regularises its value, ``max_bins`` of a column's values, from 2 to 255, and
        ``column_share``, the share of the columns, in (0, 1], drawn for a split. Raises
        LearnerError if the sizes of rows, answers and names differ, or all answers are the same.
        """
        settings = {"n_trees": 100, "depth": 4, "learning_rate": 0.1, **growth}
        answers = np.asarray(is_right, dtype=np.int64)
        (trees,) = _grown(cls, rows, answers, names, weights, seed, **settings)
        return trees

    @classmethod
    def fit_classes(
        cls,
        rows: Floats,
        classes: Labels,
        names: Sequence[str],
        *,
        weights: Floats | None = None,
        n_seeds: int = 1,
        seed: int = 0,
        **growth: float,
    ) -> dict[int, BoostedTrees]:
        """Grow trees for each of three classes or more; see :meth:`class_probabilities`.

        All trees are grown ``n_seeds`` times, and the mean counts; see :meth:`fit` for ``growth``.
        """
        occurring = np.unique(classes)
        if len(occurring) < 3:
            raise LearnerError(f"expected rows of three classes or more, got {len(occurring)}")
        settings = {"n_trees": 60, "depth": 5, "learning_rate": 0.15, **growth}
        seeds = range(seed, seed + n_seeds)
        grown = [_grown(cls, rows, classes, names, weights, n, **settings) for n in seeds]
        means = [_mean_of(of_class) for of_class in zip(*grown, strict=True)]
        return dict(zip(occurring.tolist(), means, strict=True))

    @classmethod
    def of_nodes(cls, names: tuple[str, ...], trees: list[np.ndarray], baseline: float) -> Self:
        """Return the ensemble of trees that scikit-learn grew, each given as an array of nodes."""
        sizes = [len(tree) for tree in trees]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        nodes = np.concatenate(trees)
        own = np.arange(len(nodes))
        first = np.repeat(starts, sizes)
        is_leaf = nodes["is_leaf"].astype(bool)
        left, right = (np.where(is_leaf, own, nodes[side] + first) for side in ("left", "right"))
        return cls(
            names=names,
            roots=starts.astype(np.int32),
            columns=np.where(is_leaf, 0, nodes["feature_idx"]).astype(np.int32),
            # A split of known from unknown values has an infinite threshold, which files forbid.
            thresholds=np.where(
                is_leaf, 0, nodes["num_threshold"].clip(-_LARGEST, _LARGEST)
            ).astype(np.float32),
            children=np.stack([left, right], axis=1).astype(np.int32),
            unknown_left=nodes["missing_go_to_left"].astype(bool),
            values=np.concatenate([_node_means(tree) for tree in trees]).astype(np.float32),
            depth=int(nodes["depth"].max()),
            baseline=baseline,
        )

    def log_odds(self, rows: Floats | Floats32) -> Floats:
        """Return the log odds of each row before calibration, shape (n_rows,)."""
        return np.asarray(self.leaf_sums(rows, np.zeros(1, dtype=np.int64))[:, 0] + self.baseline)

    def leaf_sums(self, rows: Floats | Floats32, starts: Integers) -> Floats:
        """Return the sum of what groups of trees add to each row, shape (n_rows, n_groups).

        ``starts`` are the first trees of the groups.
        """
        rows = np.asarray(rows, dtype=np.float32)
        if rows.shape[1] != len(self.names):
            raise LearnerError(f"expected rows of {len(self.names)} columns, got {rows.shape[1]}")
        if self.depth <= _DEEPEST_COMPLETED:
            return kernels.sum_leaves(rows, *self._completed, starts)
        low = np.where(np.isnan(rows), np.float32(-np.inf), rows)  # unknown values that go left
        flat = np.concatenate([rows, low], axis=1).ravel()
        first = (np.arange(len(rows), dtype=np.intp) * 2 * rows.shape[1])[:, None]
        *_, reached = self._paths(flat, first)
        return np.asarray(np.add.reduceat(self.values[reached].astype(np.float64), starts, axis=1))

    def _paths(self, flat: Floats32, first: Integers) -> Iterator[Integers32]:
        """Yield the nodes that each row reaches in each tree, level by level, from the roots."""
        tested = self.columns + len(self.names) * self.unknown_left.astype(np.intp)
        nodes = np.broadcast_to(self.roots, (len(first), len(self.roots)))
        yield nodes
        for _ in range(self.depth):
            is_left = flat[first + tested[nodes]] <= self.thresholds[nodes]
            nodes = self.children[nodes, (~is_left).astype(np.intp)]
            yield nodes

    def path_contributions(self, row: Floats | Floats32) -> Floats:
        """Return what each column adds to a row's value in each tree, shape (n_trees, n_columns).

        A node adds the change from its own value to that of the child that the row reaches, so a
        tree's columns and the value of its root sum to the leaf's value. Source: A. Saabas (2014).
        Interpreting random forests. Blog "Diving into data".
        """
        flat = np.concatenate([row, np.where(np.isnan(row), -np.inf, row)]).astype(np.float32)
        values, added = self.values.astype(np.float64), np.zeros((len(self.roots), len(row)))
        for (nodes,), (below,) in pairwise(self._paths(flat, np.zeros((1, 1), dtype=np.intp))):
            added[np.arange(len(nodes)), self.columns[nodes]] += values[below] - values[nodes]
        return added

    @cached_property
    def _completed(self) -> tuple[Integers32, Flags, Floats32, Integers32, Floats32]:
        """Distinct tests, and nodes and leaves of the completed trees, for `kernels.sum_leaves`."""
        levels = [self.roots[:, None]]
        for _ in range(self.depth):
            levels.append(self.children[levels[-1]].reshape(len(self.roots), -1))
        inner = np.concatenate([self.roots[:, None][:, :0], *levels[:-1]], axis=1).ravel()
        order = np.lexsort((self.unknown_left, self.thresholds, self.columns))
        tests = [own[order] for own in (self.columns, self.unknown_left, self.thresholds)]
        is_new = np.append(True, np.any([own[1:] != own[:-1] for own in tests], axis=0))
        numbers = np.empty(len(order), dtype=np.int32)
        numbers[order] = np.cumsum(is_new) - 1
        columns, unknown_left, thresholds = (own[is_new] for own in tests)
        return columns, unknown_left, thresholds, numbers[inner], self.values[levels[-1].ravel()]

    def probability(self, rows: Floats | Floats32) -> Floats:
        """Return the calibrated probability that each row is right, shape (n_rows,), in [0, 1]."""
        return _sigmoid(self.slope * self.log_odds(rows) + self.offset)

    @staticmethod
    def probability_of_each(ensembles: Sequence[BoostedTrees], rows: Floats) -> Floats:
        """Return the :meth:`probability` of several ensembles, shape (n_rows, n_ensembles)."""
        if not ensembles:
            return np.zeros((len(rows), 0))
        lines = np.array([(trees.slope, trees.offset) for trees in ensembles])
        return _sigmoid(_log_odds_of_each(ensembles, rows) * lines[:, 0] + lines[:, 1])

    @staticmethod
    def class_probabilities(ensembles: Sequence[BoostedTrees], rows: Floats | Floats32) -> Floats:
        """Return the probability of the class of each ensemble, shape (n_rows, n_ensembles)."""
        log_odds = _log_odds_of_each(ensembles, rows)
        odds = np.exp(log_odds - log_odds.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def calibrated(self, log_odds: Floats, is_right: Flags) -> Self:
        """Return the ensemble calibrated on log odds of other rows, unless all answers agree."""
        if len(np.unique(is_right)) < 2:
            return self
        slope, offset = platt_line(log_odds, is_right)
        return replace(self, slope=_rounded(slope), offset=_rounded(offset))

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the ensemble as arrays, for a file without pickle; float32 suffices for all."""
        line = np.array([self.baseline, self.slope, self.offset], dtype=np.float32)
        depth = np.array([self.depth], dtype=np.int32)
        return {**{name: getattr(self, name) for name in _KINDS}, "line": line, "depth": depth}

    @classmethod
    def of_arrays(cls, names: Sequence[str], arrays: Weights) -> Self:
        """Restore the ensemble from what :meth:`arrays` returned; LearnerError if damaged."""
        try:
            typed: dict[str, Any] = {
                name: _typed(name, arrays[name], kind) for name, kind in _KINDS.items()
            }
            baseline, slope, offset = (float(value) for value in arrays["line"])
            (depth,) = _typed("depth", arrays["depth"], np.int32).tolist()
        except (KeyError, ValueError, TypeError) as error:
            raise LearnerError(f"damaged trees: {error}") from error
        trees = cls(
            names=tuple(names), **typed, depth=depth, baseline=baseline, slope=slope, offset=offset
        )
        trees._check()
        return trees

    def _check(self) -> None:
        """Raise LearnerError if array sizes differ, or nodes point out of range or in circles."""
        n_nodes = len(self.columns)
        plain = (self.columns, self.thresholds, self.unknown_left, self.values)
        is_equal = {array.shape for array in plain} == {(n_nodes,)} and self.roots.ndim == 1
        if not is_equal or self.children.shape != (n_nodes, 2):
            raise LearnerError("damaged trees: arrays of different lengths")
        for places in (self.roots, self.children):
            if places.size and not (places.min() >= 0 and places.max() < n_nodes):
                raise LearnerError("damaged trees: a node out of range")
        if n_nodes and not (0 <= self.columns.min() <= self.columns.max() < len(self.names)):
            raise LearnerError("damaged trees: a column out of range")
        if not 0 <= self.depth <= _DEEPEST or len(self.roots) > _MOST_TREES:
            sizes = f"{len(self.roots)} trees of {self.depth} levels"
            raise LearnerError(f"damaged trees: {sizes}; expected {_MOST_TREES} of {_DEEPEST}")
        is_leaf = (self.children == np.arange(n_nodes)[:, None]).all(axis=1)
        level = self.roots
        for _ in range(self.depth):
            level = self.children[level[~is_leaf[level]]].ravel()
            if len(level) > n_nodes:
                raise LearnerError("damaged trees: a node below several others")
        if not is_leaf[level].all():
            raise LearnerError(f"damaged trees: deeper than {self.depth} levels, or a circle")


def _typed(name: str, array: np.ndarray, kind: type) -> np.ndarray:
    """Return an array in the type of its values; ValueError if it has other values."""
    if array.dtype == kind:
        return array
    with np.errstate(invalid="ignore"):
        typed: np.ndarray = np.asarray(array).astype(kind)
    if not np.array_equal(typed, array):
        raise ValueError(f"{name} has values that are not of type {np.dtype(kind).name}")
    return typed


def unite_trees(ensembles: Sequence[BoostedTrees]) -> BoostedTrees:
    """Return the trees of several ensembles over the same columns as one ensemble."""
    is_empty = not all(len(trees.roots) for trees in ensembles)
    if is_empty or len({trees.names for trees in ensembles}) != 1:
        raise LearnerError("expected non-empty ensembles over the same columns")
    firsts = np.cumsum([0, *(len(trees.columns) for trees in ensembles[:-1])]).tolist()
    joined: dict[str, list[Any]] = {name: [] for name in _KINDS}
    for trees, first in zip(ensembles, firsts, strict=True):
        for name, parts in joined.items():
            shift = first if name in ("roots", "children") else 0
            parts.append(getattr(trees, name) + shift if shift else getattr(trees, name))
    arrays: dict[str, Any] = {name: np.concatenate(parts) for name, parts in joined.items()}
    return BoostedTrees(
        names=ensembles[0].names,
        **arrays,
        depth=max(trees.depth for trees in ensembles),
        baseline=0.0,
    )


def _log_odds_of_each(ensembles: Sequence[BoostedTrees], rows: Floats | Floats32) -> Floats:
    """Return the log odds by several ensembles over the same columns, (n_rows, n_ensembles)."""
    starts = np.cumsum([0, *(len(trees.roots) for trees in ensembles[:-1])])
    baselines = np.array([trees.baseline for trees in ensembles])
    return np.asarray(_united(tuple(ensembles)).leaf_sums(rows, starts) + baselines)


_united = lru_cache(maxsize=8)(unite_trees)  # of ensembles that many pages are asked of


def _mean_of(ensembles: Sequence[BoostedTrees]) -> BoostedTrees:
    """Return the mean of the log odds of several ensembles over the same columns."""
    united, n = unite_trees(ensembles), len(ensembles)
    baseline = sum(trees.baseline for trees in ensembles) / n
    return replace(united, values=united.values / np.float32(n), baseline=_rounded(baseline))


def _grown(
    kind: type[Trees],
    rows: Floats,
    classes: Labels,
    names: Sequence[str],
    weights: Floats | None,
    seed: int,
    *,
    n_trees: float,
    depth: float,
    learning_rate: float,
    min_leaf: float = 20,
    l2: float = 1.0,
    max_bins: float = 255,
    column_share: float = 1.0,
) -> list[Trees]:
    """Return the ensemble of each class; of two classes, only of the second."""
    # late: labelling needs neither
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    rows = np.asarray(rows, dtype=np.float32)
    if rows.ndim != 2 or rows.shape != (len(classes), len(names)):
        raise LearnerError(f"expected rows of shape {(len(classes), len(names))}, got {rows.shape}")
    if len(np.unique(classes)) < 2:
        raise LearnerError("expected right and wrong rows, got only one kind")
    rows = np.where(np.isnan(rows).all(axis=0), np.float32(0), rows)  # nothing to learn there
    grower = HistGradientBoostingClassifier(
        max_iter=n_trees,
        max_depth=depth,
        max_leaf_nodes=2**depth,
        learning_rate=learning_rate,
        min_samples_leaf=min_leaf,
        l2_regularization=l2,
        max_bins=max_bins,
        max_features=column_share,
        early_stopping=False,
        random_state=seed,
    )
    with threadpool_limits(1 if len(rows) < _MANY_ROWS else None, user_api="openmp"):
        grown = grower.fit(rows, classes, sample_weight=weights)
    baselines = map(_rounded, np.ravel(grown._baseline_prediction).tolist())
    trees_of_classes = zip(*grown._predictors, strict=True)
    return [
        kind.of_nodes(tuple(names), [tree.nodes for tree in trees], baseline)
        for trees, baseline in zip(trees_of_classes, baselines, strict=True)
    ]


def _node_means(tree: np.ndarray) -> Floats:
    """Return the value of each leaf, and at other nodes the mean over the rows that reach them."""
    means, counts = tree["value"].astype(np.float64), tree["count"].astype(np.float64)
    for depth in reversed(range(int(tree["depth"].max()))):
        nodes = np.flatnonzero((tree["depth"] == depth) & (tree["is_leaf"] == 0))
        below = np.stack([tree["left"][nodes], tree["right"][nodes]]).astype(np.intp)
        means[nodes] = np.average(means[below], axis=0, weights=counts[below])
    return means


def _sigmoid(logit: Floats) -> Floats:
    # Two functions, of which each takes a third of the time of ``np.clip``.
    clipped = np.minimum(np.maximum(logit, -_LARGEST_LOGIT), _LARGEST_LOGIT)
    return np.asarray(1 / (1 + np.exp(-clipped)))


def _rounded(number: float) -> float:
    """Return a number as a file stores it, so that loaded trees agree with saved ones."""
    return float(np.float32(number))


def platt_line(log_odds: Floats, is_right: Flags) -> tuple[float, float]:
    """Return slope and offset with the highest likelihood of the answers (Platt 1999)."""
    from scipy.optimize import minimize  # 0.1 s to import, and only fitting needs it

    right = int(np.count_nonzero(is_right))
    targets = np.where(is_right, (right + 1) / (right + 2), 1 / (len(is_right) - right + 2))
    X = np.stack([log_odds, np.ones(len(log_odds))], axis=1)

    def loss(line: Floats) -> tuple[float, Floats]:
        logit = X @ line
        value = np.logaddexp(0, logit) - targets * logit
        gradient = X.T @ (1 / (1 + np.exp(-np.clip(logit, -700, 700))) - targets)
        return float(value.mean()), gradient / len(targets)

    slope, offset = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B").x
    return float(slope), float(offset)
