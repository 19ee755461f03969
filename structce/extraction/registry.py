"""Registry of extractors by name, those of other packages included."""

from __future__ import annotations

import difflib
import inspect
import logging
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import TypeVar

from structce.errors import ExtractionError
from structce.extraction.base import Extractor
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.result import Extraction
from structce.rendering import Document

MakeExtractor = Callable[[], Extractor]
"""Class of an extractor, with its parameters bound, or whatever returns one."""

Combine = Callable[[Sequence[Extractor]], Extractor]
"""What makes one extractor of several."""

_ENTRY_POINTS = "structce.extractors"  # group of entry points of other packages
_EXPRESSION = re.compile(r"\s*([a-z-]+)\s*\(([^()]*)\)\s*")  # vote(bte, dsc)
_log = logging.getLogger(__name__)


class ExtractorRegistry(dict[str, MakeExtractor]):
    """What makes extractors, by name; a taken name and an unknown name are errors."""

    def __setitem__(self, name: str, make: MakeExtractor) -> None:
        if name in self:
            raise ExtractionError(f"the name {name!r} is taken by another extractor")
        super().__setitem__(name, make)

    def __missing__(self, name: str) -> MakeExtractor:
        near = difflib.get_close_matches(str(name), self, n=1, cutoff=0.0)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ExtractionError(f"unknown extractor {name!r}; expected one of {sorted(self)}{hint}")


EXTRACTORS = ExtractorRegistry()

_Make = TypeVar("_Make", bound=Callable[..., Extractor])


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


OPERATORS: dict[str, Combine] = {}
"""What combines extractors, by the name of the operator."""

SCHEMES: dict[str, Callable[[str], Extractor]] = {}
"""What makes an extractor of a text, by the scheme before its colon."""


def load_extractors() -> None:
    """Register the extractors of other installed packages, each once.

    An entry point names a class, or a function that returns an extractor; its own name is that of
    the extractor. One that cannot be loaded is a warning in the log that names its package.
    """
    for point in entry_points(group=_ENTRY_POINTS):
        if point.name in EXTRACTORS:
            continue
        package = point.dist.name if point.dist else "?"
        try:
            make = point.load()
            if point.name not in EXTRACTORS:  # its module may have registered it
                EXTRACTORS[point.name] = make
        except Exception as error:  # whatever a module of somebody else raises
            _log.warning("package %s: extractor %s was not loaded: %s", package, point.name, error)


def make_extractor(name: str) -> Extractor:
    """Return the extractor of a name, a combination, or a scheme.

    Parameters
    ----------
    name
        A registered name (``bte``); an operator and names (``vote(bte, dsc, ccb)``); or a scheme
        and what it asks for (``command:my-extractor --plain``).

    Raises
    ------
    ExtractionError
        If there is none.
    MissingExtraError
        If it needs a package that is not installed.
    """
    scheme, colon, rest = name.partition(":")
    if colon and scheme in SCHEMES:
        return SCHEMES[scheme](rest.strip())
    if found := _EXPRESSION.fullmatch(name):
        if found[1] not in OPERATORS:
            expected = sorted(OPERATORS)
            raise ExtractionError(f"unknown operator {found[1]!r}; expected one of {expected}")
        return OPERATORS[found[1]]([make_extractor(one.strip()) for one in found[2].split(",")])
    if name not in EXTRACTORS:
        load_extractors()
    return EXTRACTORS[name]()


def describe_extractor(name: str) -> str:
    """Return what an extractor is: the first sentence of its docstring, and its parameters."""
    make = EXTRACTORS[name]
    bound = make if isinstance(make, partial) else partial(make)
    sentence = (inspect.getdoc(bound.func) or "").partition("\n\n")[0].replace("\n", " ")
    values = ", ".join(f"{key}={value}" for key, value in bound.keywords.items())
    return f"{sentence} ({values})" if values else sentence


def extract(document: Document | str, method: str) -> Extraction:
    """Return the main content of a document, or of an HTML source, as a method finds it.

    Raises
    ------
    StructceError
        If there is no such method, or the document is beyond it.

    Examples
    --------
    >>> from structce.extraction import extract
    >>> extract("<p>The ferry will stop in June.</p>", "plain")
    Extraction(text='The ferry will stop in June.', spans=((3, 31),))
    """
    return make_extractor(method).extract(ParsedDocument.of(document))
