"""Atomic file writes, journals of runs, JSON and gzip encoding, folders that may be zips."""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
import stat
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Self, TypeVar, cast

from structce.errors import BulkError
from structce.patterns import lazy_pattern

T = TypeVar("T")

Folder = Path | zipfile.Path
"""A folder, or a zip archive read as one."""

_SURROGATES = lazy_pattern("[\ud800-\udfff]")
"""Lone surrogates, which UTF-8 cannot encode: in metadata that were cut inside a character, and in
names of files that are not UTF-8."""

_ESCAPED = lazy_pattern("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters escaped on a line of JSON: lone surrogates, Unicode line breaks, at which many
readers split lines, and controls of a terminal, to which the line may be printed."""

_MAX_DEPTH = 200  # folders around a file of an archive; zipfile lists every one of them
_DAMAGED_ZIP = (zipfile.BadZipFile, RuntimeError, ValueError, EOFError, struct.error)
_MAX_NAME = 200  # bytes of a file's name that its temporary file repeats; most systems allow 255


def open_folder(path: Path) -> Folder:
    """Return a folder, or a zip archive opened as one; OSError if it is neither, or damaged."""
    if path.is_dir():
        return path
    if not path.is_file() or not zipfile.is_zipfile(path):
        raise FileNotFoundError(f"{path}: neither a folder nor a zip archive")
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGED_ZIP as error:
        raise OSError(f"{path}: damaged zip archive: {error}") from error
    if any(name.count("/") > _MAX_DEPTH for name in archive.namelist()):
        raise OSError(f"{path}: folders nested more than {_MAX_DEPTH} deep; expected a data set")
    return zipfile.Path(archive)


def read_at_most(file: Folder, n_bytes: int) -> bytes:
    """Return the content of a file of a folder or archive, without reading more than a limit.

    Raises OSError if the file is missing, larger, or something else than a file, such as a pipe,
    which would never end; or as a damaged zip archive does.
    """
    if isinstance(file, Path):
        if (mode := file.stat().st_mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(errno.EINVAL, "expected a file, found a device or a pipe")
    elif not file.exists():
        raise FileNotFoundError(errno.ENOENT, "the archive does not contain it")
    with file.open("rb") as stream:
        data: bytes = stream.read(n_bytes + 1)
    if len(data) > n_bytes:
        raise OSError(errno.EFBIG, f"more than {n_bytes:,} bytes, which is the limit")
    return data


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file through a temporary one, so that no reader ever sees it incomplete."""
    write_all_atomic({path: data})


def write_lines_atomic(path: Path, pieces: Iterable[str]) -> None:
    """Write a text piece by piece, completely or not at all, without keeping it in memory."""
    _write_files({path: (piece.encode() for piece in pieces)})


def _write_files(files: Mapping[Path, Iterable[bytes]]) -> None:
    """Write temporary files beside the files, then rename all of them."""
    import tempfile  # late: it imports random numbers and more, and reading needs none

    parts: dict[Path, Path] = {}
    mask = os.umask(0)
    os.umask(mask)
    try:
        for path, pieces in files.items():
            prefix = os.fsdecode(os.fsencode(f".{path.name}")[:_MAX_NAME])
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{prefix}.")
            parts[path] = Path(name)
            with file_errors(path), os.fdopen(handle, "wb") as file:
                file.writelines(pieces)
            parts[path].chmod(0o666 & ~mask)
        _replace_all(parts)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Add the name of a file to an error of the system that has none, as on a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


def write_all_atomic(files: Mapping[Path, bytes]) -> None:
    """Write files that belong together: either all are written, or the old ones stay.

    All are complete before the first is renamed. The last file is the one that vouches for the
    others: its old version is removed first and its new one is placed last, so that no reader ever
    sees it beside files of another version.
    """
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
    _write_files({path: [data] for path, data in files.items()})


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


class Journal:
    """Append-only file of a run's finished items by key; a context manager that locks it.

    A run that was interrupted is continued with the items that the journal lacks. Every line is a
    JSON object: the first one has the options of the run, each further one the key and the value
    of an item. A line is on the disk before its item counts as finished; a last line that a crash
    cut short is dropped.

    The options are what the items depend on, as JSON values. BulkError on entering, if another
    process has the journal open, if it belongs to a run with other options, or if it is damaged.
    """

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.path = path
        self._options: dict[str, object] = json.loads(json_line(options))  # tuples become lists
        self._items: dict[str, Any] = {}
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._file = stack.enter_context(self.path.open("ab+"))
            if not lock_file(self._file):
                raise BulkError(f"{self.path.parent}: another run is writing to this folder")
            self._file.seek(0)
            whole_lines = self._file.read().rpartition(b"\n")[0]
            self._file.truncate(len(whole_lines) + bool(whole_lines))
            if whole_lines:
                self._read(whole_lines)
            else:
                self._append({"options": self._options})
            self._opened = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def items(self) -> Mapping[str, Any]:
        """Value of each finished item by key."""
        return MappingProxyType(self._items)

    def add(self, key: str, value: object) -> None:
        """Record a finished item; a later value replaces an earlier one."""
        self._append({"key": key, "value": value})
        self._items[key] = value

    def _append(self, row: Mapping[str, object]) -> None:
        with file_errors(self.path):
            self._file.write(f"{json_line(row)}\n".encode())
            self._file.flush()
            os.fsync(self._file.fileno())

    def _read(self, lines: bytes) -> None:
        """Read the items of a journal, and compare its options with those of this run."""
        try:
            first, *rows = map(json.loads, lines.splitlines())
            options = dict(first["options"])
            self._items = {row["key"]: row["value"] for row in rows}
        except (ValueError, TypeError, KeyError) as error:
            raise BulkError(f"{self.path}: not a journal of a run: {error}") from error
        for name, value in self._options.items():
            if options.get(name) != value:
                change = f"{name} was {json_line(options.get(name))}, and is now {json_line(value)}"
                raise BulkError(
                    f"{self.path} is of a run with other settings: {change}; continue with the "
                    "same sources and options, or give another output"
                )


def encode_json(value: object, *, indent: int | None = 1) -> bytes:
    """Return a value as JSON in UTF-8, keys in the given order; NaN is an error.

    Lone surrogates are escaped, so that any value can be encoded.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return (_SURROGATES.sub(_escape, text) + "\n").encode("utf-8")


def escape_controls(text: str) -> str:
    """Return a JSON text that can be printed: controls and lone surrogates are escaped."""
    return _ESCAPED.sub(_escape, text)


def json_line(value: object) -> str:
    """Return a value as JSON on one line, without a line break at its end; NaN is an error.

    All Unicode line breaks and other controls are escaped, and so are lone surrogates.
    """
    return escape_controls(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def encodable(value: T) -> T:
    """Return a value with U+FFFD for each lone surrogate in its texts, so that UTF-8 encodes it.

    Lists and mappings are searched, the keys of mappings are not.
    """
    result: object = value
    if isinstance(value, str):
        result = _SURROGATES.sub("\ufffd", value)
    elif isinstance(value, list):
        result = [encodable(item) for item in value]
    elif isinstance(value, Mapping):
        result = {key: encodable(item) for key, item in value.items()}
    return cast(T, result)


def compress(data: bytes) -> bytes:
    """Return data as gzip without a timestamp: the same bytes every time."""
    return gzip.compress(data, compresslevel=6, mtime=0)
