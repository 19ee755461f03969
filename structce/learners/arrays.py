"""Names for the arrays that go in and out of learners."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

UNKNOWN = -1
"""Label index of a region whose label nobody knows; legal in training, never predicted."""

Features: TypeAlias = (
    "sparse.csr_matrix[np.float64] | sparse.csr_array[np.float64, tuple[int, int]]"
)
"""One page: shape (n_regions, n_columns), one row a region in document order."""

Rows: TypeAlias = "sparse.csr_array[np.float64, tuple[int, int]]"
"""The same as learners keep it: no entry given twice."""

Columns: TypeAlias = "sparse.csc_array[np.float64]"
"""Rows, transposed."""

Labels: TypeAlias = NDArray[np.int64]
"""Label indices of one page, shape (n_regions,), each in 0..n_labels-1, or `UNKNOWN`."""

Floats: TypeAlias = NDArray[np.float64]


def product(sparse_matrix: Rows | Columns, dense: Floats) -> Floats:
    """Return a sparse matrix times a dense one, dense."""
    return np.asarray(sparse_matrix @ dense)
