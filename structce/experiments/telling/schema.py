"""The JSON Schema of ``report.json``, made of the values and of what their docstrings say."""

from __future__ import annotations

import inspect
import re
from typing import Any

import msgspec

from structce.experiments.finding.report import Report
from structce.experiments.telling.files import FORMAT, VERSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_UNDERLINE = re.compile(r"-{3,}")


def schema() -> dict[str, object]:
    """Return what ``report.json`` looks like, as a JSON Schema of draft 2020-12.

    Each class is a definition. Its description is the first part of the docstring, those of its
    fields stand in the section *Parameters*. A key that is not named is an error.
    """
    made = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Report)))  # no tuples
    definitions = {name: _definition(one) for name, one in made["$defs"].items()}
    _fix(definitions["Report"], format=FORMAT, version=VERSION)
    return {
        "$schema": DIALECT,
        "title": "Report of an experiment by structce",
        "description": definitions["Report"]["description"],
        "$ref": made["$ref"],
        "$defs": definitions,
    }


def _definition(made: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a class with its docstring taken apart."""
    sections = _sections(made["description"])
    documented = _parameters(sections.get("Parameters", []))
    properties = {
        name: _described(one, documented.get(name, "")) for name, one in made["properties"].items()
    }
    return {
        **made,
        "description": _flowing(sections[""]),
        "properties": properties,
        "additionalProperties": False,
    }


def _fix(definition: dict[str, Any], **values: object) -> None:
    """Demand fields that have one value only."""
    for name, value in values.items():
        definition["properties"][name]["const"] = value
        definition["required"].append(name)


def _described(one: dict[str, Any], text: str) -> dict[str, Any]:
    return {"description": text, **one} if text else one


def _sections(docstring: str) -> dict[str, list[str]]:
    """Return the lines of each section of a NumPy docstring; what stands first has no name."""
    lines = inspect.cleandoc(docstring).splitlines()
    found: dict[str, list[str]] = {"": []}
    name = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _UNDERLINE.fullmatch(following):
            name = line
            found[name] = []
        elif not _UNDERLINE.fullmatch(line):
            found[name].append(line)
    return found


def _parameters(lines: list[str]) -> dict[str, str]:
    """Return what the section says of each name; names that share a line share the text."""
    found: dict[str, str] = {}
    for head, body in _entries(lines):
        names, _, kind = head.partition(" : ")
        text = _flowing([f"{kind[:1].upper()}{kind[1:]}.", *body] if kind else body)
        found.update(dict.fromkeys(names.split(", "), text))
    return found


def _entries(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Return lines that are not indented, each with the indented ones below it."""
    entries: list[tuple[str, list[str]]] = []
    for line in lines:
        if line and not line[0].isspace():
            entries.append((line, []))
        elif entries:
            entries[-1][1].append(line)
    return entries


def _flowing(lines: list[str]) -> str:
    """Return lines as one, without the marks that only Sphinx reads."""
    text = " ".join(" ".join(lines).split())
    return _ROLE.sub(r"`\1`", text).replace("``", "`")
