"""Keys of a fitted set's columns: which columns each value of a feature sets, at which offset."""

from __future__ import annotations

from collections.abc import Sequence

from structce.features.columns import column_runs, head_of, prefix, split_name
from structce.features.encoding import BIAS
from structce.features.registry import Feature


class FeatureKeys:
    """Columns of the keys of one feature.

    Parameters
    ----------
    name
        Name of the feature, with which all of its keys begin.
    numbers
        Number of each column of the set.
    offsets
        Offsets at which the feature has columns.
    """

    def __init__(self, name: str, numbers: dict[str, int], offsets: Sequence[int]) -> None:
        self.offsets = tuple(offsets)
        self._starts = [f"{prefix(offset)}{name}" for offset in offsets]
        self._numbers = numbers

    def columns(self, rest: str) -> tuple[int, ...]:
        """Return the column of a key at each offset; empty if it has no column.

        Where it has none, the result is the number of columns.

        Parameters
        ----------
        rest
            What follows the name of the feature: nothing, ``:3`` or ``=by``.
        """
        find, none = self._numbers.get, len(self._numbers)
        columns = tuple([find(start + rest, none) for start in self._starts])
        return columns if min(columns) < none else ()


class ColumnKeys:
    """Keys with columns, by feature.

    Keys are looked up by name. A dictionary of the columns is ten times as quick to create as one
    of each feature's values, which would take longer than labelling a page.

    Attributes
    ----------
    features
        Features with columns. One that has a mark in its name, as in ``text.word=a``, is always
        among them if there are columns of the feature that its name begins with.
    keys
        Keys by the name of their feature, including the bias.
    """

    def __init__(
        self, features: Sequence[Feature], columns: Sequence[str], offsets: Sequence[int]
    ) -> None:
        numbers = dict(zip(columns, range(len(columns)), strict=True))
        seen: dict[str, set[int]] = {}  # offsets by feature
        for head in {run.head for run in column_runs(columns)}:
            offset, name = split_name(head)
            seen.setdefault(name, set()).add(offset)
        self.offsets = tuple(offsets)
        self.keys: dict[str, FeatureKeys] = {}
        for name in (BIAS, *(feature.name for feature in features)):
            own = seen.get(head_of(name)[0], set())
            if shown := [offset for offset in offsets if offset in own]:
                self.keys[name] = FeatureKeys(name, numbers, shown)
        self.features = [feature for feature in features if feature.name in self.keys]
