"""Registries: entries of one kind by name, and the suggestion of a name for one that is unknown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Generic, TypeVar

from structce.errors import StructceError

Entry = TypeVar("Entry")

_MOST_LISTED = 60  # names in an error message


class Registry(dict[str, Entry], Generic[Entry]):
    """Entries by name; a taken name and an unknown name are errors of a given class.

    ``kind`` is the noun for an entry in messages, such as ``extractor``.
    """

    def __init__(
        self, kind: str, error: type[StructceError], entries: Mapping[str, Entry] | None = None
    ) -> None:
        super().__init__(entries or {})
        self.kind = kind
        self.error = error

    def __setitem__(self, name: str, entry: Entry) -> None:
        if name in self:
            raise self.error(f"the name {name!r} is taken by another {self.kind}")
        super().__setitem__(name, entry)

    def __missing__(self, name: str) -> Entry:
        raise self.unknown(name, self)

    def unknown(self, name: object, known: Collection[str]) -> StructceError:
        """Return the error for a name, with the most similar of those that are known."""
        listed = f"; expected one of {', '.join(sorted(self))}" if len(self) <= _MOST_LISTED else ""
        return self.error(f"unknown {self.kind} {name!r}{listed}{suggestion(name, known)}")


def suggestion(name: object, known: Collection[str]) -> str:
    """Return the known name most similar to an unknown one, as the end of an error message."""
    from rapidfuzz import fuzz, process  # late: it takes 20 ms, and only errors need it

    near = process.extractOne(str(name), list(known), scorer=fuzz.ratio)
    return f"; did you mean {near[0]!r}?" if near else ""
