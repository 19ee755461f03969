"""Contract of all learners: fitting, labels and their probabilities, calibration, storage."""

from __future__ import annotations

import inspect
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

import msgspec
import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels, resolve_sets
from structce.errors import LearnerError
from structce.learners.calibration import CalibrationMethod, ConfidenceMap, fit_calibration
from structce.learners.classes import (
    Classes,
    Gold,
    decode_labels,
    encode_labels,
    learn_classes,
    position_of,
)
from structce.learners.inputs import Features, Pages, check_pages, fit_vectorizer
from structce.learners.storage import write_model

if TYPE_CHECKING:
    from sklearn.feature_extraction import DictVectorizer


class Progress(msgspec.Struct, frozen=True):
    """State of a solver after an epoch, a pass over the training pages or a step of L-BFGS.

    ``objective`` is ``lambda/2 |w|^2 + mean loss per page``, as far as the solver knows it; ``gap``
    is the distance from the optimum, at least 0: the relative duality gap of an SVM, the gradient's
    norm over the weights' norm of a CRF.
    """

    epoch: int
    max_epochs: int
    objective: float
    gap: float


Callback: TypeAlias = Callable[[Progress], bool | None]
"""Function called after every epoch; True ends the training with the current weights."""


@contextmanager
def suppress_solver_warnings() -> Iterator[None]:
    """Suppress warnings about solvers that stopped early, for callers that report it themselves."""
    logger = logging.getLogger("structce.learners")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


class Parameters:
    """Hyper-parameters of an estimator: the keywords of its ``__init__``, which stores them.

    It works with scikit-learn's ``clone``, its searches over grids, and ``check_is_fitted``, but
    does not import scikit-learn, which takes longer than labelling a page.
    """

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Return the hyper-parameters by name, sorted; ``deep`` changes nothing."""
        return {
            name: getattr(self, name) for name in sorted(inspect.signature(type(self)).parameters)
        }

    def set_params(self, **parameters: object) -> Self:
        """Set hyper-parameters, which the next ``fit`` checks; LearnerError for an unknown one."""
        known, kind = self.get_params(), type(self).__name__
        for name, value in parameters.items():
            if name not in known:
                raise LearnerError(f"{kind} has no {name!r}; expected one of {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return the class with the hyper-parameters that differ from the default."""
        keywords = inspect.signature(type(self)).parameters
        given = ((name, repr(value)) for name, value in self.get_params().items())
        shown = (f"{name}={text}" for name, text in given if text != repr(keywords[name].default))
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> object:
        """Return the default tags that scikit-learn 1.6 and later expects of an estimator."""
        from sklearn.base import BaseEstimator  # late: it takes a second

        return BaseEstimator.__sklearn_tags__(self)


