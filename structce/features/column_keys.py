"""Keys of a fitted set's columns: which columns each value of a feature sets, at which offset."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
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
_MAX_KNOWN = 1024  # values of one feature that are remembered


class FeatureKeys:
    """Codes of the keys of one feature, in the order of their names."""

    def __init__(self) -> None:
        self.plain = -1  # code of the feature's own name: a truth value or a number
        self.bins: dict[int, int] = {}
        self.members: dict[str, int] = {}
        self._known: dict[Hashable, KeyGroup] = {}

    def add(self, rest: str, code: int) -> None:
        """Add the key whose name ends with ``rest``: nothing, ``:3`` or ``=by``."""
        if not rest:
            self.plain = self.members[""] = code
        elif rest[0] == "=":
            self.members[rest[1:]] = code
        elif rest[1:].isdecimal():
            self.bins[int(rest[1:])] = code

    def group(self, name: str, value: Hashable, unit_norm: bool) -> KeyGroup:
        """Return which codes a value sets, and to what; the result is cached."""
        group = self._known.get(value)
        if group is None:
            group = self.read_group(name, value, unit_norm)
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[value] = group
        return group

    def read_group(self, name: str, value: Hashable, unit_norm: bool) -> KeyGroup:
        """Return which codes a value sets, and to what."""
        known = self.members
        members = member_names(name, value)
        codes = [known[member] for member in members if member in known]
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
        names_in = _starts if any(map(_SEPARATOR.search, names)) else _start
        owners: dict[str, tuple[str, ...]] = {}
        for key, code in codes.items():
            owners[key] = tuple(name for name in names_in(key) if name in names)
            for name in owners[key]:
                if name not in self.keys:
                    self.keys[name] = FeatureKeys()
                self.keys[name].add(key[len(name) :], code)
        pairs = dict.fromkeys(
            zip(map(owners.__getitem__, keys), where[is_seen].tolist(), strict=True)
        )
        slots = dict.fromkeys((name, place) for own, place in pairs for name in own)
        self.columns: Integers32 = np.full((len(codes), len(numbers)), -1, dtype=np.int32)
        rows = np.array([*map(codes.__getitem__, keys)], dtype=np.int64)
        self.columns[rows, where[is_seen]] = np.flatnonzero(is_seen)
        self.features = [feature for feature in features if feature.name in self.keys]
        order = {feature.name: f for f, feature in enumerate(self.features, 1)} | {BIAS: 0}
        known = [(order[name], o) for name, o in slots]
        self.slots: Integers = np.array(known, dtype=np.int64).reshape(-1, 2)


def _start(key: str) -> list[str]:
    """Return what precedes the first separator of a key, or all of a key without one."""
    return column_heads([key])


def _starts(key: str) -> list[str]:
    """Return what may be the feature's name in a key: what precedes a separator, or all of it."""
    return [key[: match.start()] for match in _SEPARATOR.finditer(key)] + [key]
