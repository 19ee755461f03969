"""Columns counted in training and looked up again, whatever the order of keys and pages."""

import re
from collections import Counter

import numpy as np
import pytest

from structce.features.columns import (
    ColumnIndex,
    KeyCounts,
    Windows,
    assemble,
    column_runs,
    column_strengths,
    prefix,
    split_name,
)
from structce.features.encoding import Cells


def make_cells(rows: list[list[str]], owners: dict[str, int]) -> Cells:
    """Return the cells of a page of which each region has some keys."""
    keys = sorted({key for row in rows for key in row})
    pairs = [(i, keys.index(key)) for i, row in enumerate(rows) for key in row]
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return Cells(
        keys=tuple(keys),
        owners=np.array([owners[key[0]] for key in keys], dtype=np.int32),
        rows=table[:, 0],
        codes=table[:, 1],
        values=np.ones(len(pairs), dtype=np.float32),
        n_regions=len(rows),
    )


OWNERS = {"b": -1, "x": 0, "y": 1}
WINDOWS = ((-1, 2), ())


def obvious(rows: list[list[str]]) -> list[set[str]]:
    """Return the columns of each region, written the plain way."""
    columns: list[set[str]] = []
    for i, row in enumerate(rows):
        names = set(row)
        for offset in WINDOWS[0]:
            if 0 <= i + offset < len(rows):
                names |= {prefix(offset) + key for key in rows[i + offset] if key[0] == "x"}
        columns.append(names)
    return columns


@pytest.fixture
def column_names() -> list[list[list[str]]]:
    random = np.random.default_rng(3)
    names = [*(f"x{n}" for n in range(9)), *(f"y{n}" for n in range(9))]
    return [
        [["bias", *(name for name in names if random.random() < 0.2)] for _ in range(size)]
        for size in (6, 1, 9, 4)
    ]


@pytest.mark.parametrize(("min_count", "min_pages"), [(1, 1), (3, 1), (1, 3), (4, 2)])
def test_columns_are_kept_by_regions_and_pages(
    column_names: list[list[list[str]]], min_count: int, min_pages: int
) -> None:
    counts = KeyCounts(Windows(WINDOWS))
    regions: Counter[str] = Counter()
    on_pages: Counter[str] = Counter()
    for page in column_names:
        counts.add(make_cells(page, OWNERS))
        rows = obvious(page)
        regions.update(name for row in rows for name in row)
        on_pages.update(set().union(*rows))
    wanted = {n for n in regions if regions[n] >= min_count and on_pages[n] >= min_pages}
    kept = counts.kept(min_count, min_pages)
    assert list(kept) == sorted(wanted | {"bias"})


def test_every_cell_finds_its_column_again(column_names: list[list[list[str]]]) -> None:
    shifts = Windows(WINDOWS)
    columns = sorted(set().union(*(names for page in column_names for names in obvious(page))))[::2]
    lookup = ColumnIndex(columns, shifts.offsets)
    for page in column_names:
        cells = make_cells(page, OWNERS)
        places = lookup(cells.keys)
        X = assemble(cells, places, shifts.offsets, np.ones(len(columns)))
        assert X.has_sorted_indices
        decoded = [{columns[j] for j in row.indices} for row in X]
        assert decoded == [names & set(columns) for names in obvious(page)]


@pytest.mark.parametrize("offset", [-12, -1, 0, 1, 2])
@pytest.mark.parametrize("key", ["dom.tag=p", "text.token=next.", "text.length:3", "bias"])
def test_a_column_name_says_its_offset_and_key(offset: int, key: str) -> None:
    assert split_name(prefix(offset) + key) == (offset, key)


COLUMNS = sorted(
    prefix(offset) + key
    for offset in (-2, -1, 0, 1)
    for key in """
    bias dom.tag dom.tag-path dom.tag-path=a dom.tag.x=a dom.tag9:1 dom.tag:0 dom.tag:12 dom.tag=
    dom.tag=a dom.tag=a:b dom.tag=a=b dom.tag>x=a text.tag=z
    """.split()
)


@pytest.mark.parametrize("columns", [COLUMNS, COLUMNS[::-1], COLUMNS[:1], []])
def test_runs_of_columns_are_those_with_one_head_and_mark(columns: list[str]) -> None:
    runs = column_runs(columns)
    assert [n for run in runs for n in range(run.begin, run.end)] == [*range(len(columns))]
    for run in runs:
        for column in columns[run.begin : run.end]:
            assert re.findall(r"^([^=:]*)([=:]?)", column) == [(run.head, run.mark)]


def test_sorted_columns_have_one_run_for_each_head_and_mark() -> None:
    runs = column_runs(COLUMNS)
    assert len({(run.head, run.mark) for run in runs}) == len(runs)


def test_a_column_is_as_strong_as_its_feature_and_its_distance() -> None:
    columns = ["bias", "dom.tag=a:b", "next.dom.tag=p", "dom.path=p", "text.length:3", "style.top"]
    strengths = column_strengths(columns, {"dom.tag": 4.0, "dom": 2.0, "text.length": 3.0}, 0.5)
    assert strengths.tolist() == [1, 4, 2, 2, 3, 1]
