"""``structce extract`` as a user runs it."""

import json

import pytest

from structce.cli.outputs import PageOutput
from structce.errors import ExtractionError
from structce.extraction import EXTRACTORS, registry
from structce.extraction.registry import MethodRegistry

MENU = "<ul>" + "<li><a href=x>Menu</a>" * 20 + "</ul>"
PAGE = f"<title>Ferry</title>{MENU}<h1>Ferry to stop</h1><p>It will stop in June.</p>{MENU}"


@pytest.fixture
def ferry_file(tmp_path):
    path = tmp_path / "ferry.html"
    path.write_text(PAGE)
    return path


@pytest.fixture
def ferry_folder(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for n in range(5):
        (folder / f"{n}.html").write_text(PAGE.replace("June", f"June {n}"))
    (folder / "3.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    return folder


def test_text_and_records_of_a_page(run, ferry_file):
    code, out, _ = run("extract", ferry_file, "--method", "bte")
    assert (code, out) == (0, "Ferry to stop\nIt will stop in June.\n")
    _, out, _ = run("extract", ferry_file, "--method", "bte", "--format", "json")
    (record,) = json.loads(out)
    assert list(record) == ["source", "method", "url", "text", "spans", "seconds"]
    ((start, end),) = record["spans"]
    assert PAGE[start:end] == "Ferry to stop</h1><p>It will stop in June."
    assert record["seconds"] > 0
    _, out, _ = run("extract", ferry_file, "--format", "jsonl")
    assert json.loads(out)["method"] == "regions"


def test_several_methods_give_a_record_each(run, ferry_file):
    methods = ("plain", "link-quota-25 threshold=1")
    options = [part for name in methods for part in ("--method", name)]
    _, out, _ = run("extract", ferry_file, ferry_file, *options, "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["method"] for record in records] == [*methods, *methods]
    assert len({record["text"] for record in records}) == 1


class Broken:
    """Extractor that fails on every page."""

    def extract(self, document):
        raise ExtractionError("nothing found")


def test_a_failing_method_is_a_row(run, ferry_file, monkeypatch):
    monkeypatch.setitem(EXTRACTORS, "own", Broken)
    options = ("--method", "own", "--method", "bte", "--format", "jsonl")
    code, out, err = run("extract", ferry_file, *options)
    failed, good = map(json.loads, out.splitlines())
    assert code == 1
    assert err.startswith("error: ")
    assert failed["error"]
    assert good["text"]


@pytest.mark.usefixtures("forgets_imports")
def test_an_own_method_is_one_file(run, ferry_file, monkeypatch):
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


def without_times(text):
    return [{**json.loads(line), "seconds": 0} for line in text.splitlines()]


def test_pages_are_written_to_one_file(run, ferry_folder, tmp_path):
    command = ("extract", ferry_folder, "--method", "bte", "--method", "plain")
    code, out, err = run(*command, "--format", "jsonl")
    assert code == 1
    assert "PNG" in err
    assert "5 pages in" in err
    assert ", 1 failed" in err
    file = tmp_path / "pages.jsonl"
    assert run(*command, "-o", file)[:2] == (1, "")
    assert without_times(file.read_text()) == without_times(out)


def test_interrupted_extraction_is_resumed(run, ferry_folder, tmp_path, monkeypatch):
    file = tmp_path / "a.jsonl"
    command = ("extract", ferry_folder, "--method", "plain", "-o", file)

    def stop(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(PageOutput, "close", stop)
        assert run(*command)[0] == 130
    assert not file.exists()
    code, _, err = run(*command, "--resume")
    assert code == 1
    assert "4 pages are already done" in err
    names = [str(ferry_folder / f"{n}.html") for n in range(5)]
    assert [row["source"] for row in without_times(file.read_text())] == names


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("-o", "a.csv"), 2, "expected a file that ends with .jsonl, .json or .txt"),
        (("-o", "folder"), 2, "expected a file that ends with .jsonl, .json or .txt"),
        (("-o", "a.json", "--format", "jsonl"), 2, "names a file of json"),
        (("--resume",), 2, "give --out, too"),
        (("--method", "btx"), 1, "did you mean 'bte'"),
    ],
)
def test_mistakes_are_named(run, ferry_folder, options, code, message, monkeypatch):
    monkeypatch.chdir(ferry_folder)
    status, _, err = run("extract", ferry_folder, *options)
    assert status == code
    assert message in " ".join(err.split())
