"""Inputs of learners and their checks: page matrices, label indices, hyper-parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Floats, Labels, allowed_labels, any_of
from structce.errors import LearnerError

if TYPE_CHECKING:
    import scipy

Features: TypeAlias = (
    "scipy.sparse.csr_matrix[np.float64] | scipy.sparse.csr_array[np.float64, tuple[int, int]]"
)
"""One page: shape (n_regions, n_columns), one row per region in document order."""

SparseRows: TypeAlias = "scipy.sparse.csr_array[np.float64, tuple[int, int]]"
"""Features in the learners' own form: no entry is stored twice."""

Pages: TypeAlias = list[SparseRows]
"""One matrix per page."""

LabelWeights: TypeAlias = str | Sequence[float] | None
"""``None``, ``"balanced"``, ``"sqrt"``, or one positive number per label."""

_SCHEMES = {"balanced": -1.0, "sqrt": -0.5}  # power of the number of a label's regions


def matmul(matrix: SparseRows | scipy.sparse.csc_array[np.float64], dense: Floats) -> Floats:
    """Return a sparse matrix times a dense one, as a dense array."""
    return np.asarray(matrix @ dense)


def check_pages(X: Sequence[Features], n_columns: int | None = None) -> list[SparseRows]:
    """Return the pages as float64 rows without duplicate entries; the input is not changed.

    A page may have no regions. Raises LearnerError if one is not a CSR matrix, has a wrong number
    of columns (the expected one is by default that of the first page), or contains NaN or infinity.
    """
    import scipy  # late: labelling a page does not need it

    check_shapes(X, n_columns)
    pages = []
    for i, page in enumerate(X):
        if not np.isfinite(page.data).all():
            raise LearnerError(f"page {i} contains NaN or infinity; leave out unknown values")
        data = page.data.astype(np.float64, copy=False)
        rows = scipy.sparse.csr_array((data, page.indices, page.indptr), shape=page.shape)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        pages.append(rows)
    return pages


def check_shapes(X: Sequence[Features], n_columns: int | None = None) -> None:
    """Raise LearnerError if a page is not a CSR matrix or has a wrong number of columns."""
    import scipy  # late: labelling a page does not need it

    for i, page in enumerate(X):
        if not scipy.sparse.issparse(page) or page.format != "csr" or page.ndim != 2:
            raise LearnerError(f"page {i}: expected a CSR matrix, got {type(page).__name__}")
        n_columns = page.shape[1] if n_columns is None else n_columns
        if page.shape[1] != n_columns:
            raise LearnerError(f"page {i} has {page.shape[1]} columns; expected {n_columns}")


def check_labels(y: Sequence[Labels], pages: Sequence[SparseRows], n_labels: int) -> list[Labels]:
    """Return the labels of every page as int64.

    Raises LearnerError if lengths differ, or a label is no index, `UNKNOWN_INDEX` or set.
    """
    if not pages:
        raise LearnerError("expected at least one page to fit, got none")
    if len(y) != len(pages):
        raise LearnerError(f"{len(pages)} pages but labels for {len(y)}")
    labels, least = [], any_of(range(n_labels), n_labels + 1)  # the set of all labels
    for i, (given, page) in enumerate(zip(y, pages, strict=True)):
        values, n_regions = np.asarray(given), page.shape[0]
        if values.shape != (n_regions,):
            raise LearnerError(f"page {i} has {n_regions} regions but labels of {values.shape}")
        if n_regions and not np.issubdtype(values.dtype, np.integer):
            raise LearnerError(f"page {i}: labels are {values.dtype}; expected integers")
        if n_regions and (values.min() < least or values.max() >= n_labels):
            raise LearnerError(
                f"page {i} has labels {values.min()}..{values.max()}; expected 0..{n_labels - 1}, "
                f"{UNKNOWN_INDEX} for unknown, or less for a set of labels"
            )
        labels.append(values.astype(np.int64))
    return labels


def check_positive(name: str, value: object) -> None:
    """Raise LearnerError unless a hyper-parameter is a finite number above 0."""
    if not _is_positive(value):
        raise LearnerError(f"{name}={value!r}; expected a finite number above 0")


def check_count(name: str, value: object, *, least: int) -> None:
    """Raise LearnerError unless a hyper-parameter is an integer of at least ``least``."""
    if not isinstance(value, Integral) or _is_flag(value) or int(value) < least:
        raise LearnerError(f"{name}={value!r}; expected an integer of at least {least}")


def check_one_of(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise LearnerError unless a hyper-parameter is one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise LearnerError(f"{name}={value!r}; expected one of {', '.join(choices)}")


def check_flag(name: str, value: object) -> None:
    """Raise LearnerError unless a hyper-parameter is True or False."""
    if not _is_flag(value):
        raise LearnerError(f"{name}={value!r}; expected True or False")


def check_label_weights(label_weights: LabelWeights) -> None:
    """Raise LearnerError unless these are valid label weights for some number of labels."""
    try:
        is_valid = (
            label_weights is None
            or (isinstance(label_weights, str) and label_weights in _SCHEMES)
            or (len(label_weights) > 0 and all(map(_is_positive, label_weights)))
        )
    except TypeError:
        is_valid = False
    if not is_valid:
        raise LearnerError(
            f"label_weights={label_weights!r}; expected None, one of {sorted(_SCHEMES)}, or one "
            "finite number above 0 for each label"
        )


def resolve_weights(label_weights: LabelWeights, labels: Sequence[Labels], n_labels: int) -> Floats:
    """Return the weight of each label, shape (n_labels,), above 0.

    ``None`` gives ones. ``"balanced"`` makes the total weight of all labels that occur equal,
    ``"sqrt"`` uses the square roots of these weights; both are scaled so that the mean over known
    regions is 1, and a label that never occurs has weight 1. Only regions with a single known label
    count. Numbers are used as given; raises LearnerError unless there is one per label.
    """
    weights = np.ones(n_labels)
    if isinstance(label_weights, str):
        known = np.concatenate([np.empty(0, dtype=np.int64), *labels])
        counts = np.bincount(known[known >= 0], minlength=n_labels)
        occurs = counts > 0
        weights[occurs] = counts[occurs] ** _SCHEMES[label_weights]
        if occurs.any():
            weights[occurs] *= counts.sum() / (weights * counts).sum()
    elif label_weights is not None:
        weights = np.array(label_weights, dtype=np.float64)
        if len(weights) != n_labels:
            raise LearnerError(
                f"label_weights has {len(weights)} numbers; expected one for each of the "
                f"{n_labels} labels"
            )
    return weights


def choose_labels(scores: Sequence[Floats], labels: Sequence[Labels]) -> list[Labels]:
    """Return labels in which each set is its highest-scoring label; unknown ones stay so."""
    chosen = []
    for page, y in zip(scores, labels, strict=True):
        best = np.where(allowed_labels(y, page.shape[1]), page, -np.inf).argmax(axis=1)
        chosen.append(np.where(y < UNKNOWN_INDEX, best, y))
    return chosen


def _is_positive(value: object) -> bool:
    return isinstance(value, Real) and not _is_flag(value) and 0 < float(value) < math.inf


def _is_flag(value: object) -> bool:
    return isinstance(value, bool | np.bool_)
