"""Names for the arrays that go in and out of learners."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from scipy import sparse

from structce.arrays import Floats

UNKNOWN = -1
"""Label index of a region whose label nobody knows; legal in training, never predicted."""

Features: TypeAlias = (
    "sparse.csr_matrix[np.float64] | sparse.csr_array[np.float64, tuple[int, int]]"
)
"""One page: shape (n_regions, n_columns), one row a region in document order."""

SparseRows: TypeAlias = "sparse.csr_array[np.float64, tuple[int, int]]"
"""The same as learners keep it: no entry given twice."""

Transposed: TypeAlias = "sparse.csc_array[np.float64]"
"""Rows, transposed."""


def matmul(sparse_matrix: SparseRows | Transposed, dense: Floats) -> Floats:
    """Return a sparse matrix times a dense one, dense."""
    return np.asarray(sparse_matrix @ dense)
