"""Columns counted in training and looked up again, whatever the order of keys and pages."""

import re
from collections import Counter

import numpy as np
import pytest

from structce.features.columns import (
    Columns,
    KeyCounts,
    column_runs,
    prefix,
    split_name,
)
from structce.features.encoding import Cells, CellSettings
from structce.features.registry import FeatureRegistry, feature

WINDOWS = ((-1, 2), ())
OFFSETS = (-1, 0, 2)
OWNERS = {"bias": -1, "text.x": 0, "text.y": 1}


def settings_of(names):
    """Return the settings of features with the given names."""
    registry = FeatureRegistry()
    for name in names:
        feature("text", name=name, registry=registry)(lambda page: [None] * len(page))
    return CellSettings(tuple(registry.values()))


def make_cells(rows):
    """Return the cells of a page of which each region has some keys."""
    keys = sorted({key for row in rows for key in row})
    pairs = [(i, keys.index(key)) for i, row in enumerate(rows) for key in row]
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    owners = np.array([OWNERS[key.split("=")[0]] for key in keys], dtype=np.int32)
    ones = np.ones(len(pairs), dtype=np.float32)
    return Cells(tuple(keys), owners, *table.T, ones, len(rows))


def obvious(rows):
    """Return the columns of each region, written the plain way."""
    columns = []
    for i, row in enumerate(rows):
        names = set(row)
        for offset in WINDOWS[0]:
            if 0 <= i + offset < len(rows):
                near = rows[i + offset]
                names |= {prefix(offset) + key for key in near if key.startswith("text.x")}
        columns.append(names)
    return columns


@pytest.fixture
def column_names():
    random = np.random.default_rng(3)
    names = [*(f"text.x={n}" for n in range(9)), *(f"text.y={n}" for n in range(9))]
    return [
        [["bias", *(name for name in names if random.random() < 0.2)] for _ in range(size)]
        for size in (6, 1, 9, 4)
    ]


@pytest.mark.parametrize(("min_count", "min_pages"), [(1, 1), (3, 1), (1, 3), (4, 2)])
def test_columns_are_kept_by_regions_and_pages(column_names, min_count, min_pages):
    counts, regions, on_pages = KeyCounts(WINDOWS), Counter(), Counter()
    for page in column_names:
        counts.add(make_cells(page))
        rows = obvious(page)
        regions.update(name for row in rows for name in row)
        on_pages.update(set().union(*rows))
    wanted = {n for n in regions if regions[n] >= min_count and on_pages[n] >= min_pages}
    kept = counts.kept(min_count, min_pages)
    assert list(kept) == sorted(wanted | {"bias"})


def test_every_cell_finds_its_column_again(column_names):
    names = sorted(set().union(*(own for page in column_names for own in obvious(page))))[::2]
    settings = settings_of(["x", "y"])
    columns = Columns(settings, names, OFFSETS, np.ones(len(names)))
    for page in column_names:
        X = columns.matrix(make_cells(page), settings.features)
        assert X.has_sorted_indices
        decoded = [{names[j] for j in row.indices} for row in X]
        assert decoded == [own & set(names) for own in obvious(page)]


COLUMNS = (
    "bias", "next.text.word=a:b", "other.word=c", "previous-2.text.word=c", "text.size:0",
    "text.size:11", "text.word", "text.word=a:b", "text.word=c",
)  # fmt: skip
NONE = len(COLUMNS)


def columns_of(names, columns):
    return Columns(settings_of(names), columns, (-1, 0, 1), np.ones(len(columns)))


def test_columns_are_found_by_feature_key_and_offset():
    columns = columns_of(["word", "size", "unused"], COLUMNS)
    assert [own.name for own in columns.features] == ["text.word", "text.size"]
    own, offsets = columns.by_name, {"bias": (0,), "text.word": (0, 1), "text.size": (0,)}
    assert {name: found.offsets for name, found in own.items()} == offsets
    assert own["bias"].of("") == [(0,)]
    assert own["text.word"].of("", "=a:b", "=b") == [(6, NONE), (7, 1), ()]
    assert own["text.size"].of(":11", "") == [(5,), ()]


@pytest.mark.parametrize("columns", [(), ("next-9.text.word=a",)])
def test_feature_outside_every_window_is_left_out(columns):
    assert not columns_of(["word"], columns).by_name


def test_key_may_belong_to_two_features():
    own = columns_of(["word", "word=a"], ["text.word=a:1"]).by_name
    assert own["text.word"].of("=a:1") == own["text.word=a"].of(":1") == [(0,)]


@pytest.mark.parametrize("offset", [-12, -1, 0, 1, 2])
@pytest.mark.parametrize("key", ["dom.tag=p", "text.token=next.", "text.length:3", "bias"])
def test_a_column_name_says_its_offset_and_key(offset, key):
    assert split_name(prefix(offset) + key) == (offset, key)


MARKED = sorted(
    prefix(offset) + key
    for offset in (-2, -1, 0, 1)
    for key in """
    bias dom.tag dom.tag-path dom.tag-path=a dom.tag.x=a dom.tag9:1 dom.tag:0 dom.tag:12 dom.tag=
    dom.tag=a dom.tag=a:b dom.tag=a=b dom.tag>x=a text.tag=z
    """.split()
)


@pytest.mark.parametrize("columns", [MARKED, MARKED[:1], []])
def test_runs_of_columns_are_those_with_one_head_and_mark(columns):
    runs = list(column_runs(columns))
    assert [n for *_, begin, end in runs for n in range(begin, end)] == [*range(len(columns))]
    for offset, name, begin, end in runs:
        heads = {re.findall(r"^([^=:]*)([=:]?)", column)[0] for column in columns[begin:end]}
        assert [head for head, _ in heads] == [prefix(offset) + name]
