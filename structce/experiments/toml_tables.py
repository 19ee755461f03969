"""Tables of TOML files: read, overridden by ``--set splits.by=page``, and checked by structures."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from structce.errors import ExperimentError
from structce.registry import suggestion

TomlTable = Mapping[str, object]
KeyPath = tuple[str | int, ...]
"""Location of a value in a file: names of keys, and indices of items from 0."""

Override = tuple[tuple[str, ...], object, str]
"""Keys of a value, from the outermost table, the value, and the text as given."""

_Table = TypeVar("_Table")

_MESSAGE = re.compile(r"(.*?)(?: - at `\$(.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_CHOICE = re.compile(r"Invalid enum value '?(.*?)'?", re.DOTALL)


def require(is_met: bool, message: str, *key: str | int) -> None:
    """Raise an :class:`ExperimentError` with a message and a key unless a condition is met."""
    if not is_met:
        raise ExperimentError(message, key=key)


def unknown_name(name: object, known: Collection[str], *key: str | int) -> ExperimentError:
    """Return the error for an unknown name; it suggests the nearest known one."""
    hint = suggestion(name, known) or "; nothing is known here"
    return ExperimentError(f"unknown {name!r}{hint}", key=key)


def check_known(names: Sequence[str], known: Collection[str], key: KeyPath) -> None:
    """Raise an :class:`ExperimentError` unless each name of a list is known, and occurs once."""
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in known:
            raise unknown_name(name, known, *key, i)
        require(name not in names[:i], f"{name!r} occurs twice", *key, i)


def written_name(parameter: str) -> str:
    """Return a parameter's name as written in files: ``lambda`` for ``lambda_``."""
    return parameter.removesuffix("_")


def convert_table(table: object, kind: type[_Table], at: KeyPath = ()) -> _Table:
    """Check keys and types of a table of a file, and return it as a structure.

    Where the structure has a tuple, a single value counts as a list of one. ``at`` is the location
    of the table in its file, for messages.

    Raises
    ------
    ExperimentError
        If a key or value is not as expected; it names the key, and suggests the nearest known name
        for an unknown key or choice.
    """
    try:
        return msgspec.convert(_with_lists(table, kind), kind)
    except msgspec.ValidationError as error:
        message, path = _MESSAGE.fullmatch(str(error)).groups("")  # type: ignore[union-attr]
    steps = [name or number for name, number in _STEP.findall(path)]
    inner: object = kind
    for step in steps:
        inner = _kind_of(inner, step)
    key = (*at, *steps)
    if field := _FIELD.fullmatch(message):
        if field[1] == "missing required":
            raise ExperimentError("missing; it must be given", key=(*key, field[2]))
        known = inner.__struct_fields__  # type: ignore[attr-defined]
        raise ExperimentError(f"unknown key{suggestion(field[2], known)}", key=(*key, field[2]))
    if choice := _CHOICE.fullmatch(message):
        kinds = [one for one in (inner, *get_args(inner)) if get_origin(one) is Literal]
        raise unknown_name(choice[1], [name for one in kinds for name in get_args(one)], *key)
    if message == "Expected `object` of length >= 1":
        message = f"expected at least one table [{'.'.join(map(str, key))}.NAME]"
    raise ExperimentError(f"{message[:1].lower()}{message[1:]}", key=key)


def _with_lists(value: object, kind: object) -> object:
    """Return a value in which a single value is a list of one where its kind is a tuple."""
    if isinstance(value, Mapping):
        return {name: _with_lists(inner, _kind_of(kind, name)) for name, inner in value.items()}
    is_list = any(get_origin(one) is tuple for one in (kind, *get_args(kind)))
    return [value] if is_list and not isinstance(value, bool | list | tuple) else value


def _kind_of(kind: object, step: str) -> object:
    """Return the kind of an entry of a structure, a dictionary or a tuple; None if it has none."""
    for one in (kind, *get_args(kind)):  # the kind itself, or one of several
        if get_origin(one) is dict:
            return get_args(one)[1]
        if get_origin(one) is tuple:
            return get_args(one)[0]
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            return get_type_hints(one).get(step)
    return None


def override_table(table: TomlTable, texts: Sequence[str]) -> tuple[TomlTable, list[Override]]:
    """Return a table with the values of overrides, ``PATH=VALUE``, and the overrides."""
    changes = [parse_override(text) for text in texts]
    for key, value, text in changes:
        table = _replaced(table, key, value, text)
    return table, changes


def parse_override(text: str) -> Override:
    """Parse a text such as ``splits.by=["site", "page"]``; a value that is not TOML is a string."""
    given = f"--set {text}"
    name, sign, value = (part.strip() for part in text.partition("="))
    require(bool(sign), f"{given}: expected PATH=VALUE, such as seed=3")
    keys: list[str] = []
    try:
        inner: object = tomllib.loads(f"{name} = 0")
        while isinstance(inner, dict):
            ((key, inner),) = inner.items()
            keys.append(key)
    except ValueError:  # not TOML, or not exactly one key
        message = "is not a key; expected names and dots, such as splits.by"
        raise ExperimentError(f"{given}: {name!r} {message}") from None
    try:
        ((_, parsed),) = tomllib.loads(f"value = {value}").items()
    except ValueError:  # not TOML, or several lines of it
        parsed = value
    return tuple(keys), parsed, given


def _replaced(table: TomlTable, key: Sequence[str], value: object, text: str) -> TomlTable:
    """Return a table with another value at a key; missing tables are created."""
    name, *rest = key
    inner = table.get(name, {})
    if not rest:
        return {**table, name: value}
    if not isinstance(inner, Mapping):
        raise ExperimentError(f"{text}: {name!r} is {inner!r}, not a table")
    return {**table, name: _replaced(inner, rest, value, text)}
