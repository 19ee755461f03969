"""Calibration of a learner: the temperature of its scores, and an isotonic map of confidences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Self, TypeAlias, get_args

import msgspec
import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels, allowed_labels
from structce.errors import LearnerError

CalibrationMethod: TypeAlias = Literal["temperature", "isotonic"]
"""Methods of `Learner.calibrate`."""

CALIBRATION_METHODS = get_args(CalibrationMethod)

_LOG_TEMPERATURES = (-4.0, 4.0)  # between which it is searched: from about 1/50 to 50
_LEAST_PROBABILITY = 1e-12  # smallest probability in the calibration's log loss


class ConfidenceMap(msgspec.Struct, frozen=True, eq=False):
    """Non-decreasing map of confidences in [0, 1], linear between its thresholds.

    It is constant below the first threshold and above the last. One or more thresholds rise in
    [0, 1]; the values are in (0, 1) and do not fall. Raises LearnerError for others.
    """

    thresholds: Floats
    values: Floats

    def __post_init__(self) -> None:
        x, y = self.thresholds, self.values
        if x.ndim != 1 or x.shape != y.shape or not len(x):
            raise LearnerError(f"thresholds {x.shape} and values {y.shape}; expected one length")
        if not ((x >= 0) & (x <= 1) & (y > 0) & (y < 1)).all():
            raise LearnerError("expected all thresholds in [0, 1] and all values in (0, 1)")
        if (np.diff(x) <= 0).any() or (np.diff(y) < 0).any():
            raise LearnerError("thresholds of a confidence map must rise, values must not fall")

    @classmethod
    def read(cls, entry: Mapping[str, Sequence[float]]) -> Self:
        """Restore the map from what `written` returned; raises LearnerError if malformed."""
        if set(entry) != {"thresholds", "values"}:
            raise LearnerError("a confidence map must contain thresholds and values, nothing else")
        lists = entry["thresholds"], entry["values"]
        return cls(*(np.array(values, dtype=np.float64) for values in lists))

    def written(self) -> dict[str, list[float]]:
        """Return the map as plain JSON values, exact."""
        return {"thresholds": self.thresholds.tolist(), "values": self.values.tolist()}

    def __call__(self, confidence: Floats) -> Floats:
        """Return the mapped confidences, of the same shape."""
        return np.interp(confidence, self.thresholds, self.values)

    def rescale(self, marginals: Floats, labels: Labels) -> Floats:
        """Return marginals in which the predicted label has the mapped probability.

        Rows of ``marginals``, shape (n_regions, n_labels), sum to 1, and so do those returned. What
        remains goes to the other labels in their previous proportions, or in equal shares if they
        were all 0. The only label of a label set keeps its 1.
        """
        n_regions, n_labels = marginals.shape
        if n_labels == 1:
            return marginals.copy()
        predicted = np.arange(n_regions), labels
        mapped, others = self(marginals[predicted]), marginals.copy()
        others[predicted] = 0
        sums = others.sum(axis=1, keepdims=True)
        shares = np.full(marginals.shape, 1 / (n_labels - 1))
        np.divide(others, sums, out=shares, where=sums > 0)
        result: Floats = shares * (1 - mapped)[:, None]
        result[predicted] = mapped
        return result


def fit_calibration(
    marginals_at: Callable[[float], Floats], labels: Labels, gold: Labels, method: CalibrationMethod
) -> tuple[float, ConfidenceMap | None]:
    """Return the temperature with the highest likelihood, and the map if the method is isotonic.

    ``marginals_at`` returns the marginals at a temperature, shape (n_regions, n_labels). Regions
    with gold label `UNKNOWN_INDEX` are left out; the temperature is 1 if no label is known. Raises
    LearnerError for another method. Source: C. Guo, G. Pleiss, Y. Sun, K. Weinberger (2017). On
    calibration of modern neural networks. ICML, section 4.2.
    """
    from scipy.optimize import minimize_scalar  # late: takes 0.4 s, and is not needed for labelling

    if method not in CALIBRATION_METHODS:
        raise LearnerError(f"calibration method {method!r}; expected one of {CALIBRATION_METHODS}")
    temperature, known = 1.0, np.flatnonzero(gold != UNKNOWN_INDEX)
    if len(known):
        allowed = allowed_labels(gold[known], marginals_at(1.0).shape[1])

        def log_loss(log_temperature: float) -> float:
            correct = (marginals_at(float(np.exp(log_temperature)))[known] * allowed).sum(axis=1)
            return float(-np.log(np.maximum(correct, _LEAST_PROBABILITY)).mean())

        best = minimize_scalar(log_loss, bounds=_LOG_TEMPERATURES, method="bounded")
        temperature = float(np.exp(best.x))
    if method == "temperature":
        return temperature, None
    confidence = marginals_at(temperature)[np.arange(len(labels)), labels]
    return temperature, fit_confidence_map(confidence, labels, gold)


def fit_confidence_map(confidence: Floats, labels: Labels, gold: Labels) -> ConfidenceMap | None:
    """Return the non-decreasing map that best fits how often predictions were correct.

    Two artificial regions are added at 0 and two at 1, one labelled correctly and one wrongly, so
    that few regions have little effect and nothing becomes certain: Laplace's rule of succession.
    ``confidence`` is the probability of the predicted ``labels``, in [0, 1]. Regions with gold
    label `UNKNOWN_INDEX` are left out; None if no label is known. Source: B. Zadrozny, C. Elkan
    (2002). Transforming classifier scores into accurate multiclass probability estimates. KDD.
    """
    from sklearn.isotonic import IsotonicRegression  # late: it takes a second

    known = gold != UNKNOWN_INDEX
    if not known.any():
        return None
    allowed = allowed_labels(gold[known], int(labels.max()) + 1)
    right = allowed[np.arange(len(allowed)), labels[known]]
    x = np.concatenate([confidence[known], [0.0, 0.0, 1.0, 1.0]])
    y = np.concatenate([right, [0.0, 1.0, 0.0, 1.0]])
    fitted = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    return ConfidenceMap(fitted.X_thresholds_, fitted.y_thresholds_)
