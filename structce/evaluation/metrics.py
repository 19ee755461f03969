"""Metrics of labelled pages: precision, recall and F1 of regions and segments.

Metrics are computed from counts that are summed over pages: a confusion matrix for regions
(`confusion`, `score_confusion`), and hits for segments (`segment_counts`). `label_scores`, `pooled`
and `macro` turn counts into measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags, Integers, Integers32, Labels, any_of, resolve_sets
from structce.errors import LabelError
from structce.labels import UNKNOWN_INDEX, LabelSet

_Blocks = Integers32 | Integers


class Measures(NamedTuple):
    """Precision, recall and F1, each in [0, 1]; 0 where undefined."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class LabelScore:
    """Measures of one label against all others, with its gold regions and predicted ones."""

    name: str
    measures: Measures
    support: int
    n_predicted: int

    @property
    def occurs(self) -> bool:
        """Whether the label occurs in gold or prediction."""
        return self.support + self.n_predicted > 0


def label_scores(counts: Integers, names: Sequence[str]) -> tuple[LabelScore, ...]:
    """Return the score of each label from hits, gold and predicted ones, shape (3, n_labels)."""
    return tuple(
        LabelScore(name, pooled(counts[:, [i]]), int(counts[1, i]), int(counts[2, i]))
        for i, name in enumerate(names)
    )


def pooled(counts: Integers) -> Measures:
    """Return the measures of counts summed over labels, see :func:`label_scores`: micro average."""
    hits, gold, predicted = counts.sum(axis=1)
    return Measures(_ratio(hits, predicted), _ratio(hits, gold), _ratio(2 * hits, gold + predicted))


def macro(labels: Sequence[LabelScore]) -> Measures:
    """Return the means over the labels that gold has, 0 if it has none; F1 is the mean of the F1s.

    A label that is only predicted costs the labels whose regions it took their recall, and is no
    class of its own: one stray region would otherwise cost a share of all classes.
    """
    rows = [label.measures for label in labels if label.support]
    return Measures(*np.mean(rows, axis=0).tolist()) if rows else Measures(0.0, 0.0, 0.0)


def weighted(labels: Sequence[LabelScore]) -> Measures:
    """Return the means over the labels, each weighted by its support; 0 without any region.

    These are the micro averages of Spengler et al. (2010), Table 3: their rows give 96.11, 96.06
    and 96.06 this way, with a precision above the recall, which is impossible for pooled counts.
    """
    support = [label.support for label in labels]
    if not any(support):
        return Measures(0.0, 0.0, 0.0)
    rows = [label.measures for label in labels]
    return Measures(*np.average(rows, axis=0, weights=support).tolist())


def _ratio(part: np.int64, whole: np.int64) -> float:
    return float(part / whole) if whole else 0.0


@dataclass(frozen=True)
class Scores:
    """Measures of a whole prediction; all in [0, 1], and 0 where undefined.

    Labels are in the order of the label set, also those that do not occur. In averages of the
    foreground a region that is background in gold and something else in the prediction still counts
    against precision, and the reverse against recall.
    """

    labels: tuple[LabelScore, ...]
    accuracy: float
    micro: Measures
    macro: Measures
    micro_foreground: Measures
    macro_foreground: Measures
    weighted: Measures

    def value(self, measure: str) -> float:
        """Return the accuracy, or the F1 of an average: ``macro_f1``, ``micro_f1_foreground``."""
        if measure == "accuracy":
            return self.accuracy
        average: Measures = getattr(self, measure.replace("_f1", ""))
        return average.f1


def confusion(y_true: Labels, y_pred: Labels, n_labels: int) -> Integers:
    """Count how often each gold label was given each predicted label.

    Both are label indices in [0, n_labels), shape (n_regions,). Regions whose gold label is unknown
    (-1) are left out. Raises LabelError if they differ in length, or an index is out of range.

    Returns
    -------
    shape (n_labels, n_labels)
        Gold labels are rows, predicted ones are columns; all zero without regions.
    """
    known = _known_regions(y_true, y_pred, n_labels)
    y_true = resolve_sets(y_true, y_pred, n_labels)
    matrix = np.zeros((n_labels, n_labels), dtype=np.int64)
    np.add.at(matrix, (y_true[known], y_pred[known]), 1)
    return matrix


