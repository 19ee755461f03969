"""Outputs that are interrupted, shared, odd or full, and names that would control a terminal."""

import csv
import errno
import fcntl
import json
import logging
import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import page_inputs as inputs
import pytest

from structce.article.formats import to_csv_line
from structce.cli.messages import MessageFormatter, shown_message
from structce.cli.outputs import PageOutput
from structce.io import file_errors
from structce.rendering import StaticRenderer


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(text):
    for cell in (text, [text, "a"]):
        (row,) = csv.reader([to_csv_line([cell, 0.5])])
        assert row[0].startswith("'")
        assert row[1] == "0.5000"


@pytest.mark.parametrize(
    "text", ["\x1b[31mred", "\x9b31m", "a\rb", "\x07", "a\u202eb", "\x1b]0;title\x07", "\x85"]
)
def test_a_message_controls_no_terminal(text):
    controls = set("\x1b\x9b\r\x07\u202e\x85")
    assert not set(shown_message(text)) & controls
    record = logging.LogRecord("structce", logging.WARNING, "", 1, "%s: empty", (text,), None)
    line = MessageFormatter().format(record)
    assert line.startswith("warning: ")
    assert not set(line) & controls


def test_a_dash_is_standard_output(run, mixed_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("label", mixed_folder / "a.html", "-o", "-")
    assert code == 0
    assert json.loads(out)["title"]
    assert not (tmp_path / "-").exists()


def test_an_existing_file_is_overwritten_only_by_force(run, tmp_path):
    (tmp_path / "a.html").write_bytes(inputs.page())
    path = tmp_path / "a.jsonl"
    path.write_text("mine")
    code, _, err = run("label", tmp_path / "a.html", "-o", path)
    assert (code, path.read_text()) == (2, "mine")
    assert "already exists; --force overwrites it" in err
    assert run("label", tmp_path / "a.html", "-o", path, "--force")[0] == 0
    assert json.loads(path.read_text())["title"]


def test_two_runs_do_not_write_one_file(run, mixed_folder, tmp_path):
    with (tmp_path / ".a.jsonl.journal").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        code, _, err = run("label", mixed_folder, "-o", tmp_path / "a.jsonl")
    assert code == 2
    assert "another run is writing it" in err


@pytest.fixture
def stopped_at(monkeypatch):
    """Return a function that interrupts the work at a page; it returns the pages that were read."""

    def stop(name):
        seen = []

        def submit(self, document):
            if name and Path(document.name).name == name:
                raise KeyboardInterrupt
            seen.append(Path(document.name).name)
            return original(self, document)

        monkeypatch.setattr(StaticRenderer, "submit", submit)
        return seen

    original = StaticRenderer.submit
    return stop


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "txt", "md"])
def test_interrupted_work_is_resumed(run, mixed_folder, tmp_path, stopped_at, suffix):
    (mixed_folder / "d.html").write_bytes((mixed_folder / "c.html").read_bytes())
    run("label", mixed_folder, "-o", tmp_path / f"whole.{suffix}")
    path = tmp_path / "out" / f"articles.{suffix}"
    stopped_at("d.html")
    code, out, err = run("label", mixed_folder, "-o", path)
    assert (code, out) == (130, "")
    assert "--resume" in err
    assert not path.exists()
    part = path.with_name(f".{path.name}.journal")
    part.write_bytes(part.read_bytes() + b'{"key": "3", "val')  # a line that was cut off
    seen = stopped_at("")
    code, _, err = run("label", mixed_folder, "-o", path, "--resume")
    assert "2 pages are already done" in err
    assert seen == ["d.html"]
    assert path.read_bytes() == (tmp_path / f"whole.{suffix}").read_bytes()
    assert sorted(file.name for file in path.parent.iterdir()) == [part.name, path.name]
    (mixed_folder / "b.html").write_bytes((mixed_folder / "c.html").read_bytes())
    seen = stopped_at("")
    assert run("label", mixed_folder, "-o", path, "--resume")[0] == 0  # the page that failed
    assert (seen, part.exists()) == (["b.html"], False)
    code, _, err = run("label", mixed_folder, "-o", path, "--resume")
    assert (code, "nothing to do" in err, seen) == (0, True, ["b.html"])


