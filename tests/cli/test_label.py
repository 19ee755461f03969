"""``structce label`` as a user runs it: what it prints, writes, and exits with."""

import csv
import io
import json
import re
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Self

import pytest
from jsonschema import Draft202012Validator

import structce
from structce.errors import RenderError
from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str, str]]


def test_a_page_gives_one_json_object_a_line(run: Run, mixed_folder: Path) -> None:
    code, out, _ = run("label", mixed_folder / "a.html", "--renderer", "static")
    assert code == 0
    (line,) = out.splitlines()
    record = json.loads(line)
    keys = """
        source url renderer model title authors date modified language page_type site_name
        description main_image canonical_url quality text figures posts regions
    """.split()
    assert list(record) == keys
    assert record["title"]["value"] == "Ferry to stop in June, part 0"
    assert list(record["title"]) == "value raw confidence source xpath span box".split()
    assert {region["label"] for region in record["regions"]} >= {"Title", "Paragraph"}
    assert "None" not in {region["label"] for region in record["regions"]}
    assert list(record["regions"][0]) == "index label confidence text xpath span box".split()


def test_all_regions_include_the_background(run: Run, mixed_folder: Path) -> None:
    _, out, _ = run("label", mixed_folder / "a.html", "--renderer", "static", "--all-regions")
    regions = json.loads(out)["regions"]
    assert [region["index"] for region in regions] == list(range(len(regions)))
    assert "None" in {region["label"] for region in regions}


