"""Names for the arrays that go in and out of learners."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Features: TypeAlias = "sparse.csr_matrix[np.float64] | sparse.csr_array[np.float64]"
"""One page: shape (n_regions, n_columns), one row a region in document order."""

Labels: TypeAlias = NDArray[np.int64]
"""Label indices of one page, shape (n_regions,), each in 0..n_labels-1."""

Floats: TypeAlias = NDArray[np.float64]
