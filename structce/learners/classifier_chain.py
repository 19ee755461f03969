"""Chains over classifiers of single regions with probabilities, such as those of scikit-learn.

A region's log probabilities are its emission scores, and how often one label follows another is
counted, so that any such classifier decodes by Viterbi and has marginals like the other chains.
"""

from __future__ import annotations

import inspect
import sys
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Floats32, Labels
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.classes import (
    LabelWeights,
    check_label_weights,
    choose_labels,
    resolve_weights,
)
from structce.learners.inputs import (
    Features,
    Pages,
    SparseRows,
    check_count,
    check_pages,
    check_positive,
)
from structce.learners.linear import Chain
from structce.learners.registry import learner

_LEAST_LOG_PROBABILITY = -14.0  # one in a million: no single region outweighs a whole page
_PRIOR_PAIRS = 1.0  # pseudo-count of pairs per label, distributed in proportion to all labels
_OF_CHAIN = {"transition_weight": 0.5, "most_columns": 400, "label_weights": None}


class KnownRegions(NamedTuple):
    """Training data of a classifier: the regions with known labels."""

    rows: Floats32  # shape (n_rows, n_kept); one column of zeros if no column is kept
    classes: Labels  # indices of the labels among those that occur, in ascending order
    weights: Floats  # weight of each region
    n_pages: int  # number of training pages, including those without known regions

    def loss(self, probabilities: Floats) -> float:
        """Return the log loss, averaged over pages, of probabilities (n_rows, n_classes)."""
        correct = np.asarray(probabilities)[np.arange(len(self.classes)), self.classes]
        return float(-(_log(correct) @ self.weights) / self.n_pages)


class ClassifierChain(Chain):
    """Labels a page by a classifier of single regions and transitions between labels.

    The score of label b at a region x is ``log P(b | x)``, that of b after a is
    ``transition_weight * (log P(b | a) - log P(b))``: with weight 1 the hybrid of Bourlard and
    Morgan (1994, Connectionist speech recognition. Kluwer), with weight 0 the classifier alone. The
    classifier sees the `most_columns` columns that correlate most with any one label. A subclass
    implements `_learn` and `_log_probabilities`.
    """

    weight_names: ClassVar[tuple[str, ...]] = ("transitions_", "kept_", "seen_")
    diagnostic_names: ClassVar[tuple[str, ...]] = ("n_seen_",)

    transition_weight: float
    most_columns: int
    label_weights: LabelWeights

    n_seen_: int
    kept_: Floats  # 1 for the columns that the classifier sees, else 0; shape (n_columns,)
    seen_: Floats  # labels in training, ascending; shape (n_seen,)

    def _check_parameters(self) -> None:
        if self.transition_weight != 0 or isinstance(self.transition_weight, bool):
            check_positive("transition_weight", self.transition_weight)
        check_count("most_columns", self.most_columns, least=1)
        check_label_weights(self.label_weights)

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        """Fit the known regions, then once more with the likeliest label of each set: hard EM.

        Source: R. Jin, Z. Ghahramani (2002). Learning with multiple labels. NIPS.
        """
        self._fit_known(pages, labels, callback)
        if any((y < UNKNOWN_INDEX).any() for y in labels) and self.n_seen_:
            self._fit_known(pages, choose_labels(self.scores(pages), labels), callback)

    def _fit_known(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        """Fit the regions whose gold is one label."""
        import scipy  # late: labelling a page does not need it

        gold = np.concatenate(labels)
        seen, classes = np.unique(gold[gold >= 0], return_inverse=True)
        matrix = scipy.sparse.vstack(pages, format="csr")[gold >= 0]
        self.kept_ = _correlated_columns(matrix, classes, len(seen), int(self.most_columns))
        self.seen_, self.n_seen_ = seen.astype(np.float64), len(seen)
        self.transitions_ = float(self.transition_weight) * _log_lift(labels, self.n_labels_)
        weights = resolve_weights(self.label_weights, labels, self.n_labels_)[seen][classes]
        self._learn(KnownRegions(self._dense(matrix), classes, weights, len(pages)), callback)

    def _dense(self, page: SparseRows) -> Floats32:
        """Return the kept columns as dense rows, at least one column wide."""
        rows = page[:, np.flatnonzero(self.kept_)].toarray().astype(np.float32)
        return rows if rows.shape[1] else np.zeros((len(rows), 1), dtype=np.float32)

    @abstractmethod
    def _learn(self, known: KnownRegions, callback: Callback | None) -> None:
        """Fit the classifier; there may be only one label, or no regions at all."""

    @abstractmethod
    def _log_probabilities(self, rows: Floats32) -> Floats:
        """Return the log probability of each label of `seen_`, shape (n_rows, n_seen)."""

    def scores(self, X: Sequence[Features]) -> list[Floats]:
        """Return the log probability of each label at each region, at least one in a million.

        Labels not seen in training have the least; see `Learner.scores`.
        """
        self._check_fitted()
        seen, scores_of_pages = self.seen_.astype(np.intp), []
        least = _LEAST_LOG_PROBABILITY if len(seen) else 0.0
        for page in check_pages(X, self.n_columns_, self.vectorizer_):
            scores = np.full((page.shape[0], self.n_labels_), least)
            if scores.size and len(seen):
                scores[:, seen] = np.maximum(self._log_probabilities(self._dense(page)), least)
            scores_of_pages.append(scores)
        return scores_of_pages

    def _check_fit(self) -> None:
        super()._check_fit()
        if len(self.seen_) and not 0 <= self.seen_.min() <= self.seen_.max() < self.n_labels_:
            raise LearnerError("a label out of range")

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        square = (self.n_labels_, self.n_labels_)
        return {"transitions_": square, "kept_": (self.n_columns_,), "seen_": (self.n_seen_,)}


def _correlated_columns(matrix: SparseRows, classes: Labels, n_classes: int, most: int) -> Floats:
    """Return 1 for the columns with the largest squared correlation with any one label, else 0."""
    n_rows, n_columns = matrix.shape
    if n_columns <= most or n_rows < 2:  # nothing to choose, or to correlate
        return np.full(n_columns, float(n_columns <= most and n_rows > 0))
    from sklearn.feature_selection import r_regression  # late: it takes a second

    with np.errstate(divide="ignore", invalid="ignore"):  # constant columns and labels
        correlations = [r_regression(matrix, classes == label) for label in range(n_classes)]
    strength = np.square(correlations).max(axis=0)
    kept = np.zeros(n_columns)
    kept[np.argsort(-strength.round(12), kind="stable")[:most]] = 1
    return kept


def _log(probabilities: Floats) -> Floats:
    """Return logarithms, at least that of one in a million."""
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(probabilities), _LEAST_LOG_PROBABILITY)


