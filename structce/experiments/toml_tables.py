"""How an experiment writes names, and what it says of one that it does not know."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from rapidfuzz import process

from structce.errors import ExperimentError

KeyPath = tuple[str | int, ...]
"""Where a value stands in an experiment's file: names of keys, and numbers of items from 0."""


def written_name(parameter: str) -> str:
    """Return a hyper-parameter's name as files and reports write it: ``lambda`` for ``lambda_``."""
    return parameter.removesuffix("_")


def unknown_name(name: object, known: Collection[str], where: str | KeyPath) -> ExperimentError:
    """Return the error for a name that is not known; it names the nearest known one.

    Parameters
    ----------
    where
        The key whose value holds the name, such as ``splits.by``.
    """
    key = tuple(where.split(".")) if isinstance(where, str) else where
    return ExperimentError(f"unknown {name!r}; {_hint(name, known)}", key=key)


def unknown_key(table: KeyPath, name: str, known: Collection[str]) -> ExperimentError:
    """Return the error for a key that a table does not have; it names the nearest one."""
    return ExperimentError(f"unknown key; {_hint(name, known)}", key=(*table, name))


def check_known(names: Sequence[str], known: Collection[str], key: KeyPath) -> None:
    """Raise an :class:`ExperimentError` unless each name of a list is known, and there once."""
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in known:
            raise unknown_name(name, known, (*key, i))
        if name in names[:i]:
            raise ExperimentError(f"{name!r} is there twice", key=(*key, i))


def _hint(name: object, known: Collection[str]) -> str:
    near = process.extractOne(str(name), list(known))
    return f"did you mean {near[0]!r}?" if near else "nothing is known here"


TOKEN = re.compile(
    r'''"""(?:\\[\s\S]|[^\\])*?"{3,5}'''
    r"""|'''[\s\S]*?'{3,5}"""
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'"""
    r"""|\#[^\n]*|\n|[][{}=,.]|[^][{}=,.#"'\s]+"""
)
"""What TOML is made of: strings, comments, ends of lines, signs, and bare words and numbers."""


def line_of(text: str, key: KeyPath) -> int:
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

    def keys(self) -> Iterator[tuple[KeyPath, int]]:
        """Yield every key, table and item of a list with its line, in the order of the file."""
        table: KeyPath = ()
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

    def _header(self) -> KeyPath:
        """Take ``[table]``; ``[[table]]`` counts as the same."""
        while self._next == "[":
            self._take()
        names = self._names("]")
        while self._next == "]":
            self._take()
        return names

    def _names(self, end: str) -> KeyPath:
        """Take a dotted key up to a sign."""
        dotted = ""
        while self._next != end:
            dotted += self._take()
        return names_of(dotted)

    def _prefixes(self, table: KeyPath, names: KeyPath) -> Iterator[tuple[KeyPath, int]]:
        for n in range(1, len(names) + 1):
            yield (*table, *names[:n]), self._line

    def _pair(self, table: KeyPath) -> Iterator[tuple[KeyPath, int]]:
        names = self._names("=")
        yield from self._prefixes(table, names)
        self._take()
        yield from self._value((*table, *names))

    def _value(self, key: KeyPath) -> Iterator[tuple[KeyPath, int]]:
        if self._next == "[":
            yield from self._items(key)
        elif self._next == "{":
            yield from self._inline_table(key)
        else:
            while self._next not in ("", "\n", ",", "]", "}"):
                self._take()

    def _items(self, key: KeyPath) -> Iterator[tuple[KeyPath, int]]:
        self._take()
        number = 0
        while self._skip_lines() and self._next != "]":
            yield (*key, number), self._tokens[self._place].line
            yield from self._value((*key, number))
            number += 1
            self._skip_comma()
        self._take()

    def _inline_table(self, key: KeyPath) -> Iterator[tuple[KeyPath, int]]:
        self._take()
        while self._skip_lines() and self._next != "}":
            yield from self._pair(key)
            self._skip_comma()
        self._take()

    def _skip_comma(self) -> None:
        self._skip_lines()
        if self._next == ",":
            self._take()


T = TypeVar("T")

_WORDS: Mapping[type, str] = {str: "a string", int: "a whole number", dict: "a table"}


