"""``structce label`` as a user runs it: what it prints, writes, and exits with."""

import csv
import io
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import structce
from structce.errors import RenderError
from structce.labelling import RegionLabeller
from structce.rendering import ChromiumRenderer, StaticRenderer

ROOT = Path(__file__).parents[2]


def test_a_page_gives_one_json_object(run, mixed_folder):
    code, out, _ = run("label", mixed_folder / "a.html")
    (line,) = out.splitlines()
    record = json.loads(line)
    keys = """
        source url renderer model title authors date modified language page_type site_name
        description main_image canonical_url quality verdict text figures posts regions
    """.split()
    assert (code, list(record)) == (0, keys)
    assert record["title"]["value"] == "Ferry to stop in June, part 0"
    assert list(record["title"]) == "value raw confidence source xpath span box".split()
    assert list(record["regions"][0]) == "index label confidence text xpath span box".split()
    labels = {region["label"] for region in record["regions"]}
    assert ({"Title", "Paragraph"} <= labels, "None" in labels) == (True, False)
    whole = json.loads(run("label", mixed_folder / "a.html", "--blocks", "--all-regions")[1])
    assert isinstance(whole["blocks"], list)
    assert [r["index"] for r in whole["regions"]] == list(range(len(whole["regions"])))


def test_every_line_fits_the_documented_schema(run, mixed_folder):
    schema = json.loads((ROOT / "docs" / "label.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    code, out, err = run("label", mixed_folder, "--blocks", "--all-regions")
    records = [json.loads(line) for line in out.splitlines()]
    for record in records:
        Draft202012Validator(schema).validate(record)
    assert code == 1
    assert ["error" in record for record in records] == [False, True, False]
    assert "PNG" in records[1]["error"]
    assert "b.html" in err


@pytest.mark.parametrize("form", ["json", "text", "txt", "csv", "md"])
def test_formats_of_several_pages(run, mixed_folder, form):
    code, out, _ = run("label", mixed_folder, "--format", form)
    assert code == 1
    title = "Ferry to stop in June, part 0"
    if form == "json":
        assert ["error" in record for record in json.loads(out)] == [False, True, False]
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [bool(row["error"]) for row in rows] == [False, True, False]
        assert rows[0]["title"] == title
        assert rows[0]["title_source"] == "region"
        assert 0 < float(rows[0]["author_confidences"]) <= 1
    elif form == "md":
        assert out.startswith(f'---\ntitle: "{title}"')
        assert out.index("part 0") < out.index("part 1")
        one = run("label", mixed_folder / "a.html", "--format", "html")[1]
        assert one.startswith("<!DOCTYPE html>")
        assert "will not sail before noon" in one
    else:
        assert out.startswith(f"==> {mixed_folder / 'a.html'} <==\n{title}\n")
        assert f"==> {mixed_folder / 'c.html'} <==\n" in out


@pytest.mark.parametrize("form", ["html", "md", "json", "text"])
def test_a_folder_gets_one_file_per_page(run, mixed_folder, tmp_path, form):
    folder, suffix = tmp_path / "out" / form, form.replace("text", "txt")
    code, out, err = run("label", mixed_folder, "--format", form, "--out", folder)
    assert (code, out, "b.html" in err) == (1, "", True)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"00000-a.{suffix}", f"00002-c.{suffix}"]
    assert "Ferry to stop in June, part 0" in (folder / names[0]).read_text("utf-8")


def test_a_table_for_excel_begins_with_a_mark(run, mixed_folder, tmp_path):
    assert run("label", mixed_folder, "-o", tmp_path / "a.csv")[0] == 1
    assert run("label", mixed_folder, "-o", tmp_path / "b.csv", "--format", "excel")[0] == 1
    plain, marked = ((tmp_path / name).read_bytes() for name in ("a.csv", "b.csv"))
    assert marked == b"\xef\xbb\xbf" + plain


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "md", "txt", "parquet"])
def test_a_file_has_the_format_of_its_suffix(run, mixed_folder, tmp_path, suffix):
    path = tmp_path / "new" / f"articles.{suffix}"
    code, out, _ = run("label", mixed_folder, "-o", path)
    assert (code, out) == (1, "")
    assert path.exists()
    if suffix == "parquet":
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
        assert [row["error"] is None for row in rows] == [True, False, True]
        assert rows[0]["title"] == "Ferry to stop in June, part 0"
        assert 0 < rows[0]["page_type_confidence"] <= 1
    else:
        form = {"md": "markdown", "txt": "text"}.get(suffix, suffix)
        assert path.read_bytes().decode() == run("label", mixed_folder, "--format", form)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument"),
        (("pages", "--renderer", "netscape"), "not one of"),
        (("pages", "--limit", "seconds=nan"), "--limit"),
        (("pages", "--resume"), "give --out, too"),
        (("pages", "--url", "http://post.example/1"), "the address of one page; 3 are given"),
        (("pages", "--format", "parquet"), "give -o FILE.parquet"),
        (("pages", "--format", "html"), "takes one page"),
        (("pages", "-o", "out", "--format", "csv"), "--out FILE"),
        (("pages", "-o", "a.csv", "--format", "json"), "but --format is json"),
        (("pages", "-o", "list"), "expected a folder, or a file that ends with one of"),
        (("--from", "bytes"), "not UTF-8 text"),
        (("pages", "--overlay", "p", "--renderer", "static"), "use --renderer chromium"),
    ],
)
def test_wrong_usage_exits_with_2(run, mixed_folder, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    files = {"list": b"", "bytes": b"\xff\xfe\n"}
    for name, data in files.items():
        Path(name).write_bytes(data)
    given = [str(mixed_folder) if name == "pages" else name for name in arguments]
    code, out, err = run("label", *given)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())
    assert {path.name for path in tmp_path.iterdir()} - {mixed_folder.name} == set(files)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("notes.txt", b"Just words.", "no markup"),
        ("bad.page", b"{}", "bad.page"),
        ("", b"", "without a name"),
        ("http://ann:secret@127.0.0.1:9/a", b"", "***@127.0.0.1"),
        ("file:///a.html", b"", "give the path"),
    ],
)
def test_a_bad_source_is_a_record_with_its_error(run, tmp_path, monkeypatch, name, data, message):
    monkeypatch.chdir(tmp_path)
    if data:
        Path(name).write_bytes(data)
    code, out, err = run("label", name)
    assert code == 1
    assert message in json.loads(out)["error"]
    assert err.startswith("error: ")
    assert "secret" not in out + err


