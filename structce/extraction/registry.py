"""Extractors: their protocols, and registries of those of this and of other packages by name."""

from __future__ import annotations

import inspect
import json
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from typing import Protocol, TypeVar, cast

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
        ...


class PageClassMethod(Protocol):
    """Method that compares pages of one class: pages of a site that share a template."""

    def learn(self, documents: Iterable[ParsedDocument]) -> Extractor:
        """Return the extractor of the class, for these pages and others of it.

        Raises ExtractionError if there are fewer than two pages, or nothing can be learnt from
        them.
        """
        ...


class TrainableMethod(Protocol):
    """Method that learns from pages whose main content is known."""

    def fit(self, documents: Sequence[ParsedDocument], texts: Sequence[str]) -> Extractor:
        """Return the extractor learnt from pages and the main content of each.

        Raises ExtractionError if nothing can be learnt from them.
        """
        ...


Combine = Callable[[Sequence[Extractor]], Extractor]
"""Function that combines several extractors into one."""

Make = TypeVar("Make", bound=Callable[..., object])

_ENTRY_POINTS = "structce.extractors"  # entry-point group of other packages
_EXPRESSION = re.compile(r"\s*([a-z-]+)\s*\(([^()]*)\)\s*")  # vote(bte, dsc)
_log = logging.getLogger(__name__)


class MethodRegistry(Registry[Callable[..., Entry]]):
    """Methods of one kind by name: their classes, or functions that return them."""

    def register(self, name: str, **parameters: object) -> Callable[[Make], Make]:
        """Register a class under a name, with parameters; one class may have several names.

        Raises ExtractionError if the name is taken.
        """
        if callable(name):  # @extractor without parentheses would register nothing
            raise ExtractionError(f"the decorator of {name} needs a name, as in @extractor('mine')")

        def decorate(make: Make) -> Make:
            self[name] = cast(
                "Callable[..., Entry]", partial(make, **parameters) if parameters else make
            )
            return make

        return decorate

    def make(self, expression: str, **parameters: object) -> Entry:
        """Return the method of a name with optional parameters: ``content-extractor max_df=2``.

        Raises ExtractionError if there is no such method, or it does not have such a parameter.
        """
        name, *settings = expression.split() or [""]
        parameters |= dict(map(_parameter, settings))
        _check_names(name, self[name], parameters)
        try:
            return self[name](**parameters)
        except (TypeError, AttributeError) as error:
            if not parameters:
                raise
            given = " ".join(f"{word}={value!r}" for word, value in parameters.items())
            raise ExtractionError(f"{name}: {given}: a value of the wrong type: {error}") from error


EXTRACTORS: MethodRegistry[Extractor] = MethodRegistry("extractor", ExtractionError)
"""Methods that extract from any page."""

PAGE_CLASS_METHODS: MethodRegistry[PageClassMethod] = MethodRegistry("extractor", ExtractionError)
"""Methods that must see pages of a class first."""

TRAINABLE_METHODS: MethodRegistry[TrainableMethod] = MethodRegistry("extractor", ExtractionError)
"""Methods that learn from pages with their main content."""

extractor, page_class_method = EXTRACTORS.register, PAGE_CLASS_METHODS.register
trainable_method = TRAINABLE_METHODS.register
make_page_class_method, make_trainable_method = PAGE_CLASS_METHODS.make, TRAINABLE_METHODS.make

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

    That is a registered name (``bte``), optionally followed by parameters (``dsc window=25``); an
    operator and names (``vote(bte, dsc, ccb)``); or a scheme and its argument
    (``command:my-extractor --plain``). Raises ExtractionError if there is no such extractor;
    MissingExtraError if it needs a package that is not installed.
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
    plain_name = name.partition(" ")[0]
    if plain_name not in EXTRACTORS:
        load_extractors()
    _check_needs_nothing(plain_name)
    return EXTRACTORS.make(name)


def _check_names(name: str, make: Callable[..., object], parameters: Collection[str]) -> None:
    """Raise ExtractionError for a parameter that a method does not have, or that is missing."""
    known = inspect.signature(make).parameters
    for needed in known.values():
        is_single = needed.kind not in (needed.VAR_POSITIONAL, needed.VAR_KEYWORD)
        if is_single and needed.default is needed.empty and needed.name not in parameters:
            raise ExtractionError(
                f"{name}: parameter {needed.name!r} is missing; give it a default, or a "
                f"value as in '{name} {needed.name}=1'"
            )
    if any(needed.kind is needed.VAR_KEYWORD for needed in known.values()):
        return
    for word in parameters:
        if word not in known:
            expected = f"expected one of {sorted(known)}{suggestion(word, known)}"
            raise ExtractionError(
                f"{name}: no parameter {word!r}; {expected if known else 'it has none'}"
            )


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
    others: tuple[Mapping[str, Callable[..., object]], ...]
    others = PAGE_CLASS_METHODS, TRAINABLE_METHODS
    make = next((kind[name] for kind in others if name in kind), None) or EXTRACTORS[name]
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
