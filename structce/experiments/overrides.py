"""Overrides of single values of an experiment file: ``--set splits.by=page``."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from structce.errors import ExperimentError
from structce.experiments.config import KeyPath, require

TomlTable = Mapping[str, object]


@dataclass(frozen=True)
class Override:
    """One value, the key it is for, and how it was written.

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
    """Parse a text such as ``splits.by=["site", "page"]``.

    The value is TOML, and else a string as it stands: ``corpus=news``. What begins like a string,
    a list or a table of TOML must be one.

    Raises
    ------
    ExperimentError
        If there is no equals sign, no key before it, or half a value behind it.
    """
    require("=" in text, f"--set {text}: expected PATH=VALUE, such as seed=3")
    places = (i for i, sign in enumerate(text) if sign == "=")
    found = ((key, i) for i in places if (key := _dotted_key(text[:i])))  # quotes may hold a sign
    key, place = next(found, ((), text.index("=")))
    message = f"{text[:place]!r} is no key; expected names and dots, such as splits.by"
    require(bool(key), f"--set {text}: {message}")
    try:
        return Override(key, _value(text[place + 1 :].strip()), text)
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"--set {text}: the value is not complete: {error}") from None


def _dotted_key(text: str) -> tuple[str, ...]:
    """Return the names of a dotted key, whatever quotes it is written with; empty if it is none."""
    names: list[str] = []
    try:
        table: object = tomllib.loads(f"{text} = 0")
        while isinstance(table, dict):
            ((name, table),) = table.items()
            names.append(name)
    except ValueError:  # no TOML, or not exactly one key
        return ()
    return tuple(names)


def _value(text: str) -> object:
    try:
        found = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        if text.startswith(("[", "{", '"', "'")):
            raise
        return text
    return found["value"] if len(found) == 1 else text


def apply_overrides(table: TomlTable, overrides: Sequence[Override]) -> TomlTable:
    """Return a table with values replaced or added, one override after the other.

    The table given stays as it was. Tables that are not there yet are made, except for learners.

    Raises
    ------
    ExperimentError
        If an override is for a learner that the table does not have, or goes into what is no
        table.
    """
    for one in overrides:
        learners = table.get("learner", {})
        if len(one.key) > 2 and one.key[0] == "learner" and isinstance(learners, Mapping):
            message = f"there are: {', '.join(learners) or 'none'}"
            is_there = one.key[1] in learners
            require(is_there, f"no such learner in the experiment; {message}", *one.key)
        table = _put(table, one)
    return table


def override_of(overrides: Sequence[Override], key: KeyPath) -> Override | None:
    """Return the last override that set the value of a key; None if none did."""
    found = [one for one in overrides if key[: len(one.key)] == one.key]
    return found[-1] if found else None


def as_toml(value: object) -> str:
    """Return a value about as TOML writes it, for messages."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _put(table: TomlTable, one: Override, depth: int = 0) -> TomlTable:
    """Return a table so many names below the outermost, with the value of an override in it."""
    name = one.key[depth]
    if depth == len(one.key) - 1:
        return {**table, name: one.value}
    inner = table.get(name, {})
    if not isinstance(inner, Mapping):
        raise ExperimentError(f"{name!r} is {as_toml(inner)}, which is no table", key=one.key)
    return {**table, name: _put(inner, one, depth + 1)}
