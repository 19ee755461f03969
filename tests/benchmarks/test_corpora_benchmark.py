"""The benchmark of corpora, on a data set of two pages."""

import gzip
import json

from benchmarks.corpora import alignment_rows, data_sets

HTML = "<html lang=en><h1>Ferry</h1><p>The ferry will not sail.</p><p hidden>It is old.</p></html>"


def test_pages_and_values_of_a_data_set_are_counted(tmp_path):
    root = tmp_path / "article-extraction-benchmark"
    (root / "html").mkdir(parents=True)
    (root / "html/a.html.gz").write_bytes(gzip.compress(HTML.encode(), mtime=0))
    texts = {"a": "The ferry will not sail.\nIt is old.\nNobody wrote this.", "b": "Nothing."}
    gold = {name: {"articleBody": text, "url": f"https://post.example/{name}"}
            for name, text in texts.items()}  # fmt: skip
    (root / "ground-truth.json").write_text(json.dumps(gold))
    ((reader, path),) = data_sets(tmp_path)
    (row,) = alignment_rows(reader, path)
    assert (row["data set"], row["pages"], row["failed"]) == ("article-extraction-benchmark", 1, 1)
    assert (row["gold"], row["found"], row["missing"]) == (3, 1, 2)
    assert row["lost in text"] == 1  # the hidden line is in the document, the other is nowhere
