"""What every learner is: a linear model of labels on pages, its contract, and the registry."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from structce.errors import LearnerError, ModelError
from structce.learners.arrays import Features, Floats, Labels, Rows, product
from structce.learners.calibration import ConfidenceMap, Method, fit_calibration, remap
from structce.learners.checks import check_count, check_labels, check_pages, check_positive
from structce.learners.decoding import Constrainable
from structce.learners.progress import Callback
from structce.learners.storage import Model, read_model, write_model


class Learner(Constrainable, BaseEstimator, ABC):  # type: ignore[misc]  # scikit-learn is not typed
    """A linear model that labels the regions of pages.

    All learners minimise ``lambda/2 |w|^2 + mean loss per page``, where a page's loss is a sum
    over its regions (Spengler, Bordes and Gallinari 2010, RIAO, eq. 2). There is no intercept: a
    column that is 1 everywhere is one, and is then regularised like any other.

    Attributes
    ----------
    n_labels_, n_columns_ : int
    temperature_ : float
        What scores are divided by before they become probabilities; 1 after `fit`.
    calibration_ : ConfidenceMap or None
        Where confidences go after that; None, nowhere, after `fit`.
    emissions_ : shape (n_columns, n_labels)
        A page's emission scores are ``X @ emissions_``. Rounded to float32, so that a saved and
        loaded learner gives the very same scores.
    """

    name: ClassVar[str]
    weight_names: ClassVar[tuple[str, ...]] = ("emissions_",)
    diagnostic_names: ClassVar[tuple[str, ...]] = ()

    n_labels_: int
    n_columns_: int
    temperature_: float
    calibration_: ConfidenceMap | None
    emissions_: Floats

    def fit(
        self,
        X: Sequence[Features],
        y: Sequence[Labels],
        *,
        n_labels: int,
        callback: Callback | None = None,
    ) -> Self:
        """Learn the weights from labelled pages.

        Parameters
        ----------
        X
            One matrix a page, shape (n_regions, n_columns); a page may have no region.
        y
            One array a page, shape (n_regions,), indices in 0..n_labels-1. A region whose label
            is `UNKNOWN` carries no loss, and a chain runs through it.
        n_labels
            Size of the label set, which may be larger than what occurs in ``y``.
        callback
            Called with the `Progress` after every epoch; training ends where it returns True.

        Raises
        ------
        LearnerError
            If a hyper-parameter is out of range or the inputs do not fit together.
        """
        self._check_parameters()
        check_count("n_labels", n_labels, least=1)
        pages = check_pages(X)
        labels = check_labels(y, pages, n_labels)
        self.n_labels_ = int(n_labels)
        self.n_columns_ = pages[0].shape[1]
        self._fit(pages, labels, callback)
        self.temperature_, self.calibration_ = 1.0, None
        for name in self.weight_names:
            setattr(self, name, getattr(self, name).astype(np.float32).astype(np.float64))
        return self

    def predict(self, X: Sequence[Features]) -> list[Labels]:
        """Return the label indices of each page, shape (n_regions,); a tie goes to the lower."""
        return self._decode(self.scores(X))

    def marginals(self, X: Sequence[Features]) -> list[Floats]:
        """Return the probability of each label at each region, shape (n_regions, n_labels).

        The Gibbs distribution of the model's scores over the temperature: exact posteriors for a
        CRF at temperature 1. An SVM's scores are no log probabilities, so there the values only
        rank until `calibrate` has found the temperature. If there is a confidence map, it gives
        the predicted label its probability, and the others share the rest in proportion.
        """
        scores = self.scores(X)
        found = self._marginals(scores, self.temperature_)
        if self.calibration_ is None:
            return found
        return remap(self.calibration_, found, self._decode(scores))

    def calibrate(
        self, X: Sequence[Features], y: Sequence[Labels], *, method: Method = "temperature"
    ) -> Self:
        """Learn from labelled pages that `fit` did not see how sure the learner may be.

        No label changes, only how sure the learner says it is. Regions whose label is `UNKNOWN`
        do not count; without any other the learner is as it was after `fit`.

        Parameters
        ----------
        method
            ``temperature`` finds the one under which the right labels are likeliest.
            ``isotonic`` then also finds the map that takes each confidence to the share of right
            labels; it bends more, and needs more pages.

        Raises
        ------
        LearnerError
            If the method is unknown, the learner is not fitted, or the inputs do not fit it.
        """
        scores = self.scores(X)
        labels = check_labels(y, check_pages(X, self.n_columns_), self.n_labels_)
        self.temperature_, self.calibration_ = fit_calibration(
            lambda temperature: np.concatenate(self._marginals(scores, temperature)),
            np.concatenate(self._decode(scores)),
            np.concatenate(labels),
            method,
        )
        return self

    def take_calibration(self, other: Learner) -> Self:
        """Be as sure as another learner was found to be, such as the same on fewer pages."""
        self.temperature_, self.calibration_ = other.temperature_, other.calibration_
        return self

    def confidence(self, X: Sequence[Features]) -> list[Floats]:
        """Return the probability in [0, 1] of each region's predicted label, shape (n_regions,).

        See `marginals` for what the probability means.
        """
        scores = self.scores(X)
        labels_of, found = self._decode(scores), self._marginals(scores, self.temperature_)
        pairs = zip(labels_of, remap(self.calibration_, found, labels_of), strict=True)
        return [marginals[np.arange(len(labels)), labels] for labels, marginals in pairs]

    def scores(self, X: Sequence[Features]) -> list[Floats]:
        """Return the emission score of each label at each region, shape (n_regions, n_labels).

        Raises
        ------
        LearnerError
            If the learner is not fitted, or a page has another number of columns.
        """
        if not self.__sklearn_is_fitted__():
            raise LearnerError(f"this {self.name} is not fitted yet; call fit first")
        return [product(page, self.emissions_) for page in check_pages(X, self.n_columns_)]

    def save(self, folder: str | Path) -> None:
        """Write the fitted learner into a folder as ``learner.json`` and ``weights.npz``.

        Raises
        ------
        LearnerError
            If the learner is not fitted.
        """
        if not self.__sklearn_is_fitted__():
            raise LearnerError(f"this {self.name} is not fitted yet; call fit first")
        manifest = {
            "learner": self.name,
            "parameters": self.get_params(),
            "n_labels": self.n_labels_,
            "n_columns": self.n_columns_,
            "temperature": self.temperature_,
            "calibration": self.calibration_.written() if self.calibration_ else None,
            "diagnostics": {name: getattr(self, name) for name in self.diagnostic_names},
        }
        weights = {name.rstrip("_"): getattr(self, name) for name in self.weight_names}
        write_model(Path(folder), Model(manifest, weights))

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn, which would take ``lambda_`` for something fitted."""
        return hasattr(self, "n_columns_")

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise LearnerError if a hyper-parameter is out of range."""

    @abstractmethod
    def _fit(self, pages: list[Rows], labels: list[Labels], callback: Callback | None) -> None:
        """Set all of `weight_names` and `diagnostic_names`; ``n_labels_`` is known."""

    @abstractmethod
    def _decode(self, scores: list[Floats]) -> list[Labels]:
        """Return the labels that the model gives to pages with these emission scores."""

    @abstractmethod
    def _marginals(self, scores: list[Floats], temperature: float) -> list[Floats]:
        """Return label probabilities at every region of pages with these emission scores.

        All scores of the model, transitions too, are divided by the temperature.
        """

    def _weight_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape that each of `weight_names` must have."""
        return {"emissions_": (self.n_columns_, self.n_labels_)}


