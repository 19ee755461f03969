"""How an experiment writes names, and what it says of one that it does not know."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rapidfuzz import process

from structce.errors import ExperimentError

Key = tuple[str | int, ...]
"""Where a value stands in an experiment's file: names of keys, and numbers of items from 0."""


def written_name(parameter: str) -> str:
    """Return a hyper-parameter's name as files and reports write it: ``lambda`` for ``lambda_``."""
    return parameter.removesuffix("_")


def unknown_name(name: object, known: Collection[str], where: str | Key) -> ExperimentError:
    """Return the error for a name that is not known; it names the nearest known one.

    Parameters
    ----------
    where
        The key whose value holds the name, such as ``splits.by``.
    """
    key = tuple(where.split(".")) if isinstance(where, str) else where
    return ExperimentError(f"unknown {name!r}; {_hint(name, known)}", key=key)


def unknown_key(table: Key, name: str, known: Collection[str]) -> ExperimentError:
    """Return the error for a key that a table does not have; it names the nearest one."""
    return ExperimentError(f"unknown key; {_hint(name, known)}", key=(*table, name))


def check_known(names: Sequence[str], known: Collection[str], key: Key) -> None:
    """Raise an :class:`ExperimentError` unless each name of a list is known, and there once."""
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in known:
            raise unknown_name(name, known, (*key, i))
        if name in names[:i]:
            raise ExperimentError(f"{name!r} is there twice", key=(*key, i))


def _hint(name: object, known: Collection[str]) -> str:
    near = process.extractOne(str(name), list(known))
    return f"did you mean {near[0]!r}?" if near else "nothing is known here"
