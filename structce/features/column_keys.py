"""Keys of a fitted set's columns: which columns each value of a feature sets, at which offset."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from math import sqrt
from typing import TypeAlias

import numpy as np

from structce.arrays import Integers, Integers32
from structce.features.columns import ColumnIndex, column_heads
from structce.features.encoding import BIAS, member_names
from structce.features.registry import Feature

KeyGroup: TypeAlias = tuple[tuple[int, ...], float]
"""Codes of the keys that a value sets, and the number in their cells."""

_SEPARATOR = re.compile("[=:]")


class FeatureKeys:
    """Codes of the keys of one feature, in the order of their names."""

    def __init__(self) -> None:
        self.plain = -1  # code of the feature's own name: a truth value or a number
        self.bins: dict[int, int] = {}
        self.members: dict[str, int] = {}

    def add(self, rest: str, code: int) -> None:
        """Add the key whose name ends with ``rest``: nothing, ``:3`` or ``=by``."""
        if not rest:
            self.plain = self.members[""] = code
        elif rest[0] == "=":
            self.members[rest[1:]] = code
        elif rest[1:].isdecimal():
            self.bins[int(rest[1:])] = code

    def group(self, name: str, value: Hashable, unit_norm: bool) -> KeyGroup:
        """Return which codes a value sets, and to what."""
        known = self.members
        members = member_names(name, value)
        codes = [code for code in map(known.get, members) if code is not None]
        if len(codes) > 1:
            codes.sort()
        return tuple(codes), 1 / sqrt(max(len(members), 1)) if unit_norm else 1.0


class ColumnKeys:
    """Keys with columns, by feature.

    Attributes
    ----------
    features
        Features with at least one column.
    keys
        Keys by the name of their feature, including the bias.
    columns : shape (n_keys, n_offsets)
        Column of each key at each offset; -1 for none.
    slots : shape (n_slots, 2)
        Pairs with columns: number of the feature, 0 for the bias and from 1 for ``features``, and
        index into ``offsets``. In the order of the columns.
    """

    def __init__(
        self, features: Sequence[Feature], columns: Sequence[str], offsets: Sequence[int]
    ) -> None:
        self.offsets: Integers = np.array(offsets, dtype=np.int64)
        self.keys: dict[str, FeatureKeys] = {}
        names = {BIAS, *(feature.name for feature in features)}
        index = ColumnIndex(columns, offsets)
        owners = _owners([*index.codes], names)
        for (key, code), own in zip(index.codes.items(), owners, strict=True):
            for name in own:
                if name not in self.keys:
                    self.keys[name] = FeatureKeys()
                self.keys[name].add(key[len(name) :], code)
        self.columns: Integers32 = index.columns[:-1]
        self.features = [feature for feature in features if feature.name in self.keys]
        order = {feature.name: f for f, feature in enumerate(self.features, 1)} | {BIAS: 0}
        known = [(order[name], o) for name, o in _slots(owners, self.columns)]
        self.slots: Integers = np.array(known, dtype=np.int64).reshape(-1, 2)


def _owners(keys: Sequence[str], names: Collection[str]) -> list[tuple[str, ...]]:
    """Return the names of the features that each key belongs to; seldom several.

    A name ends at the first separator of a key, unless names contain separators themselves.
    """
    if any(map(_SEPARATOR.search, names)):
        starts = ([key[: m.start()] for m in _SEPARATOR.finditer(key)] + [key] for key in keys)
        return [tuple(name for name in own if name in names) for own in starts]
    heads = column_heads(keys)
    known = {head: (head,) if head in names else () for head in dict.fromkeys(heads)}
    return [*map(known.__getitem__, heads)]


def _slots(owners: Sequence[tuple[str, ...]], columns: Integers32) -> list[tuple[str, int]]:
    """Return the distinct pairs of a feature and an offset with columns, in their order.

    ``owners`` are the features of each key; ``columns`` has the shape (n_keys, n_offsets).
    """
    cells = np.flatnonzero(columns >= 0)
    cell_of = np.full(columns.max(initial=-1) + 1, -1)
    cell_of[columns.ravel()[cells]] = cells
    keys, places = np.divmod(cell_of[cell_of >= 0], columns.shape[1])
    numbers = {own: n for n, own in enumerate(dict.fromkeys(owners))}
    groups = np.fromiter(map(numbers.__getitem__, owners), np.int64, len(owners))[keys]
    _, firsts = np.unique(groups * (places.max(initial=0) + 1) + places, return_index=True)
    at = np.sort(firsts)
    pairs = zip(keys[at].tolist(), places[at].tolist(), strict=True)
    return [*dict.fromkeys((name, place) for key, place in pairs for name in owners[key])]
