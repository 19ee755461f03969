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
    """One value, its key, and its text.

    Parameters
    ----------
    key
        Names of the tables from the outside in, and finally of the key.
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

    The value is TOML, or else an unquoted string: ``corpus=news``. A value that begins like a
    string, a list or a table of TOML must be one.

    Raises
    ------
    ExperimentError
        If there is no equals sign, no key before it, or an incomplete value after it.
    """
    require("=" in text, f"--set {text}: expected PATH=VALUE, such as seed=3")
    places = (i for i, sign in enumerate(text) if sign == "=")
    found = (
        (key, i) for i in places if (key := _dotted_key(text[:i]))
    )  # quotes may contain an equals sign
    key, place = next(found, ((), text.index("=")))
    message = f"{text[:place]!r} is not a key; expected names and dots, such as splits.by"
    require(bool(key), f"--set {text}: {message}")
    try:
        return Override(key, _value(text[place + 1 :].strip()), text)
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"--set {text}: the value is not complete: {error}") from None


def _dotted_key(text: str) -> tuple[str, ...]:
    """Return the names of a dotted key, with any quotes; empty if the text is not one."""
    names: list[str] = []
    try:
        table: object = tomllib.loads(f"{text} = 0")
        while isinstance(table, dict):
            ((name, table),) = table.items()
            names.append(name)
    except ValueError:  # not TOML, or not exactly one key
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

    The given table is not changed. Missing tables are created, except for learners.

    Raises
    ------
    ExperimentError
        If an override is for a learner that the table does not have, or goes into a value that is
        not a table.
    """
    for override in overrides:
        learners = table.get("learner", {})
        if len(override.key) > 2 and override.key[0] == "learner" and isinstance(learners, Mapping):
            message = f"there are: {', '.join(learners) or 'none'}"
            is_there = override.key[1] in learners
            require(is_there, f"no such learner in the experiment; {message}", *override.key)
        table = _put(table, override)
    return table


def override_of(overrides: Sequence[Override], key: KeyPath) -> Override | None:
    """Return the last override that set the value of a key; None if none did."""
    matches = [override for override in overrides if key[: len(override.key)] == override.key]
    return matches[-1] if matches else None


def as_toml(value: object) -> str:
    """Return a value roughly as in TOML, for messages."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _put(table: TomlTable, override: Override, depth: int = 0) -> TomlTable:
    """Return a table at a depth below the outermost, with the value of an override in it."""
    name = override.key[depth]
    if depth == len(override.key) - 1:
        return {**table, name: override.value}
    inner = table.get(name, {})
    if not isinstance(inner, Mapping):
        raise ExperimentError(
            f"{name!r} is {as_toml(inner)}, which is not a table", key=override.key
        )
    return {**table, name: _put(inner, override, depth + 1)}