def _log_lift(labels: Sequence[Labels], n_labels: int) -> Floats:
    """Return ``log P(b | a) - log P(b)`` at [a, b] for neighbours whose labels are known.

    After a label that never occurs, each label is as frequent as after any label.
    """
    pairs = np.zeros((n_labels, n_labels))
    for page in labels:
        known = (page[:-1] >= 0) & (page[1:] >= 0)
        np.add.at(pairs, (page[:-1][known], page[1:][known]), 1)
    share = pairs.sum(axis=0) / max(pairs.sum(), 1)
    weighed = np.divide(pairs, share, out=np.zeros_like(pairs), where=share > 0)
    lift = (weighed + _PRIOR_PAIRS) / (pairs.sum(axis=1, keepdims=True) + _PRIOR_PAIRS)
    lift[:, share == 0] = 1.0
    return np.asarray(np.log(lift))


class _Adapted(ClassifierChain):
    """Learner around a classifier; `classifier_learner` creates its subclasses."""

    can_save: ClassVar[bool] = False
    kind: ClassVar[type]
    own_names: ClassVar[tuple[str, ...]]  # hyper-parameters of the classifier

    classifier_: Any
    objective_: float

    def __init__(self, **parameters: object) -> None:
        known = inspect.signature(type(self)).bind(**parameters)
        known.apply_defaults()
        vars(self).update(known.arguments)

    def _learn(self, known: KnownRegions, callback: Callback | None) -> None:
        self.classifier_, self.objective_ = None, 0.0
        if self.n_seen_ < 2:
            return
        classifier = self.kind(**{name: getattr(self, name) for name in self.own_names})
        counts = {} if self.label_weights is None else {"sample_weight": known.weights}
        try:
            self.classifier_ = classifier.fit(known.rows, known.classes, **counts)
        except (TypeError, ValueError) as error:
            raise LearnerError(f"{self.name}: {error}") from error
        self.objective_ = known.loss(self.classifier_.predict_proba(known.rows))
        if callback is not None:
            callback(Progress(1, 1, self.objective_, 0.0))

    def _log_probabilities(self, rows: Floats32) -> Floats:
        if self.classifier_ is None:
            return np.zeros((len(rows), self.n_seen_))
        return _log(self.classifier_.predict_proba(rows))

    def save(self, folder: str | Path) -> None:
        """Raise LearnerError: such a classifier could only be pickled, and nothing is unpickled."""
        self._check_fitted()
        raise LearnerError(
            f"{self.name} cannot be saved: its {self.kind.__name__} could only be pickled, and no "
            "model is unpickled; use it in this process, compare it, or train 'boosted-trees'"
        )


def classifier_learner(name: str, kind: type, **defaults: object) -> type[ClassifierChain]:
    """Register a learner around any classifier with probabilities, and return its class.

    ``kind`` is a class with scikit-learn's ``fit`` and ``predict_proba``; ``defaults`` replace some
    of its hyper-parameters. The learner also has ``transition_weight``, ``most_columns`` and
    ``label_weights`` (which needs ``sample_weight`` in ``fit``), see `ClassifierChain`. Raises
    LearnerError if the name is taken, or the class lacks ``predict_proba`` or a hyper-parameter.

    Examples
    --------
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> kind = classifier_learner("extra-trees", ExtraTreesClassifier, n_estimators=200)
    >>> kind(transition_weight=0)
    extra-trees(transition_weight=0)
    """
    if not hasattr(kind, "predict_proba"):
        raise LearnerError(f"{kind.__name__} has no predict_proba; expected a class that has it")
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = keyword, inspect.Parameter.POSITIONAL_OR_KEYWORD
    keywords = inspect.signature(kind).parameters.values()
    own = {keyword.name: keyword.default for keyword in keywords if keyword.kind in named}
    values = {**own, **_OF_CHAIN, **defaults}
    if unknown := sorted(set(defaults) - set(own) - set(_OF_CHAIN)):
        raise LearnerError(f"{kind.__name__} has no {unknown[0]!r}; expected one of {sorted(own)}")
    parameters = [inspect.Parameter(key, keyword, default=value) for key, value in values.items()]
    attributes = {
        # Module of the caller, so that cached results notice when that file has changed.
        "__module__": sys._getframe(1).f_globals.get("__name__", "__main__"),
        "__doc__": f"Labels regions by {kind.__module__.split('.')[0]}'s {kind.__name__}.",
        "__signature__": inspect.Signature(parameters),
        "kind": kind,
        "own_names": tuple(own),
    }
    return learner(name)(type(name, (_Adapted,), attributes))
