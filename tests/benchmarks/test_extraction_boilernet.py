"""Measurement of BoilerNet on CleanEval, and the pages that the shipped model learns from."""

import numpy as np
import pytest

from benchmarks.extraction.boilernet import Page, Row, add_row, measure, read_rows, table
from benchmarks.extraction.boilernet_model import as_tables
from benchmarks.extraction.cleaneval import PAPER
from structce.extraction import ParsedDocument, make_extractor
from structce.extraction.boilernet import text_leaves
from structce.rendering import Document

PAGE = "<nav><a>Home</a></nav><main><h1>Title</h1><p>The ferry <span>will</span> stop</p></main>"


def paths(leaves):
    paths = []
    for i in leaves.element.tolist():
        names = []
        while i >= 0:
            names.append(leaves.tag[i])
            i = leaves.parent[i]
        paths.append(names[::-1])
    return paths


@pytest.mark.parametrize("seed", range(8))
def test_a_page_in_tables_has_the_same_texts_in_other_elements(seed):
    leaves = text_leaves(ParsedDocument(PAGE))
    turned = as_tables(leaves, np.random.default_rng(seed))
    assert turned.text == leaves.text
    assert (turned.parent < np.arange(len(turned.tag))).all()
    for path in paths(turned):
        assert path[:2] == ["html", "body"]
        assert not {"nav", "main", "span"} & set(path)
        assert path.count("table") == path.count("td")
    assert paths(turned)[0][-1] == "a"


def test_tables_are_not_those_of_every_page():
    leaves = text_leaves(ParsedDocument(PAGE))
    views = {str(paths(as_tables(leaves, np.random.default_rng(seed)))) for seed in range(8)}
    assert len(views) > 4


def test_an_extractor_is_measured_by_the_leaves_of_its_text():
    pages = [
        Page(Document("<ul><li>Home news</ul><p>The ferry will stop"), "The ferry will stop", False)
    ]
    row = measure("plain", make_extractor("plain"), pages)
    assert (row.n_pages, row.n_leaves, row.n_failures) == (1, 2, 0)
    assert row.scores == pytest.approx((0, 0, 0, 0.5, 1, 2 / 3))


def test_finished_rows_are_kept(tmp_path):
    rows = [Row("BoilerNet, seed 0", (0.5,) * 6, 3, 40), Row("bte", (0.25,) * 6, 3, 40, 1)]
    path = tmp_path / "rows.jsonl"
    for row in rows:
        add_row(path, row)
    assert list(read_rows(path)) == rows
    shown = table(rows)
    assert "| BoilerNet, mean" in shown
    assert all(f"| {name}, paper" in shown for name in PAPER)


def test_without_a_file_there_are_no_rows(tmp_path):
    assert list(read_rows(None)) == list(read_rows(tmp_path / "none.jsonl")) == []
