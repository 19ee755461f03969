"""``structce train --method`` as a user runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from structce.extraction import read_trained

Run = Callable[..., tuple[int, str, str]]

SENTENCE = "The ferry to the island will stop in June, the harbour master number {} said. "


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A test package of six pages of two sites."""
    folder = tmp_path / "ferries"
    folder.mkdir()
    (folder / "description.package").write_text("name: ferries\n")
    for n in range(6):
        text = "".join(SENTENCE.format(n * 10 + i) for i in range(4 + n % 3))
        menu = "".join(f"<p><a href=x>Item {i}</a>" for i in range(4))
        html = f"<div class=menu>{menu}</div><div><p>{text}</p></div>"
        (folder / f"{n}.html").write_text(html)
        (folder / f"{n}.txt").write_text(text)
        (folder / f"{n}.meta").write_text(f"site: s{n % 2}.example\n")
    return folder


@pytest.mark.parametrize(
    "method", ["block-svm", "block-svm C=10", "l-extractor", "dragnet-like min_leaf=2"]
)
def test_a_method_that_was_trained_extracts(
    run: Run, package: Path, tmp_path: Path, method: str
) -> None:
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


def test_several_packages_are_learnt_from(run: Run, package: Path, tmp_path: Path) -> None:
    second = tmp_path / "more"
    package.rename(second)
    package.mkdir()
    for name in ("description.package", "0.html", "0.txt"):
        (package / name).write_bytes((second / name).read_bytes())
    out = tmp_path / "news.trained"
    code, _, err = run("train", "--method", "block-svm", "--data", package, "--data", second,
                       "--out", out)  # fmt: skip
    assert code == 0
    assert "7 pages" in err
    assert read_trained(out).training.sources == ("ferries", "more")


def test_pages_that_cannot_be_read_are_told(run: Run, package: Path, tmp_path: Path) -> None:
    (package / "5.txt").write_text("")
    out = tmp_path / "news.trained"
    code, _, err = run("train", "--method", "block-svm", "--data", package, "--out", out)
    assert code == 1
    assert "5.txt contains no text" in err
    assert read_trained(out).training.n_pages == 5


@pytest.mark.parametrize(
    ("method", "named"),
    [("block-swm", "did you mean 'block-svm'"), ("block-svm D=1", "D"), ("bte", "unknown")],
)
def test_what_is_no_method_or_parameter_is_told(
    run: Run, package: Path, tmp_path: Path, method: str, named: str
) -> None:
    code, _, err = run("train", "--method", method, "--data", package, "--out", tmp_path / "a")
    assert code == 1
    assert named in err
    assert not (tmp_path / "a").exists()


def test_an_untrained_method_says_how_to_train_it(run: Run, package: Path) -> None:
    code, _, err = run("extract", package / "0.html", "--method", "block-svm")
    assert code == 1
    assert "structce train --method block-svm --data PACKAGE --out FILE" in err


def test_a_folder_is_not_written_over(run: Run, package: Path, tmp_path: Path) -> None:
    code, _, err = run("train", "--method", "block-svm", "--data", package, "--out", package)
    assert code == 1
    assert "is a folder" in err
