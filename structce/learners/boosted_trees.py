"""Gradient-boosted trees for small tables: candidates of a field, blocks of a page, whole pages.

scikit-learn grows the trees by histograms; what is kept are plain arrays, which NumPy evaluates and
a model's folder holds, so that nothing is pickled and labelling needs no scikit-learn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Self

import numpy as np

from structce.arrays import Flags, Floats, Floats32, Integers, Integers32
from structce.errors import LearnerError

Weights = Mapping[str, np.ndarray]
"""Arrays of an ensemble by name, as a model's folder holds them."""

_MANY_ROWS = 20_000  # with fewer, threads wait longer for each other than they work
_DEEPEST_UNFOLDED = 8  # levels of trees that are filled up; their places double with each
_LARGEST = float(np.finfo(np.float32).max)
_LARGEST_LOGIT = 30.0  # beyond which a probability is 0 or 1 in all its digits


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """Ensemble of regression trees whose sum is a log odds.

    Nodes of all trees stand in one array a property; a leaf is its own child, so that every row
    takes the same number of steps.

    Parameters
    ----------
    names
        Names of a row's columns, in order.
    roots : shape (n_trees,)
        Node at which each tree begins.
    columns : shape (n_nodes,)
        Column that a node asks for; 0 at a leaf.
    thresholds : shape (n_nodes,)
        A row goes left where its value is at most this.
    children : shape (n_nodes, 2)
        Left and right child.
    unknown_left : shape (n_nodes,)
        Whether a row whose value is NaN goes left.
    values : shape (n_nodes,)
        What a leaf adds to the log odds; 0 at other nodes.
    depth
        Steps from any root to its deepest leaf.
    baseline
        Log odds before the first tree.
    slope, offset
        Calibration (Platt 1999): a log odds x becomes ``slope * x + offset``.

    References
    ----------
    J. H. Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29(5). J. Platt (1999). Probabilistic outputs for support vector machines.
    """

    names: tuple[str, ...]
    roots: Integers32
    columns: Integers32
    thresholds: Floats32
    children: Integers32
    unknown_left: Flags
    values: Floats32
    depth: int
    baseline: float
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
        n_trees: int = 100,
        depth: int = 4,
        learning_rate: float = 0.1,
        min_leaf: int = 20,
        l2: float = 1.0,
        seed: int = 0,
    ) -> Self:
        """Grow trees that tell right rows from wrong ones.

        Parameters
        ----------
        rows : shape (n_rows, n_columns)
            NaN where a value is not known.
        is_right : shape (n_rows,)
        weights : shape (n_rows,)
            How much each row counts; 1 when not given.
        min_leaf
            Least number of rows in a leaf.
        l2
            Regularisation of the leaves' values.

        Raises
        ------
        LearnerError
            If rows, answers and names do not fit together, or all answers are the same.
        """
        # late: who labels pages needs neither
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        rows = np.asarray(rows, dtype=np.float32)
        if rows.ndim != 2 or rows.shape != (len(is_right), len(names)):
            raise LearnerError(f"rows of {len(names)} columns expected, came {rows.shape}")
        if len(np.unique(is_right)) < 2:
            raise LearnerError("expected right and wrong rows, came one kind alone")
        rows = np.where(np.isnan(rows).all(axis=0), np.float32(0), rows)  # nothing to learn there
        grower = HistGradientBoostingClassifier(
            max_iter=n_trees,
            max_depth=depth,
            max_leaf_nodes=2**depth,
            learning_rate=learning_rate,
            min_samples_leaf=min_leaf,
            l2_regularization=l2,
            early_stopping=False,
            random_state=seed,
        )
        with threadpool_limits(1 if len(rows) < _MANY_ROWS else None, user_api="openmp"):
            grown = grower.fit(rows, np.asarray(is_right, dtype=np.int64), sample_weight=weights)
        trees = [stage[0].nodes for stage in grown._predictors]
        baseline = _rounded(grown._baseline_prediction.item())
        return cls.of_nodes(tuple(names), trees, baseline)

    @classmethod
    def of_nodes(cls, names: tuple[str, ...], trees: list[np.ndarray], baseline: float) -> Self:
        """Return the ensemble of trees that scikit-learn grew, one array of nodes each."""
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
            # A split of the known from the unknown has an infinite threshold, which no file holds.
            thresholds=np.where(
                is_leaf, 0, nodes["num_threshold"].clip(-_LARGEST, _LARGEST)
            ).astype(np.float32),
            children=np.stack([left, right], axis=1).astype(np.int32),
            unknown_left=nodes["missing_go_to_left"].astype(bool),
            values=np.where(is_leaf, nodes["value"], 0).astype(np.float32),
            depth=int(nodes["depth"].max()),
            baseline=baseline,
        )

    def over(self, names: Sequence[str]) -> Self:
        """Return the same ensemble for rows of other columns, among which are its own.

        Raises
        ------
        LearnerError
            If one of its columns is not among them.
        """
        places = {name: n for n, name in enumerate(names)}
        if missing := set(self.names) - places.keys():
            raise LearnerError(f"no column {min(missing)!r} among those of the rows")
        own = np.array([places[name] for name in self.names], dtype=np.int32)
        return replace(self, names=tuple(names), columns=own[self.columns])

    def log_odds(self, rows: Floats) -> Floats:
        """Return the log odds of each row before calibration, shape (n_rows,)."""
        return np.asarray(self.leaf_values(rows).sum(axis=1, dtype=np.float64) + self.baseline)

    def leaf_values(self, rows: Floats | Floats32) -> Floats32:
        """Return what each tree adds to each row, shape (n_rows, n_trees)."""
        rows = np.asarray(rows, dtype=np.float32)
        if rows.shape[1] != len(self.names):
            raise LearnerError(f"rows of {len(self.names)} columns expected, came {rows.shape[1]}")
        low = np.where(np.isnan(rows), np.float32(-np.inf), rows)  # unknown values that go left
        flat = np.concatenate([rows, low], axis=1).ravel()
        first = (np.arange(len(rows), dtype=np.intp) * 2 * rows.shape[1])[:, None]
        if self.depth > _DEEPEST_UNFOLDED:
            return self.values[self._walk(flat, first)]
        places = np.arange(len(self.roots), dtype=np.intp)[None, :].repeat(len(rows), axis=0)
        for columns, thresholds in self._levels:
            is_left = flat.take(first + columns.take(places)) <= thresholds.take(places)
            places += places
            places += ~is_left
        return self._leaves.take(places)

    def _walk(self, flat: Floats32, first: Integers) -> Integers32:
        """Return the leaf of each row in each tree by walking down, shape (n_rows, n_trees)."""
        nodes = np.broadcast_to(self.roots, (len(first), len(self.roots)))
        for _ in range(self.depth):
            is_left = flat[first + self._asked[nodes]] <= self.thresholds[nodes]
            nodes = self.children[nodes, (~is_left).astype(np.intp)]
        return nodes

    @cached_property
    def _asked(self) -> Integers:
        """Column that a node asks for among those twice over, the second time without unknowns."""
        return self.columns.astype(np.intp) + len(self.names) * self.unknown_left

    @cached_property
    def _unfolded(self) -> list[Integers32]:
        """Nodes of each level of the trees, filled up to full ones: shape (n_trees * 2**level,).

        The children of place ``i`` stand at ``2 * i`` and ``2 * i + 1`` of the next level, so that
        no row has to look them up.
        """
        levels = [self.roots]
        for _ in range(self.depth):
            levels.append(self.children[levels[-1]].ravel())
        return levels

    @cached_property
    def _levels(self) -> list[tuple[Integers, Floats32]]:
        """Columns and thresholds of each level but the last."""
        return [(self._asked[nodes], self.thresholds[nodes]) for nodes in self._unfolded[:-1]]

    @cached_property
    def _leaves(self) -> Floats32:
        """Values of the last level."""
        return self.values[self._unfolded[-1]]

    def probability(self, rows: Floats) -> Floats:
        """Return the calibrated probability that each row is right, shape (n_rows,), in [0, 1]."""
        return _sigmoid(self.slope * self.log_odds(rows) + self.offset)

    @staticmethod
    def probability_of_each(ensembles: Sequence[BoostedTrees], rows: Floats) -> Floats:
        """Return what each of several ensembles of the same columns says, in one walk.

        Returns
        -------
        shape (n_rows, n_ensembles)
            As :meth:`probability` gives them.
        """
        if not ensembles:
            return np.zeros((len(rows), 0))
        values = _united(tuple(ensembles)).leaf_values(rows).astype(np.float64)
        starts = np.cumsum([0, *(len(one.roots) for one in ensembles[:-1])])
        lines = np.array([(one.baseline, one.slope, one.offset) for one in ensembles])
        log_odds = np.add.reduceat(values, starts, axis=1) + lines[:, 0]
        return _sigmoid(log_odds * lines[:, 1] + lines[:, 2])

    def calibrated(self, log_odds: Floats, is_right: Flags) -> Self:
        """Return the ensemble calibrated on log odds of rows that its like was not fitted to.

        The line is not fitted where all answers are the same.
        """
        if len(np.unique(is_right)) < 2:
            return self
        slope, offset = platt_line(log_odds, is_right)
        return replace(self, slope=_rounded(slope), offset=_rounded(offset))

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the ensemble as arrays, for a file without pickle; float32 holds all of them."""
        line = np.array([self.baseline, self.slope, self.offset], dtype=np.float32)
        return {
            "roots": self.roots,
            "columns": self.columns,
            "thresholds": self.thresholds,
            "children": self.children,
            "unknown_left": self.unknown_left,
            "values": self.values,
            "line": line,
            "depth": np.array([self.depth], dtype=np.int32),
        }

    @classmethod
    def of_arrays(cls, names: Sequence[str], arrays: Weights) -> Self:
        """Return the ensemble that :meth:`arrays` described.

        Raises
        ------
        LearnerError
            If an array is missing or of another shape, or a node points outside.
        """
        try:
            baseline, slope, offset = (float(value) for value in arrays["line"])
            found = cls(
                names=tuple(names),
                roots=arrays["roots"].astype(np.int32),
                columns=arrays["columns"].astype(np.int32),
                thresholds=arrays["thresholds"].astype(np.float32),
                children=arrays["children"].astype(np.int32),
                unknown_left=arrays["unknown_left"].astype(bool),
                values=arrays["values"].astype(np.float32),
                depth=int(arrays["depth"][0]),
                baseline=baseline,
                slope=slope,
                offset=offset,
            )
        except (KeyError, ValueError, IndexError) as error:
            raise LearnerError(f"damaged trees: {error}") from error
        found.check()
        return found

    def check(self) -> None:
        """Raise LearnerError if arrays do not fit together or a node points outside."""
        n_nodes = len(self.columns)
        one_each = {len(self.thresholds), len(self.unknown_left), len(self.values)} == {n_nodes}
        if not one_each or self.children.shape != (n_nodes, 2) or not 0 <= self.depth <= 64:
            raise LearnerError("damaged trees: arrays of different lengths")
        for places, end in ((self.roots, n_nodes), (self.children, n_nodes)):
            if places.size and not (places.min() >= 0 and places.max() < end):
                raise LearnerError("damaged trees: a node outside")
        if n_nodes and not (0 <= self.columns.min() <= self.columns.max() < len(self.names)):
            raise LearnerError("damaged trees: a column outside")


@lru_cache(maxsize=8)
def _united(ensembles: tuple[BoostedTrees, ...]) -> BoostedTrees:
    """Return the trees of several ensembles of the same columns as one ensemble."""
    if len({one.names for one in ensembles}) != 1 or not all(len(one.roots) for one in ensembles):
        raise LearnerError("trees of the same columns expected, came others, or none")
    sizes = [len(one.columns) for one in ensembles]
    firsts = np.cumsum([0, *sizes[:-1]]).tolist()
    return BoostedTrees(
        names=ensembles[0].names,
        roots=np.concatenate([one.roots + n for one, n in zip(ensembles, firsts, strict=True)]),
        columns=np.concatenate([one.columns for one in ensembles]),
        thresholds=np.concatenate([one.thresholds for one in ensembles]),
        children=np.concatenate(
            [one.children + n for one, n in zip(ensembles, firsts, strict=True)]
        ),
        unknown_left=np.concatenate([one.unknown_left for one in ensembles]),
        values=np.concatenate([one.values for one in ensembles]),
        depth=max(one.depth for one in ensembles),
        baseline=0.0,
    )


def _sigmoid(logit: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -_LARGEST_LOGIT, _LARGEST_LOGIT))))


def _rounded(number: float) -> float:
    """Return a number as a file keeps it, so that loaded trees say the same as saved ones."""
    return float(np.float32(number))


def platt_line(log_odds: Floats, is_right: Flags) -> tuple[float, float]:
    """Return slope and offset under which answers are likeliest (Platt 1999)."""
    from scipy.optimize import minimize  # 0.1 s to import, and only fitting needs it

    targets = _smoothed(is_right)
    X = np.stack([log_odds, np.ones(len(log_odds))], axis=1)

    def loss(line: Floats) -> tuple[float, Floats]:
        logit = X @ line
        value = np.logaddexp(0, logit) - targets * logit
        gradient = X.T @ (1 / (1 + np.exp(-np.clip(logit, -700, 700))) - targets)
        return float(value.mean()), gradient / len(targets)

    slope, offset = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B").x
    return float(slope), float(offset)


def _smoothed(is_right: Flags) -> Floats:
    """Return targets a little inside of 0 and 1, so that separable rows keep a finite slope."""
    right = int(np.count_nonzero(is_right))
    wrong = len(is_right) - right
    return np.where(is_right, (right + 1) / (right + 2), 1 / (wrong + 2))
