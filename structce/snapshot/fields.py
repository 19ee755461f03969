"""JSON objects of a snapshot: written in one line, and trusted in nothing when read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from structce.errors import CorpusError

_LARGEST = 2**31 - 1


def to_line(value: Mapping[str, object]) -> bytes:
    """Return a JSON object in one line. Halves of surrogate pairs stay: pages hold some."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", errors="surrogatepass")


def damaged(name: str, reason: object) -> CorpusError:
    """Return the error for a snapshot that cannot be read."""
    return CorpusError(f"{name}: damaged snapshot: {reason}; render the page again")


class Fields:
    """The fields of a JSON object, each of the type that is asked for.

    Parameters
    ----------
    values
        The object.
    name
        How messages call the snapshot.
    """

    def __init__(self, values: Mapping[str, object], name: str) -> None:
        self.values = values
        self.name = name

    @classmethod
    def of_line(cls, line: bytes, name: str) -> Fields:
        """Return the object that :func:`to_line` wrote.

        Raises
        ------
        CorpusError
            If it is none; the message has the name.
        """
        try:
            value = json.loads(line.decode("utf-8", errors="surrogatepass"))
        except (ValueError, RecursionError) as error:
            raise damaged(name, error) from error
        if not isinstance(value, dict):
            raise damaged(name, "no JSON object where one should stand")
        return cls(value, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def error(self, key: str, expected: str) -> CorpusError:
        """Return the error for a field that is missing or of another type."""
        return damaged(self.name, f"{key!r} is not {expected}")

    def has(self, key: str) -> bool:
        """Return a truth value."""
        value = self.values.get(key)
        if not isinstance(value, bool):
            raise self.error(key, "true or false")
        return value

    def count(self, key: str) -> int:
        """Return a whole number, not negative."""
        value = self.values.get(key)
        if type(value) is not int or not 0 <= value <= _LARGEST:
            raise self.error(key, "a count")
        return value

    def text(self, key: str) -> str:
        """Return a string."""
        value = self.values.get(key)
        if not isinstance(value, str):
            raise self.error(key, "a string")
        return value

    def entries(self, key: str) -> list[Any]:
        """Return a list of anything."""
        value = self.values.get(key)
        if not isinstance(value, list):
            raise self.error(key, "a list")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings."""
        found = self.entries(key)
        if set(map(type, found)) - {str}:
            raise self.error(key, "a list of strings")
        return tuple(found)

    def objects(self, key: str) -> tuple[dict[str, Any], ...]:
        """Return a list of objects that hold anything."""
        found = self.entries(key)
        if set(map(type, found)) - {dict}:
            raise self.error(key, "a list of objects")
        return tuple(found)

    def text_objects(self, key: str) -> tuple[dict[str, str], ...]:
        """Return a list of objects that hold strings."""
        found = self.objects(key)
        if {type(value) for row in found for value in row.values()} - {str}:
            raise self.error(key, "a list of objects that hold strings")
        return found

    def inner(self, key: str) -> Fields:
        """Return the fields of an object."""
        value = self.values.get(key)
        if not isinstance(value, dict):
            raise self.error(key, "an object")
        return Fields(value, self.name)

    def all_lists(self) -> dict[str, tuple[str, ...]]:
        """Return all fields, which must be lists of strings."""
        return {key: self.texts(key) for key in self.values}
