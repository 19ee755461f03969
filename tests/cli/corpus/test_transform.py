"""Commands that divide, join, check and describe corpora."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.splits import Split

Run = Callable[..., tuple[int, str, str]]
LEAKS = "--allow-leaks"  # the small pages are nearly the same


@pytest.fixture
def news(tmp_path: Path, make_corpus: Callable[..., Corpus]) -> Path:
    """Eight pages of four sites."""
    replace(make_corpus(8, pages_per_site=2), name="news").save(tmp_path / "news")
    return tmp_path / "news"


@pytest.fixture
def bodies_folder(tmp_path: Path, make_corpus: Callable[..., Corpus]) -> Path:
    """Two pages of another site, one of them with an id of ``news``; only titles are told."""
    pages = [
        replace(page, site="other.example", family="other.example",
                labels=tuple("Title" if label == "Title" else "None" for label in page.labels))
        for page in make_corpus(9).pages[7:]
    ]  # fmt: skip
    Corpus("bodies", tuple(pages), covered=("Title",), licence="CC0").save(tmp_path / "bodies")
    return tmp_path / "bodies"


@pytest.mark.parametrize("command", ["split", "subset", "merge", "validate", "info"])
def test_help_shows_an_example(run: Run, command: str) -> None:
    code, out, _ = run("corpus", command, "--help")
    assert code == 0
    assert f"structce corpus {command}" in " ".join(out.split("Example")[-1].split())


def test_a_split_is_written_and_told(run: Run, news: Path, tmp_path: Path) -> None:
    out_file = tmp_path / "split.json"
    code, out, err = run(
        "corpus", "split", news, out_file, "--seed", 7, "--parts", "a=0.75,b=0.25", LEAKS
    )
    assert (code, err) == (0, f"split by site written to {out_file}\n")
    assert out.splitlines()[0].split() == ["a", "b"]
    rows = {line.split("  ")[0]: line.split()[-2:] for line in out.splitlines()[2:]}
    assert rows["pages"] == ["6", "2"]
    assert rows["sites"] == ["3", "1"]
    assert rows["Title"] == ["6", "2"]
    corpus = Corpus.load(news)
    parts = corpus.parts(Split.load(out_file))
    drawn = corpus.split((0.75, 0.25), seed=7)
    assert [part.digest for part in parts.values()] == [part.digest for part in drawn]


def test_a_split_is_told_as_json_too(run: Run, news: Path, tmp_path: Path) -> None:
    _, out, _ = run("corpus", "split", news, tmp_path / "s.json", "--format", "json", LEAKS)
    rows = json.loads(out)
    assert [row["part"] for row in rows] == ["train", "validation", "test"]
    assert sum(row["pages"] for row in rows) == 8
    assert all(sum(row["labels"].values()) == row["regions"] for row in rows)


def test_a_split_that_tears_copies_of_a_page_apart_is_refused(
    run: Run, news: Path, tmp_path: Path
) -> None:
    code, _, err = run("corpus", "split", news, tmp_path / "s.json", "--seed", 7)
    assert code == 1
    assert "duplicate: page0 in train and page4 in test" in err
    assert "structce corpus dedupe" in err
    assert not (tmp_path / "s.json").exists()


def test_a_split_that_flatters_says_so(run: Run, news: Path, tmp_path: Path) -> None:
    parts = ("--parts", "a=0.5,b=0.5")
    code, _, err = run("corpus", "split", news, tmp_path / "s.json", "--by", "page", *parts)
    assert code == 0
    assert "families of sites are in several parts" in err
    code, _, err = run("corpus", "split", news, tmp_path / "s.json", "--by", "time", *parts)
    assert code == 0
    assert Split.load(tmp_path / "s.json").parts["a"] == ("page0", "page1", "page2", "page3")


@pytest.mark.parametrize(
    "parts",
    ["a", "a=x", "a=0.5,a=0.5", "a=0", "=1", "a=nan,b=1"],
    ids=["share", "number", "twice", "nothing", "name", "nan"],
)
def test_parts_of_another_form_are_wrong_usage(
    run: Run, news: Path, tmp_path: Path, parts: str
) -> None:
    code, _, err = run("corpus", "split", news, tmp_path / "s.json", "--parts", parts)
    assert code == 2
    assert "expected distinct names with sizes" in err
    assert not (tmp_path / "s.json").exists()


def test_conditions_of_a_subset_hold_together(run: Run, news: Path, tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("page1\npage2\n\npage3\n")
    conditions = ("--ids", ids, "--site", "site1.example", "--lang", "en", "--id-prefix", "page")
    code, _, err = run("corpus", "subset", news, tmp_path / "few", *conditions)
    assert (code, err) == (0, f"2 pages of 1 sites written to {tmp_path / 'few'}\n")
    few = Corpus.load(tmp_path / "few")
    assert [page.id for page in few] == ["page2", "page3"]
    chosen = few.notes["chosen"]
    assert chosen == {
        "ids": ["page1", "page2", "page3"],
        "site": ["site1.example"],
        "lang": ["en"],
        "id_prefix": "page",
    }


def test_a_part_of_a_split_is_a_subset(run: Run, news: Path, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    run("corpus", "split", news, file, "--parts", "a=0.5,b=0.5", LEAKS)
    assert run("corpus", "subset", news, tmp_path / "a", "--part", f"{file}:a")[0] == 0
    assert [page.id for page in Corpus.load(tmp_path / "a")] == list(Split.load(file).parts["a"])
    code, _, err = run("corpus", "subset", news, tmp_path / "c", "--part", f"{file}:c")
    assert code == 2
    assert "expected one of a, b" in err


def test_pages_are_drawn_by_seed(run: Run, news: Path, tmp_path: Path) -> None:
    drawn = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run("corpus", "subset", news, tmp_path / name, "--max-pages", 3, "--seed", seed)
        drawn.append([page.id for page in Corpus.load(tmp_path / name)])
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(ids) for ids in drawn] == [3, 3, 3]


@pytest.mark.parametrize(
    ("conditions", "code", "message"),
    [
        ((), 2, "choose pages by"),
        (("--lang", "fr"), 1, "no page meets all conditions"),
        (("--lang", "e"), 1, "no page meets all conditions"),
        (("--site", "nowhere.example"), 1, "no page of the site 'nowhere.example'"),
        (("--part", "nothing"), 2, "expected SPLIT.json:NAME"),
        (("--part", "nothing.json:a"), 1, "no split here"),
    ],
    ids=["nothing", "lang", "begin", "site", "part", "split"],
)
def test_a_subset_of_nothing_is_an_error(
    run: Run, news: Path, tmp_path: Path, conditions: tuple[str, ...], code: int, message: str
) -> None:
    status, _, err = run("corpus", "subset", news, tmp_path / "few", *conditions)
    assert status == code
    assert message in err
    assert not (tmp_path / "few").exists()


def test_nothing_is_written_over(run: Run, news: Path, bodies_folder: Path) -> None:
    before = (news / "manifest.json").read_bytes()
    for command in (
        ("subset", bodies_folder, news, "--lang", "en"),
        ("merge", news, bodies_folder, "--out", news),
    ):
        code, _, err = run("corpus", *command)
        assert code == 1
        assert "already exists" in err
    assert (news / "manifest.json").read_bytes() == before


def test_corpora_are_merged(run: Run, news: Path, bodies_folder: Path, tmp_path: Path) -> None:
    code, _, err = run(
        "corpus", "merge", news, bodies_folder, "--out", tmp_path / "m", "--name", "all"
    )
    assert code == 0
    made = Corpus.load(tmp_path / "m")
    assert (made.name, len(made), made.licence) == ("all", 10, "news: MIT; bodies: CC0")
    assert made.n_several > 0
    told = f"{made.n_several} background regions may have another label, 1 ids"
    assert f"bodies: 2 pages; {told}" in err
    assert run("corpus", "validate", tmp_path / "m")[0] == 0
    common = ("--labels", "common", "--out", tmp_path / "c")
    assert run("corpus", "merge", news, bodies_folder, *common)[0] == 0
    assert Corpus.load(tmp_path / "c").covered == ("Title",)


def test_one_corpus_is_no_merge(run: Run, news: Path, tmp_path: Path) -> None:
    assert run("corpus", "merge", news, "--out", tmp_path / "m")[0] == 2


def test_a_sound_corpus_exits_with_0_and_a_damaged_one_with_1(run: Run, news: Path) -> None:
    assert run("corpus", "validate", news) == (0, "", f"{news}: 0 errors, 0 warnings\n")
    (news / "labels" / "page1.json").write_text("{")
    (news / "labels" / "page99.json").write_text("{}")
    code, out, err = run("corpus", "validate", news)
    assert code == 1
    lines = out.splitlines()
    assert lines[2].startswith("error    page1   labels/page1.json: ")
    assert lines[3].startswith("warning")
    assert "1 errors, 1 warnings" in err
    code, out, _ = run("corpus", "validate", news, "--format", "json")
    assert code == 1
    assert [row["level"] for row in json.loads(out)] == ["error", "warning"]


def test_a_corpus_is_described_and_drawn(run: Run, bodies_folder: Path, tmp_path: Path) -> None:
    code, out, err = run("corpus", "info", bodies_folder, "--plots", tmp_path / "plots")
    assert code == 0
    assert "not covered by the gold" in out
    assert "three quarters" in out
    assert err == f"8 pictures written to {tmp_path / 'plots'}\n"
    code, out, _ = run("corpus", "info", bodies_folder, "--format", "json")
    (row,) = json.loads(out)
    assert (row["pages"], row["sites"], row["covered"]) == (2, 1, ["None", "Title"])
