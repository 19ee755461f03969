"""``structce corpus convert`` and ``export`` as a user runs them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.datasets import load_svmlight_file

from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.labels import UNKNOWN
from structce.learners.registry import LEARNERS

Run = Callable[..., tuple[int, str, str]]

CONVERT = ("corpus", "convert")
GOTTRON = ("--to", "gottron", "--renderer", "static")


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in folder.glob("*.txt")}


def test_a_corpus_becomes_a_package_and_a_package_a_corpus(
    run: Run, raw_corpus: Path, tmp_path: Path
) -> None:
    package, corpus, again = tmp_path / "package", tmp_path / "corpus", tmp_path / "again"
    code, _, err = run(*CONVERT, raw_corpus, package, *GOTTRON)
    assert (code, "2 of 2 pages" in err) == (0, True)
    code, out, err = run(
        *CONVERT, package, corpus, "--from", "gottron", "--renderer", "static", "--format", "json"
    )
    assert (code, "2 pages of 2 sites" in err) == (0, True)
    assert '"share"' in out
    code, _, err = run(*CONVERT, corpus, again, "--to", "gottron", "--html", package)
    assert (code, "2 of 2 pages" in err) == (0, True)
    assert texts(again) == texts(package) != {}


def test_a_page_that_is_left_out_is_named_and_the_code_says_so(
    run: Run, raw_corpus: Path, tmp_path: Path
) -> None:
    package, corpus = tmp_path / "package", tmp_path / "corpus"
    run(*CONVERT, raw_corpus, package, *GOTTRON)
    run(*CONVERT, package, corpus, "--from", "gottron", "--renderer", "static")
    lost = min(package.glob("*.html"))
    lost.unlink()
    code, _, err = run(*CONVERT, corpus, tmp_path / "again", "--to", "gottron", "--html", package)
    assert (code, "1 of 2 pages" in err) == (1, True)
    assert f"error: {lost.stem}: " in err
    code, _, err = run(
        *CONVERT, package, tmp_path / "fewer", "--from", "gottron", "--renderer", "static"
    )
    assert (code, f"error: {lost.stem}: " in err) == (1, True)


def test_a_rendered_corpus_asks_for_the_data_set_that_it_came_from(
    run: Run, make_corpus: Callable[..., object], tmp_path: Path
) -> None:
    make_corpus(1).save(tmp_path / "corpus")  # type: ignore[attr-defined]
    code, _, err = run(*CONVERT, tmp_path / "corpus", tmp_path / "out", "--to", "gottron")
    assert code == 2
    assert "--html small.zip" in err
    code, _, err = run(
        *CONVERT, tmp_path / "corpus", tmp_path / "out", "--to", "gottron", "--html", tmp_path
    )
    assert code == 2
    assert "give --reader" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give either --to or --from"),
        (("--to", "gottron", "--from", "gottron"), "give either --to or --from"),
        (("--from", "gottron", "--reader", "fundus"), "need --to"),
        (("--to", "gottron", "--reader", "fundus"), "keeps its HTML"),
        (("--to", "gottron", "--by", "site"), "need --to and a data set"),
    ],
    ids=["neither", "both", "from", "raw", "by"],
)
def test_options_that_do_not_fit_are_refused(
    run: Run, raw_corpus: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    code, _, err = run(*CONVERT, raw_corpus, tmp_path / "out", *options)
    assert code == 2
    assert message in err
    assert not (tmp_path / "out").exists()


def test_a_data_set_becomes_a_package_for_each_value_of_a_fact(run: Run, tmp_path: Path) -> None:
    package, out = tmp_path / "package", tmp_path / "out"
    package.mkdir()
    (package / "description.package").write_text("name: x\n")
    for name, site, language in (("a", "one", "en"), ("b", "two", "de"), ("c", "two", "en")):
        (package / f"{name}.html").write_text("<p>The quay</p>")
        (package / f"{name}.txt").write_text("The quay\n")
        (package / f"{name}.meta").write_text(f"site: {site}\nlanguage: {language}\n")
    to = ("--to", "gottron", "--reader", "gottron")
    code, _, err = run(*CONVERT, package, out, *to, "--by", "site", "--by", "language")
    assert code == 0
    assert f"1 pages written to {out / 'one-en'}" in err
    assert {folder.name for folder in out.iterdir()} == {"one-en", "two-de", "two-en"}
    whole = tmp_path / "whole"
    options = ("--only", "site=two", "--limit-pages", 1)
    assert run(*CONVERT, package, whole, *to, *options)[0] == 0
    assert set(texts(whole)) == {"b.txt"}
    code, _, err = run(*CONVERT, package, tmp_path / "none", *to, "--only", "site=three")
    assert (code, "no page was chosen" in err) == (1, True)
    assert run(*CONVERT, package, tmp_path / "none", *to, "--only", "site")[0] == 2


@pytest.fixture
def saved(make_corpus, tmp_path):
    """A corpus on disk; nobody knows the first label of its first page."""
    corpus = make_corpus(4)
    first = corpus.pages[0]
    first = replace(first, labels=(UNKNOWN, *first.labels[1:]))
    corpus = replace(corpus, pages=(first, *corpus.pages[1:]))
    corpus.save(tmp_path / "corpus")
    return corpus, tmp_path / "corpus"


def test_a_plain_export_says_what_it_wrote(run, saved, tmp_path):
    corpus, path = saved
    code, out, err = run("corpus", "export", path, tmp_path / "out.jsonl", "--to", "jsonl")
    assert (code, out) == (0, "")
    assert "4 pages written" in err
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [[region["label"] for region in row["regions"]] for row in rows] == [
        list(page.labels) for page in corpus
    ]


def test_families_give_the_columns_of_the_corpus(run, saved, tmp_path):
    corpus, path = saved
    options = ("--to", "svmlight", "--features", "dom,text")
    code, _, err = run("corpus", "export", path, tmp_path / "out.svm", *options)
    assert code == 0
    assert "1 of " in err
    names = json.loads((tmp_path / "out.svm.names.json").read_text())
    fitted = FeatureSet(["dom", "text"]).fit(page.page for page in corpus)
    assert names["columns"] == list(fitted.columns_)
    X, _ = load_svmlight_file(str(tmp_path / "out.svm"), n_features=len(names["columns"]))
    assert X.shape[0] == sum(len(page.labels) for page in corpus) - 1


def test_a_model_gives_its_own_columns(run, saved, tmp_path):
    corpus, path = saved
    known = replace(corpus, pages=corpus.pages[1:])
    labeller = RegionLabeller(
        FeatureSet(["dom"]), LEARNERS["linear-chain-crf"](max_iterations=2)
    ).fit(known)
    labeller.save(tmp_path / "model")
    options = ("--to", "svmlight", "--features", tmp_path / "model")
    assert run("corpus", "export", path, tmp_path / "out", *options)[0] == 0
    names = json.loads((tmp_path / "out.names.json").read_text())
    assert names["columns"] == list(labeller.features.columns_)


def test_features_that_compare_the_pages_of_a_site_see_them(run, make_corpus, tmp_path):
    make_corpus(4, pages_per_site=2).save(tmp_path / "sites")
    options = ("--to", "crfsuite", "--features", "site")
    code, _, err = run("corpus", "export", tmp_path / "sites", tmp_path / "out.crf", *options)
    assert code == 0
    assert "left out" not in err
    lines = (tmp_path / "out.crf").read_text().splitlines()
    assert any("\tsite." in line for line in lines)


def test_a_wrong_choice_of_features_is_told(run, saved, tmp_path):
    _, path = saved
    code, _, err = run(
        "corpus", "export", path, tmp_path / "x", "--to", "crfsuite", "--features", "txt"
    )
    assert code == 2
    assert "neither families of text, dom" in err
    code, _, err = run(
        "corpus", "export", path, tmp_path / "x", "--to", "jsonl", "--features", "dom"
    )
    assert code == 2
    assert "--features is for crfsuite and svmlight" in err
    assert not (tmp_path / "x").exists()
