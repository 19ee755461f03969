"""Plain formats, read back by readers that are not ours."""

import csv
import json
import sys

import pytest

from structce.corpus.export import PLAIN, write_jsonl, write_parquet, write_tsv
from structce.errors import MissingExtraError
from structce.gold import gold_from_json


def regions(corpus):
    """Return page, tag, address, text and label of every region."""
    return [
        (page.id, region.tag, region.xpath, region.text, label)
        for page in corpus
        for region, label in zip(page.page, page.labels, strict=True)
    ]


def test_json_lines_hold_pages_regions_and_gold(corpus, tmp_path):
    write_jsonl(corpus, tmp_path / "out.jsonl")
    with (tmp_path / "out.jsonl").open(encoding="utf-8", newline="\n") as file:
        rows = [json.loads(line) for line in file]
    assert [row["id"] for row in rows] == [page.id for page in corpus]
    found = [
        (row["id"], one["tag"], one["xpath"], one["text"], one["label"])
        for row in rows
        for one in row["regions"]
    ]
    assert found == regions(corpus)
    assert [gold_from_json(row["gold"], row["id"]) for row in rows] == [p.gold for p in corpus]
    odd = rows[4]
    assert (odd["site"], odd["family"], odd["lang"]) == ("odd.example", "family", "de-AT")
    assert [one["box"] for one in odd["regions"][:3]] == [
        [0, 0.12, 0.25, 0.38],
        [0.5, 0.62, 0.75, 0.88],
        None,
    ]


def test_parquet_holds_a_typed_row_a_region(corpus, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(corpus, tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    columns = ("page", "tag", "xpath", "text", "label")
    assert list(zip(*(table[name].to_pylist() for name in columns), strict=True)) == regions(corpus)
    odd = [row for row in table.to_pylist() if row["page"] == "odd"]
    assert [row["number"] for row in odd] == [0, 1, 2, 3, 4]
    assert [row["left"] for row in odd] == [0, 0.5, None, 1.5, 2]
    assert [row["height"] for row in odd] == [0.375, 0.875, None, 1.875, 2.375]
    assert {row["left"] for row in table.to_pylist() if row["page"] == "page0"} == {None}
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["number"], types["left"], types["text"]) == ("int32", "float", "string")
    assert table.schema.metadata[b"digest"].decode() == corpus.digest
    assert not table.schema.field("label").nullable


def test_parquet_is_written_in_row_groups(corpus, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("structce.corpus.export._ROWS", 20)
    write_parquet(corpus, tmp_path / "out.parquet")
    assert parquet.ParquetFile(tmp_path / "out.parquet").num_row_groups > 2
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == len(regions(corpus))


def test_without_pyarrow_the_extra_is_named(corpus, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"structce\[parquet\]"):
        write_parquet(corpus, tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_tab_separated_values_are_read_back_by_csv(corpus, tmp_path):
    write_tsv(corpus, tmp_path / "out.tsv")
    found, page = [], ""
    with (tmp_path / "out.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row and row[0].startswith("# page = "):
                page = row[0].removeprefix("# page = ")
            elif row and not row[0].startswith("#"):
                text = row[3].encode("raw_unicode_escape").decode("unicode_escape")
                found.append((page, row[1], row[2], text, row[4]))
    assert found == regions(corpus)


def test_tab_separated_pages_end_with_a_blank_line(corpus, tmp_path):
    write_tsv(corpus, tmp_path / "out.tsv")
    text = (tmp_path / "out.tsv").read_text(encoding="utf-8")
    assert text.startswith("# columns = number tag xpath text label\n# page = page0\n# site = ")
    assert text.endswith("\n\n")
    assert text.count("\n\n") == len(corpus)


@pytest.mark.parametrize("form", list(PLAIN))
def test_a_file_is_written_whole_or_not_at_all(corpus, tmp_path, monkeypatch, form):
    out = tmp_path / "new" / "out"
    PLAIN[form](corpus, out)
    before = out.read_bytes()

    def broken(corpus):
        yield corpus.pages[0]
        raise OSError("the disk is full")

    monkeypatch.setattr("structce.corpus.export._with_bar", broken)
    with pytest.raises(OSError, match="full"):
        PLAIN[form](corpus, out)
    assert out.read_bytes() == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]
