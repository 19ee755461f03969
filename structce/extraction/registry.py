"""Registry of extractors by name, including those of other packages."""

from __future__ import annotations

import inspect
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import TypeVar

from structce.errors import ExtractionError
from structce.extraction.base import Extractor, PageClassMethod, TrainableMethod
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.result import Extraction
from structce.registry import Registry
from structce.rendering import Document

MakeExtractor = Callable[[], Extractor]
"""Class of an extractor with its parameters bound, or any function that returns an extractor."""

Combine = Callable[[Sequence[Extractor]], Extractor]
"""Function that combines several extractors into one."""

_ENTRY_POINTS = "structce.extractors"  # entry-point group of other packages
_EXPRESSION = re.compile(r"\s*([a-z-]+)\s*\(([^()]*)\)\s*")  # vote(bte, dsc)
_log = logging.getLogger(__name__)


EXTRACTORS: Registry[MakeExtractor] = Registry("extractor", ExtractionError)
"""Methods that extract from any page."""

PAGE_CLASS_METHODS: Registry[Callable[[], PageClassMethod]] = Registry("extractor", ExtractionError)
"""Methods that must see pages of a class first (`PageClassMethod`)."""

TRAINABLE_METHODS: Registry[Callable[[], TrainableMethod]] = Registry("extractor", ExtractionError)
"""Methods that learn from pages with their main content (`TrainableMethod`)."""

_Made = TypeVar("_Made")
_Make = TypeVar("_Make", bound=Callable[..., Extractor])
_MakeClass = TypeVar("_MakeClass", bound=Callable[..., PageClassMethod])
_MakeTrainable = TypeVar("_MakeTrainable", bound=Callable[..., TrainableMethod])


def extractor(name: str, **parameters: object) -> Callable[[_Make], _Make]:
    """Register a class under a name, with parameters; one class may have several names.

    Raises
    ------
    ExtractionError
        If the name is taken.
    """

    def register(make: _Make) -> _Make:
        EXTRACTORS[name] = partial(make, **parameters) if parameters else make
        return make

    return register


def page_class_method(name: str, **parameters: object) -> Callable[[_MakeClass], _MakeClass]:
    """Register a class of `PageClassMethod` under a name, as `extractor` does."""

    def register(make: _MakeClass) -> _MakeClass:
        PAGE_CLASS_METHODS[name] = partial(make, **parameters) if parameters else make
        return make

    return register


def trainable_method(name: str, **parameters: object) -> Callable[[_MakeTrainable], _MakeTrainable]:
    """Register a class of `TrainableMethod` under a name, as `extractor` does."""

    def register(make: _MakeTrainable) -> _MakeTrainable:
        TRAINABLE_METHODS[name] = partial(make, **parameters) if parameters else make
        return make

    return register


OPERATORS: dict[str, Combine] = {}
"""Functions that combine extractors, by the name of the operator."""

SCHEMES: dict[str, Callable[[str], Extractor]] = {}
"""Functions that create an extractor from a string, by the scheme before its colon."""


def load_extractors() -> None:
    """Register the extractors of other installed packages, each once.

    An entry point refers to a class, or to a function that returns an extractor; its own name is
    that of the extractor. One that cannot be loaded is reported as a warning in the log.
    """
    for point in entry_points(group=_ENTRY_POINTS):
        if point.name in EXTRACTORS:
            continue
        package = point.dist.name if point.dist else "?"
        try:
            make = point.load()
            if point.name not in EXTRACTORS:  # its module may have registered it
                EXTRACTORS[point.name] = make
        except Exception as error:  # third-party code may raise anything
            _log.warning("package %s: extractor %s was not loaded: %s", package, point.name, error)


