"""Templates: what the pages of one class taught a method, and the file that keeps it.

A file is JSON: its format, the method, the version of structce that wrote it, and the state, whose
form is the method's own. Nothing in it is ever run, and a state that is not of its form is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

import msgspec

from structce.errors import ExtractionError
from structce.extraction.base import Extractor
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import SCHEMES, MethodRegistry, make_page_class_method
from structce.extraction.result import Extraction
from structce.io import write_atomic
from structce.page import site_of
from structce.rendering import Document
from structce.version import __version__

MAX_TEMPLATE_BYTES = 512 * 1024 * 1024
"""Largest file that is read; ten thousand pages of news fit. Our choice."""

_FORMAT = 1
_State = TypeVar("_State", bound=msgspec.Struct)


class Template(Protocol):
    """Extractor of one class of pages, which can be kept in a file."""

    @property
    def method(self) -> str:
        """Name of the method that learnt it, under which its state is read (`template_state`)."""
        ...

    @property
    def n_pages(self) -> int:
        """Pages that it was learnt from."""
        ...

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content of a page of the class, learnt from or not."""
        ...

    def state(self) -> msgspec.Struct:
        """Return all that is kept in a file: numbers, texts, lists and mappings of them."""
        ...

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return what was learnt as a table for people, the most telling rows first."""
        ...


@runtime_checkable
class UpdatableTemplate(Template, Protocol):
    """Template that further pages of the class can be added to."""

    def update(self, documents: Iterable[ParsedDocument]) -> UpdatableTemplate:
        """Return the template of the old pages and these; this one stays as it is."""
        ...


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """Content of a file; the state is read when it is known whose it is."""

    format: int
    method: str
    structce: str
    state: msgspec.Raw


TEMPLATE_STATES: MethodRegistry[Callable[[bytes], Template]] = MethodRegistry()
"""What makes a template of the JSON of its state, by the name of the method."""

MakeTemplate = Callable[[_State], Template]
"""What makes a template of its state; a state that makes no sense is an ExtractionError."""


def template_state(
    method: str, kind: type[_State]
) -> Callable[[MakeTemplate[_State]], MakeTemplate[_State]]:
    """Register what makes a template of a state, for the method of a name.

    Parameters
    ----------
    kind
        Class of the state, by whose types the file is checked.

    Raises
    ------
    ExtractionError
        If the name is taken.
    """

    def register(make: MakeTemplate[_State]) -> MakeTemplate[_State]:
        def read(data: bytes) -> Template:
            return make(msgspec.json.decode(data, type=kind))

        TEMPLATE_STATES[method] = read
        return make

    return register


def save_template(template: Template, path: Path) -> None:
    """Write a template to a file: whole, or the old file stays.

    Raises
    ------
    ExtractionError
        If it cannot be written.
    """
    state = msgspec.Raw(msgspec.json.encode(template.state()))
    data = msgspec.json.encode(_File(_FORMAT, template.method, __version__, state)) + b"\n"
    try:
        write_atomic(path, data)
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}") from error


def load_template(path: Path) -> Template:
    """Return the template of a file.

    Raises
    ------
    ExtractionError
        If there is no such file, or it is no template, or one of another format.
    """
    data = _read(path)
    try:
        found = msgspec.json.decode(data, type=_File)
        if found.format != _FORMAT:
            raise ExtractionError(f"format {found.format}; this version reads {_FORMAT}")
        return TEMPLATE_STATES[found.method](bytes(found.state))
    except (msgspec.DecodeError, ExtractionError, RecursionError, UnicodeError) as error:
        raise ExtractionError(f"{path}: no template that can be read: {error}") from error


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TEMPLATE_BYTES + 1)
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}") from error
    if len(data) > MAX_TEMPLATE_BYTES:
        raise ExtractionError(f"{path}: larger than {MAX_TEMPLATE_BYTES:,} bytes")
    return data


def _extractor_of(path: str) -> Template:
    return load_template(Path(path))


SCHEMES["template"] = _extractor_of


class SiteTemplates:
    """Extractor that has learnt the pages of each site together, for pages of these sites.

    Parameters
    ----------
    name
        Method that compares pages, as :func:`make_page_class_method` takes it.
    documents
        Pages of one site or several, by their addresses; those without are one site.

    Raises
    ------
    ExtractionError
        If there is no such method.
    """

    def __init__(self, name: str, documents: Iterable[Document]) -> None:
        self._name = name
        self._method = make_page_class_method(name)
        by_site: dict[str, list[Document]] = {}
        for document in documents:
            by_site.setdefault(site_of(document.url), []).append(document)
        self.n_pages = {site: len(pages) for site, pages in by_site.items()}
        self.templates = {site: self._learn(pages) for site, pages in by_site.items()}

    @property
    def learnt_sites(self) -> list[str]:
        """The sites whose pages taught something, empty for pages without an address."""
        return [
            site for site, one in self.templates.items() if not isinstance(one, ExtractionError)
        ]

    def _learn(self, documents: Sequence[Document]) -> Extractor | ExtractionError:
        try:
            return self._method.learn(map(ParsedDocument.of, documents))
        except ExtractionError as error:
            return error

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content of a page, by the other pages of its site."""
        found = self.templates.get(site_of(document.url))
        if found is not None and not isinstance(found, ExtractionError):
            return found.extract(document)
        raise ExtractionError(
            f"{found or 'no page of the site was learnt from'}; give several pages of the site, or "
            f"a template of others: structce template learn PAGES --method '{self._name}' --out "
            "FILE, then --method template:FILE"
        )
