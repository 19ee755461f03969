"""Files that belong together are written together."""

import os
from pathlib import Path

import pytest

from structce.io import write_all_atomic

OLD = {"a/one": b"old one", "two": b"old two", "last": b"old last"}
NEW = {"a/one": b"new one", "two": b"new two", "b/three": b"new three", "last": b"new last"}


def under(folder: Path, files: dict[str, bytes]) -> dict[Path, bytes]:
    return {folder / name: data for name, data in files.items()}


def found(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_new_files_take_the_place_of_old_ones_and_others_stay(tmp_path):
    (tmp_path / "mine").write_bytes(b"mine")
    write_all_atomic(under(tmp_path, OLD))
    write_all_atomic(under(tmp_path, NEW))
    assert found(tmp_path) == {**OLD, **NEW, "mine": b"mine"}


@pytest.mark.parametrize("error", [OSError("disk is full"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", range(8))
@pytest.mark.parametrize("before", [OLD, {}], ids=["over", "anew"])
def test_an_interrupt_at_any_renaming_leaves_all_old_files_and_no_other(
    tmp_path, monkeypatch, error, call, before
):
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
        assert found(tmp_path) == before
    else:
        write_all_atomic(under(tmp_path, NEW))
        assert found(tmp_path) == {**before, **NEW}


def test_the_last_file_is_never_seen_beside_files_of_another_time(tmp_path, monkeypatch):
    write_all_atomic(under(tmp_path, OLD))
    replace, seen = Path.replace, []

    def look(path, target):
        result = replace(path, target)
        seen.append({name: data for name, data in found(tmp_path).items() if "." not in name})
        return result

    monkeypatch.setattr(Path, "replace", look)
    write_all_atomic(under(tmp_path, NEW))
    assert [files for files in seen if "last" in files] == [NEW]


def test_files_are_readable_by_whom_the_mask_allows(tmp_path):
    write_all_atomic(under(tmp_path, NEW))
    if os.name == "posix":
        mask = os.umask(0)
        os.umask(mask)
        assert (tmp_path / "two").stat().st_mode & 0o777 == 0o666 & ~mask