def _known_regions(y_true: Labels, y_pred: Labels, n_labels: int) -> Flags:
    """Return which regions have a known gold label, shape (n_regions,); see :func:`confusion`."""
    if y_true.shape != y_pred.shape or y_true.ndim != 1:
        raise LabelError(f"gold labels have shape {y_true.shape}, predicted ones {y_pred.shape}")
    known: Flags = y_true != UNKNOWN_INDEX
    for name, indices, least in (
        ("gold", y_true[known], any_of(range(n_labels), n_labels + 1)),
        ("predicted", y_pred[known], 0),
    ):
        if len(indices) and not least <= int(indices.min()) <= int(indices.max()) < n_labels:
            raise LabelError(f"{name} label index out of range; expected 0 to {n_labels - 1}")
    return known


def score(y_true: Labels, y_pred: Labels, label_set: LabelSet) -> Scores:
    """Return the scores of a prediction; see :func:`confusion` for shapes and errors."""
    return score_confusion(confusion(y_true, y_pred, len(label_set)), label_set)


def score_confusion(matrix: Integers, label_set: LabelSet) -> Scores:
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
        accuracy=_ratio(np.trace(matrix), matrix.sum()),
        micro=pooled(counts),
        macro=macro(labels),
        micro_foreground=pooled(counts[:, inner]),
        macro_foreground=macro([labels[i] for i in inner]),
        weighted=weighted(labels),
    )


def is_wrong(y_true: Labels, y_pred: Labels) -> Flags:
    """Return whether each prediction is a label that the gold rules out, shape (n_regions,).

    If the gold label is unknown, no prediction is wrong; if it is a set, no label of the set is.
    """
    wrong: Flags = (y_true != UNKNOWN_INDEX) & (y_true != y_pred)
    several = np.flatnonzero(y_true < UNKNOWN_INDEX)
    if len(several):
        sets = UNKNOWN_INDEX - y_true[several]
        wrong[several] = (sets >> y_pred[several]) & 1 == 0
    return wrong


def segment_counts(y_true: Labels, y_pred: Labels, blocks: _Blocks, n_labels: int) -> Integers:
    """Count the segments of one page, background included.

    A segment is a maximal run of neighbouring regions with one label inside one block. Regions
    with unknown gold label are first removed from gold and prediction; a run continues over the
    gap. Labels and errors are as in :func:`confusion`; ``blocks`` are those of
    :attr:`structce.page.Page.blocks`, shape (n_regions,).

    Returns
    -------
    shape (3, n_labels)
        Segments that agree in label, first and last region; in gold; and predicted.

    References
    ----------
    E. F. Tjong Kim Sang and F. De Meulder (2003). Introduction to the CoNLL-2003 shared task.
    CoNLL, section 2.5 (an entity counts only if it is found exactly). Unlike there, a run also
    ends with its block: two consecutive paragraphs are two segments.
    """
    known = _known_regions(y_true, y_pred, n_labels)
    if blocks.shape != y_true.shape:
        raise LabelError(f"blocks have shape {blocks.shape}, gold labels {y_true.shape}")
    y_true = resolve_sets(y_true, y_pred, n_labels)
    gold, predicted, blocks = y_true[known], y_pred[known], blocks[known]
    gold_first, gold_last = _runs(gold, blocks)
    predicted_first, predicted_last = _runs(predicted, blocks)
    first, i, j = np.intersect1d(
        gold_first, predicted_first, assume_unique=True, return_indices=True
    )
    is_hit = (gold_last[i] == predicted_last[j]) & (gold[first] == predicted[first])
    labels = (gold[first[is_hit]], gold[gold_first], predicted[predicted_first])
    return np.stack([np.bincount(indices, minlength=n_labels) for indices in labels])


def _runs(labels: Labels, blocks: _Blocks) -> tuple[Labels, Labels]:
    """Return the first and the last region of each segment, in reading order."""
    is_first = np.ones(len(labels), dtype=bool)
    is_first[1:] = (labels[1:] != labels[:-1]) | (blocks[1:] != blocks[:-1])
    is_last = np.roll(is_first, -1)  # each first region follows a last one; the end wraps around
    return np.flatnonzero(is_first), np.flatnonzero(is_last)
