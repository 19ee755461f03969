"""Keys of a fitted set's columns: which columns each value of a feature sets, at which offset."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from itertools import compress
from math import sqrt
from typing import TypeAlias

import numpy as np

from structce.arrays import Integers, Integers32
from structce.features.columns import column_heads, split_name
from structce.features.encoding import BIAS, member_names
from structce.features.registry import Feature

KeyGroup: TypeAlias = tuple[tuple[int, ...], float]
"""Codes of the keys that a value sets, and the number in their cells."""

_SEPARATOR = re.compile("[=:]")


class FeatureKeys:
    """Codes of the keys of one feature, in the order of their names."""

    def __init__(self) -> None:
        self.plain = -1  # of the feature's own name: a truth value or a number
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

    Parameters
    ----------
    features
        Features of the set.
    columns
        Names of the columns, in order.
    offsets
        Offsets at which neighbours are seen.

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
        self.n_columns = len(columns)
        self.keys: dict[str, FeatureKeys] = {}
        names = {BIAS, *(feature.name for feature in features)}
        numbers = {offset: o for o, offset in enumerate(self.offsets.tolist())}
        heads = column_heads(columns)
        parsed = {head: split_name(head) for head in dict.fromkeys(heads)}
        begins = {head: len(head) - len(name) for head, (_, name) in parsed.items()}
        places = {head: numbers.get(offset, -1) for head, (offset, _) in parsed.items()}
        where = np.array([*map(places.__getitem__, heads)], dtype=np.int64)
        is_seen = where >= 0
        starts = map(begins.__getitem__, heads)
        keys = [column[start:] for column, start in zip(columns, starts, strict=True)]
        keys = keys if is_seen.all() else [*compress(keys, is_seen)]
        codes = dict(zip(dict.fromkeys(keys), range(len(keys)), strict=False))
        owners = _owners([*codes], names)
        for (key, code), own in zip(codes.items(), owners, strict=True):
            for name in own:
                if name not in self.keys:
                    self.keys[name] = FeatureKeys()
                self.keys[name].add(key[len(name) :], code)
        rows = np.fromiter(map(codes.__getitem__, keys), np.int64, len(keys))
        slots = _slots(owners, rows, where[is_seen])
        self.columns: Integers32 = np.full((len(codes), len(numbers)), -1, dtype=np.int32)
        self.columns[rows, where[is_seen]] = np.flatnonzero(is_seen)
        self.features = [feature for feature in features if feature.name in self.keys]
        order = {feature.name: f for f, feature in enumerate(self.features, 1)} | {BIAS: 0}
        known = [(order[name], o) for name, o in slots]
        self.slots: Integers = np.array(known, dtype=np.int64).reshape(-1, 2)


def _owners(keys: Sequence[str], names: Collection[str]) -> list[tuple[str, ...]]:
    """Return the names of the features that each key belongs to; seldom several.

    A name ends at the first separator of a key, unless names contain separators themselves.
    """
    if any(map(_SEPARATOR.search, names)):
        return [tuple(name for name in _starts(key) if name in names) for key in keys]
    heads = column_heads(keys)
    known = {head: (head,) if head in names else () for head in dict.fromkeys(heads)}
    return [*map(known.__getitem__, heads)]


def _starts(key: str) -> list[str]:
    """Return what may be the feature's name in a key: what precedes a separator, or all of it."""
    return [key[: match.start()] for match in _SEPARATOR.finditer(key)] + [key]


def _slots(
    owners: Sequence[tuple[str, ...]], keys: Integers, places: Integers
) -> list[tuple[str, int]]:
    """Return the distinct pairs of a feature and an offset with columns, in their order.

    Parameters
    ----------
    owners
        Names of the features of each key.
    keys, places : shape (n_columns,)
        Index of each column's key, and of its offset.
    """
    numbers = {own: n for n, own in enumerate(dict.fromkeys(owners))}
    groups = np.fromiter(map(numbers.__getitem__, owners), np.int64, len(owners))[keys]
    _, firsts = np.unique(groups * (places.max(initial=0) + 1) + places, return_index=True)
    at = np.sort(firsts)
    pairs = zip(keys[at].tolist(), places[at].tolist(), strict=True)
    return [*dict.fromkeys((name, place) for key, place in pairs for name in owners[key])]
