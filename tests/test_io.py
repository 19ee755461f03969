"""Files that belong together are written together; a line of JSON is one line."""

import json
import os
from pathlib import Path

import pytest

from structce.errors import BulkError
from structce.io import Journal, encodable, encode_json, json_line, write_all_atomic

OLD = {"a/one": b"old one", "two": b"old two", "last": b"old last"}
NEW = {"a/one": b"new one", "two": b"new two", "b/three": b"new three", "last": b"new last"}


def under(folder, files):
    return {folder / name: data for name, data in files.items()}


def files_of(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("error", [OSError("disk is full"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", range(8))
@pytest.mark.parametrize("before", [OLD, {}], ids=["over", "anew"])
def test_interrupted_renaming_leaves_the_old_files(tmp_path, monkeypatch, error, call, before):
    write_all_atomic(under(tmp_path, before))
    replace, calls = Path.replace, []

    def fail_once(path, target):
        calls.append(path)
        if len(calls) == call + 1:
            raise error
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail_once)
    if call < len(NEW) + len(before):
        with pytest.raises(type(error)):
            write_all_atomic(under(tmp_path, NEW))
        assert files_of(tmp_path) == before
    else:
        write_all_atomic(under(tmp_path, NEW))
        assert files_of(tmp_path) == {**before, **NEW}


def test_files_are_readable_by_whom_the_mask_allows(tmp_path):
    write_all_atomic(under(tmp_path, NEW))
    if os.name == "posix":
        mask = os.umask(0)
        os.umask(mask)
        assert (tmp_path / "two").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_name_as_long_as_the_system_allows_is_written(tmp_path):
    path = tmp_path / ("\U00020000" * 62 + ".csv")  # 252 bytes
    write_all_atomic({path: b"x"})
    assert files_of(tmp_path) == {path.name: b"x"}


def test_a_line_of_json_is_one_line_for_every_reader():
    text = "".join(map(chr, range(0x3000))) + "\U0001f600"
    value = {"text": text, text: [1, None, True]}
    line = json_line(value)
    assert json.loads(line) == value
    assert len(line.splitlines()) == 1
    assert "\U0001f600" in line  # what needs no escape stays readable
    assert not {"\x7f", "\x85", "\x9b", "\u2028", "\u2029"} & set(line)
    assert "\\u2028" in line


def test_half_a_surrogate_pair_can_be_written_and_read():
    line = json_line({"name": "Ann \ud83d"})
    assert json.loads(line.encode("utf-8"))["name"] == "Ann \ud83d"
    assert json.loads(encode_json({"name": "Ann \ud83d"}))["name"] == "Ann \ud83d"
    nested = {"names": ["Ann \ud83d", 1, None, {"b": "\udc00"}], "c": "\U0001f600"}
    clean = {"names": ["Ann \ufffd", 1, None, {"b": "\ufffd"}], "c": "\U0001f600"}
    assert encodable(nested) == clean


def test_a_journal_continues_with_its_finished_items(tmp_path):
    path = tmp_path / "journal.jsonl"
    with Journal(path, {"model": "news", "size": (1, 2)}) as journal:
        journal.add("a", {"pages": 1})
        journal.add("b", [1, "\u2028"])
        journal.add("a", {"pages": 2})
    path.write_bytes(path.read_bytes() + b'{"key": "c", "val')  # as a crash leaves it
    with Journal(path, {"model": "news", "size": (1, 2)}) as journal:
        assert journal.items == {"a": {"pages": 2}, "b": [1, "\u2028"]}
        journal.add("c", None)
    with Journal(path, {"model": "news", "size": [1, 2]}) as journal:
        assert list(journal.items) == ["a", "b", "c"]


def test_a_journal_of_another_run_is_refused(tmp_path):
    path = tmp_path / "journal.jsonl"
    with Journal(path, {"model": "news"}), pytest.raises(BulkError, match="another run"):
        Journal(path, {"model": "news"}).__enter__()
    with pytest.raises(BulkError, match='model was "news", and is now "shop"'):
        Journal(path, {"model": "shop"}).__enter__()
    path.write_text("no journal\n")
    with pytest.raises(BulkError, match="not a journal"):
        Journal(path, {}).__enter__()