def test_every_line_fits_the_schema_of_the_documentation(run: Run, mixed_folder: Path) -> None:
    schema = json.loads((ROOT / "docs" / "label.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    _, out, _ = run("label", mixed_folder, "--renderer", "static", "--blocks", "--all-regions")
    lines = out.splitlines()
    assert len(lines) == 3
    for line in lines:
        Draft202012Validator(schema).validate(json.loads(line))


def test_a_broken_file_is_a_row_and_the_others_go_on(run: Run, mixed_folder: Path) -> None:
    code, out, err = run("label", mixed_folder, "--renderer", "static")
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
def test_other_forms_hold_the_same(run: Run, mixed_folder: Path, form: str) -> None:
    code, out, _ = run("label", mixed_folder, "--renderer", "static", "--format", form)
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
        assert out.startswith(f"==> {mixed_folder / 'a.html'} <==\nFerry to stop in June, part 0\n")
        assert f"==> {mixed_folder / 'c.html'} <==\n" in out


STARTS = {"html": "<!DOCTYPE html>", "markdown": "---\ntitle:", "tei": "<?xml "}


@pytest.mark.parametrize("form", sorted(STARTS))
def test_one_page_is_printed_as_a_document(run: Run, mixed_folder: Path, form: str) -> None:
    code, out, _ = run("label", mixed_folder / "a.html", "--renderer", "static", "--format", form)
    assert code == 0
    assert out.startswith(STARTS[form])
    assert "Ferry to stop in June, part 0" in out
    assert "will not sail before noon" in out


@pytest.mark.parametrize("form", ["html", "tei"])
def test_several_documents_need_a_folder_and_nothing_is_printed(
    run: Run, mixed_folder: Path, form: str
) -> None:
    code, out, err = run("label", mixed_folder, "--renderer", "static", "--format", form)
    assert (code, out) == (2, "")
    assert "--out DIR" in err


@pytest.mark.parametrize(
    ("form", "suffix"),
    [("html", "html"), ("markdown", "md"), ("tei", "xml"), ("json", "json"), ("text", "txt"),
     ("zyte", "json")],
)  # fmt: skip
def test_a_folder_gets_one_file_a_page(
    run: Run, mixed_folder: Path, tmp_path: Path, form: str, suffix: str
) -> None:
    folder = tmp_path / "out" / form
    code, out, err = run(
        "label", mixed_folder, "--renderer", "static", "--format", form, "--out", folder
    )
    assert (code, out) == (1, "")
    assert "b.html" in err
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"00000-a.{suffix}", f"00002-c.{suffix}"]
    text = (folder / names[0]).read_text("utf-8")
    assert "Ferry to stop in June, part 0" in text
    if suffix == "json":
        assert json.loads(text)["url"] == ""


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_lines_belong_into_one_file(
    run: Run, mixed_folder: Path, tmp_path: Path, form: str
) -> None:
    code, _, err = run(
        "label", mixed_folder / "a.html", "--format", form, "--out", tmp_path / "out"
    )
    assert code == 2
    assert "--out FILE" in err
    assert not (tmp_path / "out").exists()


def test_blocks_are_listed_on_demand(run: Run, mixed_folder: Path) -> None:
    source = (mixed_folder / "a.html", "--renderer", "static")
    assert "blocks" not in json.loads(run("label", *source)[1])
    record = json.loads(run("label", *source, "--blocks")[1])
    assert isinstance(record["blocks"], list)


def test_recall_has_at_least_the_words_of_precision(run: Run, mixed_folder: Path) -> None:
    texts = {}
    for favour in ("precision", "balance", "recall"):
        _, out, _ = run(
            "label", mixed_folder / "a.html", "--renderer", "static", "--favour", favour
        )
        texts[favour] = set(json.loads(out)["text"].split())
    assert texts["precision"] <= texts["balance"] <= texts["recall"]
    assert run("label", mixed_folder / "a.html", "--favour", "luck")[0] == 2


def test_text_that_no_encoding_holds_is_written_all_the_same(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "odd.html"
    page.write_text("<h1>Half &#xd83d; a pair \u2028 and a long enough headline</h1><p>Text.")
    for form in ("text", "csv", "jsonl", "zyte", "html", "markdown", "tei"):
        code, out, _ = run("label", page, "--renderer", "static", "--format", form)
        assert code == 0
        out.encode()
    assert len(run("label", page, "--renderer", "static")[1].splitlines()) == 1


def test_wrong_usage_exits_with_2_and_a_missing_model_with_1(run: Run, mixed_folder: Path) -> None:
    assert run("label")[0] == 2
    assert run("label", mixed_folder, "--renderer", "netscape")[0] == 2
    code, _, err = run("label", mixed_folder, "--renderer", "static", "--model", "nothing")
    assert code == 1
    assert "no such model" in err


class _NoBrowser(ChromiumRenderer):
    """A chromium renderer in name; renders without a browser."""

    def __enter__(self) -> Self:
        return self

    def submit(self, document: Document) -> Future[Page]:
        return StaticRenderer().submit(document)


def test_a_picture_that_fails_costs_no_record(
    run: Run, mixed_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise RenderError("a.html: the picture is too large")

    monkeypatch.setattr("structce.cli.overlay.draw_labels", fail)
    monkeypatch.setattr("structce.cli.inputs.start_renderer", lambda *_, **__: _NoBrowser())
    code, out, err = run(
        "label", mixed_folder / "a.html", mixed_folder / "c.html", "--overlay", tmp_path / "p"
    )
    assert code == 1
    assert [bool(json.loads(line)["title"]) for line in out.splitlines()] == [True, True]
    assert err.count("no picture") == 2
    index = (tmp_path / "p" / "index.html").read_text("utf-8")
    assert index.count("the picture is too large") == 2


def test_a_file_without_markup_is_an_error_and_no_empty_article(run, tmp_path, article_html):
    (tmp_path / "notes.txt").write_text("Just words.")
    (tmp_path / "b.html").write_text(article_html())
    code, out, err = run("label", "--renderer", "static", tmp_path / "notes.txt", tmp_path)
    first, second = map(json.loads, out.splitlines())
    assert code == 1
    assert "no markup" in first["error"]
    assert "no markup" in err
    assert second["title"]


def test_a_misspelt_command_is_answered_with_the_nearest(run: Run) -> None:
    code, _, err = run("lable", "a.html")
    assert code == 2
    assert "did you mean 'label'?" in err


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "md", "txt"])
def test_the_name_of_a_file_tells_its_form(
    run: Run, mixed_folder: Path, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / "made" / f"articles.{suffix}"
    code, out, _ = run("label", mixed_folder, "--renderer", "static", "-o", path)
    assert (code, out) == (1, "")
    text = path.read_text("utf-8")
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    if suffix == "jsonl":
        assert ["error" in json.loads(line) for line in text.splitlines()] == [False, True, False]
    elif suffix == "json":
        assert ["error" in record for record in json.loads(text)] == [False, True, False]
    elif suffix == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [bool(row["error"]) for row in rows] == [False, True, False]
        assert rows[0]["title_source"] == "region"
        assert 0 < float(rows[0]["title_confidence"]) <= 1
        assert float(rows[0]["date_confidence"]) > 0 < float(rows[0]["author_confidences"])
        assert re.fullmatch(r"0\.\d{4}", rows[0]["author_confidences"])
        assert rows[0]["author_sources"] == rows[0]["date_source"] == "region"
    else:
        assert text.count("Ferry to stop in June, part 0\n") >= 1
        assert text.index("part 0") < text.index("part 1")


def test_a_table_has_days_of_one_form_and_how_exact_they_are(run: Run, tmp_path: Path) -> None:
    head = "<title>Ferry to stop</title><meta property=article:published_time content=%s>"
    body = "<h1>Ferry to stop</h1><p>The ferry will not sail before noon, the council said.</p>"
    (tmp_path / "a.html").write_text(head % "2026-03-14T09:30:00+01:00" + body)
    (tmp_path / "b.html").write_text(head % "2026-03-14" + body)
    _, out, _ = run("label", tmp_path, "--renderer", "static", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["date"] for row in rows] == ["2026-03-14", "2026-03-14"]
    assert [row["date_precision"] for row in rows] == ["second", "day"]
    assert rows[0]["date_time"].startswith("2026-03-14T09:30:00")


def test_parquet_holds_what_the_table_does(run: Run, mixed_folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    assert run("label", mixed_folder, "--renderer", "static", "-o", path)[0] == 1
    rows = parquet.read_table(path).to_pylist()
    assert [row["error"] is None for row in rows] == [True, False, True]
    assert rows[0]["title"] == "Ferry to stop in June, part 0"
    assert rows[0]["authors"]
    assert 0 < rows[0]["page_type_confidence"] <= 1
    assert run("label", mixed_folder, "--format", "parquet")[0] == 2


def test_sources_may_be_listed_in_a_file(run: Run, mixed_folder: Path, tmp_path: Path) -> None:
    listed = tmp_path / "pages.txt"
    listed.write_text(f"# two pages\n{mixed_folder / 'a.html'}\n\n  {mixed_folder / 'c.html'}\n")
    code, out, _ = run("label", "--from", listed, "--renderer", "static")
    assert code == 0
    names = [json.loads(line)["source"] for line in out.splitlines()]
    assert names == [str(mixed_folder / "a.html"), str(mixed_folder / "c.html")]


def test_quiet_says_nothing_and_verbose_tells_of_each_page(run: Run, mixed_folder: Path) -> None:
    assert run("label", mixed_folder, "--renderer", "static", "-q")[::2] == (1, "")
    _, _, err = run("label", mixed_folder / "a.html", "--renderer", "static", "-v")
    assert err.splitlines()[0].startswith("1/1 ")
    assert str(mixed_folder / "a.html") in err


@pytest.fixture
def stopped_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return a function that has the work stopped by Ctrl-C at a page; it tells the pages read."""

    def stop(name: str) -> list[str]:
        seen: list[str] = []

        def submit(self: StaticRenderer, document: Document) -> Future[Page]:
            if name and Path(document.name).name == name:
                raise KeyboardInterrupt
            seen.append(Path(document.name).name)
            return original(self, document)

        monkeypatch.setattr(StaticRenderer, "submit", submit)
        return seen

    original = StaticRenderer.submit
    return stop


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "txt", "md"])
def test_interrupted_work_exits_with_130_and_goes_on(
    run: Run,
    mixed_folder: Path,
    tmp_path: Path,
    stopped_at: Callable[[str], list[str]],
    suffix: str,
) -> None:
    (mixed_folder / "d.html").write_bytes((mixed_folder / "c.html").read_bytes())
    given = ("label", mixed_folder, "--renderer", "static")
    run(*given, "-o", tmp_path / f"whole.{suffix}")
    path = tmp_path / "out" / f"articles.{suffix}"
    stopped_at("d.html")
    code, out, err = run(*given, "-o", path)
    assert (code, out) == (130, "")
    assert "--resume" in err
    assert not path.exists()
    seen = stopped_at("")
    code, _, err = run(*given, "-o", path, "--resume")
    assert "a.html" not in seen
    assert "d.html" in seen
    assert path.read_bytes() == (tmp_path / f"whole.{suffix}").read_bytes()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_line_that_was_cut_off_is_written_again(
    run: Run, mixed_folder: Path, tmp_path: Path, stopped_at: Callable[[str], list[str]]
) -> None:
    path = tmp_path / "articles.jsonl"
    given = ("label", mixed_folder, "--renderer", "static", "-o", path)
    stopped_at("c.html")
    run(*given)
    (journal,) = tmp_path.glob(".articles.jsonl*")
    journal.write_bytes(journal.read_bytes()[:-20])
    stopped_at("")
    run(*given, "--resume")
    assert len([json.loads(line) for line in path.read_text("utf-8").splitlines()]) == 3


def test_work_of_other_options_is_not_gone_on_with(
    run: Run, mixed_folder: Path, tmp_path: Path, stopped_at: Callable[[str], list[str]]
) -> None:
    given = ("label", mixed_folder, "--renderer", "static", "-o", tmp_path / "articles.jsonl")
    stopped_at("c.html")
    run(*given)
    stopped_at("")
    code, _, err = run(*given, "--resume", "--blocks")
    assert code == 2
    assert "other options" in err
    assert run("label", mixed_folder, "--resume")[0] == 2


def test_a_folder_is_gone_on_with_at_the_files_that_miss(
    run: Run, mixed_folder: Path, tmp_path: Path, stopped_at: Callable[[str], list[str]]
) -> None:
    given = (
        "label",
        mixed_folder,
        "--renderer",
        "static",
        "-o",
        tmp_path / "out",
        "--format",
        "text",
    )
    run(*given)
    (tmp_path / "out" / "00002-c.txt").unlink()
    seen = stopped_at("")
    run(*given, "--resume")
    assert "a.html" not in seen
    assert "c.html" in seen
    assert (tmp_path / "out" / "00002-c.txt").exists()


def test_a_folder_of_other_options_or_pages_is_not_gone_on_with(
    run: Run, mixed_folder: Path, tmp_path: Path, stopped_at: Callable[[str], list[str]]
) -> None:
    out = tmp_path / "out"
    given = ("label", mixed_folder, "--renderer", "static", "--format", "text", "-o", out)
    stopped_at("c.html")
    assert run(*given)[0] == 130
    stopped_at("")
    code, _, err = run(*given, "--resume", "--favour", "recall")
    assert (code, "other options" in err) == (2, True)
    other = tmp_path / "other" / "a.html"
    other.parent.mkdir()
    other.write_bytes((mixed_folder / "c.html").read_bytes())
    code, _, err = run("label", other, *given[1:], "--resume")
    assert (code, "other pages" in " ".join(err.split())) == (2, True)
    run(*given, "--resume")
    assert not [path.name for path in out.iterdir() if path.suffix != ".txt"]


def test_a_snapshot_is_labelled_by_the_model_for_its_renderer(
    run: Run, mixed_folder: Path, tmp_path: Path
) -> None:
    run("render", mixed_folder / "a.html", "--renderer", "static", "--out", tmp_path / "snapshots")
    code, out, err = run("label", tmp_path / "snapshots")
    assert code == 0
    record = json.loads(out)
    assert (record["renderer"], record["model"]) == ("static", "news-static")
    assert "warning" not in err


def test_a_model_of_the_other_renderer_is_warned_of_in_the_words_that_python_has(
    run: Run, mixed_folder: Path
) -> None:
    page = mixed_folder / "a.html"
    code, _, err = run("label", page, "--renderer", "static", "--model", "news-chromium")
    assert code == 0
    with pytest.warns(structce.ModelWarning) as of_many:
        structce.label_files([page], model="news-chromium")
    with pytest.warns(structce.ModelWarning) as of_one:
        structce.label(page, model="news-chromium")
    assert err == f"warning: {of_many[0].message}\n"
    assert str(of_many[0].message).endswith(str(of_one[0].message))
    assert run("label", page, "--renderer", "static", "--model", "news-static")[2] == ""


@pytest.mark.parametrize(
    "renderer", ["static", pytest.param("chromium", marks=pytest.mark.browser)]
)
def test_python_gives_what_the_command_prints_with_spans_and_boxes(
    run: Run, mixed_folder: Path, renderer: str, request: pytest.FixtureRequest
) -> None:
    if renderer == "chromium":
        request.getfixturevalue("chromium")
    record = json.loads(run("label", mixed_folder / "a.html", "--renderer", renderer)[1])
    article = structce.label(mixed_folder / "a.html", renderer=renderer)
    same = json.loads(article.to_json())
    assert {name: same[name] for name in same if name != "blocks"} == {
        name: record[name] for name in record if name not in ("source", "renderer", "model")
    }
    assert all(region["span"] for region in record["regions"])
    assert bool(record["title"]["box"]) == (renderer == "chromium")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_snapshot_keeps_name_and_address_of_its_source(
    run: Run, tmp_path: Path, article_html: Callable[..., str], workers: str
) -> None:
    saved = "<!-- saved from url=(0022)https://post.example/7 -->"
    for name in "ab":
        (tmp_path / f"{name}.html").write_text(saved + article_html(0), encoding="utf-8")
    run("render", tmp_path, "--renderer", "static", "--out", tmp_path / "kept")
    (tmp_path / "kept" / "damaged.page").write_bytes(b"{}")
    code, out, err = run("label", tmp_path / "kept", "--renderer", "static", "--workers", workers)
    records = [json.loads(line) for line in out.splitlines()]
    assert [(record["source"], record.get("url")) for record in records] == [
        (str(tmp_path / "a.html"), "https://post.example/7"),
        (str(tmp_path / "b.html"), "https://post.example/7"),
        (str(tmp_path / "kept" / "damaged.page"), None),
    ]
    assert code == 1
    assert str(tmp_path / "kept" / "damaged.page") in err


def test_the_address_of_a_page_can_be_said(run: Run, mixed_folder: Path) -> None:
    address = "http://post.example/1"
    code, out, _ = run("label", mixed_folder / "a.html", "--url", address)
    assert code == 0
    assert json.loads(out)["url"] == address
    code, _, err = run("label", mixed_folder, "--url", address)
    assert code == 2
    assert "--url is the address of one page; 3 are given" in err


def test_values_that_are_less_sure_than_asked_are_left_out(run: Run, mixed_folder: Path) -> None:
    record = json.loads(run("label", mixed_folder / "a.html")[1])
    least = record["title"]["confidence"]
    kept = json.loads(
        run("label", mixed_folder / "a.html", "--min-confidence", str(least - 1e-4))[1]
    )
    assert kept["title"] == record["title"]
    assert all(author["confidence"] >= least - 1e-4 for author in kept["authors"])
    none = json.loads(run("label", mixed_folder / "a.html", "--min-confidence", "1")[1])
    assert none["title"] is None
    assert none["authors"] == []
    assert none["text"] == record["text"]


def test_python_favours_as_the_command_does(run: Run, mixed_folder: Path) -> None:
    for favour in ("precision", "recall"):
        record = json.loads(run("label", mixed_folder / "a.html", "--favour", favour)[1])
        assert structce.label(mixed_folder / "a.html", favour=favour).text == record["text"]


def test_parts_of_a_document_are_left_out(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = "The ferry between the two towns will stop in June, the company <b>said</b> on Monday. "
    page.write_text(f"<h1>Ferry to stop</h1><p>{words * 3}<p>{words * 3}", "utf-8")
    label = ("label", page, "--renderer", "static", "--format")
    _, whole, _ = run(*label, "markdown")
    _, short, _ = run(*label, "markdown", "--without", "marks", "--without", "fields")
    assert whole.startswith("---\n")
    assert short.startswith("# Ferry to stop")
    assert ("**said**" in whole, "**said**" in short) == (True, False)
    code, _, error = run(*label, "csv", "--without", "marks")
    assert (code, "--without is for html, markdown, tei" in error) == (2, True)
