"""``structce corpus import`` and ``synthesise`` as a user runs them."""

import io
import json

import pytest
from package_files import write_package

from structce.corpus import Corpus
from structce.datasets import READERS, LocalArchive

IMPORT = ("corpus", "import")
STATIC = ("--renderer", "static")

HTML = (
    "<html lang=en><h1>Ferry to stop</h1><p class=byline>By Ann Lee and Bo Ek, 14 March 2026</p>"
    "<p>The ferry will stop in June, the council said.</p><p>It ran for forty years.</p>"
    "<footer>Imprint of the paper</footer>"
)


@pytest.fixture
def table_folder(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_text(HTML, encoding="utf-8")
    return folder


def test_every_data_set_is_listed(run):
    code, out, err = run(*IMPORT, "--list")
    assert (code, err) == (0, "")
    assert [row.split()[0] for row in out.splitlines()[2:]] == sorted(READERS)
    rows = {row["name"]: row for row in json.loads(run(*IMPORT, "--list", "--format", "json")[1])}
    reader = READERS["trafilatura"]
    assert rows["trafilatura"]["licence"] == reader.licence
    assert rows["trafilatura"]["gold"] == list(reader.gold)
    one = run(*IMPORT, "trafilatura", "--list")[1]
    assert reader.citation in one
    assert reader.archive in one


def test_an_unknown_name_gets_a_suggestion(run):
    code, _, err = run(*IMPORT, "fundos", "--list")
    assert (code, "did you mean 'fundus'" in err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fundus", "here.zip"), "expected NAME, SRC and OUT"),
        (("fundus", "nowhere.zip", "out"), "no such file or folder"),
    ],
)
def test_wrong_usage_is_named(run, arguments, message):
    code, _, err = run(*IMPORT, *arguments)
    assert code == 2
    assert message in " ".join(err.split())


@pytest.fixture
def fetched(monkeypatch):
    """Addresses that were downloaded; nothing is."""
    addresses = []

    def fetch(address, path, *, digest):
        addresses.append(address)
        was_there = path.exists()
        path.write_bytes(b"zip")
        return LocalArchive(path, "0" * 64, 3, was_there=was_there)

    monkeypatch.setattr("structce.datasets.fetch_archive", fetch)
    return addresses


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("y", 0), ("", 130)])
def test_a_licence_is_accepted_before_a_download(run, fetched, tmp_path, monkeypatch, answer, code):
    monkeypatch.setattr("sys.stdin", io.StringIO(answer and f"{answer}\n"))
    path = tmp_path / "trafilatura.zip"
    status, out, err = run(*IMPORT, "trafilatura", path, "--fetch")
    assert (status, out) == (code, "")
    reader = READERS["trafilatura"]
    assert all(told in err for told in (reader.licence, reader.citation, reader.home))
    assert fetched == ([reader.archive] if answer == "y" else [])
    assert path.exists() == (answer == "y")


def test_an_archive_is_downloaded_once(run, fetched, tmp_path, monkeypatch):
    path = tmp_path / "trafilatura.zip"
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert run(*IMPORT, "trafilatura", path, "--fetch")[0] == 0
    code, _, err = run(*IMPORT, "trafilatura", path, "--fetch")
    assert code == 0
    assert "already exists" in err


def test_a_data_set_without_an_archive_names_its_home(run, tmp_path):
    code, _, err = run(*IMPORT, "fundus", tmp_path / "f.zip", "--fetch")
    assert code == 1
    assert READERS["fundus"].home in err


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_output_of_label_is_gold_after_correction(run, table_folder, tmp_path, suffix):
    table = tmp_path / f"out.{suffix}"
    assert run("label", table_folder / "a.html", *STATIC, "-o", table)[0] == 0
    (page,) = READERS["table"].read(table)
    assert page.gold.title == "Ferry to stop"
    assert set(page.gold.authors) <= {"Ann Lee", "Bo Ek"}
    assert bool(page.gold.marks) == (suffix == "jsonl")


def test_sites_must_be_stated_or_chosen(run, table_folder, tmp_path):
    (table_folder / "gold.csv").write_text("file,title\na.html,Ferry to stop\n")
    command = (*IMPORT, "table", table_folder, tmp_path / "corpus", *STATIC)
    code, _, err = run(*command)
    assert code == 2
    assert "--site-from page" in err
    code, _, err = run(*command, "--site-from", "page")
    assert code == 0
    assert "1 pages of 1 sites (sites by page) written" in err


def test_an_existing_corpus_is_not_overwritten(run, table_folder, tmp_path):
    (table_folder / "gold.csv").write_text("file,title,site\na.html,Ferry to stop,s\n")
    corpus = tmp_path / "corpus"
    invented = ("corpus", "synthesise", corpus, "--sites", "1", "--pages", "2")
    imported = (*IMPORT, "table", table_folder, corpus, *STATIC)
    assert run(*imported)[0] == 0
    for command in (imported, invented):
        code, _, err = run(*command)
        assert code == 1
        assert "already contains a corpus; name a new folder" in err


@pytest.fixture
def package(tmp_path):
    """A test package of three pages of two sites, in two languages."""
    facts = {"a": ("one", "en"), "b": ("two", "de"), "c": ("two", "en")}
    pages = {name: ("<p>The quay</p>", "The quay\n", "site: {}\nlanguage: {}\n".format(*own))
             for name, own in facts.items()}  # fmt: skip
    return write_package(tmp_path / "package", pages)


def test_a_data_set_becomes_packages_by_facts(run, package, tmp_path):
    out = tmp_path / "out"
    command = (*IMPORT, "gottron", package, out, "--package")
    code, _, err = run(*command, "--by", "site", "--by", "language")
    assert code == 0
    assert f"1 pages written to {out / 'one-en'}" in err
    assert {folder.name for folder in out.iterdir()} == {"one-en", "two-de", "two-en"}
    code, _, err = run(*command, "--by", "colour")
    assert (code, "all facts of --by" in err) == (1, True)


def test_a_package_becomes_a_corpus_and_lost_pages_are_named(run, package, tmp_path):
    (package / "c.html").unlink()
    code, out, err = run(*IMPORT, "gottron", package, tmp_path / "corpus", *STATIC)
    assert code == 1
    assert "error: c: " in err
    assert "share" in out
    assert [page.id for page in Corpus.load(tmp_path / "corpus")] == ["a", "b"]
