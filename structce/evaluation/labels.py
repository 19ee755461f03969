"""How well predicted labels agree with gold labels, region by region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.errors import LabelError
from structce.evaluation.measures import LabelScore, Measures, label_scores, macro, pooled, ratio
from structce.labels import UNKNOWN_INDEX, LabelSet

Labels = NDArray[np.int64]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """Measures of a whole prediction; all in [0, 1], and 0 where undefined.

    Parameters
    ----------
    labels
        One score a label, in the order of the label set, those that are left out as well.
    accuracy
        Share of regions with the right label; 0 without regions.
    micro
        Over all labels, background included, from pooled counts. As every region has one gold
        and one predicted label, precision, recall and F1 all equal the accuracy.
    macro
        Mean over all labels that occur in gold or prediction; F1 is the mean of the F1s.
    micro_foreground, macro_foreground
        The same without the background label. A region that is background in gold and
        something else in the prediction still counts against precision, and the reverse
        against recall.
    left_out
        Labels in neither gold nor prediction; no average knows them.
    """

    labels: tuple[LabelScore, ...]
    accuracy: float
    micro: Measures
    macro: Measures
    micro_foreground: Measures
    macro_foreground: Measures
    left_out: tuple[str, ...]

    @property
    def micro_f1(self) -> float:
        """Micro-averaged F1 over all labels."""
        return self.micro.f1

    @property
    def macro_f1(self) -> float:
        """Macro-averaged F1 over all labels that occur."""
        return self.macro.f1

    @property
    def micro_f1_foreground(self) -> float:
        """Micro-averaged F1 without the background."""
        return self.micro_foreground.f1

    @property
    def macro_f1_foreground(self) -> float:
        """Macro-averaged F1 over the labels that occur, without the background."""
        return self.macro_foreground.f1


def confusion(y_true: Labels, y_pred: Labels, n_labels: int) -> Counts:
    """Count how often each gold label was given each predicted label.

    Parameters
    ----------
    y_true, y_pred : shape (n_regions,)
        Label indices in [0, n_labels). Regions whose gold label is unknown (-1) are left out.

    Returns
    -------
    shape (n_labels, n_labels)
        Gold labels are rows, predicted ones are columns; all zero without regions.

    Raises
    ------
    LabelError
        If the two differ in length, or an index is out of range.
    """
    known = known_regions(y_true, y_pred, n_labels)
    matrix = np.zeros((n_labels, n_labels), dtype=np.int64)
    np.add.at(matrix, (y_true[known], y_pred[known]), 1)
    return matrix


def known_regions(y_true: Labels, y_pred: Labels, n_labels: int) -> NDArray[np.bool_]:
    """Return which regions have a known gold label, shape (n_regions,).

    See :func:`confusion` for parameters and errors; of regions without a known gold label any
    prediction is taken.
    """
    if y_true.shape != y_pred.shape or y_true.ndim != 1:
        raise LabelError(f"gold labels have shape {y_true.shape}, predicted ones {y_pred.shape}")
    known: NDArray[np.bool_] = y_true != UNKNOWN_INDEX
    for name, y in (("gold", y_true[known]), ("predicted", y_pred[known])):
        if len(y) and not 0 <= int(y.min()) <= int(y.max()) < n_labels:
            raise LabelError(f"{name} label index out of range; expected 0 to {n_labels - 1}")
    return known


def score(y_true: Labels, y_pred: Labels, label_set: LabelSet) -> Scores:
    """Return the scores of a prediction; see :func:`confusion` for shapes and errors."""
    return score_confusion(confusion(y_true, y_pred, len(label_set)), label_set)


def score_confusion(matrix: Counts, label_set: LabelSet) -> Scores:
    """Return the scores of a confusion matrix, gold labels in rows.

    References
    ----------
    A. Spengler, A. Bordes and P. Gallinari (2010). A comparison of discriminative classifiers
    for web news content extraction. RIAO, section 4. The averages without the background are
    not theirs; they show what a large background hides.
    """
    counts = np.stack([np.diag(matrix), matrix.sum(axis=1), matrix.sum(axis=0)])
    labels = label_scores(counts, label_set.names)
    inner = [label_set.index(name) for name in label_set.foreground]
    return Scores(
        labels=labels,
        accuracy=ratio(np.trace(matrix), matrix.sum()),
        micro=pooled(counts),
        macro=macro(labels),
        micro_foreground=pooled(counts[:, inner]),
        macro_foreground=macro([labels[i] for i in inner]),
        left_out=tuple(label.name for label in labels if not label.occurs),
    )


def page_accuracies(y_true: Sequence[Labels], y_pred: Sequence[Labels]) -> Floats:
    """Return the share of right labels of each page, shape (n_pages,), in [0, 1].

    Regions whose gold label is unknown (-1) do not count; a page without others has no accuracy:
    NaN.
    """
    return np.array([_share(*pair) for pair in zip(y_true, y_pred, strict=True)], dtype=np.float64)


def _share(gold: Labels, found: Labels) -> float:
    known = gold != UNKNOWN_INDEX
    return float(np.mean(gold[known] == found[known])) if known.any() else np.nan
