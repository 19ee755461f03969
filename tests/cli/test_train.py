"""``structce train`` and ``structce evaluate`` as a user runs them."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.labelling import RegionLabeller
from structce.labels import UNKNOWN
from structce.page import Page

Run = Callable[..., tuple[int, str, str]]


def test_a_corpus_is_trained_on_and_measured(
    run: Run, small: Path, mixed_folder: Path, tmp_path: Path
) -> None:
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


def test_an_unknown_hyper_parameter_is_wrong_usage(run: Run, small: Path, tmp_path: Path) -> None:
    code, _, err = run("train", small, "--out", tmp_path / "m",
                       "--set", "lamda=1")  # fmt: skip
    assert code == 2
    assert "lambda" in err


def test_a_recipe_makes_a_model_that_labels(
    run: Run,
    small_recipe: Path,
    two_data_sets: Path,
    make_page: Callable[..., Page],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Fitting byline readers takes most of the time; the tests of recipes do so.
    monkeypatch.setattr("structce.recipes.training.unseen_readers", lambda *_, **__: [])
    model = tmp_path / "model"
    code, _, err = run("train", "--recipe", small_recipe, "--data", two_data_sets, "--out", model)
    assert code == 0
    assert "importing htmldate (2 of 2) with the static renderer" in err
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
        ((), "expected exactly one of CORPUS, --recipe and --method"),
        (("small", "--recipe", "news"), "expected exactly one of CORPUS, --recipe and --method"),
        (("--recipe", "news"), "needs --data"),
        (("--recipe", "news", "--data", ".", "--set", "lambda=1"), "--set is set by the recipe"),
        (("--recipe", "news", "--data", ".", "--no-calibrate"), "--calibrate is set by the recipe"),
        (("small", "--workers", "2"), "--workers is for a --recipe"),
        (("--recipe", "news", "--data", "a", "--data", "b"), "needs --data"),
        (("--method", "block-svm"), "a --method needs --data"),
        (("small", "--method", "block-svm"), "CORPUS, --recipe and --method"),
        (
            ("--method", "block-svm", "--data", ".", "--seed", "1"),
            "--seed does not apply to a --method",
        ),
        (
            ("--method", "block-svm", "--data", ".", "--workers", "2"),
            "does not apply to a --method",
        ),
    ],
)
def test_options_of_the_other_way_of_training_are_wrong_usage(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    code, _, err = run("train", *arguments, "--out", tmp_path / "m")
    assert code == 2
    assert named in err


def test_a_renderer_that_the_recipe_is_not_for_is_wrong_usage(
    run: Run, small_recipe: Path, two_data_sets: Path, tmp_path: Path
) -> None:
    code, _, err = run("train", "--recipe", small_recipe, "--data", two_data_sets,
                       "--renderer", "chromium", "--out", tmp_path / "m")  # fmt: skip
    assert code == 2
    assert "is for static" in err


def test_a_recipe_without_its_data_sets_says_what_is_missing(run: Run, tmp_path: Path) -> None:
    code, _, err = run("train", "--recipe", "news", "--data", tmp_path, "--out", tmp_path / "m")
    assert code == 1
    assert "fundus.zip" in err
    assert not (tmp_path / "m").exists()


def test_a_model_is_written_over_only_with_force(run: Run, small: Path, tmp_path: Path) -> None:
    settings = ("--learner", "multiclass-svm", "--set", "max_epochs=1", "--no-calibrate")
    given = ("train", small, "--renderer", "static", "--out", tmp_path / "m", *settings)
    assert run(*given)[0] == 0
    before = (tmp_path / "m" / "manifest.json").read_bytes()
    code, _, err = run(*given, "--seed", "1")
    assert code == 2
    assert "--force" in err
    assert (tmp_path / "m" / "manifest.json").read_bytes() == before
    assert run(*given, "--force")[0] == 0


@pytest.mark.parametrize("command", ["train", "evaluate", "compare"])
def test_a_corpus_without_a_known_label_is_an_error_and_no_figure(
    run: Run, small_corpus: Corpus, tmp_path: Path, command: str
) -> None:
    pages = tuple(
        replace(page, labels=(UNKNOWN,) * len(page.labels)) for page in small_corpus.pages
    )
    folder, out = tmp_path / "corpus", tmp_path / "out"
    replace(small_corpus, pages=pages).save(folder)
    given = ("news-static", folder) if command == "evaluate" else (folder, "--out", out)
    code, printed, err = run(command, *given)
    assert (code, printed) == (1, "")
    assert "has a known label" in err
    assert not (out / "report.json").exists()
