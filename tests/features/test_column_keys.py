"""Keys of columns: the feature of each column, and the offsets at which a feature has columns."""

from collections.abc import Sequence

import numpy as np
import pytest

from structce.features.column_keys import ColumnKeys
from structce.features.registry import FeatureRegistry, feature


def keys_of(names: Sequence[str], columns: Sequence[str]) -> ColumnKeys:
    """Return the keys of columns of features with the given names."""
    registry = FeatureRegistry()
    for name in names:
        feature("text", name=name, registry=registry)(lambda page: [None] * len(page))
    return ColumnKeys([*registry.values()], columns, [-1, 0, 1])


COLUMNS = (
    "bias",
    "next.text.word=a:b",
    "text.size:0",
    "text.size:11",
    "text.word",
    "text.word=",
    "text.word=a:b",
    "text.word=c",
    "previous-2.text.word=c",
    "other.word=c",
)


def test_every_column_belongs_to_the_feature_that_its_name_begins_with() -> None:
    keys = keys_of(["word", "size", "unused"], COLUMNS)
    assert [own.name for own in keys.features] == ["text.word", "text.size"]
    assert keys.keys["text.size"].bins.keys() == {0, 11}
    assert keys.keys["text.word"].members.keys() == {"", "a:b", "c"}
    assert keys.keys["bias"].plain >= 0


def test_columns_are_found_by_key_and_offset() -> None:
    keys = keys_of(["word", "size"], COLUMNS)
    code = keys.keys["text.word"].members["a:b"]
    assert keys.columns[code].tolist() == [-1, 6, 1]
    assert sorted(keys.columns[keys.columns >= 0].tolist()) == [0, 1, 2, 3, 4, 5, 6, 7, 9]


def test_slots_are_the_features_and_offsets_with_columns_in_the_order_of_the_columns() -> None:
    keys = keys_of(["word", "size"], COLUMNS)
    assert keys.slots.tolist() == [[0, 1], [1, 2], [2, 1], [1, 1]]


@pytest.mark.parametrize("columns", [(), ("next-9.text.word=a",)])
def test_a_set_without_columns_that_are_seen_has_no_slots(columns: Sequence[str]) -> None:
    keys = keys_of(["word"], columns)
    assert keys.slots.shape == (0, 2)
    assert not np.any(keys.columns >= 0)


def test_a_key_may_belong_to_two_features_if_a_name_has_a_separator() -> None:
    keys = keys_of(["word", "word=a"], ["text.word=a:1"])
    assert keys.keys["text.word"].members.keys() == {"a:1"}
    assert keys.keys["text.word=a"].bins.keys() == {1}
    assert keys.slots.tolist() == [[1, 1], [2, 1]]
