"""Configuration of an extraction experiment: packages, methods and measures, all checked."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import tomli_w

from structce.datasets import READERS
from structce.errors import ExperimentError, ExtractionError, MissingExtraError
from structce.evaluation import FOUR
from structce.experiments.config import (
    KeyPath,
    check_known,
    require,
    unknown_key,
    unknown_name,
)
from structce.experiments.config_toml import convert_table
from structce.experiments.overrides import apply_overrides, as_toml, override_of, parse_override
from structce.extraction import EXTRACTORS, Method, load_extractors

SECONDS = 60.0
"""For one method on one page; beyond it the page is a failure. Our choice."""

_PLAIN = re.compile(r"[a-z0-9-]+")
_SELF = ("method",)


@dataclass(frozen=True)
class PackageSource:
    """Pages with their main content: a data set, a test package or a corpus of raw pages.

    Parameters
    ----------
    name
        In the report; by default that of the reader, too.
    reader
        Name of a data set, ``gottron`` for a test package, ``corpus`` for a corpus of raw pages.
    path
        Folder or archive, relative to the folder of data; empty for the reader's name.
    by
        Facts by which the pages become packages of their own: ``site``, ``family``, or one that
        the data set tells, such as ``page_type``.
    title
        Whether the headline, where it is known, is part of the main content.
    min_pages
        Least pages of a package; smaller ones count in the whole alone.
    pages
        Most pages of each package, drawn by the seed; 0 for all, None for the experiment's.
    """

    name: str
    reader: str
    path: str = ""
    by: tuple[str, ...] = ()
    title: bool = True
    min_pages: int = 1
    pages: int | None = None


@dataclass(frozen=True)
class ExtractionExperiment:
    """One question about content extractors: packages, methods, and how they are compared.

    Parameters
    ----------
    data
        Folder that the paths of packages are relative to.
    pages
        Most pages of a package, drawn by the seed; 0 for all.
    measures
        Some of those of Gottron (2007), the one that methods are ranked and tested by first.
    reference
        Name of the method that the others are tested against.
    seconds
        For one method on one page, where pages are measured in several processes.

    Raises
    ------
    ExperimentError
        If a value cannot work.
    """

    question: str
    packages: tuple[PackageSource, ...]
    methods: tuple[Method, ...]
    data: str = "."
    seed: int = 0
    pages: int = 0
    measures: tuple[str, ...] = FOUR
    reference: str = ""
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        names = [method.name for method in self.methods]
        require(bool(names), "there is none; expected a table such as [method.bte]", "method")
        message = "there is none; expected a table such as [package.cleaneval]"
        require(bool(self.packages), message, "package")
        require(bool(self.measures), "expected a measure, or several", "measures")
        check_known(self.measures, FOUR, ("measures",))
        if not self.reference:
            object.__setattr__(self, "reference", names[0])
        if self.reference not in names:
            raise unknown_name(self.reference, names, "reference")
        require(self.seed >= 0, f"{self.seed}; expected 0 or more", "seed")
        require(self.pages >= 0, f"{self.pages}; expected 0 for all, or more", "pages")
        require(self.seconds > 0, f"{self.seconds}; expected more than 0", "seconds")

    @property
    def measure(self) -> str:
        """The measure that methods are ranked and tested by."""
        return self.measures[0]


class _PackageTable(msgspec.Struct, forbid_unknown_fields=True):
    reader: str = ""
    path: str = ""
    by: str | list[str] = msgspec.field(default_factory=list)
    title: bool = True
    min_pages: int = 1
    pages: int | None = None


class _ExtractionTable(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    data: str = "."
    seed: int = 0
    pages: int = 0
    measures: str | list[str] = msgspec.field(default_factory=lambda: list(FOUR))
    reference: str = ""
    seconds: float = SECONDS
    package: dict[str, object] = msgspec.field(default_factory=dict)
    method: dict[str, object] = msgspec.field(default_factory=dict)


def is_extraction_file(path: Path) -> bool:
    """Return whether an experiment's file asks about extractors: it has packages or methods.

    Raises
    ------
    ExperimentError
        If the file cannot be read.
    """
    return bool({"package", "method"} & _read_toml(path).keys())


def read_extraction_experiment(
    path: Path, *, overrides: Sequence[str] = ()
) -> ExtractionExperiment:
    """Read the extraction experiment of a TOML file.

    Parameters
    ----------
    overrides
        Values that stand in the place of the file's: ``pages=20``.

    Raises
    ------
    ExperimentError
        If the file cannot be read, or a key or value is not as expected; names file and key, or
        the override that is at fault.
    """
    table = _read_toml(path)
    changes = [parse_override(one) for one in overrides]
    try:
        return _experiment(apply_overrides(table, changes))
    except ExperimentError as error:
        one = override_of(changes, error.key)
        raise ExperimentError(f"{one or path}: {error}") from None


def _read_toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{path}: {error}") from error


def _experiment(table: object) -> ExtractionExperiment:
    top = convert_table(table, _ExtractionTable)
    return ExtractionExperiment(
        question=top.question,
        packages=tuple(_package(*named) for named in top.package.items()),
        methods=tuple(_method(*named) for named in top.method.items()),
        data=top.data,
        seed=top.seed,
        pages=top.pages,
        measures=_listed(top.measures),
        reference=top.reference,
        seconds=top.seconds,
    )


def _listed(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _package(name: str, table: object) -> PackageSource:
    key: KeyPath = ("package", name)
    found = convert_table(table, _PackageTable, at=key)
    reader = found.reader or name
    known = (*READERS, "corpus")
    if reader not in known:
        raise unknown_name(reader, known, *key, *(["reader"] if found.reader else []))
    require(found.min_pages >= 1, f"{found.min_pages}; expected 1 or more", *key, "min_pages")
    message = f"{found.pages}; expected 0 for all, or more"
    require(found.pages is None or found.pages >= 0, message, *key, "pages")
    by = _listed(found.by)
    return PackageSource(name, reader, found.path, by, found.title, found.min_pages, found.pages)


def _method(name: str, table: object) -> Method:
    key: KeyPath = ("method", name)
    if not isinstance(table, dict):
        raise ExperimentError(f"expected a table, got {as_toml(table)}", key=key)
    extractor = table.get("method", name)
    if not isinstance(extractor, str):
        message = f"expected the name of an extractor, got {as_toml(extractor)}"
        raise ExperimentError(message, key=(*key, "method"))
    parameters = {name: value for name, value in table.items() if name != "method"}
    load_extractors()
    if _PLAIN.fullmatch(extractor) and extractor not in EXTRACTORS:
        raise unknown_name(extractor, EXTRACTORS, *key, *(["method"] if "method" in table else []))
    if parameters:
        _check_parameters(extractor, parameters, key)
    method = Method(name, extractor, parameters)
    try:
        method.make()
    except MissingExtraError:
        pass  # a failure of the run, told in the report
    except ExtractionError as error:
        raise ExperimentError(str(error), key=key) from None
    return method


def _check_parameters(extractor: str, parameters: Mapping[str, object], key: KeyPath) -> None:
    """Raise an :class:`ExperimentError` unless a registered extractor has all parameters."""
    message = "only a registered extractor takes parameters"
    require(extractor in EXTRACTORS, message, *key, next(iter(parameters)))
    known = tuple(inspect.signature(EXTRACTORS[extractor]).parameters)
    for name, value in parameters.items():
        if name not in known:
            raise unknown_key(key, name, (*_SELF, *known))
        message = f"expected a number, a string, true or false, got {as_toml(value)}"
        require(isinstance(value, bool | int | float | str), message, *key, name)


def extraction_toml(experiment: ExtractionExperiment) -> str:
    """Serialise an extraction experiment as TOML, defaults written out."""
    table = {
        "question": experiment.question,
        "data": experiment.data,
        "seed": experiment.seed,
        "pages": experiment.pages,
        "measures": list(experiment.measures),
        "reference": experiment.reference,
        "seconds": experiment.seconds,
        "package": {
            one.name: {
                "reader": one.reader,
                "path": one.path,
                "by": list(one.by),
                "title": one.title,
                "min_pages": one.min_pages,
                **({} if one.pages is None else {"pages": one.pages}),
            }
            for one in experiment.packages
        },
        "method": {
            one.name: {"method": one.extractor, **one.parameters} for one in experiment.methods
        },
    }
    return tomli_w.dumps(table)
