"""How well segments agree: neighbouring regions with one label inside one block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structce.errors import LabelError
from structce.evaluation.labels import known_regions
from structce.evaluation.measures import LabelScore, Measures, label_scores, macro, pooled
from structce.labels import LabelSet

Labels = NDArray[np.int64]
Blocks = NDArray[np.int32] | NDArray[np.int64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class SegmentScores:
    """Measures over segments; a segment is right if label, beginning and end are.

    Parameters
    ----------
    labels
        One score a label in the order of the label set, background left out; support and
        n_predicted count segments.
    micro, macro
        Over these labels, as in :class:`structce.evaluation.Scores`.
    """

    labels: tuple[LabelScore, ...]
    micro: Measures
    macro: Measures


def segment_counts(y_true: Labels, y_pred: Labels, blocks: Blocks, n_labels: int) -> Counts:
    """Count the segments of one page, background included.

    A segment is a maximal run of neighbouring regions with one label inside one block. Regions
    of unknown gold label are taken out first, of gold and prediction alike; a run goes on over
    the gap that they leave inside a block.

    Parameters
    ----------
    y_true, y_pred : shape (n_regions,)
        Label indices in [0, n_labels); -1 in gold where nobody knows.
    blocks : shape (n_regions,)
        Block of each region, see :attr:`structce.page.Page.blocks`; never falls.

    Returns
    -------
    shape (3, n_labels)
        Segments that agree in label, first and last region; those of gold; those predicted. All
        zero without known regions.

    Raises
    ------
    LabelError
        If the three differ in length, or an index is out of range.

    References
    ----------
    E. F. Tjong Kim Sang and F. De Meulder (2003). Introduction to the CoNLL-2003 shared task.
    CoNLL, section 2.5 (an entity counts only if it is found exactly). That a run ends with its
    block is our choice.
    """
    known = known_regions(y_true, y_pred, n_labels)
    if blocks.shape != y_true.shape:
        raise LabelError(f"blocks have shape {blocks.shape}, gold labels {y_true.shape}")
    gold, found, blocks = y_true[known], y_pred[known], blocks[known]
    gold_first, gold_last = _runs(gold, blocks)
    found_first, found_last = _runs(found, blocks)
    first, i, j = np.intersect1d(gold_first, found_first, assume_unique=True, return_indices=True)
    is_hit = (gold_last[i] == found_last[j]) & (gold[first] == found[first])
    labels = (gold[first[is_hit]], gold[gold_first], found[found_first])
    return np.stack([np.bincount(one, minlength=n_labels) for one in labels])


def score_segments(counts: Counts, label_set: LabelSet) -> SegmentScores:
    """Return the scores of segments, background left out.

    Parameters
    ----------
    counts : shape (3, n_labels)
        The sum of :func:`segment_counts` over pages.

    Returns
    -------
    All 0 without segments; the macro average is that over the labels that occur.
    """
    inner = counts[:, [label_set.index(name) for name in label_set.foreground]]
    labels = label_scores(inner, label_set.foreground)
    return SegmentScores(labels=labels, micro=pooled(inner), macro=macro(labels))


def _runs(labels: Labels, blocks: Blocks) -> tuple[Labels, Labels]:
    """Return the first and the last region of each segment, in reading order."""
    is_first = np.ones(len(labels), dtype=bool)
    is_first[1:] = (labels[1:] != labels[:-1]) | (blocks[1:] != blocks[:-1])
    is_last = np.roll(is_first, -1)  # before every first one stands a last one; the end wraps
    return np.flatnonzero(is_first), np.flatnonzero(is_last)
