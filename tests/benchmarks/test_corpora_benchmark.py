"""The benchmark of corpora, on a data set of two pages."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.corpora import alignment, reading
from benchmarks.corpora.archives import data_sets

HTML = "<html lang=en><h1>Ferry</h1><p>The ferry will not sail.</p><p hidden>It is old.</p></html>"


@pytest.fixture
def data_set_folder(tmp_path: Path) -> Path:
    """One page with gold, of which a line is hidden, and one that is not there."""
    root = tmp_path / "sets" / "article-extraction-benchmark"
    (root / "html").mkdir(parents=True)
    (root / "html/a.html.gz").write_bytes(gzip.compress(HTML.encode(), mtime=0))
    gold = {
        "a": {
            "articleBody": "The ferry will not sail.\nIt is old.\nNobody wrote this.",
            "url": "https://post.example/a",
        },
        "b": {"articleBody": "Nothing.", "url": "https://post.example/b"},
    }
    (root / "ground-truth.json").write_text(json.dumps(gold))
    return tmp_path / "sets"


def test_pages_and_values_are_counted_and_nothing_is_lost_silently(data_set_folder: Path) -> None:
    ((reader, path),) = data_sets(data_set_folder)
    figures = alignment.measure(reader, path)
    assert (figures["data_set"], figures["pages"]) == ("article-extraction-benchmark", 1)
    assert list(figures["failed"]) == ["b"]
    assert figures["error_rate"] == 0.5
    (row,) = figures["fields"]
    assert (row["gold"], row["found"], row["missing"]) == (3, 1, 2)
    assert row["lost_in_text"] == 1  # the hidden line stands in the document, the other nowhere


def test_reading_is_measured_in_both_ways(data_set_folder: Path) -> None:
    ((reader, path),) = data_sets(data_set_folder)
    ways = reading.measure(reader, path)
    assert [(row["way"], row["pages"]) for row in ways] == [("read", 2), ("import", 2)]
    assert all(row["pages_a_second"] > 0 for row in ways)
    assert all(row["megabytes_at_most"] >= row["samples"][0]["megabytes"] for row in ways)
