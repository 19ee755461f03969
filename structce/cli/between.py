"""Text that a command keeps up to date inside a file, between two marks."""

from __future__ import annotations

from pathlib import Path

from structce.errors import SourceError
from structce.files import write_whole

END = "<!-- end -->"
"""Line below the text."""


def write_between(path: Path, begin: str, text: str) -> None:
    """Put other text between the line ``begin`` and the line ``END`` of a file.

    Raises
    ------
    SourceError
        If the marks are not there, one each, in order; the file stays as it is.
    """
    start, found, rest = path.read_text("utf-8").partition(begin)
    _, end, after = rest.partition(END)
    if not found or not end or begin in rest or END in after:
        raise SourceError(f"{path}: expected one line {begin} and one line {END} below it")
    write_whole(path, f"{start}{begin}\n\n{text}\n\n{END}{after}".encode())
