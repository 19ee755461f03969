"""``structce label`` as a user runs it: what it prints, writes, and exits with."""

import csv
import io
import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Self

import pytest

from structce.errors import RenderError
from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

Run = Callable[..., tuple[int, str, str]]


def test_a_page_gives_one_json_object_a_line(run: Run, pages: Path) -> None:
    code, out, _ = run("label", pages / "a.html", "--renderer", "static")
    assert code == 0
    (line,) = out.splitlines()
    record = json.loads(line)
    assert list(record) == [
        *("source", "url", "renderer", "model", "title", "authors", "date", "modified", "language"),
        *("page_type", "site_name", "description", "main_image", "canonical_url", "quality"),
        *("text", "figures", "regions"),
    ]
    assert record["title"]["value"] == "Ferry to stop in June, part 0"
    assert list(record["title"]) == [
        *("value", "raw", "confidence", "source", "xpath", "span", "box")
    ]
    assert {region["label"] for region in record["regions"]} >= {"Title", "Paragraph"}
    assert "None" not in {region["label"] for region in record["regions"]}
    assert list(record["regions"][0]) == [
        *("index", "label", "confidence", "text", "xpath", "span", "box")
    ]


def test_all_regions_include_the_background(run: Run, pages: Path) -> None:
    _, out, _ = run("label", pages / "a.html", "--renderer", "static", "--all-regions")
    regions = json.loads(out)["regions"]
    assert [region["index"] for region in regions] == list(range(len(regions)))
    assert "None" in {region["label"] for region in regions}


def test_a_broken_file_is_a_row_and_the_others_go_on(run: Run, pages: Path) -> None:
    code, out, err = run("label", pages, "--renderer", "static")
    assert code == 1
    records = [json.loads(line) for line in out.splitlines()]
    assert ["error" in record for record in records] == [False, True, False]
    assert "PNG" in records[1]["error"]
    assert "b.html" in err


def test_a_record_is_one_line_whatever_a_page_says(run: Run, tmp_path: Path) -> None:
    said = "one\u2028two\u2029three\x85four"
    page = tmp_path / "odd\u2028.html"  # of these, the renderer takes all but the last for spaces
    page.write_text(f"<title>{said}</title><h1>{said}</h1><p>{said}", encoding="utf-8")
    code, out, _ = run("label", page, "--renderer", "static", "--all-regions")
    assert code == 0
    assert len(out.splitlines()) == 1
    record = json.loads(out)
    assert record["source"] == str(page)
    assert {region["text"] for region in record["regions"]} == {"one two three\x85four"}


@pytest.mark.parametrize("form", ["json", "text", "csv", "zyte"])
def test_other_forms_hold_the_same(run: Run, pages: Path, form: str) -> None:
    code, out, _ = run("label", pages, "--renderer", "static", "--format", form)
    assert code == 1
    if form == "json":
        assert len(json.loads(out)) == 3
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [bool(row["error"]) for row in rows] == [False, True, False]
        assert rows[0]["title"] == "Ferry to stop in June, part 0"
        assert rows[0]["authors"]
    elif form == "zyte":
        records = [json.loads(line) for line in out.splitlines()]
        assert ["error" in record for record in records] == [False, True, False]
        assert records[0]["headline"] == "Ferry to stop in June, part 0"
    else:
        assert out.startswith("Ferry to stop in June, part 0\n")
        assert "Ferry to stop in June, part 0" in out


STARTS = {"html": "<!DOCTYPE html>", "markdown": "---\ntitle:", "tei": "<?xml "}


@pytest.mark.parametrize("form", sorted(STARTS))
def test_one_page_is_printed_as_a_document(run: Run, pages: Path, form: str) -> None:
    code, out, _ = run("label", pages / "a.html", "--renderer", "static", "--format", form)
    assert code == 0
    assert out.startswith(STARTS[form])
    assert "Ferry to stop in June, part 0" in out
    assert "will not sail before noon" in out


@pytest.mark.parametrize("form", sorted(STARTS))
def test_several_documents_need_a_folder_and_nothing_is_printed(
    run: Run, pages: Path, form: str
) -> None:
    code, out, err = run("label", pages, "--renderer", "static", "--format", form)
    assert (code, out) == (2, "")
    assert "--out DIR" in err


