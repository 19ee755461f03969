"""Plain formats, read back by readers that are not ours."""

import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from structce.corpus.export import (
    PLAIN,
    names_file,
    write_crfsuite,
    write_jsonl,
    write_parquet,
    write_svmlight,
)
from structce.gold import gold_from_json
from structce.labels import UNKNOWN


def regions(corpus):
    """Return page, tag, address, text and label of every region."""
    return [
        (page.id, region.tag, region.xpath, region.text, label)
        for page in corpus
        for region, label in zip(page.page, page.labels, strict=True)
    ]


def test_json_lines_contain_pages_regions_and_gold(odd_corpus, tmp_path):
    write_jsonl(odd_corpus, tmp_path / "out.jsonl")
    with (tmp_path / "out.jsonl").open(encoding="utf-8", newline="\n") as file:
        rows = [json.loads(line) for line in file]
    assert [row["id"] for row in rows] == [page.id for page in odd_corpus]
    rows_read = [
        (row["id"], region["tag"], region["xpath"], region["text"], region["label"])
        for row in rows
        for region in row["regions"]
    ]
    assert rows_read == regions(odd_corpus)
    assert [gold_from_json(row["gold"], row["id"]) for row in rows] == [p.gold for p in odd_corpus]
    odd = rows[4]
    assert (odd["site"], odd["family"], odd["lang"]) == ("odd.example", "family", "de-AT")
    assert [region["box"] for region in odd["regions"][:3]] == [
        [0, 0.12, 0.25, 0.38],
        [0.5, 0.62, 0.75, 0.88],
        None,
    ]


def test_parquet_has_one_typed_row_per_region(odd_corpus, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(odd_corpus, tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    columns = ("page", "tag", "xpath", "text", "label")
    assert list(zip(*(table[name].to_pylist() for name in columns), strict=True)) == regions(
        odd_corpus
    )
    odd = [row for row in table.to_pylist() if row["page"] == "odd"]
    assert [row["number"] for row in odd] == [0, 1, 2, 3, 4]
    assert [row["left"] for row in odd] == [0, 0.5, None, 1.5, 2]
    assert [row["height"] for row in odd] == [0.375, 0.875, None, 1.875, 2.375]
    assert {row["left"] for row in table.to_pylist() if row["page"] == "page0"} == {None}
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["number"], types["left"], types["text"]) == ("int32", "float", "string")
    assert table.schema.metadata[b"digest"].decode() == odd_corpus.digest
    assert not table.schema.field("label").nullable


@pytest.mark.parametrize("form", list(PLAIN))
def test_a_file_is_written_whole_or_not_at_all(odd_corpus, tmp_path, monkeypatch, form):
    out = tmp_path / "new" / "out"
    PLAIN[form](odd_corpus, out)
    before = out.read_bytes()

    def broken(corpus):
        yield corpus.pages[0]
        raise OSError("the disk is full")

    monkeypatch.setattr("structce.corpus.export._with_bar", broken)
    with pytest.raises(OSError, match="full"):
        PLAIN[form](odd_corpus, out)
    assert out.read_bytes() == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def read_crfsuite(path):
    """Return the sequences of a file, read as CRFsuite's manual says."""
    sequences = []
    for block in path.read_text(encoding="utf-8").removesuffix("\n\n").split("\n\n"):
        items = []
        for line in block.split("\n"):
            label, *attributes = line.split("\t")
            items.append((unescaped(label), dict(map(name_and_value, attributes))))
        sequences.append(items)
    return sequences


def name_and_value(field):
    match = re.fullmatch(r"((?:[^\\:]|\\.)*)(?::(.*))?", field)
    return unescaped(match[1]), float(match[2] or 1)


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text)


def expected_items(corpus, features):
    """Return label and cells by column name of each region of known label, by page."""
    pages = []
    for page in corpus:
        rows = features.transform(page.page).toarray()
        cells = [{features.columns_[j]: row[j] for j in np.flatnonzero(row)} for row in rows]
        pages.append(list(zip(page.labels, cells, strict=True)))
    return pages


def test_crfsuite_lines_are_the_columns_of_the_regions(odd_corpus, features, tmp_path):
    write_crfsuite(odd_corpus, tmp_path / "out.crf", features)
    items = [item for sequence in read_crfsuite(tmp_path / "out.crf") for item in sequence]
    pages = expected_items(odd_corpus, features)
    assert items == [item for page in pages for item in page if item[0] != UNKNOWN]
    assert any(":" in name for name in features.columns_)
    assert any(value not in (0, 1) for _, cells in items for value in cells.values())


def test_sequences_end_where_labels_are_unknown(odd_corpus, features, tmp_path):
    left_out = write_crfsuite(odd_corpus, tmp_path / "out.crf", features)
    labels = [[label for label, _ in sequence] for sequence in read_crfsuite(tmp_path / "out.crf")]
    assert labels[:4] == [list(page.labels) for page in odd_corpus.pages[:4]]
    assert labels[4:] == [["Title"], ["Multimedia", "Paragraph"]]
    assert left_out == 3


def test_svmlight_is_read_back_by_scikit_learn(odd_corpus, features, tmp_path):
    out = tmp_path / "out.svm"
    left_out = write_svmlight(odd_corpus, out, features)
    names = json.loads(names_file(out).read_text(encoding="utf-8"))
    X, y, pages = load_svmlight_file(
        str(out), n_features=len(names["columns"]), zero_based=False, query_id=True
    )
    known = [(i, j) for i, page in enumerate(odd_corpus) for j, label in enumerate(page.labels)
             if label != UNKNOWN]  # fmt: skip
    matrices = [features.transform(page.page).toarray() for page in odd_corpus]
    assert names["columns"] == list(features.columns_)
    expected = [matrices[i][j] for i, j in known]
    np.testing.assert_allclose(X.toarray(), expected, rtol=1e-15)  # written with 16 digits
    assert [names["labels"][int(label) - 1] for label in y] == [
        odd_corpus.pages[i].labels[j] for i, j in known
    ]
    assert [names["pages"][page - 1] for page in pages] == [
        odd_corpus.pages[i].id for i, _ in known
    ]
    assert left_out == 3
