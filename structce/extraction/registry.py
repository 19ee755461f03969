"""Extractors: their protocols, and the registries of ours and of other packages."""

from __future__ import annotations

import inspect
import json
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass
from functools import partial
from importlib.metadata import entry_points
from typing import Annotated, Any, Protocol, TypeVar, cast

import msgspec
import numpy as np

from structce.arrays import Flags
from structce.errors import ExtractionError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.registry import Entry, Registry, suggestion
from structce.rendering import Document


class Extractor(Protocol):
    """System that picks the main content of a document."""

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content; empty for a page without any.

        Raises StructceError if the system cannot process the document; no other error is raised.
        """


class PageClassMethod(Protocol):
    """Method that compares pages of one class: pages of a site that share a template."""

    def learn(self, documents: Iterable[ParsedDocument]) -> Extractor:
        """Return the extractor of the class, for these pages and others of it.

        Raises ExtractionError if nothing can be learnt, as from fewer than two pages.
        """


class TrainableMethod(Protocol):
    """Method that learns from pages whose main content is known."""

    def fit(self, documents: Iterable[ParsedDocument], texts: Sequence[str]) -> Extractor:
        """Return the extractor learnt from pages, each read once, and the main content of each.

        Raises ExtractionError if nothing can be learnt from them.
        """


Positive = Annotated[int, msgspec.Meta(ge=1)]
"""Parameter that is a whole number of at least 1."""

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""Parameter in [0, 1]."""

Make = TypeVar("Make", bound=Callable[..., object])


class MethodRegistry(Registry[Callable[..., Entry]]):
    """Methods of one kind by name: their classes, or functions that return them."""

    def register(self, name: str, **parameters: object) -> Callable[[Make], Make]:
        """Register a class under a name, with parameters; one class may have several names.

        Raises ExtractionError if the name is taken.
        """
        if callable(name):  # @extractor without parentheses would register nothing
            raise ExtractionError(f"the decorator of {name} needs a name, as in @extractor('mine')")

        def decorate(make: Make) -> Make:
            entry = partial(make, **parameters) if parameters else make
            self[name] = cast("Callable[..., Entry]", entry)
            return make

        return decorate

    def make(self, method: str, **parameters: object) -> Entry:
        """Return the method of a name with optional parameters: ``content-extractor max_df=2``.

        Raises ExtractionError if there is no such method, it has no such parameter, or a value is
        not of the type and in the range that the parameter's annotation states.
        """
        name, *settings = method.split() or [""]
        make = self[name]
        parameters |= dict(map(_parameter, settings))
        bound = make if isinstance(make, partial) else partial(make)
        try:
            inspect.signature(make).bind(**parameters)
            if is_dataclass(bound.func):  # its fields state types and ranges
                given = {**bound.keywords, **parameters}
                made: Entry = msgspec.convert(given, cast("Any", bound.func))
                return made
            return make(**parameters)
        except msgspec.ValidationError as error:
            reason, _, key = str(error).partition(" - at `$.")
            raise ExtractionError(f"{name}: {key.rstrip('`')}: {reason}") from error
        except (TypeError, AttributeError) as error:
            keywords = inspect.signature(make).parameters
            problem, hint = str(error), ""
            unknown = next((word for word in parameters if word not in keywords), "")
            if unknown and "unexpected keyword" in problem:
                problem, hint = f"no parameter {unknown!r}", suggestion(unknown, keywords)
            expected = f"expected values of {sorted(keywords)}{hint}" if keywords else "it has none"
            raise ExtractionError(f"{name}: {problem}; {expected}") from error


def _parameter(setting: str) -> tuple[str, object]:
    """Return name and value of ``name=value``; a value that is not JSON is a string."""
    name, sign, value = setting.partition("=")
    if not sign or not name.isidentifier():
        raise ExtractionError(f"{setting!r} is not a parameter; expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


EXTRACTORS: MethodRegistry[Extractor] = MethodRegistry("extractor", ExtractionError)
"""Methods that extract from any page."""

PAGE_CLASS_METHODS: MethodRegistry[PageClassMethod] = MethodRegistry("extractor", ExtractionError)
"""Methods that must see pages of a class first."""

TRAINABLE_METHODS: MethodRegistry[TrainableMethod] = MethodRegistry("extractor", ExtractionError)
"""Methods that learn from pages with their main content."""

extractor, page_class_method = EXTRACTORS.register, PAGE_CLASS_METHODS.register
trainable_method = TRAINABLE_METHODS.register

SCHEMES: dict[str, Callable[[str], Extractor]] = {}
"""Functions that load an extractor from a file, by the scheme before its colon."""

_ENTRY_POINTS = "structce.extractors"  # entry-point group of other packages
_log = logging.getLogger(__name__)


def load_extractors() -> None:
    """Register the extractors of other installed packages, each once.

    An entry point has the name of the extractor, and refers to a class or a function that makes it.
    One that cannot be loaded is reported as a warning in the log.
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


def make_extractor(method: str) -> Extractor:
    """Return the extractor of a name, or the one in a file.

    That is a registered name, optionally followed by parameters (``dsc window=25``), or a scheme
    and a file (``trained:news.trained``). Raises ExtractionError if there is no such extractor;
    MissingExtraError if it needs a package that is not installed.
    """
    scheme, colon, path = method.partition(":")
    if colon and scheme in SCHEMES:
        return SCHEMES[scheme](path.strip())
    name = method.partition(" ")[0]
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
    if name not in EXTRACTORS:
        load_extractors()
    return EXTRACTORS.make(method)


def describe_extractor(name: str) -> str:
    """Describe a method by the first sentence of its docstring and its parameters."""
    make: Callable[..., object] = {**TRAINABLE_METHODS, **PAGE_CLASS_METHODS, **EXTRACTORS}[name]
    bound = make if isinstance(make, partial) else partial(make)
    sentence = (inspect.getdoc(bound.func) or "").partition("\n\n")[0].replace("\n", " ")
    values = ", ".join(f"{key}={value}" for key, value in bound.keywords.items())
    return f"{sentence} ({values})" if values else sentence


def extract(document: Document | str, method: str) -> Extraction:
    """Return the main content of a document, or of an HTML source, according to a method.

    Raises StructceError if there is no such method, or it cannot process the document.

    Examples
    --------
    >>> from structce.extraction import extract
    >>> extract("<p>The ferry will stop in June.</p>", "plain")
    Extraction(text='The ferry will stop in June.', spans=((3, 31),))
    """
    return make_extractor(method).extract(ParsedDocument.of(document))


class WordFilter(ABC):
    """Extractor that keeps some of the words of a document, so that their positions are known."""

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the kept words as an extraction."""
        return document.select(self.keep(document))

    @abstractmethod
    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are main content, shape (n_words,)."""


@extractor("plain")
@dataclass(frozen=True)
class Plain(WordFilter):
    """All words of the page, without scripts, styles and comments."""

    def keep(self, document: ParsedDocument) -> Flags:
        """Return true for every word."""
        return np.ones(len(document.words), dtype=bool)


def text_of_html(html: str) -> str:
    """Return the visible text of a piece of HTML."""
    return Plain().extract(ParsedDocument(html)).text


def listed_names(value: str) -> tuple[str, ...]:
    """Return the names that a parameter lists: ``table,div``."""
    return tuple(dict.fromkeys(re.findall(r"[^,\s]+", value.lower())))
