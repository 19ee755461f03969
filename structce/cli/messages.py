"""Messages for a terminal, without control characters and without passwords."""

from __future__ import annotations

import logging
import unicodedata

import click

from structce.addresses import without_password


def shown_message(text: str) -> str:
    """Return a message that is safe to print on a terminal, with its line breaks.

    Names of files may contain escape sequences, and errors repeat names.
    """
    safe = "".join(c if c == "\n" or c.isprintable() else _replacement(c) for c in text)
    return without_password(safe)


def _replacement(character: str) -> str:
    is_invisible = unicodedata.category(character) == "Cf"
    return "" if is_invisible else " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"


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
