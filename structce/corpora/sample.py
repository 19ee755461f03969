"""Synthetic pages to a raw corpus: marks in the page become labels by XPath."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from structce.corpora.opening import RawPage, save_raw
from structce.corpora.synthetic import SyntheticPage, synthesise
from structce.labels import NEWS
from structce.rendering import Document, StaticRenderer

LICENCE = "MIT; invented pages, written for this project"
_MARK = "data-gold"


def write_sample(folder: Path, n_sites: int, pages_per_site: int, *, seed: int) -> int:
    """Write a raw corpus of invented pages; return the number of pages."""
    pages = list(sample_pages(n_sites, pages_per_site, seed=seed))
    save_raw(folder, f"sample (seed {seed})", pages, licence=LICENCE)
    return len(pages)


def sample_pages(n_sites: int, pages_per_site: int, *, seed: int) -> Iterator[RawPage]:
    """Yield invented pages with the labels of their regions."""
    renderer = StaticRenderer()
    for page in synthesise(n_sites, pages_per_site, seed=seed):
        labels = _labels(page, renderer)
        yield RawPage(page.id, page.site, page.family, page.url, page.html, labels)


def _labels(page: SyntheticPage, renderer: StaticRenderer) -> dict[str, str]:
    """Return the label of every region that has one, by XPath.

    The marked page differs from the page in attributes alone, so the addresses are the same.
    """
    marked = renderer.render(Document(page.marked_html, url=page.url, name=page.id))
    labels: dict[str, str] = {}
    for region in marked:
        element = int(marked.element[region.index])
        rows = (marked.elements.attributes[i] for i in marked.elements.ancestors(element))
        label = next((row[_MARK] for row in rows if _MARK in row), NEWS.background)
        if label != NEWS.background:
            labels[region.xpath] = label
    return labels
