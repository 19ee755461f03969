"""``structce extract`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.errors import ExtractionError
from structce.extraction import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extraction,
    ParsedDocument,
    registry,
)
from structce.extraction.registry import MethodRegistry

Run = Callable[..., tuple[int, str, str]]

MENU = "<ul>" + "<li><a href=x>Menu</a>" * 20 + "</ul>"
PAGE = f"<title>Ferry</title>{MENU}<h1>Ferry to stop</h1><p>It will stop in June.</p>{MENU}"


@pytest.fixture
def ferry_file(tmp_path: Path) -> Path:
    path = tmp_path / "ferry.html"
    path.write_text(PAGE)
    return path


def test_the_text_of_a_page_is_printed(run: Run, ferry_file: Path) -> None:
    code, out, _ = run("extract", ferry_file, "--method", "bte")
    assert (code, out) == (0, "Ferry to stop\nIt will stop in June.\n")


def test_a_record_has_text_places_method_and_time(run: Run, ferry_file: Path) -> None:
    _, out, _ = run("extract", ferry_file, "--method", "bte", "--format", "json")
    (record,) = json.loads(out)
    assert list(record) == ["source", "method", "url", "text", "spans", "seconds"]
    ((start, end),) = record["spans"]
    assert PAGE[start:end] == "Ferry to stop</h1><p>It will stop in June."
    assert record["method"] == "bte"
    assert record["seconds"] > 0


def test_several_methods_give_a_record_each(run: Run, ferry_file: Path) -> None:
    methods = ("plain", "link-quota-25 threshold=1")
    options = [part for name in methods for part in ("--method", name)]
    _, out, _ = run("extract", ferry_file, ferry_file, *options, "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["method"] for record in records] == [*methods, *methods]
    assert len({record["text"] for record in records}) == 1


def test_the_default_is_the_shipped_model(run: Run, ferry_file: Path) -> None:
    _, out, _ = run("extract", ferry_file, "--format", "jsonl")
    assert json.loads(out)["method"] == "regions"


def test_a_page_that_cannot_be_read_is_a_row_and_the_others_go_on(
    run: Run, ferry_file: Path
) -> None:
    (ferry_file.parent / "b.html").write_bytes(b"\x89PNG")
    code, out, err = run("extract", ferry_file.parent, "--method", "plain", "--format", "jsonl")
    assert code == 1
    assert "PNG" in err
    assert ["error" in json.loads(line) for line in out.splitlines()] == [True, False]


class Broken:
    """Extractor that fails on every page."""

    def extract(self, document: ParsedDocument) -> Extraction:
        raise ExtractionError(f"{document.name}: nothing found")


def test_a_method_that_fails_is_a_row_and_the_others_go_on(
    run: Run, ferry_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXTRACTORS, "broken", Broken)
    options = ("--method", "broken", "--method", "bte", "--format", "jsonl")
    code, out, _ = run("extract", ferry_file, *options)
    failed, good = map(json.loads, out.splitlines())
    assert code == 1
    assert "nothing found" in failed["error"]
    assert good["text"]


def test_an_unknown_method_is_an_error_with_a_suggestion(run: Run, ferry_file: Path) -> None:
    code, _, err = run("extract", ferry_file, "--method", "btx")
    assert code != 0
    assert "did you mean 'bte'" in err


def test_the_methods_are_listed(run: Run) -> None:
    code, out, _ = run("extract", "--list")
    assert code == 0
    every = {*EXTRACTORS, *PAGE_CLASS_METHODS, *TRAINABLE_METHODS}
    assert [line.split()[0] for line in out.splitlines()[2:]] == sorted(every)


def test_the_list_says_what_a_method_must_see_first(run: Run) -> None:
    _, out, _ = run("extract", "--list", "--format", "json")
    needs = {row["name"]: row["needs"] for row in json.loads(out)}
    assert needs["bte"] == ""
    assert needs["content-extractor"] == "pages of a site"
    assert needs["l-extractor"] == "training"


def test_a_source_is_needed(run: Run) -> None:
    code, _, err = run("extract", "--method", "bte")
    assert code == 2
    assert "SRC" in err


@pytest.mark.usefixtures("forgets_imports")
def test_a_method_of_ones_own_is_one_file(
    run: Run, ferry_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = MethodRegistry("extractor", ExtractionError, EXTRACTORS)
    monkeypatch.setattr(registry, "EXTRACTORS", names)
    monkeypatch.setattr("structce.extraction.extractor", names.register)
    own = ferry_file.parent / "my_extractor.py"
    own.write_text(
        "from structce.extraction import Extraction, extractor\n"
        "@extractor('first-word')\n"
        "class FirstWord:\n"
        "    def extract(self, document):\n"
        "        return Extraction(document.words.text[0])\n"
    )
    code, out, _ = run("extract", "--import", own, ferry_file, "--method", "first-word")
    assert (code, out) == (0, "Menu\n")


@pytest.fixture
def ferry_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for n in range(5):
        (folder / f"{n}.html").write_text(PAGE.replace("June", f"June {n}"))
    (folder / "3.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    return folder


def without_times(text: str) -> list[dict[str, object]]:
    return [{**json.loads(line), "seconds": 0} for line in text.splitlines()]


def test_pages_are_written_to_one_file_by_several_processes(
    run: Run, ferry_folder: Path, tmp_path: Path
) -> None:
    command = ("extract", ferry_folder, "--method", "bte", "--method", "plain")
    code, out, err = run(*command, "--format", "jsonl")
    assert code == 1
    assert "5 pages in" in err
    assert ", 1 failed" in err
    for workers in ("1", "2"):
        file = tmp_path / f"{workers}.jsonl"
        assert run(*command, "-o", file, "--workers", workers)[:2] == (1, "")
        assert without_times(file.read_text()) == without_times(out)
    text = tmp_path / "a.txt"
    assert run("extract", ferry_folder / "0.html", "--method", "bte", "-o", text)[0] == 0
    assert text.read_text() == "Ferry to stop\nIt will stop in June 0.\n"


def test_interrupted_extraction_goes_on(
    run: Run, ferry_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.jsonl"
    command = ("extract", ferry_folder, "--method", "plain", "-o", file)
    with monkeypatch.context() as patch:
        patch.setattr(
            "structce.cli.page_writers.FileWriter.close", lambda writer: writer._file.close()
        )
        run(*command)
    assert not file.exists()
    code, _, err = run(*command, "--resume")
    assert code == 1
    assert "4 pages are already done" in err
    assert [row["source"] for row in without_times(file.read_text())] == [
        str(ferry_folder / f"{n}.html") for n in range(5)
    ]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("-o", "a.csv"), "expected a file that ends with .jsonl, .json or .txt"),
        (("-o", "folder"), "expected a file that ends with .jsonl, .json or .txt"),
        (("-o", "a.json", "--format", "jsonl"), "names a file of json"),
        (("--resume",), "give --out, too"),
        (("--workers", "2", "--method", "common-passages"), "methods that learn from the pages"),
    ],
)
def test_odd_outputs_of_an_extraction_are_wrong_usage(
    run: Run,
    ferry_folder: Path,
    options: tuple[str, ...],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ferry_folder)
    options = tuple(sorted(PAGE_CLASS_METHODS)[0] if o == "common-passages" else o for o in options)
    code, _, err = run("extract", ferry_folder, *options)
    assert code == 2
    assert why in " ".join(err.split())


class OwnWithoutMethod:
    """Nothing."""


class OwnOfTexts:
    """A text alone."""

    def extract(self, document: object) -> str:
        return "text"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (OwnWithoutMethod, "OwnWithoutMethod has no method extract"),
        (OwnOfTexts, "OwnOfTexts.extract returned str; expected an Extraction"),
    ],
)
def test_a_method_of_ones_own_that_is_none_is_the_error_of_a_page(
    run: Run, ferry_file: Path, monkeypatch: pytest.MonkeyPatch, kind: type, reason: str
) -> None:
    monkeypatch.setitem(EXTRACTORS, "own", kind)
    code, _, err = run("extract", ferry_file, "--method", "own")
    assert (code, err.startswith("error: ")) == (1, True)
    assert reason in err
