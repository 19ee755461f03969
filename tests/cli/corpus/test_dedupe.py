import json

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage


@pytest.fixture
def planted(make_page, tmp_path):
    """A corpus on disk: two copies, two sites of one template, one page of its own."""
    classes = "".join(f'<i class="gazette-{letter}">x</i>' for letter in "abcdefghijklmnop")

    def page(name, site, word, extra=""):
        text = " ".join(f"{word}{n}" for n in range(90))
        made = make_page(f"<title>{name}</title><p>{text}</p>{extra}", url=f"https://{site}/")
        return LabelledPage(name, site, site, made, ("Paragraph",) * len(made))

    pages = (
        page("a", "a.example", "quay"),
        page("b", "b.example", "quay"),
        page("c", "c.example", "harbour", classes),
        page("d", "d.example", "market", classes),
        page("e", "e.example", "library"),
    )
    Corpus("planted", pages).save(tmp_path / "planted")
    return tmp_path / "planted"


def test_copies_and_templates_are_listed(run, planted):
    code, out, err = run("corpus", "dedupe", planted, "--format", "json")
    assert code == 0
    assert [(row["kind"], row["first"], row["second"]) for row in json.loads(out)] == [
        ("duplicate", "a", "b"),
        ("template", "c.example", "d.example"),
    ]
    assert "pairs of near-duplicates: 1" in err


def test_the_corpus_is_written_without_copies_and_with_families(run, planted, tmp_path):
    code, _, err = run("corpus", "dedupe", planted, "--out", tmp_path / "clean")
    assert code == 0
    assert "4 of 5 pages" in err
    clean = Corpus.load(tmp_path / "clean")
    assert [(page.id, page.family) for page in clean] == [
        ("a", "a.example"),
        ("c", "c.example"),
        ("d", "c.example"),
        ("e", "e.example"),
    ]
    code, _, err = run("corpus", "dedupe", planted, "--out", tmp_path / "clean")
    assert code == 1
    assert "already exists" in err


def test_a_split_is_refused_where_something_stands_on_two_sides(run, planted, tmp_path):
    split = tmp_path / "split.json"
    split.write_text(json.dumps({"parts": {"train": ["a", "c"], "test": ["b", "d", "e"]}}))
    code, _, err = run("corpus", "dedupe", planted, "--split", split)
    assert code == 1
    assert "duplicate: a in train and b in test" in err
    assert "template: c.example in train and d.example in test" in err
    split.write_text(json.dumps({"parts": {"train": ["a", "b"], "test": ["c", "d", "e"]}}))
    assert run("corpus", "dedupe", planted, "--split", split)[0] == 0


@pytest.mark.parametrize("text", ["[]", "{}", '{"parts": 3}', "no json"])
def test_another_file_is_no_split(run, planted, tmp_path, text):
    (tmp_path / "split.json").write_text(text)
    code, _, err = run("corpus", "dedupe", planted, "--split", tmp_path / "split.json")
    assert code == 1
    assert 'expected {"parts"' in err


def test_a_threshold_of_one_takes_equal_texts_alone(run, planted):
    _, out, _ = run("corpus", "dedupe", planted, "--threshold", "1", "--format", "json")
    assert [row["similarity"] for row in json.loads(out) if row["kind"] == "duplicate"] == [1.0]
    code, _, err = run("corpus", "dedupe", planted, "--threshold", "0")
    assert code == 2
    assert "threshold" in err


def test_a_corpus_is_not_written_and_checked_at_once(run, planted, tmp_path):
    (tmp_path / "s.json").write_text("{}")
    options = ("--out", tmp_path / "x", "--split", tmp_path / "s.json")
    assert run("corpus", "dedupe", planted, *options)[0] == 2
