"""``structce train`` and ``structce evaluate`` as a user runs them."""

import json
import zipfile
from dataclasses import replace

import pytest
from package_files import write_package

from structce.extraction import read_trained
from structce.labelling import RegionLabeller
from structce.labels import UNKNOWN


def test_a_corpus_is_trained_on_and_measured(run, small, mixed_folder, tmp_path):
    model = tmp_path / "model"
    settings = ("--set", "max-epochs=3", "--set", "tol=0.5", "--set", "lambda=1")
    code, _, err = run("train", small, "--out", model, *settings)
    assert code == 0
    assert "6 pages of 6 sites" in err
    code, out, err = run("evaluate", model, small, "--format", "json")
    assert code == 0
    assert "trained on" in err
    rows = {row["label"]: row for row in json.loads(out)}
    assert rows["macro"]["f1"] > 0.5
    code, out, _ = run("label", mixed_folder / "a.html", "--model", model,
                       "--renderer", "static", "--format", "text")  # fmt: skip
    assert code == 0
    assert len(out.splitlines()) > 3


def test_pages_without_labels_are_counted(run, small_corpus, tmp_path):
    first, *others = small_corpus
    unlabelled = replace(first, labels=(UNKNOWN,) * len(first.labels))
    replace(small_corpus, pages=(unlabelled, *others)).save(tmp_path / "gold")
    settings = ("--set", "max-epochs=1")
    code, _, err = run("train", tmp_path / "gold", "--out", tmp_path / "model", *settings)
    assert (code, "1 of 6 pages have no label yet" in err) == (0, True)


def test_a_recipe_makes_a_model_that_labels(
    run, small_recipe, two_data_sets, make_page, tmp_path, monkeypatch
):
    # Fitting byline readers takes most of the time; the tests of recipes do so.
    monkeypatch.setattr("structce.recipes.training.unseen_readers", lambda *_, **__: [])
    model = tmp_path / "model"
    code, _, err = run("train", "--recipe", small_recipe, "--data", two_data_sets, "--out", model)
    assert code == 0
    assert "importing htmldate with the static renderer" in err
    assert "10 pages of 8 sites" in err
    assert (tmp_path / "model-corpora" / "htmldate-static" / "manifest.json").exists()
    with zipfile.ZipFile(two_data_sets / "htmldate.zip") as archive:
        page = make_page(archive.read("tests/test_set/7.html").decode())
    labels = RegionLabeller.load(model).label(page).labels
    assert page.text[3].startswith("salt107x0")
    assert labels[2:] == ("Date", "Paragraph", "Paragraph", "Paragraph", "None")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("", "expected exactly one of CORPUS, --recipe and --method"),
        ("small --recipe news", "expected exactly one of CORPUS, --recipe and --method"),
        ("--recipe news", "needs --data"),
        ("--recipe news --data a --data b", "needs --data"),
        ("--recipe news --data . --set lambda=1", "--set does not apply to training by a recipe"),
        ("--recipe RECIPE --data . --renderer chromium", "is for static"),
        ("--method block-svm", "a --method needs --data"),
        ("--method block-svm --data . --seed 1", "--seed does not apply to training by a method"),
        ("SMALL --set lamda=1", "lambda"),
    ],
)
def test_wrong_usage_is_named(run, small, small_recipe, tmp_path, arguments, named):
    given = arguments.replace("RECIPE", str(small_recipe)).replace("SMALL", str(small))
    code, _, err = run("train", *given.split(), "--out", tmp_path / "m")
    assert code == 2
    assert named in " ".join(err.split())


def test_a_model_is_written_over_only_with_force(run, small, tmp_path):
    settings = ("--learner", "multiclass-svm", "--set", "max_epochs=1")
    given = ("train", small, "--renderer", "static", "--out", tmp_path / "m", *settings)
    assert run(*given)[0] == 0
    before = (tmp_path / "m" / "manifest.json").read_bytes()
    code, _, err = run(*given, "--seed", "1")
    assert code == 2
    assert "--force" in err
    assert (tmp_path / "m" / "manifest.json").read_bytes() == before
    assert run(*given, "--force")[0] == 0


def test_an_unknown_learner_gets_a_suggestion(run, small, tmp_path):
    code, _, err = run("train", small, "--out", tmp_path / "m", "--learner", "structured-svn")
    assert (code, "did you mean 'structured-svm'" in err) == (1, True)


@pytest.mark.parametrize("command", ["train", "evaluate", "compare"])
def test_corpus_without_known_labels_is_an_error(run, small_corpus, tmp_path, command):
    pages = [replace(page, labels=(UNKNOWN,) * len(page.labels)) for page in small_corpus.pages]
    folder, out = tmp_path / "corpus", tmp_path / "out"
    replace(small_corpus, pages=tuple(pages)).save(folder)
    given = ("news-static", folder) if command == "evaluate" else (folder, "--out", out)
    code, printed, err = run(command, *given)
    assert (code, printed, "has a known label" in err) == (1, "", True)
    assert not (out / "report.json").exists()


SENTENCE = "The ferry to the island will stop in June, the harbour master number {} said. "


@pytest.fixture
def package(tmp_path):
    """A test package of six pages of two sites."""
    menu, pages = "".join(f"<p><a href=x>Item {i}</a>" for i in range(4)), {}
    for n in range(6):
        text = "".join(SENTENCE.format(n * 10 + i) for i in range(4 + n % 3))
        html = f"<div class=menu>{menu}</div><div><p>{text}</p></div>"
        pages[n] = (html, text, f"site: s{n % 2}.example\n")
    return write_package(tmp_path / "ferries", pages)


@pytest.mark.parametrize("method", ["block-svm C=10", "l-extractor", "dragnet-like min_leaf=2"])
def test_a_method_that_was_trained_extracts(run, package, tmp_path, method):
    out = tmp_path / "news.trained"
    code, _, err = run("train", "--method", method, "--data", package, "--out", out)
    assert code == 0
    assert "6 pages of 2 sites" in err
    method_read = read_trained(out)
    assert method_read.method == method.split()[0]
    assert method_read.training.sources == ("ferries",)
    code, text, _ = run("extract", package / "0.html", "--method", f"trained:{out}")
    assert code == 0
    assert text.split() == (package / "0.txt").read_text().split()


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("block-swm", "did you mean 'block-svm'"),
        ("block-svm D=1", "D"),
        ("bte", "unknown"),
        ("block-svm", "5.txt contains no text"),
    ],
)
def test_mistakes_in_methods_and_pages_are_named(run, package, tmp_path, method, message):
    (package / "5.txt").write_text("")
    out = tmp_path / "news.trained"
    code, _, err = run("train", "--method", method, "--data", package, "--out", out)
    assert code == 1
    assert message in err
    assert out.exists() == (method == "block-svm")
    code, _, err = run("extract", package / "0.html", "--method", "block-svm")
    assert code == 1
    assert "structce train --method block-svm --data PACKAGE --out FILE" in err
