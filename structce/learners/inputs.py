"""Inputs of learners and their checks: pages as matrices or named features, hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from structce.arrays import Floats
from structce.errors import LearnerError
from structce.learners.classes import is_positive

if TYPE_CHECKING:
    import scipy
    from sklearn.feature_extraction import DictVectorizer

SparseRows: TypeAlias = "scipy.sparse.csr_array[np.float64, tuple[int, int]]"
"""Page in the learners' own form: no entry is stored twice."""

Pages: TypeAlias = list[SparseRows]
"""One matrix per page."""

Features: TypeAlias = (
    "scipy.sparse.csr_matrix[np.float64] | SparseRows | Floats | Sequence[Mapping[str, object]]"
)
"""One page: shape (n_regions, n_columns), one row per region in document order, sparse or dense; or
the features of each region by name: numbers, strings, or collections of strings."""


def matmul(matrix: SparseRows | scipy.sparse.csc_array[np.float64], dense: Floats) -> Floats:
    """Return a sparse matrix times a dense one, as a dense array."""
    return np.asarray(matrix @ dense)


def fit_vectorizer(X: Sequence[Features]) -> DictVectorizer | None:
    """Return the columns of named features, sorted by name; None if the pages are matrices.

    A string is the column ``name=value``. Raises LearnerError if a value has another type.
    """
    if not any(_is_named(page) for page in X):
        return None
    from sklearn.feature_extraction import DictVectorizer  # late: it takes a second

    names: set[str] = set()
    for i, page in enumerate(X):
        try:
            names.update(DictVectorizer(sort=False).fit(page).feature_names_)
        except (TypeError, ValueError, AttributeError) as error:
            raise LearnerError(f"page {i}: not all its features are named: {error}") from error
    return vectorizer_of(sorted(names))


def vectorizer_of(columns: Sequence[str]) -> DictVectorizer:
    """Return the vectorizer with these columns, which are sorted."""
    from sklearn.feature_extraction import DictVectorizer  # late: it takes a second

    return DictVectorizer().fit([dict.fromkeys(columns, 1)])


def _is_named(page: object) -> bool:
    return isinstance(page, list | tuple) and len(page) > 0 and isinstance(page[0], Mapping)


def to_rows(
    X: Sequence[Features], n_columns: int | None = None, vectorizer: DictVectorizer | None = None
) -> Pages:
    """Return every page as CSR; those that are CSR already are the same objects.

    Raises LearnerError, with the page, if one is no matrix or has a wrong number of columns; the
    expected one is by default that of the first page.
    """
    import scipy  # late: labelling a page does not need it

    pages: Pages = []
    for i, page in enumerate(X):
        if scipy.sparse.issparse(page) and page.ndim == 2:
            rows = page if page.format == "csr" else page.tocsr()
        else:
            try:
                if vectorizer is None or not isinstance(page, list | tuple):
                    dense = np.asarray(page, dtype=np.float64)
                else:
                    dense = vectorizer.transform(page) if page else np.zeros((0, n_columns or 0))
                rows = scipy.sparse.csr_array(dense)
            except (TypeError, ValueError, AttributeError) as error:
                raise LearnerError(f"page {i}: {error}") from error
            if rows.ndim != 2:
                raise LearnerError(
                    f"page {i}: expected a matrix, sparse or dense, or the named features of each "
                    f"region, got {type(page).__name__}"
                )
        n_columns = rows.shape[1] if n_columns is None else n_columns
        if rows.shape[1] != n_columns:
            raise LearnerError(f"page {i} has {rows.shape[1]} columns; expected {n_columns}")
        pages.append(cast("SparseRows", rows))
    return pages


def check_pages(
    X: Sequence[Features], n_columns: int | None = None, vectorizer: DictVectorizer | None = None
) -> Pages:
    """Return the pages as float64 rows without duplicate entries; the input is not changed.

    Errors are those of `to_rows`, and LearnerError if a page contains NaN or infinity.
    """
    import scipy  # late: labelling a page does not need it

    pages = []
    for i, page in enumerate(to_rows(X, n_columns, vectorizer)):
        if not np.isfinite(page.data).all():
            raise LearnerError(f"page {i} contains NaN or infinity; leave out unknown values")
        data = page.data.astype(np.float64, copy=False)
        rows = scipy.sparse.csr_array((data, page.indices, page.indptr), shape=page.shape)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        pages.append(rows)
    return pages


def check_positive(name: str, value: object) -> None:
    """Raise LearnerError unless a hyper-parameter is a finite number above 0."""
    if not is_positive(value):
        raise LearnerError(f"{name}={value!r}; expected a finite number above 0")


def check_count(name: str, value: object, *, least: int, most: int | None = None) -> None:
    """Raise LearnerError unless a hyper-parameter is an integer in the given range."""
    is_integer = isinstance(value, Integral) and not _is_flag(value)
    if not is_integer or int(value) < least or (most is not None and int(value) > most):  # type: ignore[call-overload]
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise LearnerError(f"{name}={value!r}; expected an integer {bounds}")


def check_one_of(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise LearnerError unless a hyper-parameter is one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise LearnerError(f"{name}={value!r}; expected one of {', '.join(choices)}")


def check_flag(name: str, value: object) -> None:
    """Raise LearnerError unless a hyper-parameter is True or False."""
    if not _is_flag(value):
        raise LearnerError(f"{name}={value!r}; expected True or False")


def _is_flag(value: object) -> bool:
    return isinstance(value, bool | np.bool_)