@pytest.mark.parametrize(
    ("form", "suffix"),
    [("html", "html"), ("markdown", "md"), ("tei", "xml"), ("json", "json"), ("text", "txt"),
     ("zyte", "json")],
)  # fmt: skip
def test_a_folder_gets_one_file_a_page(
    run: Run, pages: Path, tmp_path: Path, form: str, suffix: str
) -> None:
    folder = tmp_path / "out" / form
    code, out, err = run("label", pages, "--renderer", "static", "--format", form, "--out", folder)
    assert (code, out) == (1, "")
    assert "b.html" in err
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"00000-a.{suffix}", f"00002-c.{suffix}"]
    text = (folder / names[0]).read_text("utf-8")
    assert "Ferry to stop in June, part 0" in text
    if suffix == "json":
        assert json.loads(text)["url"] == ""


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_lines_belong_into_one_file(run: Run, pages: Path, tmp_path: Path, form: str) -> None:
    code, _, err = run("label", pages / "a.html", "--format", form, "--out", tmp_path / "out")
    assert code == 2
    assert "> FILE" in err
    assert not (tmp_path / "out").exists()


def test_blocks_are_listed_on_demand(run: Run, pages: Path) -> None:
    source = (pages / "a.html", "--renderer", "static")
    assert "blocks" not in json.loads(run("label", *source)[1])
    record = json.loads(run("label", *source, "--blocks")[1])
    assert isinstance(record["blocks"], list)


def test_recall_has_at_least_the_words_of_precision(run: Run, pages: Path) -> None:
    texts = {}
    for favour in ("precision", "balance", "recall"):
        _, out, _ = run("label", pages / "a.html", "--renderer", "static", "--favour", favour)
        texts[favour] = set(json.loads(out)["text"].split())
    assert texts["precision"] <= texts["balance"] <= texts["recall"]
    assert run("label", pages / "a.html", "--favour", "luck")[0] == 2


def test_text_that_no_encoding_holds_is_written_all_the_same(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "odd.html"
    page.write_text("<h1>Half &#xd83d; a pair \u2028 and a long enough headline</h1><p>Text.")
    for form in ("text", "csv", "jsonl", "zyte", "html", "markdown", "tei"):
        code, out, _ = run("label", page, "--renderer", "static", "--format", form)
        assert code == 0
        out.encode()
    assert len(run("label", page, "--renderer", "static")[1].splitlines()) == 1


def test_wrong_usage_exits_with_2_and_a_missing_model_with_1(run: Run, pages: Path) -> None:
    assert run("label")[0] == 2
    assert run("label", pages, "--renderer", "netscape")[0] == 2
    code, _, err = run("label", pages, "--renderer", "static", "--model", "nothing")
    assert code == 1
    assert "no model here" in err


class _NoBrowser(ChromiumRenderer):
    """A chromium renderer in name; renders without a browser."""

    def __enter__(self) -> Self:
        return self

    def submit(self, document: Document) -> Future[Page]:
        return StaticRenderer().submit(document)


def test_a_picture_that_fails_costs_no_record(
    run: Run, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise RenderError("a.html: the picture is too large")

    monkeypatch.setattr("structce.cli.overlay.draw_labels", fail)
    monkeypatch.setattr("structce.cli.inputs.start_renderer", lambda *_, **__: _NoBrowser())
    code, out, err = run("label", pages / "a.html", pages / "c.html", "--overlay", tmp_path / "p")
    assert code == 1
    assert [bool(json.loads(line)["title"]) for line in out.splitlines()] == [True, True]
    assert err.count("no picture") == 2


def test_a_file_without_markup_is_an_error_and_no_empty_article(run, tmp_path, article_html):
    (tmp_path / "a.html").write_text("Just words.")
    (tmp_path / "b.html").write_text(article_html())
    code, out, err = run("label", "--renderer", "static", str(tmp_path))
    first, second = map(json.loads, out.splitlines())
    assert code == 1
    assert "no markup" in first["error"]
    assert "no markup" in err
    assert second["title"]
