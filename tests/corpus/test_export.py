"""Plain formats, read back by readers that are not ours."""

import json

import pytest

from structce.corpus.export import EXPORTS, write_jsonl, write_parquet
from structce.gold import gold_from_json


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
    keys = ("tag", "xpath", "text", "label")
    read = [(row["id"], *(own[key] for key in keys)) for row in rows for own in row["regions"]]
    assert read == regions(odd_corpus)
    assert [gold_from_json(row["gold"], row["id"]) for row in rows] == [p.gold for p in odd_corpus]
    odd = rows[4]
    assert (odd["site"], odd["family"], odd["lang"]) == ("odd.example", "family", "de-AT")
    boxes = [[0, 0.12, 0.25, 0.38], [0.5, 0.62, 0.75, 0.88], None]
    assert [region["box"] for region in odd["regions"][:3]] == boxes


def test_parquet_has_one_typed_row_per_region(odd_corpus, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(odd_corpus, tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    columns = [table[name].to_pylist() for name in ("page", "tag", "xpath", "text", "label")]
    assert list(zip(*columns, strict=True)) == regions(odd_corpus)
    odd = [row for row in table.to_pylist() if row["page"] == "odd"]
    assert [row["number"] for row in odd] == [0, 1, 2, 3, 4]
    assert [row["left"] for row in odd] == [0, 0.5, None, 1.5, 2]
    assert [row["height"] for row in odd] == [0.375, 0.875, None, 1.875, 2.375]
    assert {row["left"] for row in table.to_pylist() if row["page"] == "page0"} == {None}
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["number"], types["left"], types["text"]) == ("int32", "float", "string")
    assert table.schema.metadata[b"digest"].decode() == odd_corpus.digest
    assert not table.schema.field("label").nullable


@pytest.mark.parametrize("form", list(EXPORTS))
def test_a_file_is_written_whole_or_not_at_all(odd_corpus, tmp_path, monkeypatch, form):
    out = tmp_path / "new" / "out"
    EXPORTS[form](odd_corpus, out)
    before = out.read_bytes()

    def broken(corpus):
        yield corpus.pages[0]
        raise OSError("the disk is full")

    monkeypatch.setattr("structce.corpus.export._with_bar", broken)
    with pytest.raises(OSError, match="full"):
        EXPORTS[form](odd_corpus, out)
    assert out.read_bytes() == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]
