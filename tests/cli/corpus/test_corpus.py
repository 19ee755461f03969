"""Commands that describe, check, divide, join and export corpora."""

import json
from dataclasses import replace

import pytest

from structce.corpus import Corpus, LabelledPage, Split
from structce.labels import UNKNOWN


@pytest.fixture
def news(tmp_path, make_corpus):
    """Eight pages of four sites."""
    replace(make_corpus(8, pages_per_site=2), name="news").save(tmp_path / "news")
    return tmp_path / "news"


@pytest.fixture
def bodies(tmp_path, make_corpus):
    """Two pages of another site, one of them with an id of ``news``; only titles are labelled."""
    pages = [
        replace(page, site="other.example", family="other.example",
                labels=tuple("Title" if label == "Title" else "None" for label in page.labels))
        for page in make_corpus(9).pages[7:]
    ]  # fmt: skip
    Corpus("bodies", tuple(pages), covered=("Title",), licence="CC0").save(tmp_path / "bodies")
    return tmp_path / "bodies"


@pytest.fixture
def planted(make_page, tmp_path):
    """Two copies, two sites of one template, one page of its own."""
    classes = "".join(f'<i class="gazette-{letter}">x</i>' for letter in "abcdefghijklmnop")

    def page(name, word, extra=""):
        site, text = f"{name}.example", " ".join(f"{word}{n}" for n in range(90))
        made = make_page(f"<title>{name}</title><p>{text}</p>{extra}", url=f"https://{site}/")
        return LabelledPage(name, site, site, made, ("Paragraph",) * len(made))

    pages = (
        page("a", "quay"), page("b", "quay"), page("c", "harbour", classes),
        page("d", "market", classes), page("e", "library"),
    )  # fmt: skip
    Corpus("planted", pages).save(tmp_path / "planted")
    return tmp_path / "planted"


def test_a_corpus_is_described(run, bodies, tmp_path):
    code, out, err = run("corpus", "info", bodies)
    assert (code, err) == (0, "")
    assert "not covered by the gold" in out
    assert "three quarters" in out
    (row,) = json.loads(run("corpus", "info", bodies, "--format", "json")[1])
    assert (row["pages"], row["sites"], row["covered"]) == (2, 1, ["None", "Title"])
    code, _, err = run("corpus", "info", tmp_path)
    assert code == 1
    assert "no corpus here" in err


def test_a_damaged_corpus_exits_with_1(run, news):
    assert run("corpus", "check", news) == (0, "", f"{news}: 0 errors, 0 warnings\n")
    (news / "labels" / "page1.json").write_text("{")
    (news / "labels" / "page99.json").write_text("{}")
    code, out, err = run("corpus", "check", news)
    assert code == 1
    assert out.splitlines()[2].startswith("error    page1   labels/page1.json: ")
    assert "1 errors, 1 warnings" in err
    code, out, _ = run("corpus", "check", news, "--format", "json")
    assert code == 1
    assert [row["level"] for row in json.loads(out)] == ["error", "warning"]


def test_copies_and_templates_are_listed_and_left_out(run, planted, tmp_path):
    code, out, _ = run("corpus", "check", planted, "--duplicates", "--format", "json")
    assert code == 0
    pairs = [(row["kind"], row["first"], row["second"]) for row in json.loads(out)]
    assert pairs == [("duplicate", "a", "b"), ("template", "c.example", "d.example")]
    code, _, err = run("corpus", "export", planted, tmp_path / "clean", "--dedupe")
    assert code == 0
    assert "4 of 5 pages" in err
    families = {page.id: page.family for page in Corpus.load(tmp_path / "clean")}
    assert families == {"a": "a.example", "c": "c.example", "d": "c.example", "e": "e.example"}


def test_a_split_with_leaks_is_refused(run, planted, tmp_path):
    path = tmp_path / "split.json"
    code, _, err = run("corpus", "split", planted, path, "--seed", 1, "--parts", "a=3,b=2")
    assert code == 1
    assert "on two sides of the split" in err
    assert "structce corpus export --dedupe" in err
    assert not path.exists()


