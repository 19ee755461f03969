"""Keys of columns: the feature of each column, and the offsets at which a feature has columns."""

from collections.abc import Sequence

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
    "text.word=a:b",
    "text.word=c",
    "previous-2.text.word=c",
    "other.word=c",
)
NONE = len(COLUMNS)


def test_the_features_with_columns_are_kept_and_the_offsets_of_each() -> None:
    keys = keys_of(["word", "size", "unused"], COLUMNS)
    assert [own.name for own in keys.features] == ["text.word", "text.size"]
    assert {name: own.offsets for name, own in keys.keys.items()} == {
        "bias": (0,),
        "text.word": (0, 1),
        "text.size": (0,),
    }


def test_columns_are_found_by_key_and_offset() -> None:
    keys = keys_of(["word", "size"], COLUMNS).keys
    assert keys["bias"].columns("") == (0,)
    assert keys["text.word"].columns("") == (4, NONE)
    assert keys["text.word"].columns("=a:b") == (5, 1)
    assert keys["text.size"].columns(":11") == (3,)


def test_a_key_without_columns_has_none() -> None:
    keys = keys_of(["word", "size"], COLUMNS).keys
    assert keys["text.word"].columns("=b") == ()
    assert keys["text.size"].columns("") == ()


@pytest.mark.parametrize("columns", [(), ("next-9.text.word=a",)])
def test_a_feature_whose_columns_are_all_too_far_away_is_left_out(columns: Sequence[str]) -> None:
    keys = keys_of(["word"], columns)
    assert not keys.keys
    assert not keys.features


def test_a_key_may_belong_to_two_features_if_a_name_has_a_separator() -> None:
    keys = keys_of(["word", "word=a"], ["text.word=a:1"]).keys
    assert keys["text.word"].columns("=a:1") == (0,)
    assert keys["text.word=a"].columns(":1") == (0,)
