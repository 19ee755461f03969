"""The columns of a feature set: which keys at which offsets, counted in training and looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from structce.features.cells import BIAS, Cells
from structce.features.neighbours import prefix

Integers = NDArray[np.int64]
_OFFSET = re.compile(r"(previous|next)(?:-(\d+))?\.(.*)", re.DOTALL)


class Shifts:
    """Cells of a page as the regions around them see them.

    Parameters
    ----------
    windows
        Offsets at which each feature is seen besides its own region.
    """

    def __init__(self, windows: Sequence[tuple[int, ...]]) -> None:
        self.offsets = tuple(sorted({0, *(offset for window in windows for offset in window)}))
        self._seen = np.zeros((len(self.offsets), len(windows) + 1), dtype=bool)
        for i, offset in enumerate(self.offsets):
            self._seen[i, :-1] = [offset == 0 or offset in window for window in windows]
            self._seen[i, -1] = offset == 0  # the bias has -1 for an owner

    def __call__(
        self, cells: Cells
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]]:
        """Yield rows, codes and values at each offset, in the order of ``offsets``."""
        owners = cells.owners[cells.codes]
        for seen, offset in zip(self._seen, self.offsets, strict=True):
            rows = cells.rows - np.int32(offset)
            wanted = np.flatnonzero(seen[owners] & (rows >= 0) & (rows < cells.n_regions))
            yield rows[wanted], cells.codes[wanted], cells.values[wanted]


class Counts:
    """What training pages show of every key at every offset."""

    def __init__(self, shifts: Shifts) -> None:
        self._shifts = shifts
        self._places: dict[str, int] = {}
        n_offsets = len(shifts.offsets)
        self._regions = np.zeros((0, n_offsets), dtype=np.int64)
        self._pages = np.zeros((0, n_offsets), dtype=np.int64)
        self._largest = np.zeros((0, n_offsets), dtype=np.float32)

    def add(self, cells: Cells) -> None:
        """Count the cells of one page."""
        places = self._places
        at = np.array([places.setdefault(key, len(places)) for key in cells.keys], dtype=np.int64)
        self._grow(len(places))
        for o, (_, codes, values) in enumerate(self._shifts(cells)):
            regions = np.bincount(codes, minlength=len(at))
            self._regions[at, o] += regions
            self._pages[at, o] += regions > 0
            large = np.abs(values) > 1
            np.maximum.at(self._largest[:, o], at[codes[large]], np.abs(values[large]))

    def _grow(self, n_keys: int) -> None:
        lacking = n_keys - len(self._regions)
        if lacking > 0:
            more = ((0, max(lacking, len(self._regions))), (0, 0))
            self._regions = np.pad(self._regions, more)
            self._pages = np.pad(self._pages, more)
            self._largest = np.pad(self._largest, more, constant_values=1)

    def kept(self, min_count: int, min_pages: int) -> dict[str, float]:
        """Return the scale of each column that is frequent enough, by its name, sorted.

        Parameters
        ----------
        min_count, min_pages
            Least number of regions and of pages that a column is set in; the bias always stays.
        """
        keep = (self._regions >= max(min_count, 1)) & (self._pages >= min_pages)
        keep[self._places.get(BIAS, 0) : self._places.get(BIAS, -1) + 1, :] |= self._is_own()
        keys = list(self._places)
        starts = [prefix(offset) for offset in self._shifts.offsets]
        at, offsets = np.nonzero(keep[: len(keys)])
        names = {
            starts[o] + keys[i]: float(self._largest[i, o])
            for i, o in zip(at.tolist(), offsets.tolist(), strict=True)
        }
        return dict(sorted(names.items()))

    def _is_own(self) -> NDArray[np.bool_]:
        return np.array([offset == 0 for offset in self._shifts.offsets])


class Lookup:
    """The column of each key at each offset.

    Parameters
    ----------
    columns
        Names of columns, in their order.
    """

    def __init__(self, columns: Sequence[str], offsets: Sequence[int]) -> None:
        numbers = {offset: o for o, offset in enumerate(offsets)}
        self._places: dict[str, int] = {}
        rows: list[int] = []
        where: list[int] = []
        found: list[int] = []
        for j, name in enumerate(columns):
            offset, key = split_name(name)
            if offset in numbers:
                rows.append(self._places.setdefault(key, len(self._places)))
                where.append(numbers[offset])
                found.append(j)
        self._columns = np.full((len(self._places) + 1, len(numbers)), -1, dtype=np.int32)
        self._columns[rows, where] = found

    def __call__(self, keys: Sequence[str]) -> NDArray[np.int32]:
        """Return columns, shape (n_keys, n_offsets); -1 for none."""
        none = len(self._places)
        get = self._places.get
        found: NDArray[np.int32] = self._columns[[get(key, none) for key in keys]]
        return found


def split_name(column: str) -> tuple[int, str]:
    """Return the offset and the key of a column's name.

    >>> split_name("previous-2.dom.tag=p"), split_name("next.text.length:3"), split_name("bias")
    ((-2, 'dom.tag=p'), (1, 'text.length:3'), (0, 'bias'))
    """
    found = _OFFSET.fullmatch(column)
    if found is None:
        return 0, column
    steps = int(found[2] or 1)
    return (-steps if found[1] == "previous" else steps), found[3]
