"""Columns of a page as bytes that are the same on every machine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from structce.errors import CorpusError
from structce.page import Floats, Integers, Texts
from structce.snapshot.envelope import too_large
from structce.snapshot.fields import damaged

MAX_EXPANDED = 2**29
"""Bytes that a page's addresses and style columns take in memory; more is neither written nor
read. Our choice: five times what 20,000 regions of ordinary pages take."""

Entry = TypeVar("Entry")
Key = TypeVar("Key", bound=Hashable)
Numbers = NDArray[np.generic]


class Writer:
    """Gathers columns of 32-bit numbers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._columns: list[Integers] = []

    def integers(self, values: Sequence[int] | Numbers) -> None:
        """Add a column of integers."""
        given = np.asarray(values)
        kept = given.astype(np.int32)
        if not np.array_equal(kept, given):
            raise self._inexact(kept)
        self._columns.append(kept)

    def floats(self, values: Numbers) -> None:
        """Add a column of floats, by their bits."""
        with np.errstate(over="ignore"):  # said below
            kept = values.astype(np.float32)
        if not np.array_equal(kept, values, equal_nan=True):
            raise self._inexact(kept)
        # NaN has many patterns of bits, and machines differ in which they make.
        kept[np.isnan(kept)] = np.nan
        self._columns.append(kept.view(np.int32))

    def distinct(self, values: Iterable[Key]) -> list[Key]:
        """Add a column of indices; return the distinct values, in order of their first rows."""
        known: dict[Key, int] = {}
        self.integers([known.setdefault(value, len(known)) for value in values])
        return list(known)

    def _inexact(self, kept: Numbers) -> CorpusError:
        return CorpusError(f"{self.name}: the page has numbers that {kept.dtype} does not hold")

    def to_bytes(self) -> bytes:
        """Return all columns: the lowest bytes of all numbers, then the next, and so on.

        Most numbers are small, so that three bytes of four are zero, and compress to nothing.
        """
        table = np.concatenate(self._columns).astype("<i4")
        return table.view(np.uint8).reshape(-1, 4).T.tobytes()


class Reader:
    """Hands out the columns that a :class:`Writer` gathered, in the same order."""

    def __init__(self, data: bytes, name: str) -> None:
        if len(data) % 4:
            raise damaged(name, "half a number at the end of its columns")
        self.name = name
        rows = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(4, -1).T)
        self._table = rows.view("<i4").reshape(-1).astype(np.int32)
        self._place = 0
        self._spent = 0

    def spend(self, n_bytes: int) -> None:
        """Raise an error when what is unpacked so far takes too much memory."""
        self._spent += n_bytes
        if self._spent > MAX_EXPANDED:
            raise too_large(self.name)

    def integers(self, n: int) -> Integers:
        """Return the next ``n`` numbers."""
        column = self._table[self._place : self._place + n]
        if len(column) != n:
            raise damaged(self.name, "a column is missing")
        self._place += n
        return column

    def floats(self, n: int) -> Floats:
        """Return the next ``n`` floats."""
        return self.integers(n).view(np.float32)

    def indices(self, n: int, n_values: int) -> Integers:
        """Return the next ``n`` numbers, which must be below ``n_values``."""
        column = self.integers(n)
        if n and not 0 <= column.min() <= column.max() < n_values:
            raise damaged(self.name, "a column points at nothing")
        return column

    def distinct(self, n: int, values: Sequence[Entry]) -> tuple[Entry, ...]:
        """Return the values that the next ``n`` numbers point at."""
        return tuple(values[i] for i in self.indices(n, len(values)).tolist())

    def strings(self, n: int, values: Sequence[str]) -> NDArray[np.str_]:
        """Return the strings that the next ``n`` numbers point at, as an array."""
        indices = self.indices(n, len(values))
        self.spend(4 * (n + len(values)) * max(map(len, values), default=0))
        return np.array(values, dtype=np.str_)[indices]

    def addresses(self, n: int, rests: Sequence[str]) -> Texts:
        """Return ``n`` addresses, which :func:`shorten` shortened."""
        shared = self.integers(n).tolist()
        addresses, steps = [], [""]
        for k, rest in zip(shared, self.distinct(n, rests), strict=True):
            if not 0 <= k <= len(steps):
                raise damaged(self.name, "an address shares more steps than there are")
            steps = [*steps[:k], *rest.split("/")]
            addresses.append("/".join(steps))
            self.spend(len(addresses[-1]))
        return tuple(addresses)

    def close(self) -> None:
        """Raise an error unless all columns were handed out."""
        if self._place != len(self._table):
            raise damaged(self.name, "more columns than a page has")


def shorten(addresses: Texts) -> tuple[list[int], list[str]]:
    """Return what each address adds to the one before.

    Returns
    -------
    number of steps shared with the address before, and the other steps; never all are shared
    """
    shared, rests, before = [], [], [""]
    for address in addresses:
        steps = address.split("/")
        pairs = enumerate(zip(before, steps[:-1], strict=False))
        n = next((i for i, (a, b) in pairs if a != b), min(len(before), len(steps) - 1))
        shared.append(n)
        rests.append("/".join(steps[n:]))
        before = steps
    return shared, rests
