"""A table of an experiment's file: takes what is expected, and says where it is something else."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from structce.errors import ExperimentError
from structce.experiments.asking.names import Key, unknown_key

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
    key: Key = ()

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
    ) -> list[tuple[Key, object]]:
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


def expect_number(value: object, key: Key) -> float:
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


def _expect(value: object, kind: type[T], key: Key) -> T:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ExperimentError(f"expected {_WORDS[kind]}, got {as_written(value)}", key=key)
    return value
