"""File names for pages, and generated tables in Markdown files."""

from __future__ import annotations

from pathlib import Path

import click

from structce.errors import SourceError
from structce.io import write_atomic


def file_stem(number: int, source: str) -> str:
    """Return the stem of the name of a file for a source."""
    stem = Path(source).name.split(".html")[0].split(".htm")[0]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:60] or "page"
    return f"{number:05d}-{name}"


TABLE_END = "<!-- end -->"
"""Line of a Markdown file that ends generated tables."""


def write_between(path: Path | None, begin: str, text: str) -> None:
    """Replace the text between the line ``begin`` and the line ``TABLE_END`` of a file.

    Without a file the text is printed.

    Raises
    ------
    SourceError
        Unless each mark occurs exactly once, in order; the file is then left as it is.
    """
    if path is None:
        click.echo(text)
        return
    start, mark, rest = path.read_text("utf-8").partition(begin)
    _, end, after = rest.partition(TABLE_END)
    if not mark or not end or begin in rest or TABLE_END in after:
        raise SourceError(f"{path}: expected one line {begin} and one line {TABLE_END} below it")
    write_atomic(path, f"{start}{begin}\n\n{text}\n\n{TABLE_END}{after}".encode())
