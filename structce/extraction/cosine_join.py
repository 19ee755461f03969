"""Cosine join: pairs of rows of a sparse matrix with a cosine above a threshold, by an index.

Columns are ordered, those with few rows first. What is left of a row after its *prefix* is so short
that no other row reaches the threshold there; so rows are compared only if they share a column of
their prefixes, and no pair is missed. Of two rows, the one with the lower maximum has more columns;
the other can share no more than it has, and needs a shorter prefix in the index. Signatures, whose
bits show what two rows do not share, avoid most of the comparisons.

Sources: S. Chaudhuri, V. Ganti and R. Kaushik (2006). A primitive operator for similarity joins in
data cleaning. ICDE 2006. R. J. Bayardo, Y. Ma and R. Srikant (2007). Scaling up all pairs
similarity search. WWW 2007.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from structce.arrays import Flags, Floats, Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SLACK = 1e-9
"""Cosines this close to the threshold count as equal to it, regardless of rounding."""

_DRIFT = 1e-9  # rounding error of differences of cumulative sums over a matrix
_MAX_PRODUCTS = 2_000_000  # products of values in one matrix multiplication: about 100 MB
_MAX_PAIRS = 100_000  # pairs that are compared at once
_WORDS = 16  # words of 16 bits in the signature of a row
_N_BITS = (
    np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8))
    .reshape(-1, 16)
    .sum(axis=1, dtype=np.uint8)
)  # number of bits in each possible word

Pairs: TypeAlias = tuple[Integers, Integers]
"""Indices of the first rows, and of the second."""


def normalise(matrix: csr_array) -> csr_array:
    """Return a matrix whose rows have length 1; rows of zeros are unchanged."""
    length = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    factor = np.divide(1.0, length, out=np.zeros(len(length)), where=length > 0)
    data = matrix.data * np.repeat(factor, np.diff(matrix.indptr))
    return type(matrix)((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def similar_pairs(matrix: csr_array, epsilon: float) -> Iterator[Pairs]:
    """Yield the pairs of rows whose cosine exceeds a threshold, each pair once, in no order.

    Time and memory depend on the pairs that share a rare column, not on all pairs. Values of the
    matrix are not negative; the threshold is in (0, 1).
    """
    rows = _rare_columns_first(normalise(matrix))
    highest = np.zeros(rows.shape[0])
    if rows.nnz:
        highest = rows.max(axis=1).toarray().ravel()
    order = np.argsort(-highest, kind="stable")
    for first, second in _PrefixIndex(rows[order], highest[order], epsilon).pairs():
        yield order[first], order[second]


def _rare_columns_first(matrix: csr_array) -> csr_array:
    """Return a matrix with its columns in ascending order of the number of rows with a value."""
    n_rows = np.bincount(matrix.indices, minlength=matrix.shape[1])
    rank = np.empty(matrix.shape[1], dtype=np.int64)
    rank[np.argsort(n_rows, kind="stable")] = np.arange(matrix.shape[1])
    ordered = type(matrix)((matrix.data, rank[matrix.indices], matrix.indptr), shape=matrix.shape)
    ordered.sort_indices()
    return ordered


class _PrefixIndex:
    """Index of rows of length 1 by the columns of their prefixes; those of higher maximum first."""

    def __init__(self, rows: csr_array, highest: Floats, epsilon: float) -> None:
        self._rows, self._highest, self._epsilon = rows, highest, epsilon
        of_value = np.repeat(np.arange(rows.shape[0], dtype=np.int64), np.diff(rows.indptr))
        length, sums = np.sqrt(_sums_behind(rows, rows.data**2)), _sums_behind(rows, rows.data)
        self._sum = rows.sum(axis=1)
        self._prefix = _chosen_values(rows, length > epsilon - SLACK)
        reach = np.minimum(length, highest[of_value] * sums)
        self._listed = _chosen_values(rows, reach > epsilon - SLACK)
        self._columns = _signatures(rows, np.ones(rows.nnz, dtype=bool))
        self._highest_columns = _signatures(rows, rows.data >= highest[of_value])

    def pairs(self) -> Iterator[Pairs]:
        """Yield the pairs above the threshold, each with the later row first."""
        for first, second in self._candidates():
            for start in range(0, len(first), _MAX_PAIRS):
                i, j = first[start : start + _MAX_PAIRS], second[start : start + _MAX_PAIRS]
                chosen = self._may_share_enough(i, j)
                i, j = i[chosen], j[chosen]
                cosine = self._rows[i].multiply(self._rows[j]).sum(axis=1)
                chosen = cosine > self._epsilon + SLACK
                yield i[chosen], j[chosen]

    def _candidates(self) -> Iterator[Pairs]:
        """Yield pairs that may exceed the threshold, including all that do."""
        columns = self._listed.T.tocsr()
        for start, end in self._batches(np.diff(columns.indptr)):
            shared = (self._prefix[start:end] @ columns).tocoo()
            first, second = shared.row.astype(np.int64) + start, shared.col.astype(np.int64)
            chosen = np.flatnonzero((first > second) & self._are_alike(first, second))
            yield first[chosen], second[chosen]

    def _batches(self, n_listed: Integers) -> Iterator[tuple[int, int]]:
        """Yield ranges of rows with a limited number of products with all rows."""
        n_rows = self._rows.shape[0]
        products = np.concatenate(([0], np.cumsum(n_listed[self._prefix.indices])))
        before = products[self._prefix.indptr]
        start = 0
        while start < n_rows:
            end = int(np.searchsorted(before, before[start] + _MAX_PRODUCTS, side="right")) - 1
            end = min(max(end, start + 1), n_rows)
            yield start, end
            start = end

    def _are_alike(self, first: Integers, second: Integers) -> Flags:
        """Return which pairs may exceed the threshold, by one's sum and the other's maximum."""
        highest, sums = self._highest, self._sum
        most = np.minimum(highest[first] * sums[second], highest[second] * sums[first])
        return most > self._epsilon - SLACK

    def _may_share_enough(self, first: Integers, second: Integers) -> Flags:
        """Return which pairs may exceed the threshold, by the signatures of their columns.

        A bit of one row's highest values that no column of the other has is at least one value that
        is not shared; what is left of both rows bounds the cosine.
        """
        left = [
            1.0
            - self._highest[line] ** 2
            * _n_bits(self._highest_columns[line] & ~self._columns[other])
            for line, other in ((first, second), (second, first))
        ]
        enough: Flags = left[0] * left[1] > (self._epsilon - SLACK) ** 2
        return enough & (left[0] > 0)


def _sums_behind(rows: csr_array, values: Floats) -> Floats:
    """Return, for each value of a matrix, the sum of it and those after it in its row."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    end = np.repeat(sums[rows.indptr[1:]], np.diff(rows.indptr))
    return np.asarray(np.maximum(end - sums[:-1], 0.0) + _DRIFT)


def _chosen_values(rows: csr_array, chosen: Flags) -> csr_array:
    """Return a matrix with only the chosen values."""
    starts = np.concatenate(([0], np.cumsum(chosen)))[rows.indptr]
    return type(rows)((rows.data[chosen], rows.indices[chosen], starts), shape=rows.shape)


def _signatures(rows: csr_array, chosen: Flags) -> NDArray[np.uint16]:
    """Return signatures with a bit for the columns of each row, hashed; shape (n_rows, 16)."""
    signatures = np.zeros((rows.shape[0], _WORDS), dtype=np.uint16)
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))[chosen]
    bit = rows.indices[chosen] % (16 * _WORDS)
    np.bitwise_or.at(signatures, (row, bit // 16), np.left_shift(1, bit % 16).astype(np.uint16))
    return signatures


def _n_bits(signatures: NDArray[np.uint16]) -> Integers:
    """Return how many bits are set in each signature."""
    return np.asarray(_N_BITS[signatures].sum(axis=1, dtype=np.int64))
