"""Generation of whole pages, site by site, and of the sample corpus."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree

from structce.corpus import RawPage, save_raw
from structce.labels import NEWS
from structce.rendering import Document, StaticRenderer
from structce.synthetic.renderer import (
    GOLD,
    InventedPage,
    render_marked,
    serialise,
    template_families,
)
from structce.synthetic.sites import Site, draw_site
from structce.synthetic.stories import write_story, write_teaser

_N_OTHERS = 24  # other stories that a page may link to
_LICENCE = "MIT; invented pages, written for this project"
_HIDING_FLAGS = {"anonymous": "authors", "undated": "date"}


@dataclass(frozen=True)
class SyntheticPage:
    """Generated page with and without its gold labels.

    ``marked_html`` is ``html`` with attributes ``data-label``: a region has the label of the
    nearest element that has one (itself included), otherwise ``None``. ``family`` is the name of
    the template. ``title``, ``authors`` and ``date``, the day of publication in ISO 8601, are the
    gold values; None or empty if the page does not show them.
    """

    id: str
    site: str
    family: str
    url: str
    lang: str
    html: str
    marked_html: str
    title: str | None
    authors: tuple[str, ...]
    date: str | None


def synthesise(
    n_sites: int = 20, pages_per_site: int = 3, *, seed: int = 0
) -> Iterator[SyntheticPage]:
    """Yield pages of invented sites, site after site: mostly news, but also other kinds.

    The same seed gives the same bytes; a site's pages do not depend on the number of sites or pages
    requested. ``docs/corpora.md`` says which texts have which label.
    """
    families = list(template_families())
    for index in range(n_sites):
        site = draw_site(index, families, seed=seed)
        for number in range(pages_per_site):
            yield draw_page(site, number, seed=seed)


def draw_page(site: Site, number: int, *, seed: int) -> SyntheticPage:
    """Return one page of a site; it depends only on the site, its own number and the seed."""
    rng = random.Random(f"{seed}/page/{site.index}/{number}")
    draft = draw_draft(site, rng)
    root = render_marked(draft, site.family)
    marked = serialise(root, site.habits["entities"])
    etree.strip_attributes(root, GOLD)
    story = draft.story
    return SyntheticPage(
        id=f"site{site.index:02d}-{number + 1}",
        site=site.host,
        family=site.family,
        url=draft.url,
        lang=site.language.code,
        html=serialise(root, site.habits["entities"]),
        marked_html=marked,
        title=story.headline if draft.shows("title") else None,
        authors=tuple(story.authors),
        date=story.published.date().isoformat() if draft.shows("date") else None,
    )


def draw_draft(site: Site, rng: random.Random) -> InventedPage:
    """Return the draft of a page of a site: a new story, and others that it may link to."""
    family = template_families()[site.family]
    hidden = family.lacks | {part for flag, part in _HIDING_FLAGS.items() if flag in site.flags}
    kind = site.language.kinds[family.topic] if family.topic else None
    story = write_story(site.language, site.locale, rng, kind)
    if "authors" in hidden:
        story = replace(story, authors=[])
    others = [write_teaser(site.language, site.locale, rng, kind) for _ in range(_N_OTHERS)]
    url = f"https://{site.host}/{story.published:%Y/%m/%d}/{rng.randrange(10**6):06d}.html"
    return InventedPage(site, family.kind, url, story, others, hidden, rng)


def write_sample(folder: Path, n_sites: int, pages_per_site: int, *, seed: int) -> int:
    """Write a raw corpus of invented pages, named after its folder; return the number of pages."""
    pages = list(sample_pages(n_sites, pages_per_site, seed=seed))
    save_raw(folder, f"{folder.resolve().name} (seed {seed})", pages, licence=_LICENCE)
    return len(pages)


def sample_pages(n_sites: int, pages_per_site: int, *, seed: int) -> Iterator[RawPage]:
    """Yield invented pages with the labels of their regions.

    The marked page differs from the page only in attributes, so that addresses are the same.
    """
    renderer = StaticRenderer()
    for page in synthesise(n_sites, pages_per_site, seed=seed):
        marked = renderer.render(Document(page.marked_html, url=page.url, name=page.id))
        labels: dict[str, str] = {}
        for xpath, element in zip(marked.xpath, marked.element.tolist(), strict=True):
            rows = (marked.elements.attributes[i] for i in marked.elements.ancestors(element))
            label = next((row[GOLD] for row in rows if GOLD in row), NEWS.background)
            if label != NEWS.background:
                labels[xpath] = label
        yield RawPage(page.id, page.site, page.family, page.url, page.html, labels)
