"""Messages for a terminal, without control characters and without passwords."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Iterable

import click

from structce.addresses import without_password

FAILED = click.exceptions.Exit(1)
"""Exit of a command that did what it could, though something failed."""

INTERRUPTED = click.exceptions.Exit(130)
"""Exit after Ctrl-C, as in shells: 128 plus the number of the signal."""

_MAX_LISTED = 10  # errors that are listed one by one


def shown_message(text: str) -> str:
    """Return a message that is safe to print on a terminal, with its line breaks.

    Names of files may contain escape sequences, and errors repeat names.
    """
    visible = (c for c in text if unicodedata.category(c) != "Cf")
    safe = "".join(
        c if c == "\n" or c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}"
        for c in visible
    )
    return without_password(safe)


def show_message(message: str) -> None:
    """Print a message on standard error."""
    click.echo(shown_message(message), err=True)


def show_error(message: str) -> None:
    """Print an error on standard error."""
    show_message(f"error: {message}")


def fail_with(errors: Iterable[str]) -> None:
    """Print the first errors and the number of the others, and exit with 1; nothing without any."""
    listed = list(errors)
    for error in listed[:_MAX_LISTED]:
        show_error(error)
    if len(listed) > _MAX_LISTED:
        show_message(f"and {len(listed) - _MAX_LISTED} more errors")
    if listed:
        raise FAILED


def closing_line(n_done: int, n_failed: int, seconds: float) -> str:
    """Return the closing line of a command on many pages."""
    failed = f", {n_failed:,} failed" if n_failed else ""
    return f"{n_done:,} pages in {seconds:.1f} s{failed}"


class MessageFormatter(logging.Formatter):
    """Format of logged messages: as errors are shown, ``warning: ...``."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return the message on one line, safe to print on a terminal."""
        return f"{record.levelname.lower()}: {shown_message(record.message)}"
