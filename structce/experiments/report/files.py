"""Serialisation of a report: ``report.json`` with its schema, and the files beside it."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from structce.errors import ExperimentError, StructceError
from structce.experiments.extraction.results import ExtractionReport
from structce.experiments.report.extraction import extraction_page, extraction_words
from structce.experiments.report.learners import learner_page
from structce.experiments.report.page import AnyReport, ReportPage
from structce.experiments.report.plots.base import FIGURE_FORMATS, Plot, file_stem
from structce.experiments.report.text import learner_words
from structce.experiments.results import PairedTest, Report
from structce.io import write_all_atomic

REPORT_FILE = "report.json"
_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_UNDERLINE = re.compile(r"-{3,}")

_Kind = type[Report] | type[ExtractionReport]

_KINDS: dict[object, _Kind] = {kind.format: kind for kind in (Report, ExtractionReport)}
"""Classes of reports by the format that a file states."""


def to_json(value: object) -> bytes:
    """Serialise a report, or any value of dataclasses, as JSON text in UTF-8.

    Keys are in the order of the fields, so that equal reports give equal bytes;
    :func:`report_schema` describes them.

    Raises
    ------
    ExperimentError
        If a number is NaN or infinite: JSON has neither.
    """
    tree = to_builtins(value)
    for place, number in _floats(tree, type(value).__name__.lower()):
        if not math.isfinite(number):
            raise ExperimentError(f"{place} is {number}; expected a finite number")
    return msgspec.json.format(msgspec.json.encode(tree), indent=1) + b"\n"


def report_page(
    report: AnyReport, pictures: Mapping[tuple[str, str], str] | None = None
) -> ReportPage:
    """Draw a report as an HTML page; without matplotlib the page has only tables, and says so.

    Pictures are those of :class:`structce.experiments.ExperimentResult`.
    """
    if isinstance(report, ExtractionReport):
        return extraction_page(report)
    return learner_page(report, pictures)


def report_text(report: AnyReport, form: str = "table") -> str:
    """Return a report as text: a ``table`` for a terminal, ``markdown``, ``latex`` or ``json``."""
    if form == "json":
        return to_json(report).decode("utf-8")
    words = learner_words(report) if isinstance(report, Report) else extraction_words(report)
    return {"table": words.plain, "markdown": words.markdown, "latex": words.latex}[form]()


def report_files(
    report: AnyReport,
    pictures: Mapping[tuple[str, str], str] | None = None,
    tables: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """Return what is written beside ``report.json``, by path: page, figures and tables.

    Pictures and further tables are those of :class:`structce.experiments.ExperimentResult`.
    """
    page = report_page(report, pictures)
    texts = {
        "report.html": page.html,
        "tables.md": report_text(report, "markdown"),
        "tables.tex": report_text(report, "latex"),
        **(tables or {}),
    }
    return {name: text.encode("utf-8") for name, text in texts.items()} | figure_files(page.plots)


def write_report(report: AnyReport, folder: Path, files: Mapping[str, bytes]) -> None:
    """Write ``report.json`` and other files, by their paths below the folder; all or none."""
    every = {folder / name: data for name, data in files.items()}
    write_all_atomic({**every, folder / REPORT_FILE: to_json(report)})


def figure_files(plots: Iterable[Plot]) -> dict[str, bytes]:
    """Return every plot as an SVG and a PDF file, by path: ``figures/costs-news-by-site.pdf``."""
    drawn = [plot for plot in plots if plot.figure is not None]
    stems = _unique_stems([plot.file_name for plot in drawn])
    return {
        f"figures/{stem}.{form}": plot.to_file(form)
        for stem, plot in zip(stems, drawn, strict=True)
        for form in FIGURE_FORMATS
    }


def prediction_files(predictions: Mapping[str, str]) -> dict[str, str]:
    """Return the predictions of every study by path: ``predictions/news-by-site.tsv``."""
    stems = _unique_stems([file_stem(study) for study in predictions])
    return {f"predictions/{s}.tsv": t for s, t in zip(stems, predictions.values(), strict=True)}


def _unique_stems(stems: Sequence[str]) -> list[str]:
    """Return names of files, repeated ones with a number."""
    unique: list[str] = []
    for stem in stems:
        numbered = (f"{stem}-{number}" for number in count(2))
        unique.append(next(name for name in chain([stem], numbered) if name not in unique))
    return unique


def read_report(path: Path) -> AnyReport:
    """Read ``report.json`` of an experiment on learners or on extractors, strictly.

    The path is that of ``report.json`` or of the folder that contains it.

    Raises
    ------
    ExperimentError
        If it cannot be read, is not a report, is of another version, or is damaged: a value of
        another type, a missing key, or an unknown one.
    """
    file = path / REPORT_FILE if path.is_dir() else path
    plain = _read_json(file)
    kind = _KINDS[plain["format"]]
    if (version := plain.get("version")) != kind.version or isinstance(version, bool):
        raise ExperimentError(
            f"{file}: the report is of version {version}; this structce reads version "
            f"{kind.version}. Run the experiment again, or read it with the structce that wrote it"
        )
    return _converted(file, plain, kind)


def read_learner_report(path: Path) -> Report:
    """Read ``report.json`` of an experiment on learners; see :func:`read_report`."""
    report = read_report(path)
    if isinstance(report, Report):
        return report
    raise ExperimentError(
        f"{path}: a report on extractors; expected one on learners. 'structce report show' and "
        "'structce report html' read both"
    )


def _converted(file: Path, plain: dict[str, object], kind: _Kind) -> AnyReport:
    try:
        report = msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise ExperimentError(f"{file}: the report is damaged: {error}") from error
    except StructceError as error:  # raised by Experiment, which checks its values
        message = f"{file}: the report's experiment cannot be read here: {error}"
        raise ExperimentError(message) from error
    if key := next(_unknown_keys(plain, to_builtins(report), "$"), None):
        raise ExperimentError(f"{file}: the report is damaged: unknown key {key}")
    return report


def _read_json(file: Path) -> dict[str, object]:
    try:
        value = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise ExperimentError(
            f"{file}: {error.strerror}; expected a report.json, or the folder that "
            "'structce compare' wrote it to"
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise ExperimentError(f"{file}: not JSON, so not a report: {error}") from error
    if not isinstance(value, dict) or value.get("format") not in [*_KINDS]:
        raise ExperimentError(
            f'{file}: not a report of an experiment; expected "format": "{Report.format}" or '
            f'"{ExtractionReport.format}"'
        )
    return value


def to_builtins(value: object) -> object:
    """Convert dataclasses to dictionaries, keys in the order of the fields; arrays are refused."""

    def convert(unknown: object) -> object:
        if isinstance(unknown, Mapping):
            return dict(unknown)
        if isinstance(unknown, np.generic):
            return unknown.item()
        raise TypeError(f"{type(unknown).__name__} has no place in a report")

    plain: object = msgspec.to_builtins(value, enc_hook=convert)
    return plain


def _floats(value: object, place: str) -> Iterator[tuple[str, float]]:
    """Yield the path and value of every float."""
    if isinstance(value, float):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _floats(inner, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _floats(inner, f"{place}[{number}]")


def _unknown_keys(plain: object, known: object, place: str) -> Iterator[str]:
    """Yield the path of every key that the dataclasses do not have."""
    if isinstance(plain, dict) and isinstance(known, dict):
        for key, inner in plain.items():
            if key not in known:
                yield f"{place}.{key}"
            else:
                yield from _unknown_keys(inner, known[key], f"{place}.{key}")
    elif isinstance(plain, list) and isinstance(known, list | tuple):
        for number, pair in enumerate(zip(plain, known, strict=True)):
            yield from _unknown_keys(*pair, f"{place}[{number}]")


def report_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of ``report.json``.

    Each class is a definition. Its description is the first part of the class's docstring, and
    those of its properties come from the section *Parameters*. Unknown keys are errors.
    """
    made = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Report)))  # no tuples
    definitions = {name: _definition(definition) for name, definition in made["$defs"].items()}
    for name, value in {"format": Report.format, "version": Report.version}.items():
        definitions["Report"]["properties"][name]["const"] = value
        definitions["Report"]["required"].append(name)
    return {
        "$schema": _SCHEMA_DIALECT,
        "title": "Report of an experiment by structce",
        "description": definitions["Report"]["description"],
        "$ref": made["$ref"],
        "$defs": definitions,
    }


