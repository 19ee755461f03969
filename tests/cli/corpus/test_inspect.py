"""``structce corpus show`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.gold import Gold, Match
from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.synthetic.generate import write_sample

Run = Callable[..., tuple[int, str, str]]
Make = Callable[..., Page]
HTML = """<html lang=en><title>Ferry</title><nav><a>Home</a> <a>Town</a></nav><h1>Ferry stops</h1>
<p>By Ann Lee</p><p>The ferry will not sail.</p><p>Nobody knew why.</p><footer>By Ann Lee</footer>
"""
LABELS = ("None", "None", "Title", "Author", "Paragraph", "None", "None")
MATCHES = (
    Match("Title", "Ferry stops", "exact", 1.0, (2,)),
    Match("Author", "Ann Lee", "exact", 0.95, (3,), (6,)),
    Match("Caption", "Nobody knew why it was", "", 0.0),
    Match("Date", "2026-03-14", "", 0.0),
)


@pytest.fixture
def corpus_folder(tmp_path: Path, make_page: Make) -> Path:
    pages = tuple(
        LabelledPage(name, "x.example", "x.example", make_page(HTML), LABELS, Gold(title="a"),
                     MATCHES)
        for name in ("uk-Post_1", "uk-Post_2", "us-Gazette_1")
    )  # fmt: skip
    Corpus("harbour", pages).save(tmp_path / "corpus")
    return tmp_path / "corpus"


def test_all_regions_are_listed_with_labels_and_how_they_were_found(
    run: Run, corpus_folder: Path
) -> None:
    code, out, err = run("corpus", "show", corpus_folder, "uk-Post_1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [
        "uk-Post_1",
        "https://post.example/1",
        "static: 7 regions, 3 of them with a label",
    ]
    rows = [line.split() for line in lines[3:10]]
    assert [row[0] for row in rows] == [str(i) for i in range(7)]
    assert rows[2][1:5] == ["Title", "exact", "1.00", "h1"]
    assert rows[4][1:3] == ["Paragraph", "p"]
    assert lines[-3:] == ["not found:", "  Caption: Nobody knew why it was", "  Date: 2026-03-14"]
    assert "\x1b" not in out


def test_a_field_is_told_with_what_stands_around_it(run: Run, corpus_folder: Path) -> None:
    code, out, _ = run("corpus", "show", corpus_folder, "uk-Post_1", "--field", "author")
    assert code == 0
    lines = out.splitlines()[4:]
    assert lines[:2] == ["Author: Ann Lee", "ambiguous: exact, score 0.95"]
    assert [line.split()[-1] for line in lines[2:7]] == ["Town", "stops", "Lee", "sail.", "why."]
    assert [line[0] for line in lines[2:7]] == [" ", " ", ">", " ", " "]
    assert lines[7] == "as good, or nearly:"
    assert lines[8].startswith("~     6  None")


def test_of_a_value_that_was_not_found_the_nearest_text_is_told(
    run: Run, corpus_folder: Path
) -> None:
    out = run(
        "corpus", "show", corpus_folder, "uk-Post_1", "--field", "caption", "--field", "DATE"
    )[1]
    assert out.count("missing: in no region") == 2
    assert "?     5  None" in out
    assert "Title" not in out


def test_a_part_of_the_name_is_enough_if_no_other_has_it(run: Run, corpus_folder: Path) -> None:
    assert run("corpus", "show", corpus_folder, "gazette")[1].startswith("us-Gazette_1\n")
    code, out, err = run("corpus", "show", corpus_folder, "post")
    assert (code, out) == (1, "")
    assert "2 pages match 'post'; there are uk-Post_1, uk-Post_2" in err
    code, _, err = run("corpus", "show", corpus_folder, "times")
    assert code == 1
    assert "no page matches 'times'; there are uk-Post_1" in err


def test_an_unknown_field_names_those_that_there_are(run: Run, corpus_folder: Path) -> None:
    code, out, err = run("corpus", "show", corpus_folder, "uk-Post_1", "--field", "isbn")
    assert (code, out) == (1, "")
    assert "'isbn'; there are Title, Author, Caption, Date" in err


def test_json_holds_matches_and_regions(run: Run, corpus_folder: Path) -> None:
    record = json.loads(run("corpus", "show", corpus_folder, "uk-Post_1", "--format", "json")[1])
    assert [
        match["state"] for match in record["matches"]
    ] == "found ambiguous missing missing".split()
    assert [region["label"] for region in record["regions"]] == list(LABELS)
    assert record["regions"][2]["xpath"] == "/html[1]/body[1]/h1[1]/text()[1]"
    some = json.loads(
        run("corpus", "show", corpus_folder, "uk-Post_1", "--format", "json", "--field", "title")[1]
    )
    assert [match["field"] for match in some["matches"]] == ["Title"]
    assert [region["index"] for region in some["regions"]] == [0, 1, 2, 3, 4]


def test_a_corpus_without_gold_is_listed_all_the_same(run: Run) -> None:
    sample = Path(__file__).parents[3] / "data" / "sample"
    name = json.loads((sample / "manifest.json").read_text())["pages"][0]["id"]
    code, out, _ = run("corpus", "show", sample, name, "--renderer", "static")
    assert code == 0
    assert " Title " in out


def test_the_overlay_is_a_page_to_look_at(run: Run, corpus_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    code, _, err = run("corpus", "show", corpus_folder, "uk-Post_1", "--overlay", path)
    assert code == 0
    assert f"written: {path}" in err
    assert path.read_text().count('class="region marked') == 3


@pytest.mark.parametrize("name", ["out.gif", "out"])
def test_an_overlay_of_another_kind_is_wrong_usage(
    run: Run, corpus_folder: Path, tmp_path: Path, name: str
) -> None:
    code, _, err = run("corpus", "show", corpus_folder, "uk-Post_1", "--overlay", tmp_path / name)
    assert code == 2
    assert ".html or .png" in err


def test_a_picture_of_a_page_without_layout_is_wrong_usage(
    run: Run, corpus_folder: Path, tmp_path: Path
) -> None:
    code, _, err = run(
        "corpus", "show", corpus_folder, "uk-Post_1", "--overlay", tmp_path / "a.png"
    )
    assert code == 2
    assert "give a name that ends in .html" in err


@pytest.mark.browser
def test_a_picture_is_drawn_of_a_page_with_layout(
    run: Run, chromium: ChromiumRenderer, tmp_path: Path
) -> None:
    page = chromium.render(Document(HTML, url="https://post.example/1", name="a"))
    labelled = LabelledPage("a", "x.example", "x.example", page, LABELS, Gold(title="a"), MATCHES)
    Corpus("harbour", (labelled,)).save(tmp_path / "corpus")
    path = tmp_path / "a.png"
    assert run("corpus", "show", tmp_path / "corpus", "a", "--overlay", path)[0] == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_what_a_page_says_cannot_steer_the_terminal(
    run: Run, make_page: Make, tmp_path: Path
) -> None:
    page = make_page("<h1>Ferry\x9b31m \u202estops</h1>", url="https://x.example/\x9b31m")
    matches = (Match("Title\x9b31m", "\x9b31mFerry", "exact", 1.0, (0,)),)
    labelled = LabelledPage("a", "x", "x", page, ("Title",), Gold(title="a"), matches)
    Corpus("harbour", (labelled,)).save(tmp_path / "corpus")
    for more in ((), ("--field", "Title\x9b31m")):
        code, out, _ = run("corpus", "show", tmp_path / "corpus", "a", *more)
        assert code == 0
        assert not set(out) & {"\x1b", "\x9b", "\u202e"}


def test_a_corpus_of_raw_pages_is_described(run: Run, tmp_path: Path) -> None:
    sample = tmp_path / "sample"
    write_sample(sample, 2, 1, seed=3)
    code, out, _ = run("corpus", "info", sample, "--renderer", "static", "--format", "json")
    assert code == 0
    (row,) = json.loads(out)
    assert (row["pages"], row["sites"]) == (2, 2)
    assert sum(row["labels"].values()) == row["regions"]
    code, out, _ = run("corpus", "info", sample, "--renderer", "static")
    assert "Advertisement" in out


def test_no_corpus_is_a_clear_error(run: Run, tmp_path: Path) -> None:
    code, _, err = run("corpus", "info", tmp_path)
    assert code == 1
    assert "no corpus here" in err