class Learner(Parameters, ABC):
    """A model that labels the regions of pages, or the items of any sequences.

    It scores every label at every region (emissions), and decodes the labels of a page from these
    scores. The weights, `weight_names`, are rounded to float32 after training, so that a learner
    gives exactly the same scores after saving and loading.

    Attributes
    ----------
    classes_ : shape (n_labels,)
        The labels, in the order of scores and probabilities: strings or integers.
    is_encoded_ : bool
        Whether `fit` got positions in `classes_` instead of labels; `predict` then gives these too.
    vectorizer_ : DictVectorizer or None
        Columns of named features; None if `fit` got matrices.
    n_columns_ : int
        Number of columns of a page's matrix.
    temperature_ : float
        Divisor of scores before they become probabilities; 1 after `fit`.
    calibration_ : ConfidenceMap or None
        Map that is then applied to confidences; None after `fit`.
    """

    name: ClassVar[str]
    weight_names: ClassVar[tuple[str, ...]]
    diagnostic_names: ClassVar[tuple[str, ...]] = ()
    can_save: ClassVar[bool] = True
    """Whether the fitted learner consists of plain numbers, so that it can be saved."""

    classes_: Classes
    is_encoded_: bool = False
    vectorizer_: DictVectorizer | None = None
    n_columns_: int
    temperature_: float
    calibration_: ConfidenceMap | None

    @property
    def n_labels_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def fit(
        self,
        X: Sequence[Features],
        y: Gold,
        *,
        classes: Sequence[object] | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Learn the weights from labelled pages.

        Parameters
        ----------
        X
            One matrix per page, shape (n_regions, n_columns), sparse or dense, or one list of
            named features per page; a page may have no regions.
        y
            The labels of each page, shape (n_regions,): strings, of which None is unknown and a set
            means that any of its labels is right; or integers, of which `UNKNOWN_INDEX` is unknown
            and `structce.arrays.any_of` makes sets. A region of unknown label has no loss, and a
            chain runs through it.
        classes
            All labels, of which some may not occur; by default those that occur, sorted. If the
            classes are strings and ``y`` has integers, these are positions in the classes.
        callback
            Called with the `Progress` after every epoch; training ends if it returns True.

        Raises
        ------
        LearnerError
            If a hyper-parameter is out of range, the inputs are inconsistent, or the weights that
            were found are not finite numbers of the right shapes.
        """
        self._check_parameters()
        vectorizer = fit_vectorizer(X)
        pages = check_pages(X, vectorizer=vectorizer)
        if not pages:
            raise LearnerError("expected at least one page to fit, got none")
        found, is_encoded = learn_classes(y, classes)
        labels = encode_labels(y, [page.shape[0] for page in pages], found, is_encoded)
        self.classes_, self.is_encoded_, self.vectorizer_ = found, is_encoded, vectorizer
        self.n_columns_ = pages[0].shape[1]
        self._fit(pages, labels, callback)
        self._check_fit()
        self.temperature_, self.calibration_ = 1.0, None
        for name in self.weight_names:
            setattr(self, name, getattr(self, name).astype(np.float32).astype(np.float64))
        return self

    def predict(
        self, X: Sequence[Features], *, fixed: Sequence[Mapping[int, object]] | None = None
    ) -> list[Labels]:
        """Return the labels of each page, shape (n_regions,), of the kind that `fit` got.

        The first of the classes wins a tie. ``fixed`` are known labels, a mapping from regions for
        each page: the result is then the best among the sequences that have them, exactly for
        chains; the greedy SVM sees them as decided before. Raises LearnerError, with the page, if
        a fixed region or label does not exist.
        """
        scores = self.scores(X)
        given = fixed if fixed is not None else [{}] * len(scores)
        if len(given) != len(scores):
            raise LearnerError(f"{len(scores)} pages but fixed labels for {len(given)}")
        for i, own in enumerate(given):
            known = scores[i]
            for region, label in own.items():
                if region not in range(len(known)):
                    raise LearnerError(f"page {i}: region {region} is fixed; it has {len(known)}")
                where = f"page {i}: region {region} is fixed to"
                position = position_of(label, self.classes_, self.is_encoded_, where)
                known[region, np.arange(self.n_labels_) != position] = -np.inf
        return decode_labels(self._decode(scores), self.classes_, self.is_encoded_)

    def predict_marginals(self, X: Sequence[Features]) -> list[Floats]:
        """Return the probability of each label at each region, shape (n_regions, n_labels).

        Columns are in the order of `classes_`. The Gibbs distribution of the model's scores divided
        by the temperature: exact posteriors for a CRF at temperature 1; an SVM's values only rank
        until `calibrate` has found the temperature. A confidence map, if there is one, sets the
        probability of the predicted label, and the others share the rest in proportion.
        """
        return [marginals for _, marginals in self.decode_scores(self.scores(X))]

    def calibrate(
        self,
        X: Sequence[Features],
        y: Gold,
        *,
        method: CalibrationMethod = "temperature",
    ) -> Self:
        """Calibrate the confidences on labelled pages that were not used for `fit`.

        ``temperature`` finds the temperature with the highest likelihood of the correct labels;
        ``isotonic`` then also fits the map from each confidence to the share of correct labels, and
        needs more pages. Raises LearnerError if the method is unknown, the learner is not fitted,
        or the inputs do not match it.
        """
        scores = self.scores(X)
        labels = self._gold(y, scores)
        self.temperature_, self.calibration_ = fit_calibration(
            lambda temperature: np.concatenate(self._marginals(scores, temperature)),
            np.concatenate(self._decode(scores)),
            np.concatenate(labels),
            method,
        )
        return self

    def _gold(self, y: Gold, scores: Sequence[Floats]) -> list[Labels]:
        """Return gold as positions, given the scores of its pages."""
        if not scores:
            raise LearnerError("expected at least one page, got none")
        lengths = [len(page) for page in scores]
        return encode_labels(y, lengths, self.classes_, self.is_encoded_)

    def take_calibration(self, other: Learner) -> Self:
        """Adopt the calibration of another learner, such as the same one fitted to fewer pages."""
        self.temperature_, self.calibration_ = other.temperature_, other.calibration_
        return self

    def confidence(self, X: Sequence[Features]) -> list[Floats]:
        """Return the probability of each region's predicted label; see `predict_marginals`."""
        decoded = self.decode_scores(self.scores(X))
        return [marginals[np.arange(len(y)), y] for y, marginals in decoded]

    def decode_scores(self, scores: Sequence[Floats]) -> list[tuple[Labels, Floats]]:
        """Return positions of the labels in `classes_`, and marginals, of pages with these scores.

        Raises LearnerError if the learner is not fitted, or a page's scores have a wrong number of
        labels or are not finite.
        """
        self._check_fitted()
        for i, page in enumerate(scores):
            if page.ndim != 2 or page.shape[1] != self.n_labels_:
                raise LearnerError(
                    f"page {i} has scores of shape {page.shape}; expected {self.n_labels_} labels"
                )
            if not np.isfinite(page).all():
                raise LearnerError(f"the scores of page {i} contain NaN or infinity")
        given = list(scores)
        labels, marginals = self._decode(given), self._marginals(given, self.temperature_)
        if self.calibration_ is not None:
            pairs = zip(marginals, labels, strict=True)
            marginals = [self.calibration_.rescale(*page) for page in pairs]
        return list(zip(labels, marginals, strict=True))

    def score(self, X: Sequence[Features], y: Gold) -> float:
        """Return the macro F1 of the predicted labels over the labels that occur, in [0, 1].

        Regions of unknown label do not count; 0 without any others.
        """
        from sklearn.metrics import f1_score  # late: it takes a second, and only tuning needs it

        scores = self.scores(X)
        labels, predicted = self._gold(y, scores), np.concatenate(self._decode(scores))
        gold = resolve_sets(np.concatenate(labels), predicted, self.n_labels_)
        known = gold != UNKNOWN_INDEX
        occurs = np.unique(gold[known])
        if not len(occurs):
            return 0.0
        return float(f1_score(gold[known], predicted[known], labels=occurs, average="macro"))

    def save(self, folder: str | Path) -> None:
        """Write the fitted learner into a folder as ``learner.json`` and ``weights.npz``.

        Raises LearnerError if the learner is not fitted.
        """
        self._check_fitted()
        inputs: dict[str, object] = {}  # labels and columns that are not plain positions
        if not np.array_equal(self.classes_, np.arange(self.n_labels_)):
            inputs |= {"classes": self.classes_, "is_encoded": self.is_encoded_}
        if self.vectorizer_ is not None:
            inputs["columns"] = list(self.vectorizer_.feature_names_)
        manifest = {
            "learner": self.name,
            "parameters": self.get_params(),
            "n_labels": self.n_labels_,
            **inputs,
            "n_columns": self.n_columns_,
            "temperature": self.temperature_,
            "calibration": self.calibration_.written() if self.calibration_ else None,
            "diagnostics": {name: getattr(self, name) for name in self.diagnostic_names},
        }
        weights = {name.rstrip("_"): getattr(self, name) for name in self.weight_names}
        write_model(Path(folder), manifest, weights)

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether the learner is fitted; scikit-learn would take ``lambda_`` as a sign."""
        return hasattr(self, "n_columns_")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise LearnerError(f"this {self.name} is not fitted yet; call fit first")

    def _check_fit(self) -> None:
        """Raise LearnerError unless all weights are arrays of their shapes, of finite numbers."""
        for name, shape in self._weight_shapes().items():
            weights, where = getattr(self, name, None), f"{type(self).__name__}: {name}"
            if not isinstance(weights, np.ndarray) or weights.shape != shape:
                found = getattr(weights, "shape", "no array")
                raise LearnerError(f"{where} has shape {found}, expected {shape}")
            if not np.isfinite(weights).all():
                raise LearnerError(f"{where} contains NaN or infinity")

    @abstractmethod
    def scores(self, X: Sequence[Features]) -> list[Floats]:
        """Return the emission score of each label at each region, shape (n_regions, n_labels).

        Raises LearnerError if the learner is not fitted, or a page has a wrong number of columns,
        or contains NaN or infinity.
        """

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise LearnerError if a hyper-parameter is out of range."""

    @abstractmethod
    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        """Set all of `weight_names` and `diagnostic_names`; ``n_labels_`` is known."""

    @abstractmethod
    def _decode(self, scores: list[Floats]) -> list[Labels]:
        """Return the labels that the model predicts for pages with these emission scores.

        A score of -inf forbids a label at a region.
        """

    @abstractmethod
    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        """Return label probabilities, with all scores of the model divided by the temperature."""

    @abstractmethod
    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape that each of `weight_names` must have."""