def test_sources_may_be_listed_in_a_file(run, mixed_folder, tmp_path):
    listed, names = tmp_path / "pages.txt", [mixed_folder / "a.html", mixed_folder / "c.html"]
    text = f"# two pages\r\n{names[0]}\r\n\n  {names[1]}\n"
    listed.write_text(text, encoding="utf-8-sig")
    code, out, _ = run("label", "--from", listed)
    assert code == 0
    assert [json.loads(line)["source"] for line in out.splitlines()] == list(map(str, names))


def test_favour_confidence_and_address(run, mixed_folder):
    page = mixed_folder / "a.html"
    texts = []
    for favour in ("precision", "balance", "recall"):
        record = json.loads(run("label", page, "--favour", favour)[1])
        assert structce.label(page, favour=favour).text == record["text"]
        texts.append(set(record["text"].split()))
    assert texts[0] <= texts[1] <= texts[2]
    least = record["title"]["confidence"]
    kept = json.loads(run("label", page, "--min-confidence", str(least - 1e-4))[1])
    assert kept["title"] == record["title"]
    none = json.loads(run("label", page, "--min-confidence", "1")[1])
    assert (none["title"], none["authors"]) == (None, [])
    address = "http://post.example/1"
    assert json.loads(run("label", page, "--url", address)[1])["url"] == address


class _NoBrowser(ChromiumRenderer):
    """A chromium renderer in name; renders without a browser."""

    def __enter__(self):
        return self

    def submit(self, document):
        return StaticRenderer().submit(document)


