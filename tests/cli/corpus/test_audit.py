"""``structce corpus audit`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.gold import Gold, Match
from structce.page import Page

Run = Callable[..., tuple[int, str, str]]
Make = Callable[..., Page]
HTML = (
    "<nav>Home</nav><h1>Ferry stops, at last</h1><p>By Ann Lee</p><p>Words \x9b31m.</p><p>Ann Lee"
)
MATCHES = (
    Match("Title", "Ferry stops", "similar", 0.8, (1,)),
    Match("Author", "Ann Lee", "exact", 1.0, (2,), (4,)),
    Match("Paragraph", "Words \x9b31m.", "exact", 1.0, (3,)),
    Match("Caption", "Ferry stops, at long last", "", 0.0),
)
LABELS = ("None", "Title", "Author", "Paragraph", "None")


@pytest.fixture
def corpus_folder(tmp_path: Path, make_page: Make) -> Path:
    page = make_page(HTML)
    labelled = LabelledPage(
        "uk-Post_1", "x.example", "x.example", page, LABELS, Gold(title="a"), MATCHES
    )
    Corpus("harbour", (labelled,)).save(tmp_path / "corpus")
    return tmp_path / "corpus"


def test_text_takes_at_most_four_lines_a_match(run: Run, corpus_folder: Path) -> None:
    code, out, err = run("corpus", "audit", corpus_folder, "--format", "text")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "1 Author exact 1.00  uk-Post_1  2 p /html/body/p",
        "   {+By +}Ann Lee",
        "   Home | Ferry stops, at last [here] Words �31m. | Ann Lee",
        "   ~ 1 rivals: 4 Ann Lee",
        "2 Title similar 0.80  uk-Post_1  1 h1 /html/body/h1",
        "   Ferry stops{+, at last+}",
        "   Home [here] By Ann Lee | Words �31m.",
        "3 Paragraph exact 1.00  uk-Post_1  3 p /html/body/p[2]",
        "   = Words �31m.",
        "   Ferry stops, at last | By Ann Lee [here] Ann Lee",
    ]


def test_what_was_not_found_is_asked_for_by_its_state(run: Run, corpus_folder: Path) -> None:
    out = run("corpus", "audit", corpus_folder, "--format", "text", "--state", "missing")[1]
    assert out.splitlines()[:2] == [
        "1 Caption not found  uk-Post_1   h1 /html/body/h1",
        "   nearest: Ferry stops, at [-long -]last",
    ]


def test_json_holds_value_text_and_surroundings(run: Run, corpus_folder: Path) -> None:
    out = run("corpus", "audit", corpus_folder, "--format", "json", "--field", "title")[1]
    (row,) = json.loads(out)
    assert (row["page"], row["field"], row["text"]) == (
        "uk-Post_1",
        "Title",
        "Ferry stops, at last",
    )
    assert [place["text"] for place in row["before"]] == ["Home"]


def test_the_sample_is_written_to_a_file(run: Run, corpus_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "audit.txt"
    code, out, err = run("corpus", "audit", corpus_folder, path, "--n", 2)
    assert (code, out) == (0, "")
    assert f"2 of 3 matches written to {path}" in err
    assert path.read_text("utf-8").splitlines()[4].startswith("2 Title similar")


def test_long_texts_are_cut_in_their_middle(run: Run, make_page: Make, tmp_path: Path) -> None:
    words = " ".join(f"word{n}" for n in range(400))
    page = make_page(f"<p>{'before ' * 90}</p><p>{words} end</p><p>{'after ' * 90}</p>")
    matches = (Match("Paragraph", f"{words} last", "similar", 0.9, (1,)),)
    labels = ("None", "Paragraph", "None")
    Corpus("long", (LabelledPage("a", "x", "x", page, labels, Gold(), matches),)).save(
        tmp_path / "long"
    )
    lines = run("corpus", "audit", tmp_path / "long", "--format", "text")[1].splitlines()
    assert max(map(len, lines)) <= 200
    assert lines[1].endswith("word399 [-last-]{+end+}")
    assert " … " in lines[1]
