"""Tables of experiment files: read, overridden by ``--set splits.by=page``, checked and written."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, get_args, get_origin, get_type_hints

import msgspec
import tomli_w

from structce.errors import ExperimentError
from structce.registry import suggestion

TomlTable = Mapping[str, object]

ParameterValue = bool | int | float | str

KeyPath = tuple[str | int, ...]
"""Location of a value in an experiment file: names of keys, and indices of items from 0."""

Override = tuple[KeyPath, object, str]
"""A value, after its key below the names of its tables and before the text as given."""

_T = TypeVar("_T")
_Table = TypeVar("_Table", bound=msgspec.Struct)

_LIST = re.compile(r"\[\n((?: {4}.*,\n)+)\]$", re.MULTILINE)

_WIDTH = 100  # longest list written on one line, in characters: the line width of the code

_MESSAGE = re.compile(r"(.*?)(?: - at `\$(.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)


def require(is_met: bool, message: str, *key: str | int) -> None:
    """Raise an :class:`ExperimentError` with a message and a key unless a condition is met."""
    if not is_met:
        raise ExperimentError(message, key=key)


def unknown_name(name: object, known: Collection[str], *key: str | int) -> ExperimentError:
    """Return the error for an unknown name; it suggests the nearest known one."""
    hint = suggestion(name, known) or "; nothing is known here"
    return ExperimentError(f"unknown {name!r}{hint}", key=key)


def unknown_key(table: KeyPath, name: str, known: Collection[str]) -> ExperimentError:
    """Return the error for a key that a table does not have; it suggests the nearest one."""
    return ExperimentError(f"unknown key{suggestion(name, known)}", key=(*table, name))


def check_known(names: Sequence[str], known: Collection[str], key: KeyPath) -> None:
    """Raise an :class:`ExperimentError` unless each name of a list is known, and occurs once."""
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in known:
            raise unknown_name(name, known, *key, i)
        require(name not in names[:i], f"{name!r} occurs twice", *key, i)


def read_toml(path: Path) -> dict[str, object]:
    """Return the tables of a TOML file, with or without a byte order mark."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{path}: {error}") from error


def write_toml(table: TomlTable) -> str:
    """Serialise a table as TOML, short lists on one line."""

    def in_one_line(match: re.Match[str]) -> str:  # line breaks in strings are escaped
        items = [line.strip().removesuffix(",") for line in match[1].splitlines()]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= _WIDTH else match[0]

    return _LIST.sub(in_one_line, tomli_w.dumps(table))


def read_table(
    table: TomlTable, overrides: Sequence[str], read: Callable[[TomlTable], _T], place: str = ""
) -> _T:
    """Return what ``read`` makes of a table with overrides.

    An error begins with the override that set the faulty key, or else with ``place``, the location
    of the table.
    """
    changes = [parse_override(text) for text in overrides]
    try:
        for change in changes:
            table = _put(table, change)
        return read(table)
    except ExperimentError as error:
        faulty = [f"{text}: " for key, _, text in changes if error.key[: len(key)] == key]
        raise ExperimentError(f"{faulty[-1] if faulty else place}{error}") from None


def convert_table(table: object, kind: type[_Table], at: KeyPath = ()) -> _Table:
    """Check keys and types of a table of a file, and return it as a structure.

    Where the structure has a tuple, a single value counts as a list of one. ``at`` is the location
    of the table in its file, for messages.

    Raises
    ------
    ExperimentError
        If a key or value is not as expected; it names the key, and suggests one for an unknown key.
    """
    try:
        return msgspec.convert(_with_lists(table, kind), kind)
    except msgspec.ValidationError as error:
        message, path = _MESSAGE.fullmatch(str(error)).groups("")  # type: ignore[union-attr]
    key = tuple(name or int(number) for name, number in _STEP.findall(path))
    if (field := _FIELD.fullmatch(message)) is None:
        raise ExperimentError(f"{message[:1].lower()}{message[1:]}", key=(*at, *key))
    if field[1] == "missing required":
        raise ExperimentError("missing; it must be given", key=(*at, *key, field[2]))
    inner: object = kind
    for step in key:
        inner = _kind_of(inner, step)
    raise unknown_key((*at, *key), field[2], inner.__struct_fields__)  # type: ignore[attr-defined]


