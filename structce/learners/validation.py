"""Checks at the edge of a learner: pages, labels and hyper-parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np
from scipy import sparse

from structce.arrays import Labels
from structce.errors import LearnerError
from structce.learners.typing import UNKNOWN, Features, SparseRows


def check_pages(X: Sequence[Features], n_columns: int | None = None) -> list[SparseRows]:
    """Return the pages as float64 rows without duplicate entries; the input stays as it was.

    Parameters
    ----------
    X
        One sparse matrix a page; a page may have no region.
    n_columns
        Expected number of columns; by default that of the first page.

    Raises
    ------
    LearnerError
        If a page is no CSR matrix, has another number of columns, or holds NaN or infinity.
    """
    check_shapes(X, n_columns)
    for i, page in enumerate(X):
        if not np.isfinite(page.data).all():
            raise LearnerError(f"page {i} holds NaN or infinity; leave out what is not known")
    return [_canonical(page) for page in X]


def check_shapes(X: Sequence[Features], n_columns: int | None = None) -> None:
    """Raise LearnerError if a page is no CSR matrix or has another number of columns."""
    for i, page in enumerate(X):
        if not sparse.issparse(page) or page.format != "csr" or page.ndim != 2:
            raise LearnerError(f"page {i}: expected a CSR matrix, got {type(page).__name__}")
        n_columns = page.shape[1] if n_columns is None else n_columns
        if page.shape[1] != n_columns:
            raise LearnerError(f"page {i} has {page.shape[1]} columns; expected {n_columns}")


def _canonical(page: Features) -> SparseRows:
    """Return the page as an array of its own; memory is shared unless entries repeat."""
    data = page.data.astype(np.float64, copy=False)
    rows = sparse.csr_array((data, page.indices, page.indptr), shape=page.shape)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def check_labels(y: Sequence[Labels], pages: Sequence[SparseRows], n_labels: int) -> list[Labels]:
    """Return the labels of every page as int64.

    Raises
    ------
    LearnerError
        If there is no page, or lengths differ, or a label is neither in 0..n_labels-1 nor
        `UNKNOWN`.
    """
    if not pages:
        raise LearnerError("expected at least one page to fit, got none")
    if len(y) != len(pages):
        raise LearnerError(f"{len(pages)} pages but labels for {len(y)}")
    labels = []
    for i, (given, page) in enumerate(zip(y, pages, strict=True)):
        values = np.asarray(given)
        if values.shape != (page.shape[0],):
            raise LearnerError(
                f"page {i} has {page.shape[0]} regions but labels of shape {values.shape}"
            )
        if len(values) and not np.issubdtype(values.dtype, np.integer):
            raise LearnerError(f"page {i}: labels are {values.dtype}; expected integers")
        if len(values) and (values.min() < UNKNOWN or values.max() >= n_labels):
            raise LearnerError(
                f"page {i} has labels {values.min()}..{values.max()}; expected 0..{n_labels - 1}, "
                f"or {UNKNOWN} for unknown"
            )
        labels.append(values.astype(np.int64))
    return labels


def check_positive(name: str, value: object) -> None:
    """Raise LearnerError unless a hyper-parameter is a finite number above 0."""
    if not _is_number(value, Real) or not 0 < float(value) < math.inf:  # type: ignore[arg-type]
        raise LearnerError(f"{name}={value!r}; expected a finite number above 0")


def check_count(name: str, value: object, *, least: int) -> None:
    """Raise LearnerError unless a hyper-parameter is an integer of at least ``least``."""
    if not _is_number(value, Integral) or int(value) < least:  # type: ignore[call-overload]
        raise LearnerError(f"{name}={value!r}; expected an integer of at least {least}")


def check_one_of(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise LearnerError unless a hyper-parameter is one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise LearnerError(f"{name}={value!r}; expected one of {', '.join(choices)}")


def check_flag(name: str, value: object) -> None:
    """Raise LearnerError unless a hyper-parameter is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise LearnerError(f"{name}={value!r}; expected True or False")


def _is_number(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool | np.bool_)
