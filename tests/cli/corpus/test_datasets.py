"""Commands on public data sets, as a user runs them: list, fetch."""

import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from structce.cli.corpus.datasets import DATASETS_BEGIN
from structce.cli.messages import TABLE_END
from structce.datasets.base import READERS

Run = Callable[..., tuple[int, str, str]]


def test_every_data_set_is_listed_in_a_narrow_table(run: Run) -> None:
    code, out, err = run("corpus", "list")
    assert (code, err) == (0, "")
    rows = out.splitlines()[2:]
    assert [row.split()[0] for row in rows] == sorted(READERS)
    assert max(map(len, rows)) <= 120
    (fundus,) = [row for row in rows if row.startswith("fundus ")]
    assert fundus.split()[-3:] == ["MIT", "yes", "no"]


def test_all_is_told_of_one_data_set(run: Run) -> None:
    code, out, _ = run("corpus", "list", "trafilatura")
    assert code == 0
    joined = " ".join(out.split())
    reader = READERS["trafilatura"]
    for told in (reader.title, reader.licence, reader.citation, reader.home):
        assert " ".join(told.split()) in joined
    assert "https://codeload." in out


def test_json_holds_what_the_registry_knows(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("corpus", "list", "--format", "json")[1])}
    assert set(rows) == set(READERS)
    for name, reader in READERS.items():
        assert rows[name]["gold"] == list(reader.gold)
        assert rows[name]["labels"] == list(reader.labels)
        assert rows[name]["may_train"] == reader.may_train
        assert rows[name]["licence"] == reader.licence
    (row,) = json.loads(run("corpus", "list", "fundus", "--format", "json")[1])
    assert row == rows["fundus"]


def test_markdown_goes_between_its_marks(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "corpora.md"
    path.write_text(f"# Corpora\n\n{DATASETS_BEGIN}\nold\n{TABLE_END}\n\nMore.\n")
    for _ in range(2):  # writing it again changes nothing
        assert run("corpus", "list", "--into", path)[:2] == (0, "")
    text = path.read_text()
    table = run("corpus", "list", "--markdown")[1].strip()
    assert text == f"# Corpora\n\n{DATASETS_BEGIN}\n\n{table}\n\n{TABLE_END}\n\nMore.\n"
    rows = [line for line in table.splitlines() if line.startswith("| [")]
    homes = [reader for reader in READERS.values() if reader.home.startswith("http")]
    assert len(rows) == len(homes)
    assert all(row.count("|") == 8 for row in rows)
    assert f"- **fundus**: {READERS['fundus'].citation}" in table


@pytest.mark.parametrize(
    "text",
    [
        "nothing here",
        f"{TABLE_END}\n{DATASETS_BEGIN}",
        f"{DATASETS_BEGIN}\n{DATASETS_BEGIN}\n{TABLE_END}",
    ],
    ids=["none", "wrong order", "two"],
)
def test_a_file_without_its_marks_is_left_as_it_is(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "corpora.md"
    path.write_text(text)
    code, _, err = run("corpus", "list", "--into", path)
    assert code == 1
    assert DATASETS_BEGIN in err
    assert path.read_text() == text


def test_an_unknown_data_set_is_wrong_usage(run: Run) -> None:
    assert run("corpus", "list", "fundos")[0] == 2
    code, _, err = run("corpus", "fetch", "fundos")
    assert code == 2
    assert "fundus" in err


PATH = "set.zip"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The archive of Trafilatura's pages, as far as the command knows."""
    folder = tmp_path / "served"
    folder.mkdir()
    with zipfile.ZipFile(folder / PATH, "w") as packed:
        packed.writestr("trafilatura-1/tests/evaldata.json", "{}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/{PATH}"
        moved = {**READERS, "trafilatura": replace(READERS["trafilatura"], archive=address)}
        monkeypatch.setattr("structce.cli.corpus.datasets.READERS", moved)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield folder / PATH
        server.shutdown()
        thread.join()


class Terminal(io.StringIO):
    """Standard input with somebody who answers."""

    def isatty(self) -> bool:
        return True


def test_the_licence_is_told_and_the_archive_is_written(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    code, out, err = run("corpus", "fetch", "trafilatura", tmp_path / "new", "--yes",
                         "--allow-http")  # fmt: skip
    path = tmp_path / "new" / "trafilatura.zip"
    assert code == 0
    assert out == f"{path}\n"
    assert path.read_bytes() == archive.read_bytes()
    reader = READERS["trafilatura"]
    for told in (reader.licence, reader.citation, reader.home, "a program with its tests"):
        assert told in err
    assert "to get the same bytes again: --digest " in err
    assert f"next: structce corpus import trafilatura {path} OUT" in err


def test_without_a_terminal_and_without_yes_nothing_is_downloaded(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    code, out, err = run("corpus", "fetch", "trafilatura", tmp_path, "--allow-http")
    assert (code, out) == (2, "")
    assert "give --yes" in err
    assert not (tmp_path / "trafilatura.zip").exists()


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("y", 0)])
def test_the_user_is_asked(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
    status, _, err = run("corpus", "fetch", "trafilatura", tmp_path, "--allow-http")
    assert status == code
    assert "Download it to " in err
    assert (tmp_path / "trafilatura.zip").exists() == (answer == "y")
    assert ("nothing was downloaded" in err) == (answer == "n")


def test_a_file_that_is_there_is_told_and_kept(run: Run, archive: Path, tmp_path: Path) -> None:
    arguments = ("corpus", "fetch", "trafilatura", tmp_path, "--allow-http")
    assert run(*arguments, "--yes")[0] == 0
    code, _, err = run(*arguments)
    assert code == 0
    assert "already exists" in err


def test_a_wrong_digest_exits_with_1(run: Run, archive: Path, tmp_path: Path) -> None:
    code, out, err = run("corpus", "fetch", "trafilatura", tmp_path, "--yes", "--allow-http",
                         "--digest", "0" * 64)  # fmt: skip
    assert (code, out) == (1, "")
    assert "it was not kept" in err
    assert not (tmp_path / "trafilatura.zip").exists()


def test_an_unencrypted_address_is_refused_by_itself(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    code, _, err = run("corpus", "fetch", "trafilatura", tmp_path, "--yes")
    assert code == 1
    assert "begins with https://" in err


def test_a_data_set_without_an_archive_names_its_home(run: Run, tmp_path: Path) -> None:
    code, out, err = run("corpus", "fetch", "fundus", tmp_path, "--yes")
    assert (code, out) == (1, "")
    assert READERS["fundus"].home in err
    assert "gold_map.json" in err
    assert "structce corpus import fundus" in err


def test_pages_are_synthesised(run: Run, tmp_path: Path) -> None:
    code, _, err = run("corpus", "synthesise", tmp_path / "s", "--sites", 1, "--pages", 2)
    assert code == 0
    assert "2 pages of 1 sites" in err
    assert len(list((tmp_path / "s" / "pages").glob("*.html"))) == 2
