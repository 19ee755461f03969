"""Atomic file writes; JSON, JSON Lines and gzip encoding; folders that may be zip archives."""

from __future__ import annotations

import gzip
import json
import os
import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

Folder = Path | zipfile.Path
"""A folder, or a zip archive read as one."""

_ESCAPED = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
"""Characters that JSON Lines must escape: Unicode line breaks, at which many readers split lines,
and lone surrogates, which UTF-8 cannot encode."""


def open_folder(path: Path) -> Folder:
    """Return a folder, or a zip archive opened as one, to read from.

    Raises
    ------
    FileNotFoundError
        If the path is neither.
    """
    if path.is_dir():
        return path
    if path.is_file() and zipfile.is_zipfile(path):
        return zipfile.Path(path)
    raise FileNotFoundError(f"{path}: neither a folder nor a zip archive")


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file through a temporary one, so that no reader ever sees it incomplete."""
    write_all_atomic({path: data})


def write_lines_atomic(path: Path, pieces: Iterable[str]) -> None:
    """Write a text piece by piece, completely or not at all, without keeping it in memory."""
    handle, name = _new_part(path)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _new_part(path: Path) -> tuple[int, str]:
    """Create the temporary file of a file, in its folder; return its handle and its name."""
    import tempfile  # late: it imports random numbers and more, and reading needs none

    return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")


def write_all_atomic(files: Mapping[Path, bytes]) -> None:
    """Write files that belong together: either all are written, or the old ones stay.

    All are complete before the first is renamed. The last file is the one that vouches for the
    others: its old version is removed first and its new one is placed last, so that no reader ever
    sees it beside files of another version.
    """
    parts: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = _new_part(path)
            parts[Path(name)] = path
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(0o666 & ~_umask())
        _replace_all({path: part for part, path in parts.items()})
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def _replace_all(parts: Mapping[Path, Path]) -> None:
    """Rename complete files to their final names; if that fails, restore the old files."""
    if len(parts) == 1:
        for path, part in parts.items():
            part.replace(path)
        return
    aside: dict[Path, Path] = {}
    placed: list[Path] = []
    try:
        for path in reversed(list(parts)):
            if path.exists():
                aside[path] = parts[path].with_name(f"{parts[path].name}.old")
                path.replace(aside[path])
        for path, part in parts.items():
            placed.append(path)
            part.replace(path)
    except BaseException:  # an interrupt must not leave half of them either
        for path in parts:
            if path in aside and aside[path].exists():
                aside[path].replace(path)
            elif path in placed and path not in aside:
                path.unlink(missing_ok=True)
        raise
    for old in aside.values():
        old.unlink()


def lock_file(file: IO[Any]) -> bool:
    """Keep other processes from locking a file until it is closed; return False if one has it.

    Always True on Windows, which keeps files that are open from being written by others.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def encode_json(value: object, *, indent: int | None = 1) -> bytes:
    """Return a value as JSON in UTF-8, keys in the given order; NaN is an error."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return (text + "\n").encode("utf-8")


def json_line(value: object) -> str:
    """Return a value as JSON on one line, without a line break at its end; NaN is an error.

    All Unicode line breaks are escaped, so that no line reader splits it, and so are lone
    surrogates, so that any value can be encoded.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def compress(data: bytes) -> bytes:
    """Return data as gzip without a timestamp: the same bytes every time."""
    return gzip.compress(data, compresslevel=6, mtime=0)
