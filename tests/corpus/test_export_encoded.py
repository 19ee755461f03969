"""Encoded formats, read back by readers that are not ours, and learnt from."""

import json
import re
from dataclasses import replace

import numpy as np
import pycrfsuite
import pytest
from sklearn.datasets import load_svmlight_file

from structce.corpus.export import ENCODED, names_file, write_crfsuite, write_svmlight
from structce.labels import UNKNOWN


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
    found = re.fullmatch(r"((?:[^\\:]|\\.)*)(?::(.*))?", field)
    return unescaped(found[1]), float(found[2] or 1)


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


def test_crfsuite_lines_are_the_columns_of_the_regions(corpus, features, tmp_path):
    write_crfsuite(corpus, tmp_path / "out.crf", features)
    found = [item for sequence in read_crfsuite(tmp_path / "out.crf") for item in sequence]
    pages = expected_items(corpus, features)
    assert found == [item for page in pages for item in page if item[0] != UNKNOWN]
    assert any(":" in name for name in features.columns_)
    assert any(value not in (0, 1) for _, cells in found for value in cells.values())


def test_sequences_end_where_labels_are_unknown(corpus, features, tmp_path):
    left_out = write_crfsuite(corpus, tmp_path / "out.crf", features)
    labels = [[label for label, _ in one] for one in read_crfsuite(tmp_path / "out.crf")]
    assert labels[:4] == [list(page.labels) for page in corpus.pages[:4]]
    assert labels[4:] == [["Title"], ["Multimedia", "Paragraph"]]
    assert left_out == 3


def test_names_with_colons_and_backslashes_are_escaped(corpus, features, tmp_path, monkeypatch):
    odd = tuple(f"a:\\b\t{name}" for name in features.columns_)
    monkeypatch.setattr(features, "columns_", odd)
    write_crfsuite(corpus, tmp_path / "out.crf", features)
    names = {
        name for one in read_crfsuite(tmp_path / "out.crf") for _, cells in one for name in cells
    }
    assert names
    assert names <= {name.replace("\t", " ") for name in odd}


def test_crfsuite_learns_from_what_was_written(corpus, features, tmp_path):
    write_crfsuite(corpus, tmp_path / "out.crf", features)
    trainer = pycrfsuite.Trainer(verbose=False)
    sequences = read_crfsuite(tmp_path / "out.crf")
    for one in sequences:
        trainer.append([cells for _, cells in one], [label for label, _ in one])
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    first = sequences[0]
    assert tagger.tag([cells for _, cells in first]) == [label for label, _ in first]


def test_svmlight_is_read_back_by_scikit_learn(corpus, features, tmp_path):
    out = tmp_path / "out.svm"
    left_out = write_svmlight(corpus, out, features)
    names = json.loads(names_file(out).read_text(encoding="utf-8"))
    X, y, pages = load_svmlight_file(
        str(out), n_features=len(names["columns"]), zero_based=False, query_id=True
    )
    known = [(i, j) for i, page in enumerate(corpus) for j, label in enumerate(page.labels)
             if label != UNKNOWN]  # fmt: skip
    matrices = [features.transform(page.page).toarray() for page in corpus]
    assert names["columns"] == list(features.columns_)
    expected = [matrices[i][j] for i, j in known]
    np.testing.assert_allclose(X.toarray(), expected, rtol=1e-15)  # written with 16 digits
    assert [names["labels"][int(label) - 1] for label in y] == [
        corpus.pages[i].labels[j] for i, j in known
    ]
    assert [names["pages"][page - 1] for page in pages] == [corpus.pages[i].id for i, _ in known]
    assert left_out == 3


@pytest.mark.parametrize("form", list(ENCODED))
def test_nothing_is_left_out_where_all_labels_are_known(corpus, features, tmp_path, form):
    known = replace(corpus, pages=corpus.pages[:4])
    assert ENCODED[form](known, tmp_path / "out", features) == 0


@pytest.mark.parametrize("form", list(ENCODED))
def test_an_older_export_stays_when_writing_fails(corpus, features, tmp_path, monkeypatch, form):
    ENCODED[form](corpus, tmp_path / "out", features)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def broken(corpus):
        yield corpus.pages[0]
        raise OSError("the disk is full")

    monkeypatch.setattr("structce.corpus.export._with_bar", broken)
    with pytest.raises(OSError, match="full"):
        ENCODED[form](replace(corpus, pages=corpus.pages[1:]), tmp_path / "out", features)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
