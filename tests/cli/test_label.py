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
        *("source", "url", "renderer", "model", "title", "authors", "date", "text", "regions")
    ]
    assert record["title"]["value"] == "Ferry to stop in June, part 0"
    assert set(record["title"]) == {"value", "confidence", "xpath", "span"}
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


@pytest.mark.parametrize("form", ["json", "text", "csv"])
def test_other_forms_hold_the_same(run: Run, pages: Path, form: str) -> None:
    code, out, _ = run("label", pages, "--renderer", "static", "--format", form)
    assert code == 1
    if form == "json":
        assert len(json.loads(out)) == 3
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [bool(row["error"]) for row in rows] == [False, True, False]
        assert rows[0]["title"] == "Ferry to stop in June, part 0"
    else:
        assert "Ferry to stop in June, part 0" in out


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