@pytest.mark.browser
def test_a_picture_is_drawn_of_each_page(run, mixed_folder, tmp_path, chromium):
    code, out, _ = run("label", mixed_folder, "--overlay", tmp_path / "p")
    assert (code, len(out.splitlines())) == (1, 3)
    pictures = sorted((tmp_path / "p").iterdir())
    assert [path.name for path in pictures] == ["00000-a.png", "00002-c.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_a_picture_that_fails_costs_no_record(run, mixed_folder, tmp_path, monkeypatch):
    def fail(*_):
        raise RenderError("a.html: the picture is too large")

    monkeypatch.setattr("structce.visualisation.draw_labels", fail)
    monkeypatch.setattr("structce.cli.options.start_renderer", lambda *_, **__: _NoBrowser())
    pages = (mixed_folder / "a.html", mixed_folder / "c.html")
    code, out, err = run("label", *pages, "--overlay", tmp_path / "p")
    assert code == 1
    assert [bool(json.loads(line)["title"]) for line in out.splitlines()] == [True, True]
    assert err.count("the picture is too large") == 2


def test_a_model_of_the_other_renderer_gives_pythons_warning(run, mixed_folder):
    page = mixed_folder / "a.html"
    code, _, err = run("label", page, "--model", "news-chromium")
    assert code == 0
    with pytest.warns(structce.ModelWarning) as warnings:
        structce.label_files([page], model="news-chromium")
    assert err == f"warning: {warnings[0].message}\n"
    assert run("label", page, "--model", "news-static")[2] == ""


@pytest.mark.parametrize(
    "renderer", ["static", pytest.param("chromium", marks=pytest.mark.browser)]
)
def test_python_and_command_give_the_same(run, mixed_folder, renderer, request):
    if renderer == "chromium":
        request.getfixturevalue("chromium")
    record = json.loads(run("label", mixed_folder / "a.html", "--renderer", renderer)[1])
    same = json.loads(structce.label(mixed_folder / "a.html", renderer=renderer).to_json())
    assert {name: same[name] for name in same if name != "blocks"} == {
        name: record[name] for name in record if name not in ("source", "renderer", "model")
    }
    assert all(region["span"] for region in record["regions"])
    assert bool(record["title"]["box"]) == (renderer == "chromium")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_snapshots_and_pages_give_the_same_records(run, tmp_path, article_html, workers):
    saved = "<!-- saved from url=(0022)https://post.example/7 -->"
    for n, name in enumerate("ab"):
        (tmp_path / f"{name}.html").write_text(saved + article_html(n), encoding="utf-8")
    alone = run("label", tmp_path / "a.html", tmp_path / "b.html")[1].splitlines()
    assert json.loads(alone[0])["url"] == "https://post.example/7"
    run("render", tmp_path, "--out", tmp_path / "kept")
    (tmp_path / "kept" / "damaged.page").write_bytes(b"{}")
    code, out, err = run("label", tmp_path / "kept", "--workers", workers)
    assert code == 1
    assert out.splitlines()[:2] == alone
    assert str(tmp_path / "kept" / "damaged.page") in err


def test_a_link_out_of_a_folder_is_not_followed(tmp_path, article_html):
    (tmp_path / "secret.txt").write_text(article_html(0))
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").symlink_to(tmp_path / "secret.txt")
    (folder / "b.html").write_text(article_html(1))
    (folder / "c.html").symlink_to(folder / "b.html")
    out, inside, again = structce.label_files([folder])
    assert "leads out of the folder" in out.error
    assert not inside.error + again.error


def test_pages_that_are_not_sure_are_left_out(run, tmp_path):
    story = "<p>The ferry between the two towns will stop in June, the company said on Monday.</p>"
    (tmp_path / "a.html").write_text(f"<title>Ferry</title><h1>Ferry to stop</h1>{story * 9}")
    (tmp_path / "b.html").write_text("<title>404 Not Found</title><h1>Not Found</h1><p>Gone.</p>")
    sample = sorted((ROOT / "data" / "sample" / "pages").glob("*.html"))[:3]
    pages = [*sample, tmp_path / "a.html", tmp_path / "b.html"]
    records = [json.loads(line) for line in run("label", *pages)[1].splitlines()]
    risks = [record["verdict"]["risk"] for record in records]
    assert risks[-1] is None
    sure = [record["source"] for record in records if (record["verdict"]["risk"] or 1) <= 0.05]
    code, out, err = run("label", *pages, "--only-sure")
    assert code == 0
    assert [json.loads(line)["source"] for line in out.splitlines()] == sure
    assert f"{len(pages) - len(sure)} pages are left out" in err
    out_file = tmp_path / "kept.jsonl"
    run("label", *pages, "--only-sure", "-o", out_file)
    assert out_file.read_text("utf-8") == out


def test_only_sure_needs_a_model_with_a_table(run, mixed_folder, tmp_path):
    labeller = RegionLabeller.load("news-static")
    del labeller.card["corpus_digest"]
    labeller.save(tmp_path / "model")
    page, model = mixed_folder / "a.html", tmp_path / "model"
    code, _, err = run("label", page, "--model", model, "--only-sure")
    assert code == 2
    assert "has no table of risks" in err
