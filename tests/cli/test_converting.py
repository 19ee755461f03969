from collections.abc import Callable
from pathlib import Path

import pytest

from structce.synthetic.generate import write_sample

Run = Callable[..., tuple[int, str, str]]

CONVERT = ("corpus", "convert")
GOTTRON = ("--to", "gottron", "--renderer", "static")


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A corpus of two raw pages."""
    write_sample(tmp_path / "raw", 2, 1, seed=5)
    return tmp_path / "raw"


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in folder.glob("*.txt")}


def test_a_corpus_becomes_a_package_and_a_package_a_corpus(
    run: Run, raw: Path, tmp_path: Path
) -> None:
    package, corpus, again = tmp_path / "package", tmp_path / "corpus", tmp_path / "again"
    code, _, err = run(*CONVERT, raw, package, *GOTTRON)
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
    run: Run, raw: Path, tmp_path: Path
) -> None:
    package, corpus = tmp_path / "package", tmp_path / "corpus"
    run(*CONVERT, raw, package, *GOTTRON)
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
        ((), "one of --to and --from"),
        (("--to", "gottron", "--from", "gottron"), "one of --to and --from"),
        (("--from", "gottron", "--reader", "fundus"), "go with --to"),
        (("--to", "gottron", "--reader", "fundus"), "keeps its HTML"),
    ],
    ids=["neither", "both", "from", "raw"],
)
def test_options_that_do_not_fit_are_refused(
    run: Run, raw: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    code, _, err = run(*CONVERT, raw, tmp_path / "out", *options)
    assert code == 2
    assert message in err
    assert not (tmp_path / "out").exists()