def test_interrupted_work_is_not_forgotten_by_mistake(run, mixed_folder, tmp_path, stopped_at):
    given = ("label", mixed_folder, "-o", tmp_path / "a.jsonl")
    stopped_at("c.html")
    assert run(*given)[0] == 130
    seen = stopped_at("")
    code, _, err = run(*given)
    assert (code, "--resume continues it" in " ".join(err.split()), seen) == (2, True, [])
    assert run(*given, "--force")[0] == 1
    assert seen == ["a.html", "c.html"]


def test_work_with_other_options_or_pages_is_not_resumed(run, mixed_folder, tmp_path, stopped_at):
    other = tmp_path / "other" / "b.html"
    other.parent.mkdir()
    other.write_bytes((mixed_folder / "c.html").read_bytes())
    for out in (("-o", tmp_path / "a.jsonl"), ("-o", tmp_path / "out", "--format", "json")):
        stopped_at("c.html")
        assert run("label", mixed_folder, *out)[0] == 130
        stopped_at("")
        code, _, err = run("label", mixed_folder, *out, "--resume", "--blocks")
        assert (code, "blocks was false" in " ".join(err.split())) == (2, True)
        (other.parent / "a.html").write_bytes(other.read_bytes())
        code, _, err = run("label", other.parent / "a.html", *out, "--resume")
        assert (code, "sources was" in " ".join(err.split())) == (2, True)
        assert run("label", mixed_folder, *out, "--resume")[0] == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "00000-a.json", "00002-c.json"
    ]  # fmt: skip


def test_a_folder_is_continued_with_missing_files(run, mixed_folder, tmp_path, stopped_at):
    given = ("label", mixed_folder, "-o", tmp_path / "out", "--format", "text")
    run(*given)
    missing = tmp_path / "out" / "00002-c.txt"
    missing.unlink()
    seen = stopped_at("")
    run(*given, "--resume")
    assert seen == ["c.html"]
    assert missing.exists()


def test_a_run_from_the_beginning_forgets_an_earlier_one(run, tmp_path):
    (tmp_path / "a.html").write_bytes(inputs.page())
    whole = run("label", tmp_path / "a.html")[1]
    path, journal = tmp_path / "x.jsonl", tmp_path / ".x.jsonl.journal"
    journal.write_bytes(b"what another run left\n" * 1000)
    code, _, err = run("label", tmp_path / "a.html", "-o", path, "--resume")
    assert (code, "start over with --force" in " ".join(err.split())) == (2, True)
    assert run("label", tmp_path / "a.html", "-o", path)[0] == 0
    assert path.read_text() == whole
    assert not journal.exists()


CUT = inputs.page(
    head=inputs.json_ld('{"@type": "NewsArticle", "headline": "Ferry \\ud83d", "name": "x"}')
)
"""A page whose headline was cut in the middle of a pair of surrogates."""


@pytest.mark.parametrize(
    "target", ["x.csv", "x.json", "x.jsonl", "x.md", "x.parquet", "x.txt", "json", "text"]
)
def test_what_utf_8_cannot_encode_costs_no_page(run, tmp_path, target):
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


def test_character_outside_the_encoding_is_an_error(tmp_path):
    (tmp_path / "a.html").write_bytes(inputs.page("<p>渡轮将于六月停运，公司周一表示。</p>" * 9))
    command = [sys.executable, "-m", "structce", "label", str(tmp_path), "--all-regions"]
    environ = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, capture_output=True, env=environ, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: standard output is in cp1252, which has no '\\u")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_an_error_in_one_line(mixed_folder):
    command = f"{sys.executable} -m structce label {mixed_folder}/a.html > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")


def test_a_full_disk_keeps_what_was_done(run, tmp_path, monkeypatch):
    names = [tmp_path / f"{name}.html" for name in "abc"]
    for name in names:
        name.write_bytes(inputs.page())
    path, write, counter = tmp_path / "x.jsonl", PageOutput.write, count()

    def full(self, text, *, is_error=False):
        if next(counter):
            with file_errors(path):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(self, text, is_error=is_error)

    with monkeypatch.context() as patch:
        patch.setattr(PageOutput, "write", full)
        code, _, err = run("label", *names, "-o", path)
    assert code == 1
    assert "1 of 3 pages were done" in err
    assert f"error: {path}: No space left on device" in err
    code, _, err = run("label", *names, "-o", path, "--resume")
    assert (code, "1 pages are already done" in err) == (0, True)
    assert len(path.read_text().splitlines()) == 3


def test_a_reader_who_leaves_ends_the_command_with_141(mixed_folder):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "structce", "label", str(mixed_folder / "a.html")]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")
