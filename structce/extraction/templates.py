"""Templates learnt from the pages of one class: pages of a site that look alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from structce.errors import ExtractionError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import PAGE_CLASS_METHODS, Extractor
from structce.extraction.trained import (
    StoredExtractor,
    TrainedExtractor,
    Training,
    load_trained,
    save_trained,
)
from structce.page import site_of
from structce.rendering import Document


@runtime_checkable
class Template(StoredExtractor, Protocol):
    """Extractor of one class of pages, which can be stored in a file."""

    @property
    def method(self) -> str:
        """Name of the method that learnt it."""
        ...

    @property
    def n_pages(self) -> int:
        """Number of pages that it was learnt from."""
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


def save_template(template: Template, path: Path) -> None:
    """Write a template to a file, completely or not at all; raises as `save_trained`."""
    save_trained(path, TrainedExtractor(template.method, template, Training((), template.n_pages)))


def load_template(path: Path) -> Template:
    """Load the template of a file; raises ModelError if it is not a template."""
    template = load_trained(path)
    if not isinstance(template, Template):
        raise ExtractionError(f"{path}: a trained extractor; expected the template of a site")
    return template


class SiteTemplates:
    """Extractor with a template for each of several sites, for pages of these sites.

    ``name`` is that of a method that compares pages. Documents are grouped by the site of their
    address; those without an address form one site. Raises ExtractionError if there is no such
    method.
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
