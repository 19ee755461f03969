"""Gradient-boosted trees that label regions: scikit-learn grows them, NumPy evaluates them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from structce.arrays import Floats, Floats32
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.boosted_trees import BoostedTrees, unite_trees
from structce.learners.classes import LabelWeights
from structce.learners.classifier_chain import ClassifierChain, KnownRegions
from structce.learners.inputs import SparseRows, check_count, check_positive
from structce.learners.registry import learner

_ROUNDS_OF_AN_EPOCH = 10  # each epoch sorts all rows into bins again
_DEEPEST = 8  # levels of trees that NumPy evaluates fast
_NODE_PROPERTIES = 5  # column, threshold, left child, right child, value


@learner("boosted-trees")
@dataclass(kw_only=True, eq=False, repr=False)
class BoostedChain(ClassifierChain):
    """Labels a page by the best label sequence of boosted trees and counted transitions.

    Each round of boosting adds one tree per label to the log odds (Friedman 2001); columns are
    sorted into bins, so that a round takes one pass over the rows (Ke et al. 2017). Not linear: a
    tree finds combinations of columns by itself, which a linear learner has to be given.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0: the same as for all learners, over the leaves' values.
    n_rounds, depth, min_leaf
        Trees per label, levels of a tree (1 to 8), smallest number of regions in a leaf.
    learning_rate
        Factor of each tree that is added, above 0.
    most_columns, transition_weight
        See `ClassifierChain`.
    label_weights
        Weight of a region by its correct label; see `resolve_weights`.

    References
    ----------
    J. H. Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29(5). G. Ke et al. (2017). LightGBM: a highly efficient gradient boosting decision
    tree. NIPS.
    """

    weight_names = (*ClassifierChain.weight_names, "nodes_", "roots_", "baselines_")
    diagnostic_names = (
        *ClassifierChain.diagnostic_names,
        *"n_nodes_ n_trees_ deepest_ objective_ n_epochs_ curve_".split(),
    )

    lambda_: float = 0.01
    n_rounds: int = 100
    learning_rate: float = 0.1
    depth: int = 5
    min_leaf: int = 10
    most_columns: int = 400
    transition_weight: float = 0.5
    label_weights: LabelWeights = None
    random_state: int = 0

    nodes_: Floats = field(init=False)
    """Column, threshold, left and right child, and value of the nodes of all trees, shape (n_nodes,
    5); a leaf is its own child, another node has the mean of the training regions that reach it."""
    roots_: Floats = field(init=False)
    """Nodes at which trees begin, shape (n_outputs, n_rounds): one output per label in training, or
    one for two labels."""
    baselines_: Floats = field(init=False)  # log odds before the first tree, shape (n_outputs,)
    n_nodes_: int = field(init=False)
    n_trees_: int = field(init=False)
    deepest_: int = field(init=False)
    objective_: float = field(init=False)
    n_epochs_: int = field(init=False)  # of ten rounds each
    curve_: list[tuple[int, float, float]] = field(init=False)
    """Epoch, objective, and relative decrease of the objective, of each epoch."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("lambda_", self.lambda_)
        check_positive("learning_rate", self.learning_rate)
        for name in ("n_rounds", "depth", "min_leaf"):
            check_count(name, getattr(self, name), least=1)
        if self.depth > _DEEPEST:
            raise LearnerError(f"depth={self.depth!r}; expected at most {_DEEPEST}")
        check_count("random_state", self.random_state, least=0)

    def _learn(self, known: KnownRegions, callback: Callback | None) -> None:
        self.objective_, self.n_epochs_, self.curve_ = 0.0, 0, []
        self._keep([], [])
        if self.n_seen_ < 2:
            return
        from sklearn.ensemble import HistGradientBoostingClassifier  # late: it takes a second

        grower = HistGradientBoostingClassifier(
            max_iter=1,
            warm_start=True,
            max_depth=int(self.depth),
            max_leaf_nodes=2 ** int(self.depth),
            learning_rate=float(self.learning_rate),
            min_samples_leaf=int(self.min_leaf),
            l2_regularization=float(self.lambda_) * known.n_pages,  # the loss is a mean over pages
            early_stopping=False,
            random_state=int(self.random_state),
        )
        most = math.ceil(int(self.n_rounds) / _ROUNDS_OF_AN_EPOCH)
        before = known.loss(np.full((len(known.rows), self.n_seen_), 1 / self.n_seen_))
        for epoch in range(1, most + 1):
            n_rounds = min(epoch * _ROUNDS_OF_AN_EPOCH, int(self.n_rounds))
            grower.set_params(max_iter=n_rounds).fit(
                known.rows, known.classes, sample_weight=known.weights
            )
            baseline = np.asarray(grower._baseline_prediction, dtype=np.float32).ravel().tolist()
            rounds = [[tree.nodes for tree in trees] for trees in grower._predictors]
            self._keep(rounds, baseline)
            is_leaf = self.nodes_[:, 2] == np.arange(self.n_nodes_)
            squared = float(np.square(self.nodes_[is_leaf, -1]).sum())
            loss = known.loss(grower.predict_proba(known.rows))
            self.objective_ = loss + float(self.lambda_) / 2 * squared
            gap = max(0.0, 1 - self.objective_ / before) if before > 0 else 0.0
            before, self.n_epochs_ = self.objective_, epoch
            self.curve_.append((epoch, self.objective_, gap))
            if callback is not None and callback(Progress(epoch, most, self.objective_, gap)):
                return

    def _keep(self, rounds: Sequence[Sequence[np.ndarray]], baselines: Sequence[float]) -> None:
        """Set the weights from trees, each given as scikit-learn's array of nodes."""
        self.nodes_, self.roots_ = np.zeros((0, _NODE_PROPERTIES)), np.zeros((0, len(rounds)))
        self.deepest_ = 0
        if rounds:
            of_outputs = zip(zip(*rounds, strict=True), baselines, strict=True)
            names = self._tree_columns()
            trees = unite_trees(
                [BoostedTrees.of_nodes(names, list(own), float(start)) for own, start in of_outputs]
            )
            properties = trees.columns, trees.thresholds, trees.children, trees.values
            self.nodes_ = np.column_stack(properties).astype(np.float64)
            self.roots_ = trees.roots.reshape(-1, len(rounds)).astype(np.float64)
            self.deepest_ = trees.depth
        self.baselines_ = np.array(baselines, dtype=np.float64)
        self.n_nodes_, self.n_trees_ = len(self.nodes_), len(rounds)

    def _log_probabilities(self, rows: Floats32) -> Floats:
        if not len(self.baselines_):
            return np.zeros((len(rows), self.n_seen_))
        n_outputs, n_rounds = self.roots_.shape
        odds = self._trees().leaf_sums(rows, n_rounds * np.arange(n_outputs)) + self.baselines_
        if odds.shape[1] == 1:  # the odds of the second of two labels
            odds = np.concatenate([np.zeros_like(odds), odds], axis=1)
        return np.asarray(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))

    def contributions(self, region: SparseRows) -> Floats:
        """Return what each column adds to the log odds of each label at a region, given as one row.

        Shape (n_columns, n_labels); see `BoostedTrees.path_contributions`. Their sum, the values of
        the roots and the baseline are the log odds before normalisation.
        """
        self._check_fitted()
        added = np.zeros((self.n_columns_, self.n_labels_))
        if n_outputs := len(self.baselines_):
            kept, labels = np.flatnonzero(self.kept_), self.seen_.astype(np.intp)[-n_outputs:]
            of_trees = self._trees().path_contributions(self._dense(region)[0])
            of_outputs = of_trees.reshape(*self.roots_.shape, -1).sum(axis=1)
            added[np.ix_(kept, labels)] = of_outputs[:, : len(kept)].T
        return added

    def _trees(self) -> BoostedTrees:
        """Return the trees of all outputs, built once for the current weights."""
        nodes, trees = self.__dict__.get("_built", (None, None))
        trees = cast("BoostedTrees | None", trees)
        if trees is None or nodes is not self.nodes_:
            columns, thresholds, left, right, values = self.nodes_.T
            arrays = {
                "roots": self.roots_.ravel(),
                "columns": columns,
                "thresholds": thresholds,
                "children": np.column_stack([left, right]),
                "unknown_left": np.zeros(len(columns)),
                "values": values,
                "line": np.array([0.0, 1.0, 0.0]),
                "depth": np.array([self.deepest_]),
            }
            trees = BoostedTrees.of_arrays(self._tree_columns(), arrays)
            self.__dict__["_built"] = self.nodes_, trees
        return trees

    def _tree_columns(self) -> tuple[str, ...]:
        """Return names for the columns of a row, of which there is at least one."""
        return tuple(map(str, np.flatnonzero(self.kept_))) or ("none",)

    def _check_fit(self) -> None:
        super()._check_fit()
        self._trees()

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        n_outputs = {0: 0, 1: 0, 2: 1}.get(self.n_seen_, self.n_seen_)
        n_outputs = n_outputs if self.n_trees_ else 0
        return {
            **super()._weight_shapes(),
            "nodes_": (self.n_nodes_, _NODE_PROPERTIES),
            "roots_": (n_outputs, self.n_trees_),
            "baselines_": (n_outputs,),
        }