def make_extractor(name: str) -> Extractor:
    """Return the extractor of a name, a combination, or a scheme.

    Parameters
    ----------
    name
        A registered name (``bte``), optionally followed by parameters (``dsc window=25``); an
        operator and names (``vote(bte, dsc, ccb)``); or a scheme and its argument
        (``command:my-extractor --plain``).

    Raises
    ------
    ExtractionError
        If there is no such extractor.
    MissingExtraError
        If it needs a package that is not installed.
    """
    scheme, colon, rest = name.partition(":")
    if colon and scheme in SCHEMES:
        return SCHEMES[scheme](rest.strip())
    if match := _EXPRESSION.fullmatch(name):
        if match[1] not in OPERATORS:
            expected = sorted(OPERATORS)
            raise ExtractionError(f"unknown operator {match[1]!r}; expected one of {expected}")
        members = [make_extractor(member.strip()) for member in match[2].split(",")]
        return OPERATORS[match[1]](members)
    name, *settings = name.split() or [""]
    if name not in EXTRACTORS:
        load_extractors()
    _check_needs_nothing(name)
    return _make_with(EXTRACTORS[name], name, settings)


def make_page_class_method(name: str) -> PageClassMethod:
    """Return the method of a name with optional parameters: ``content-extractor max_df=2``.

    Raises
    ------
    ExtractionError
        If no such method compares pages of a class, or it does not have such a parameter.
    """
    name, *settings = name.split() or [""]
    return _make_with(PAGE_CLASS_METHODS[name], name, settings)


def make_trainable_method(name: str) -> TrainableMethod:
    """Return the method of a name with optional parameters: ``block-svm features=text``.

    Raises
    ------
    ExtractionError
        If no such method learns from main contents, or it does not have such a parameter.
    """
    name, *settings = name.split() or [""]
    return _make_with(TRAINABLE_METHODS[name], name, settings)


def _make_with(make: Callable[..., _Made], name: str, settings: Sequence[str]) -> _Made:
    try:
        return make(**dict(map(_parameter, settings)))
    except (TypeError, AttributeError) as error:  # an unknown name, a value of another type
        if not settings:
            raise
        raise ExtractionError(f"{name}: {error}") from error


def _parameter(setting: str) -> tuple[str, object]:
    """Return name and value of ``name=value``; a value that is not JSON is a string."""
    name, sign, value = setting.partition("=")
    if not sign or not name.isidentifier():
        raise ExtractionError(f"{setting!r} is not a parameter; expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def listed_names(value: str) -> tuple[str, ...]:
    """Return the names that a parameter lists: ``table,div``, or ``table+div`` in a combination."""
    names = re.split(r"[,+\s]+", value.lower())
    return tuple(dict.fromkeys(name for name in names if name))


def _check_needs_nothing(name: str) -> None:
    """Raise an ExtractionError with the next step for a method that must see pages first."""
    if name in PAGE_CLASS_METHODS:
        raise ExtractionError(
            f"{name} compares pages of one site: learn its template first, with structce template "
            f"learn PAGES --method {name} --out FILE, then use the method template:FILE"
        )
    if name in TRAINABLE_METHODS:
        raise ExtractionError(
            f"{name} learns from pages with their main content: train it first, with structce "
            f"train --method {name} --data PACKAGE --out FILE, then use the method trained:FILE"
        )


def describe_extractor(name: str) -> str:
    """Describe a method by the first sentence of its docstring and its parameters."""
    others: tuple[Mapping[str, Callable[..., object]], ...] = (
        PAGE_CLASS_METHODS,
        TRAINABLE_METHODS,
    )
    make = next((kind[name] for kind in others if name in kind), None) or EXTRACTORS[name]
    bound = make if isinstance(make, partial) else partial(make)
    sentence = (inspect.getdoc(bound.func) or "").partition("\n\n")[0].replace("\n", " ")
    values = ", ".join(f"{key}={value}" for key, value in bound.keywords.items())
    return f"{sentence} ({values})" if values else sentence


def extract(document: Document | str, method: str) -> Extraction:
    """Return the main content of a document, or of an HTML source, according to a method.

    Raises
    ------
    StructceError
        If there is no such method, or it cannot process the document.

    Examples
    --------
    >>> from structce.extraction import extract
    >>> extract("<p>The ferry will stop in June.</p>", "plain")
    Extraction(text='The ferry will stop in June.', spans=((3, 31),))
    """
    return make_extractor(method).extract(ParsedDocument.of(document))
