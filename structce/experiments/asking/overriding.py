"""Values that a command line puts in the place of a file's: ``--set PATH=VALUE``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from structce.errors import ExperimentError
from structce.experiments.asking.locating import equals_sign, names_of
from structce.experiments.asking.names import Key
from structce.experiments.asking.sections import as_written

Table = Mapping[str, object]


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


def overridden(table: Table, overrides: Sequence[Override]) -> Table:
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


def at_fault(overrides: Sequence[Override], key: Key) -> Override | None:
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


def _check_arm(one: Override, table: Table) -> None:
    arms = table.get("learner", {})
    if isinstance(arms, Mapping) and one.key[1] not in arms:
        there = ", ".join(arms) or "none"
        raise ExperimentError(f"no such learner in the experiment; there are: {there}", key=one.key)


def _put(table: Table, one: Override, depth: int = 0) -> Table:
    """Return a table so many names below the outermost, with the value of an override in it."""
    name = one.key[depth]
    if depth == len(one.key) - 1:
        return {**table, name: one.value}
    inner = table.get(name, {})
    if not isinstance(inner, Mapping):
        raise ExperimentError(f"{name!r} is {as_written(inner)}, which is no table", key=one.key)
    return {**table, name: _put(inner, one, depth + 1)}
