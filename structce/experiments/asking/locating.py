"""Where a key of a TOML file stands: `tomllib` tells lines of its syntax errors alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from structce.experiments.asking.names import Key

TOKEN = re.compile(
    r'''"""(?:\\[\s\S]|[^\\])*?"{3,5}'''
    r"""|'''[\s\S]*?'{3,5}"""
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'"""
    r"""|\#[^\n]*|\n|[][{}=,.]|[^][{}=,.#"'\s]+"""
)
"""What TOML is made of: strings, comments, ends of lines, signs, and bare words and numbers."""


def line_of(text: str, key: Key) -> int:
    """Return the line in which a key or an item of a list stands, from 1.

    Parameters
    ----------
    text
        Valid TOML.

    Returns
    -------
    int
        For a key that is not there the line of its table, or of the list that lacks the item; for
        a table that is not there 1. A table that is opened in several places stands in the first.
    """
    lines = dict(reversed(list(_Scanner(text).keys())))
    places = (lines[key[:n]] for n in range(len(key), 0, -1) if key[:n] in lines)
    return next(places, 1)


def equals_sign(text: str) -> int:
    """Return the place of the first equals sign outside quotes; -1 if there is none."""
    return next((found.start() for found in TOKEN.finditer(text) if found[0] == "="), -1)


def names_of(dotted: str) -> tuple[str, ...]:
    """Return the names of a dotted key, whatever quotes it is written with.

    Raises
    ------
    ValueError
        If it is none.
    """
    names: list[str] = []
    table: object = tomllib.loads(f"{dotted} = 0")
    while isinstance(table, dict):
        ((name, table),) = table.items()
        names.append(name)
    return tuple(names)


class _Token(NamedTuple):
    text: str
    line: int


class _Scanner:
    """Reads valid TOML from front to back."""

    def __init__(self, text: str) -> None:
        self._tokens = [
            _Token(found[0], text.count("\n", 0, found.start()) + 1)
            for found in TOKEN.finditer(text)
            if not found[0].startswith("#")
        ]
        self._place = 0

    def keys(self) -> Iterator[tuple[Key, int]]:
        """Yield every key, table and item of a list with its line, in the order of the file."""
        table: Key = ()
        while self._skip_lines():
            if self._next == "[":
                table = self._header()
                yield from self._prefixes((), table)
            else:
                yield from self._pair(table)

    @property
    def _next(self) -> str:
        """The token ahead; empty at the end."""
        return self._tokens[self._place].text if self._place < len(self._tokens) else ""

    @property
    def _line(self) -> int:
        """The line of the token that was taken last."""
        return self._tokens[self._place - 1].line

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1].text

    def _skip_lines(self) -> bool:
        """Go past ends of lines; return whether anything is left."""
        while self._next == "\n":
            self._take()
        return bool(self._next)

    def _header(self) -> Key:
        """Take ``[table]``; ``[[table]]`` counts as the same."""
        while self._next == "[":
            self._take()
        names = self._names("]")
        while self._next == "]":
            self._take()
        return names

    def _names(self, end: str) -> Key:
        """Take a dotted key up to a sign."""
        dotted = ""
        while self._next != end:
            dotted += self._take()
        return names_of(dotted)

    def _prefixes(self, table: Key, names: Key) -> Iterator[tuple[Key, int]]:
        for n in range(1, len(names) + 1):
            yield (*table, *names[:n]), self._line

    def _pair(self, table: Key) -> Iterator[tuple[Key, int]]:
        names = self._names("=")
        yield from self._prefixes(table, names)
        self._take()
        yield from self._value((*table, *names))

    def _value(self, key: Key) -> Iterator[tuple[Key, int]]:
        if self._next == "[":
            yield from self._items(key)
        elif self._next == "{":
            yield from self._inline_table(key)
        else:
            while self._next not in ("", "\n", ",", "]", "}"):
                self._take()

    def _items(self, key: Key) -> Iterator[tuple[Key, int]]:
        self._take()
        number = 0
        while self._skip_lines() and self._next != "]":
            yield (*key, number), self._tokens[self._place].line
            yield from self._value((*key, number))
            number += 1
            self._skip_comma()
        self._take()

    def _inline_table(self, key: Key) -> Iterator[tuple[Key, int]]:
        self._take()
        while self._skip_lines() and self._next != "}":
            yield from self._pair(key)
            self._skip_comma()
        self._take()

    def _skip_comma(self) -> None:
        self._skip_lines()
        if self._next == ",":
            self._take()
