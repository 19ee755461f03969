"""Aliases of NumPy array types, each defined once for the whole package."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Floats32: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Integers32: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]

Labels: TypeAlias = NDArray[np.int64]
"""Label indices of one page, shape (n_regions,); `UNKNOWN_INDEX` where nobody knows the label."""

UNKNOWN_INDEX = -1
"""Index of an unknown label: legal in training and in gold, never predicted."""