@dataclass(frozen=True)
class Section:
    """A table, and where it stands.

    Every method raises an :class:`ExperimentError` that knows the key if a value is of another
    kind, and if it is missing and has no default. Where several values are expected, one may
    stand alone.
    """

    values: Mapping[str, object]
    key: KeyPath = ()

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def check_keys(self, known: Collection[str]) -> None:
        """Raise an :class:`ExperimentError` that names the nearest key unless all are known."""
        for name in self.values:
            if name not in known:
                raise unknown_key(self.key, name, known)

    def section(self, name: str) -> Section:
        """Return a table below; an empty one if there is none."""
        key = (*self.key, name)
        return Section(_expect(self.values.get(name, {}), dict, key), key)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string."""
        return _expect(self._given(name, default), str, (*self.key, name))

    def count(self, name: str, default: int | None = None) -> int:
        """Return a whole number."""
        return _expect(self._given(name, default), int, (*self.key, name))

    def number(self, name: str) -> float:
        """Return a number that must be there."""
        return expect_number(self._given(name), (*self.key, name))

    def texts(self, name: str, default: Collection[str] | None = None) -> tuple[str, ...]:
        """Return a list of strings."""
        items = self.items(name, None if default is None else list(default))
        return tuple(_expect(item, str, key) for key, item in items)

    def items(
        self, name: str, default: Collection[object] | None = None
    ) -> list[tuple[KeyPath, object]]:
        """Return the items of a list, each with its key; a single value is one of its own."""
        key = (*self.key, name)
        value = self._given(name, default)
        if isinstance(value, list):
            return [((*key, i), item) for i, item in enumerate(value)]
        return [(key, value)]

    def _given(self, name: str, default: object = None) -> object:
        value = self.values.get(name, default)
        if value is None:
            raise ExperimentError("missing; it must be given", key=(*self.key, name))
        return value


def expect_number(value: object, key: KeyPath) -> float:
    """Return a number.

    Raises
    ------
    ExperimentError
        If it is none.
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ExperimentError(f"expected a number, got {as_written(value)}", key=key)
    return float(value)


def as_written(value: object) -> str:
    """Return a value about as TOML writes it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _expect(value: object, kind: type[T], key: KeyPath) -> T:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ExperimentError(f"expected {_WORDS[kind]}, got {as_written(value)}", key=key)
    return value


TomlTable = Mapping[str, object]


@dataclass(frozen=True)
class Override:
    """One value, where it goes, and how it was written.

    Parameters
    ----------
    key
        Names of the tables from the outside in, and last of the key.
    text
        As given: ``learner.greedy-svm.context=5``.
    """

    key: tuple[str, ...]
    value: object
    text: str

    def __str__(self) -> str:
        return f"--set {self.text}"


def parse_override(text: str) -> Override:
    """Return what a text such as ``splits.by=["site", "page"]`` asks for.

    The value is TOML, and else a string as it stands: ``corpus=news``. What begins like a string,
    a list or a table of TOML must be one.

    Raises
    ------
    ExperimentError
        If there is no equals sign, no key before it, or half a value behind it.
    """
    place = equals_sign(text)
    if place < 0:
        raise ExperimentError(f"--set {text}: expected PATH=VALUE, such as seed=3")
    value = text[place + 1 :].strip()
    try:
        key = names_of(text[:place])
    except ValueError:
        raise ExperimentError(
            f"--set {text}: {text[:place]!r} is no key; expected names and dots, such as splits.by"
        ) from None
    try:
        return Override(key, _parsed(value), text)
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"--set {text}: the value is not complete: {error}") from None


def overridden(table: TomlTable, overrides: Sequence[Override]) -> TomlTable:
    """Return a table with values replaced or added, one override after the other.

    The table given stays as it was. Tables that are not there yet are made, except for arms.

    Raises
    ------
    ExperimentError
        If an override goes into an arm that is not there, or into what is no table.
    """
    for one in overrides:
        if len(one.key) > 2 and one.key[0] == "learner":
            _check_arm(one, table)
        table = _put(table, one)
    return table


def at_fault(overrides: Sequence[Override], key: KeyPath) -> Override | None:
    """Return the last override that set the value of a key; None if none did."""
    guilty = [one for one in overrides if key[: len(one.key)] == one.key]
    return guilty[-1] if guilty else None


def _parsed(value: str) -> object:
    try:
        found = tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        if value.startswith(("[", "{", '"', "'")):
            raise
        return value
    return found["value"] if len(found) == 1 else value


def _check_arm(one: Override, table: TomlTable) -> None:
    arms = table.get("learner", {})
    if isinstance(arms, Mapping) and one.key[1] not in arms:
        there = ", ".join(arms) or "none"
        raise ExperimentError(f"no such learner in the experiment; there are: {there}", key=one.key)


def _put(table: TomlTable, one: Override, depth: int = 0) -> TomlTable:
    """Return a table so many names below the outermost, with the value of an override in it."""
    name = one.key[depth]
    if depth == len(one.key) - 1:
        return {**table, name: one.value}
    inner = table.get(name, {})
    if not isinstance(inner, Mapping):
        raise ExperimentError(f"{name!r} is {as_written(inner)}, which is no table", key=one.key)
    return {**table, name: _put(inner, one, depth + 1)}
