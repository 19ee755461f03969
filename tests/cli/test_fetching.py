"""``structce corpus fetch`` as a user runs it, from a server on this machine."""

import io
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from structce.datasets import download
from structce.datasets.base import READERS
from structce.datasets.download import Archive

Run = Callable[..., tuple[int, str, str]]
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
        told = {"trafilatura": Archive(address, note="a program with its tests")}
        monkeypatch.setattr(download, "ARCHIVES", told)
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
    run: Run,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    code: int,
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
    found, _, err = run("corpus", "fetch", "trafilatura", tmp_path, "--allow-http")
    assert found == code
    assert "Download it to " in err
    assert (tmp_path / "trafilatura.zip").exists() == (answer == "y")
    assert ("nothing was downloaded" in err) == (answer == "n")


def test_a_file_that_is_there_is_told_and_kept(run: Run, archive: Path, tmp_path: Path) -> None:
    arguments = ("corpus", "fetch", "trafilatura", tmp_path, "--allow-http")
    assert run(*arguments, "--yes")[0] == 0
    code, _, err = run(*arguments)
    assert code == 0
    assert "is there already" in err


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


def test_an_unknown_data_set_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    code, _, err = run("corpus", "fetch", "fundos", tmp_path)
    assert code == 2
    assert "fundus" in err