def _with_lists(value: object, kind: object) -> object:
    """Return a value in which a single value is a list of one where its kind is a tuple."""
    if isinstance(value, Mapping):
        return {name: _with_lists(inner, _kind_of(kind, name)) for name, inner in value.items()}
    is_list = any(get_origin(one) is tuple for one in (kind, *get_args(kind)))
    return [value] if is_list and not isinstance(value, bool | list | tuple) else value


def _kind_of(kind: object, step: str | int) -> object:
    """Return the kind of an entry of a structure or a dictionary; None if it has no such entry."""
    if get_origin(kind) is dict:
        return get_args(kind)[1]
    for one in (kind, *get_args(kind)):  # the structure itself, or one that may be missing
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            return get_type_hints(one).get(str(step))
    return None


def inner_tables(table: TomlTable, name: str) -> dict[str, dict[str, object]]:
    """Return the tables ``[NAME.*]``; an error if one of them is something else."""
    tables = table.get(name, {})
    require(isinstance(tables, dict), f"expected a table, got {as_toml(tables)}", name)
    for key, inner in tables.items():  # type: ignore[attr-defined]
        require(isinstance(inner, dict), f"expected a table, got {as_toml(inner)}", name, key)
    return dict(tables)  # type: ignore[call-overload, no-any-return]


def read_subject(
    kind: str,
    name: str,
    table: TomlTable,
    known: Mapping[str, Callable[..., object]],
    *,
    flags: Collection[str] = (),
    may_be: str = r"(?!)",
) -> tuple[str, dict[str, object]]:
    """Return the subject of a table ``[learner.NAME]`` or ``[method.NAME]``, and its parameters.

    The key ``learner`` or ``method`` in the table names the subject, by default the table's name;
    parameters have their names in Python.

    Parameters
    ----------
    flags
        Keys that are no parameters of the subject.
    may_be
        Pattern of further names, which are checked elsewhere and take no parameters.
    """
    subject = table.get(kind, name)
    is_name = isinstance(subject, str)
    if not is_name or not (subject in known or re.fullmatch(may_be, str(subject))):
        raise unknown_name(subject, known, kind, name, *([kind] if kind in table else []))
    given = {key: value for key, value in table.items() if key not in (kind, *flags)}
    names = parameter_names(known[str(subject)]) if given and subject in known else {}
    for key in given:
        if key not in names:
            raise unknown_key((kind, name), key, (kind, *flags, *names))
    return str(subject), {names[key]: value for key, value in given.items()}


def written_name(parameter: str) -> str:
    """Return a parameter's name as written in files: ``lambda`` for ``lambda_``."""
    return parameter.removesuffix("_")


def parameter_names(subject: Callable[..., object]) -> dict[str, str]:
    """Return the names of the parameters of a subject in Python by those in a file."""
    return {
        written_name(parameter.name): parameter.name
        for parameter in inspect.signature(subject).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }


def check_parameter(value: object, *key: str | int) -> ParameterValue:
    """Return the value of a parameter; an error if it is not a single value of TOML."""
    if not isinstance(value, bool | int | float | str):
        message = f"expected a number, a string, true or false, got {as_toml(value)}"
        raise ExperimentError(message, key=key)
    return value


def parse_override(text: str) -> Override:
    """Parse a text such as ``splits.by=["site", "page"]``.

    The value is TOML, or else an unquoted string: ``corpus=news``. A value that begins like a
    string, a list or a table of TOML must be one.
    """
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
        table = tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError as error:
        is_text = not value.startswith(("[", "{", '"', "'"))
        require(is_text, f"{given}: the value is not complete: {error}")
        table = {}
    return tuple(keys), table["value"] if len(table) == 1 else value, given


def as_toml(value: object) -> str:
    """Return a value roughly as in TOML, for messages."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _put(table: TomlTable, override: Override, depth: int = 0) -> TomlTable:
    """Return a table at a depth below the outermost, with the value of an override in it.

    Missing tables are created, except for learners; a value that is not a table is an error.
    """
    key, value, _ = override
    name, is_last = str(key[depth]), depth == len(key) - 1
    inner = table.get(name, {})
    if depth == 1 and key[0] == "learner" and not is_last:
        message = f"no such learner in the experiment; there are: {', '.join(table) or 'none'}"
        require(name in table, message, *key)
    if is_last:
        return {**table, name: value}
    if not isinstance(inner, Mapping):
        message = f"{name!r} is {as_toml(inner)}, which is not a table"
        raise ExperimentError(message, key=key)
    return {**table, name: _put(inner, override, depth + 1)}
