"""ZIP archives of pages, read in place: nothing is ever unpacked to the disk."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from structce.errors import SourceError
from structce.rendering.settings import Limits

SUFFIXES = (".zip",)
"""How files of this kind are named."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of packing whose unpacking stops where it is told to; with others it may fill the memory."""

_BROKEN = (
    *(zipfile.BadZipFile, OSError, EOFError, zlib.error, struct.error),
    *(RuntimeError, ValueError),  # a password, a place before the file begins
)
"""What reading a broken or encrypted archive raises."""


class ZipFiles:
    """The files in a ZIP archive; may be read from several threads at once.

    Parameters
    ----------
    path
        The archive.
    limit
        Bytes of a file that a page asks for; a larger one is not there.

    Raises
    ------
    SourceError
        If the list of its files cannot be read.
    """

    def __init__(self, path: Path, limit: int = Limits.request_bytes) -> None:
        self.path = path
        self.limit = limit
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise SourceError(f"{path}: not a readable ZIP archive: {_reason(error)}") from error
        listed = [info for info in self._zip.infolist() if not info.is_dir()]
        self._members = {info.filename.replace("\\", "/"): info for info in listed}
        self._folders = {str(above) for name in self._members for above in _above(name)}

    def paths(self) -> list[str]:
        """Return the paths of the files, but for those that macOS adds."""
        return [path for path in self._members if not path.startswith("__MACOSX/")]

    def has_folder(self, path: str) -> bool:
        """Return whether there is such a folder."""
        return path in self._folders

    def read(self, path: str) -> bytes | None:
        """Return a file, or None."""
        if path not in self._members:
            return None
        try:
            return self.take(path, self.limit)
        except SourceError:
            return None

    def take(self, path: str, limit: int) -> bytes:
        """Return a file.

        Raises
        ------
        SourceError
            If it is damaged or encrypted, or larger than the limit: by what the archive says, or
            in truth. No more than the limit is ever unpacked.
        """
        info, name = self._members[path], f"{self.path}/{path}"
        if info.file_size > limit:
            raise SourceError(f"{name}: {info.file_size:,} bytes; at most {limit:,} are read")
        if info.compress_type not in _METHODS:
            raise SourceError(f"{name}: packed by a rare method; pack the archive by 'deflate'")
        try:
            with self._zip.open(info) as file:
                data = file.read(limit + 1)
        except _BROKEN as error:
            raise SourceError(f"{name}: {_reason(error)}") from error
        if len(data) != info.file_size:  # a wrong length would have gone unnoticed
            raise SourceError(
                f"{name}: damaged: {len(data):,} bytes where {info.file_size:,} should be"
            )
        return data


def _above(name: str) -> tuple[PurePosixPath, ...]:
    return tuple(PurePosixPath(name).parents)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