class Registry(dict[str, type[Learner]]):
    """Learners by name; a taken name and an unknown name are errors."""

    def __setitem__(self, name: str, kind: type[Learner]) -> None:
        if name in self:
            raise LearnerError(f"learner {name!r} is taken by {self[name].__qualname__}")
        super().__setitem__(name, kind)

    def __missing__(self, name: str) -> type[Learner]:
        near = difflib.get_close_matches(str(name), self, n=1, cutoff=0.0)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise LearnerError(f"unknown learner {name!r}; expected one of {sorted(self)}{hint}")


LEARNERS = Registry()

Kind = TypeVar("Kind", bound=type[Learner])


def learner(name: str) -> Callable[[Kind], Kind]:
    """Register a class under the name by which experiments and models call it.

    Raises
    ------
    LearnerError
        If the name is taken.
    """

    def register(kind: Kind) -> Kind:
        LEARNERS[name] = kind
        kind.name = name
        return kind

    return register


def load_learner(folder: str | Path) -> Learner:
    """Return the fitted learner that `Learner.save` wrote into a folder.

    Raises
    ------
    ModelError
        If a file is missing, malformed or of another version, or the learner is unknown.
    """
    manifest, arrays = read_model(Path(folder))
    try:
        name, parameters = str(manifest["learner"]), dict(manifest["parameters"])  # type: ignore[call-overload]
        loaded = LEARNERS[name](**parameters)
        loaded.n_labels_ = int(manifest["n_labels"])  # type: ignore[call-overload]
        loaded.n_columns_ = int(manifest["n_columns"])  # type: ignore[call-overload]
        check_positive("temperature", manifest["temperature"])
        loaded.temperature_ = float(manifest["temperature"])  # type: ignore[arg-type]
        entry = manifest.get("calibration")
        loaded.calibration_ = None if entry is None else ConfidenceMap.read(entry)
        for key in loaded.diagnostic_names:
            setattr(loaded, key, _revived(manifest["diagnostics"][key]))  # type: ignore[index]
        for key, shape in loaded._weight_shapes().items():
            weights = arrays[key.rstrip("_")]
            if weights.shape != shape or not np.isfinite(weights).all():
                raise ValueError(f"{key} has shape {weights.shape}, expected {shape}, all finite")
            setattr(loaded, key, weights)
    except (LearnerError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{folder}: malformed learner: {error}") from error
    return loaded


def _revived(value: object) -> object:
    """Return a diagnostic as it was before JSON made lists of its tuples."""
    if isinstance(value, list):
        return [tuple(one) if isinstance(one, list) else one for one in value]
    return value