def _definition(made: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a class with descriptions from its docstring."""
    sections = _sections(made["description"])
    documented = _parameters(sections.get("Parameters", []))
    if made["title"] in {kind.__name__ for kind in PairedTest.__subclasses__()}:
        inherited = _sections(PairedTest.__doc__ or "")["Parameters"]
        documented = {**_parameters(inherited), **documented}
    properties = {
        name: {"description": documented[name], **described} if documented.get(name) else described
        for name, described in made["properties"].items()
    }
    changed = {"properties": properties, "additionalProperties": False}
    return {**made, "description": _joined(sections[""]), **changed}


def _sections(docstring: str) -> dict[str, list[str]]:
    """Return the lines of a NumPy docstring by section; the first one is named ``""``."""
    lines = inspect.cleandoc(docstring).splitlines()
    sections: dict[str, list[str]] = {"": []}
    name = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _UNDERLINE.fullmatch(following):
            name = line
            sections[name] = []
        elif not _UNDERLINE.fullmatch(line):
            sections[name].append(line)
    return sections


def _parameters(lines: list[str]) -> dict[str, str]:
    """Return the description of each parameter; names that share a line share it."""
    descriptions: dict[str, str] = {}
    # Each line without indentation heads the indented lines below it.
    for head, body in re.findall(r"^(\S.*)((?:\n(?!\S).*)*)", "\n".join(lines), re.MULTILINE):
        names, _, kind = head.partition(" : ")
        text = _joined([f"{kind[:1].upper()}{kind[1:]}.", body] if kind else [body])
        descriptions.update(dict.fromkeys(names.split(", "), text))
    return descriptions


def _joined(lines: list[str]) -> str:
    """Join lines, without the markup of Sphinx."""
    text = " ".join(" ".join(lines).split())
    return _ROLE.sub(r"`\1`", text).replace("``", "`")
