"""The pages of a split as matrices that travel to workers cheaply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from structce.labels import LabelSet

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Encoded:
    """Pages as one matrix and one array of label indices, with the borders between them.

    A page's own matrix is a view; a few large arrays are what workers can share in memory.

    Parameters
    ----------
    rows : shape (n_regions, n_columns)
    labels : shape (n_regions,)
        -1 where nobody knows the label.
    borders : shape (n_pages + 1,)
        Where each page begins, and the last ends.
    """

    rows: csr_matrix
    labels: Labels
    borders: Labels

    @classmethod
    def of(cls, X: Sequence[csr_matrix], y: Sequence[Labels], n_columns: int) -> Encoded:
        """Return pages, stacked; there may be none."""
        empty = csr_matrix(np.zeros((0, n_columns), dtype=X[0].dtype if X else np.float32))
        borders = np.cumsum([0, *(len(labels) for labels in y)])
        labels = np.concatenate([np.zeros(0, dtype=np.int64), *y])
        return cls(vstack([empty, *X], format="csr"), labels, borders.astype(np.int64))

    def __len__(self) -> int:
        return len(self.borders) - 1

    def __add__(self, other: Encoded) -> Encoded:
        rows = vstack([self.rows, other.rows], format="csr")
        borders = np.concatenate([self.borders, self.borders[-1] + other.borders[1:]])
        return Encoded(rows, np.concatenate([self.labels, other.labels]), borders)

    @property
    def matrices(self) -> list[csr_matrix]:
        """One matrix a page, shape (n_regions, n_columns)."""
        return [self._page(first, last) for first, last in pairwise(self.borders.tolist())]

    @property
    def targets(self) -> list[Labels]:
        """One array of label indices a page, shape (n_regions,)."""
        return [self.labels[first:last] for first, last in pairwise(self.borders.tolist())]

    def take(self, places: NDArray[np.int64]) -> Encoded:
        """Return the pages with some of their columns, much cheaper than encoding again."""
        return Encoded(self.rows[:, places], self.labels, self.borders)

    def pages(self, chosen: Sequence[int]) -> Encoded:
        """Return some of the pages, by their number."""
        X, y = self.matrices, self.targets
        return Encoded.of([X[i] for i in chosen], [y[i] for i in chosen], self.rows.shape[1])

    def _page(self, first: int, last: int) -> csr_matrix:
        begin, end = self.rows.indptr[first], self.rows.indptr[last]
        borders = self.rows.indptr[first : last + 1] - begin
        cells = self.rows.data[begin:end], self.rows.indices[begin:end], borders
        return csr_matrix(cells, shape=(last - first, self.rows.shape[1]), copy=False)


@dataclass(frozen=True, eq=False)
class Data:
    """The three parts of a split, encoded with the columns of the training pages.

    Parameters
    ----------
    columns
        Their names.
    """

    train: Encoded
    validation: Encoded
    test: Encoded
    columns: tuple[str, ...]
    label_set: LabelSet

    def take(self, places: NDArray[np.int64]) -> Data:
        """Return the data with the columns at some places alone."""
        return Data(
            self.train.take(places),
            self.validation.take(places),
            self.test.take(places),
            tuple(self.columns[i] for i in places.tolist()),
            self.label_set,
        )
