"""Templates learnt from the pages of one class, and their serialisation to files.

A file is JSON: its format, the method, the version of structce that wrote it, and the state, whose
form depends on the method. Nothing in it is ever executed, and a malformed state is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

import msgspec

from structce.errors import ExtractionError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import PAGE_CLASS_METHODS, SCHEMES, Extractor
from structce.io import write_atomic
from structce.page import site_of
from structce.registry import Registry
from structce.rendering import Document
from structce.version import __version__

MAX_TEMPLATE_BYTES = 512 * 1024 * 1024
"""Size of the largest file that is read; enough for ten thousand news pages. Our choice."""

_FORMAT = 1
_State = TypeVar("_State", bound=msgspec.Struct)


class Template(Protocol):
    """Extractor of one class of pages, which can be stored in a file."""

    @property
    def method(self) -> str:
        """Name of the method that learnt it, under which its state is read (`template_state`)."""
        ...

    @property
    def n_pages(self) -> int:
        """Number of pages that it was learnt from."""
        ...

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content of a page of the class, learnt from or not."""
        ...

    def state(self) -> msgspec.Struct:
        """Return the state to store in a file: numbers, strings, lists and mappings of them."""
        ...

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return what was learnt as a readable table, the most informative rows first."""
        ...


@runtime_checkable
class UpdatableTemplate(Template, Protocol):
    """Template to which further pages of the class can be added."""

    def update(self, documents: Iterable[ParsedDocument]) -> UpdatableTemplate:
        """Return the template of the old pages and these; this one is not changed."""
        ...


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """Content of a file; the state is decoded once the method is known."""

    format: int
    method: str
    structce: str
    state: msgspec.Raw


TEMPLATE_STATES: Registry[Callable[[bytes], Template]] = Registry("extractor", ExtractionError)
"""Functions that restore a template from the JSON of its state, by the name of the method."""

MakeTemplate = Callable[[_State], Template]
"""Function that restores a template from its state; an invalid state is an ExtractionError."""


def template_state(
    method: str, kind: type[_State]
) -> Callable[[MakeTemplate[_State]], MakeTemplate[_State]]:
    """Register the function that restores a method's template from its state.

    ``kind`` is the class of the state, whose types are used to check the file. Raises
    ExtractionError if the name is taken.
    """

    def register(make: MakeTemplate[_State]) -> MakeTemplate[_State]:
        def read(data: bytes) -> Template:
            return make(msgspec.json.decode(data, type=kind))

        TEMPLATE_STATES[method] = read
        return make

    return register


def save_template(template: Template, path: Path) -> None:
    """Write a template to a file, completely or not at all; raises ExtractionError if it fails."""
    state = msgspec.Raw(msgspec.json.encode(template.state()))
    data = msgspec.json.encode(_File(_FORMAT, template.method, __version__, state)) + b"\n"
    try:
        write_atomic(path, data)
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}") from error


def load_template(path: Path) -> Template:
    """Load the template of a file.

    Raises ExtractionError if there is no such file, or it is not a template, or has another format.
    """
    data = _read(path)
    try:
        file = msgspec.json.decode(data, type=_File)
        if file.format != _FORMAT:
            raise ExtractionError(f"format {file.format}; this version reads {_FORMAT}")
        return TEMPLATE_STATES[file.method](bytes(file.state))
    except (msgspec.DecodeError, ExtractionError, RecursionError, UnicodeError) as error:
        raise ExtractionError(f"{path}: not a readable template: {error}") from error


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TEMPLATE_BYTES + 1)
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}") from error
    if len(data) > MAX_TEMPLATE_BYTES:
        raise ExtractionError(f"{path}: larger than {MAX_TEMPLATE_BYTES:,} bytes")
    return data


SCHEMES["template"] = lambda path: load_template(Path(path))


class SiteTemplates:
    """Extractor with a template for each of several sites, for pages of these sites.

    ``name`` is that of a method that compares pages, as for :func:`PAGE_CLASS_METHODS`.
    Documents are grouped by the site of their address; those without an address form one site.
    Raises ExtractionError if there is no such method.
    """

    def __init__(self, name: str, documents: Iterable[Document]) -> None:
        self._name = name
        self._method = PAGE_CLASS_METHODS.make(name)
        by_site: dict[str, list[Document]] = {}
        for document in documents:
            by_site.setdefault(site_of(document.url), []).append(document)
        self.n_pages = {site: len(pages) for site, pages in by_site.items()}
        self.templates = {site: self._learn(pages) for site, pages in by_site.items()}

    @property
    def learnt_sites(self) -> list[str]:
        """Sites with a template; the empty string is for pages without an address."""
        learnt = self.templates.items()
        return [site for site, own in learnt if not isinstance(own, ExtractionError)]

    def _learn(self, documents: Sequence[Document]) -> Extractor | ExtractionError:
        try:
            return self._method.learn(map(ParsedDocument.of, documents))
        except ExtractionError as error:
            return error

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content of a page, by the other pages of its site."""
        template = self.templates.get(site_of(document.url))
        if template is not None and not isinstance(template, ExtractionError):
            return template.extract(document)
        raise ExtractionError(
            f"{template or 'no page of the site was learnt from'}; give several pages of the site, "
            f"or a template of others: structce template learn PAGES --method '{self._name}' --out "
            "FILE, then --method template:FILE"
        )