def test_a_split_is_written_and_printed(run, news, tmp_path):
    path, options = tmp_path / "split.json", ("--parts", "a=0.75,b=0.25", "--by", "page")
    code, out, err = run("corpus", "split", news, path, "--seed", 7, *options)
    assert code == 0
    assert err.endswith(f"split by page written to {path}\n")
    assert "families of sites are in several parts" in err
    assert [line.split()[:2] for line in out.splitlines()[2:]] == [["a", "6"], ["b", "2"]]
    corpus = Corpus.load(news)
    drawn = corpus.draw_split({"a": 0.75, "b": 0.25}, by="page", seed=7)
    assert Split.load(path).parts == drawn.parts


@pytest.mark.parametrize("parts", ["a", "a=x", "a=0.5,a=0.5", "a=0", "=1", "a=nan,b=1"])
def test_parts_of_another_form_are_wrong_usage(run, news, tmp_path, parts):
    code, _, err = run("corpus", "split", news, tmp_path / "s.json", "--parts", parts)
    assert code == 2
    assert "expected distinct names with sizes" in " ".join(err.split())
    assert not (tmp_path / "s.json").exists()


def test_corpora_are_merged(run, news, bodies, tmp_path):
    out = tmp_path / "m"
    code, _, err = run("corpus", "merge", news, bodies, "--out", out)
    assert code == 0
    merged = Corpus.load(out)
    assert (merged.name, len(merged)) == ("news+bodies", 10)
    assert merged.licence == "news: MIT; bodies: CC0"
    assert merged.n_several > 0
    told = f"{merged.n_several} background regions may have another label, 1 ids"
    assert f"bodies: 2 pages; {told}" in err
    assert run("corpus", "check", out)[0] == 0
    assert run("corpus", "merge", news, "--out", tmp_path / "x")[0] == 2


def test_an_existing_folder_is_not_written_into(run, news, bodies):
    before = (news / "manifest.json").read_bytes()
    for command in (("export", bodies, news), ("merge", news, bodies, "--out", news)):
        code, _, err = run("corpus", *command)
        assert code == 1
        assert "already exists" in err
    assert (news / "manifest.json").read_bytes() == before


def test_one_part_of_a_split_is_exported(run, news, tmp_path):
    path, out = tmp_path / "s.json", tmp_path / "few"
    run("corpus", "split", news, path, "--parts", "a=0.5,b=0.5", "--by", "time")
    code, _, err = run("corpus", "export", news, out, "--part", f"{path}:a")
    assert (code, err) == (0, f"4 of 8 pages written to {out}\n")
    few = Corpus.load(out)
    assert [page.id for page in few] == ["page0", "page1", "page2", "page3"]
    assert few.notes["part"] == f"{path}:a"
    code, _, err = run("corpus", "export", news, tmp_path / "none", "--part", f"{path}:c")
    assert (code, "expected one of a, b" in " ".join(err.split())) == (2, True)


def test_pages_are_exported(run, make_corpus, tmp_path):
    corpus = make_corpus(4)
    first = replace(corpus.pages[0], labels=(UNKNOWN, *corpus.pages[0].labels[1:]))
    corpus = replace(corpus, pages=(first, *corpus.pages[1:]))
    corpus.save(tmp_path / "corpus")
    export = ("corpus", "export", tmp_path / "corpus")
    code, out, _ = run(*export, tmp_path / "out.jsonl", "--to", "jsonl")
    assert (code, out) == (0, "")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    labels = [tuple(region["label"] for region in row["regions"]) for row in rows]
    assert labels == [page.labels for page in corpus]


def test_raw_pages_are_exported_as_a_package(run, raw_corpus, tmp_path):
    package, corpus = tmp_path / "package", tmp_path / "corpus"
    code, _, err = run("corpus", "export", raw_corpus, package, "--to", "gottron")
    assert (code, "2 of 2 pages" in err) == (0, True)
    assert len(list(package.glob("*.txt"))) == 2
    assert run("corpus", "import", "gottron", package, corpus, "--renderer", "static")[0] == 0
    code, _, err = run("corpus", "export", corpus, tmp_path / "again", "--to", "gottron")
    assert code == 2
    assert "structce corpus import NAME SRC OUT --package" in " ".join(err.split())
