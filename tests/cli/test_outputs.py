"""Outputs that are odd, shared, damaged or full, and names that would control a terminal."""

from __future__ import annotations

import csv
import errno
import fcntl
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import page_inputs as inputs
import pytest

import structce
from structce.cli.messages import MessageFormatter, shown_message
from structce.cli.page_writers import FileWriter, _cell
from structce.errors import SourceError
from structce.io import file_errors

Run = Callable[..., tuple[int, str, str]]

FORMULAS = (
    *("=1+1", "+1", "-1", "@SUM(A1)", " =1", "=cmd|'/c calc'!A1", "\t=1", "\r=1"),
    *("\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20a", "\u202e=1", "\u2066\uff1d1"),
)
CONTROLS = (
    "\x1b[31mred",
    "\x9b31m",
    "a\rb",
    "\x07",
    "a\u202eb",
    "\x1b]0;title\x07",
    "\x00",
    "\x85",
)


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    assert _cell(text).startswith("'")
    assert _cell([text, "a"]).startswith("'")


def test_a_title_that_is_a_formula_is_inert_in_a_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        inputs.page().decode().replace("Ferry to stop", "=HYPERLINK(1)")
    )
    code, out, _ = run("label", tmp_path / "a.html", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert code == 0
    assert row["title"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize("text", CONTROLS)
def test_a_message_controls_no_terminal(text: str) -> None:
    assert not set(shown_message(text)) & set("\x1b\x9b\r\x07\u202e\x00\x85")


def test_a_warning_begins_as_an_error_does_and_controls_no_terminal() -> None:
    record = logging.LogRecord("structce", logging.WARNING, "", 1, "%s: empty", ("\x1b[31m",), None)
    line = MessageFormatter().format(record)
    assert line.startswith("warning: ")
    assert "\x1b" not in line


def test_the_name_of_a_file_controls_no_terminal(run: Run, tmp_path: Path) -> None:
    name = tmp_path / "\x1b[31mred\x9b.html"
    name.write_bytes(b"\x89PNG")
    code, _, err = run("label", name)
    assert code == 1
    assert "\x1b" not in err
    assert "\x9b" not in err


@pytest.mark.parametrize("scheme", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_the_main_image_is_one_of_the_web(scheme: str) -> None:
    head = f'<meta property=og:image content="{scheme}"><meta property=og:image content="/a.jpg">'
    image = structce.label(inputs.page(head=head)).main_image
    assert image is not None
    assert image.value == "/a.jpg"


def test_no_password_is_repeated(run: Run) -> None:
    code, out, err = run("label", "http://ann:secret@127.0.0.1:9/a", "-q")
    assert code == 1
    assert "secret" not in out + err
    assert "***@127.0.0.1" in json.loads(out)["error"]


@pytest.mark.parametrize("name", ["a.csv", "a.md", "a.xml"])
def test_a_name_and_a_format_that_disagree_are_wrong_usage(
    name: str, run: Run, mixed_folder: Path, tmp_path: Path
) -> None:
    code, _, err = run("label", mixed_folder, "-o", tmp_path / name, "--format", "json")
    assert code == 2
    assert "but --format is json" in err
    assert not (tmp_path / name).exists()


def test_a_dash_is_standard_output(
    run: Run, mixed_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("label", mixed_folder / "a.html", "-o", "-")
    assert code == 0
    assert json.loads(out)["title"]
    assert not (tmp_path / "-").exists()


def test_an_address_of_a_file_asks_for_its_path(run: Run, mixed_folder: Path) -> None:
    code, out, _ = run("label", f"file://{mixed_folder}/a.html", "-q")
    assert code == 1
    assert "give the path" in json.loads(out)["error"]


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_bytes(inputs.page())
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").symlink_to(tmp_path / "secret.txt")
    (folder / "b.html").write_bytes(inputs.page())
    (folder / "c.html").symlink_to(folder / "b.html")
    out, inside, again = structce.label_files([folder])
    assert "leads out of the folder" in out.error
    assert not inside.error
    assert not again.error
    assert structce.label(folder / "a.html").text


def test_two_runs_do_not_write_one_file(run: Run, mixed_folder: Path, tmp_path: Path) -> None:
    with (tmp_path / ".a.jsonl.part").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        code, _, err = run("label", mixed_folder, "-o", tmp_path / "a.jsonl")
    assert code == 2
    assert "another run is writing it" in err


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\0" * 200_000, "expected one source per line; one has over 100,000"),
        (b"\xff\xfe\n", "not UTF-8 text"),
    ],
)
def test_a_list_of_sources_that_is_none_is_wrong_usage(
    content: bytes, reason: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "list").write_bytes(content)
    code, _, err = run("label", "--from", tmp_path / "list")
    assert code == 2
    assert reason in err


DAMAGES = (
    b"nonsense\n",
    b"\xff\xfe\n",
    b"[1,2]\n",
    b'["1 a",null,\n',
    b'{"a":1}\n',
    b"[" * 100_000 + b"\n",
    b'["1 a"',
    b"\n",
    b"null\n",
    b"[1,2,3]\n",
)


def test_a_damaged_journal_is_gone_on_with(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.html").write_bytes(inputs.page())
    names = [tmp_path / f"{name}.html" for name in "abc"]
    whole = run("label", *names)[1]
    journal = tmp_path / ".x.jsonl.part"
    writer = "structce.cli.page_writers.FileWriter.close"
    with monkeypatch.context() as patch:
        patch.setattr(writer, lambda file_writer: file_writer._file.close())
        run("label", *names, "-o", tmp_path / "x.jsonl")
    head, first, *_ = journal.read_bytes().splitlines(keepends=True)
    for damage in DAMAGES:
        (tmp_path / "x.jsonl").unlink(missing_ok=True)
        journal.write_bytes(head + first + damage)
        code, _, err = run("label", *names, "-o", tmp_path / "x.jsonl", "--resume")
        assert code == 0, damage
        assert "1 pages are already done" in err, damage
        assert (tmp_path / "x.jsonl").read_text() == whole, damage


def test_a_run_that_begins_again_writes_over_what_an_earlier_one_left(
    run: Run, tmp_path: Path
) -> None:
    for name in "ab":
        (tmp_path / f"{name}.html").write_bytes(inputs.page())
    names = [tmp_path / f"{name}.html" for name in "ab"]
    whole = run("label", *names)[1]
    path, journal = tmp_path / "x.jsonl", tmp_path / ".x.jsonl.part"
    journal.write_bytes(b"what another run left\n" * 1000)
    assert run("label", *names, "-o", path)[0] == 0
    assert path.read_text() == whole
    assert not journal.exists()


@pytest.mark.parametrize("name", ["x.html", "x.xml"])
def test_a_second_page_for_a_file_of_one_is_wrong_usage_at_once(
    run: Run, tmp_path: Path, name: str
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for page in "abc":
        (pages / f"{page}.html").write_bytes(inputs.page())
    code, _, err = run("label", pages, "-o", tmp_path / name, "--verbose")
    assert code == 2
    assert "contains one page" in err
    assert "c.html" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


@pytest.mark.parametrize("out", ["file", "/dev/null"])
def test_a_file_where_a_folder_belongs_is_wrong_usage(run: Run, tmp_path: Path, out: str) -> None:
    (tmp_path / "a.html").write_bytes(inputs.page())
    (tmp_path / "file").write_bytes(b"")
    code, _, err = run("label", tmp_path / "a.html", "-o", tmp_path / out)
    assert code == 2
    assert "expected a folder, or a file that ends with one of" in " ".join(err.split())


def test_an_empty_name_is_an_error_and_not_the_folder_of_the_process(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.html").write_bytes(inputs.page())
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("label", "")
    assert code == 1
    assert "without a name" in json.loads(out)["error"]


def test_a_list_of_sources_may_begin_with_a_mark(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(inputs.page())
    (tmp_path / "list").write_text(f"{tmp_path / 'a.html'}\r\n", encoding="utf-8-sig")
    assert run("label", "--from", tmp_path / "list")[0] == 0


@pytest.mark.parametrize(
    "option", [("--min-confidence", "nan"), ("--page-seconds", "nan"), ("--limit", "seconds=nan")]
)
def test_what_is_not_a_number_is_wrong_usage(
    run: Run, mixed_folder: Path, option: tuple[str, str]
) -> None:
    assert run("label", mixed_folder / "a.html", *option)[0] == 2


CUT = inputs.page(
    head=inputs.json_ld('{"@type": "NewsArticle", "headline": "Ferry \\ud83d", "name": "x"}')
)
"""A page whose headline was cut in the middle of a pair of surrogates."""


@pytest.mark.parametrize(
    "target", ["x.csv", "x.json", "x.jsonl", "x.md", "x.parquet", "x.txt", "json", "zyte", "text"]
)
def test_what_utf_8_cannot_encode_costs_no_page(run: Run, tmp_path: Path, target: str) -> None:
    if target == "x.parquet":
        pytest.importorskip("pyarrow")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_bytes(CUT)
    with (pages / os.fsdecode(b"b\xff.html")).open("wb") as file:  # Linux allows any bytes
        file.write(inputs.page())
    form = () if target.startswith("x.") else ("--format", target)
    out = tmp_path / "out" / target
    code, _, err = run("label", pages, "-o", out, *form)
    assert (code, "error" in err) == (0, False)
    assert len(list(out.iterdir())) == 2 if form else out.stat().st_size > 0


def as_a_program(*arguments: object, **variables: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "structce", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, env={**os.environ, **variables}, check=False
    )


def test_an_output_that_cannot_show_a_character_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(inputs.page("<p>渡轮将于六月停运，公司周一表示。</p>" * 9))
    done = as_a_program("label", tmp_path, "--all-regions", PYTHONIOENCODING="cp1252")
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: standard output is in cp1252, which has no '\\u")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_name_that_utf_8_cannot_encode_costs_no_table(tmp_path: Path, form: str) -> None:
    with (tmp_path / os.fsdecode(b"b\xff.html")).open("wb") as file:
        file.write(inputs.page())
    done = as_a_program(
        "render", tmp_path, "--out", tmp_path / "out", "--format", form, PYTHONIOENCODING="utf-8"
    )
    assert (done.returncode, b"rendered" in done.stdout) == (0, True), done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_an_error_in_one_line(mixed_folder: Path) -> None:
    command = f"{sys.executable} -m structce label {mixed_folder}/a.html > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "error: No space left on device\n"


def test_a_full_disk_is_an_error_that_names_the_file_and_what_was_done_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.html").write_bytes(inputs.page())
    names = [tmp_path / f"{name}.html" for name in "abc"]
    path = tmp_path / "x.jsonl"

    class FullDisk(FileWriter):
        def write(self, text: str | None, source: str, *, is_error: bool = False) -> None:
            if source.endswith("b.html"):
                with file_errors(path):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            super().write(text, source, is_error=is_error)

    with monkeypatch.context() as patch:
        patch.setattr("structce.cli.page_writers.FileWriter", FullDisk)
        code, _, err = run("label", *names, "-o", path)
    assert code == 1
    assert "1 of 3 pages were done" in err
    assert "--resume" in err
    assert f"error: {path}: No space left on device" in err
    code, _, err = run("label", *names, "-o", path, "--resume")
    assert (code, "1 pages are already done" in err) == (0, True)
    assert len(path.read_text().splitlines()) == 3


def test_a_target_that_cannot_be_written_is_an_error_in_one_line(
    run: Run, mixed_folder: Path
) -> None:
    code, _, err = run("label", mixed_folder / "a.html", "-o", "/proc/a.jsonl")
    assert code == 1
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_who_reads_no_further_ends_the_command_as_it_ends_others(mixed_folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "structce", "label", str(mixed_folder / "a.html")],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_an_address_is_an_error_where_it_cannot_be_read() -> None:
    with pytest.raises(SourceError):
        structce.label("http://[bad/", network=True)
