"""Messages for a terminal, without control characters and without passwords."""

from __future__ import annotations

import logging
import unicodedata
from functools import partial
from pathlib import Path

import click

from structce.addresses import without_password
from structce.errors import SourceError

FAILED = click.exceptions.Exit(1)
"""Exit of a command that did what it could, though something failed."""

INTERRUPTED = click.exceptions.Exit(130)
"""Exit after Ctrl-C, as in shells: 128 plus the number of the signal."""


def shown_message(text: str) -> str:
    """Return a message that is safe to print on a terminal, with its line breaks.

    Names of files may contain escape sequences, and errors repeat names.
    """
    safe = "".join(c if c == "\n" or c.isprintable() else _replacement(c) for c in text)
    return without_password(safe)


def _replacement(character: str) -> str:
    is_invisible = unicodedata.category(character) == "Cf"
    return "" if is_invisible else " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"


def silence_warnings() -> None:
    """Show only errors, not the warnings about pages, until the running command ends."""
    logger = logging.getLogger("structce")
    click.get_current_context().call_on_close(partial(logger.setLevel, logger.level))
    logger.setLevel(logging.ERROR)


def show_error(message: str) -> None:
    """Print an error on standard error."""
    click.echo(f"error: {shown_message(message)}", err=True)


def closing_line(n_done: int, n_failed: int, seconds: float) -> str:
    """Return the closing line of a command on many pages."""
    failed = f", {n_failed:,} failed" if n_failed else ""
    return f"{n_done:,} pages in {seconds:.1f} s{failed}"


class MessageFormatter(logging.Formatter):
    """Format of logged messages: as errors are shown, ``warning: ...``."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return the message on one line, safe to print on a terminal."""
        return f"{record.levelname.lower()}: {shown_message(record.message)}"


def file_stem(number: int, source: str) -> str:
    """Return the stem of the name of a file for a source."""
    stem = Path(source).name.split(".html")[0].split(".htm")[0]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)
    beginning = name.encode()[:60].decode(errors="ignore")  # systems limit the bytes of a name
    return f"{number:05d}-{beginning or 'page'}"


TABLE_END = "<!-- end -->"
"""Line of a Markdown file that ends generated tables."""


def write_between(path: Path | None, begin: str, text: str) -> None:
    """Replace the text between the line ``begin`` and the line ``TABLE_END`` of a file.

    Without a file the text is printed. Unless each mark occurs exactly once, in order, SourceError
    is raised and the file is left as it is.
    """
    from structce.io import write_atomic  # late: most commands write no table into a document

    if path is None:
        click.echo(text)
        return
    start, mark, rest = path.read_text("utf-8").partition(begin)
    _, end, after = rest.partition(TABLE_END)
    if not mark or not end or begin in rest or TABLE_END in after:
        raise SourceError(f"{path}: expected one line {begin} and one line {TABLE_END} below it")
    write_atomic(path, f"{start}{begin}\n\n{text}\n\n{TABLE_END}{after}".encode())
