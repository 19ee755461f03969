"""Generation of whole pages, site by site."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from structce.corpora.synthetic import formats as formats  # registers its families
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.families import FAMILIES
from structce.corpora.synthetic.metadata import head
from structce.corpora.synthetic.nodes import node, serialise
from structce.corpora.synthetic.sites import Site, draw_site
from structce.corpora.synthetic.stories import tell_story, tell_teaser

_N_OTHERS = 24


@dataclass(frozen=True)
class Values:
    """What a page says: title, authors in order, and the day of publication (ISO 8601)."""

    title: str
    authors: tuple[str, ...]
    date: str


@dataclass(frozen=True)
class SyntheticPage:
    """A generated page with and without its gold labels.

    ``marked_html`` is ``html`` with attributes ``data-gold``: a region's label is that of its
    nearest element that has one (itself included), else ``None``. ``family`` names the template,
    ``values`` what a reader would fill in a form.
    """

    id: str
    site: str
    family: str
    url: str
    lang: str
    html: str
    marked_html: str
    values: Values


def synthesise(
    n_sites: int = 20, pages_per_site: int = 3, *, seed: int = 0
) -> Iterator[SyntheticPage]:
    """Yield pages of invented news sites, site after site.

    The same seed gives the same bytes; a site's pages do not depend on how many sites or pages
    are asked for.

    A text node is Author if it holds an author's name ("By Jane Roe"), and Date if it holds the
    date of publication or update ("Updated 3 March 2026"); labels in text nodes of their own
    ("By", "Published", "and") are None, as are a biography, the times of a live report's entries
    and all of comments and announcements. Standfirsts and section headlines are Subtitle; links,
    lists, quotations and their sources in the article are Paragraph; a photographer's credit is
    part of the Caption; every region inside an advertisement is Advertisement.
    """
    for index in range(n_sites):
        site = draw_site(index, sorted(FAMILIES), seed=seed)
        for number in range(pages_per_site):
            yield _page(site, number, random.Random(f"{seed}/page/{index}/{number}"))


def _page(site: Site, number: int, rng: random.Random) -> SyntheticPage:
    story = tell_story(site.language, site.locale, rng)
    others = tuple(tell_teaser(site.language, site.locale, rng) for _ in range(_N_OTHERS))
    draft = Draft(site, story, others, rng)
    url = f"https://{site.host}/{story.published:%Y/%m/%d}/{rng.randrange(10**6):06d}.html"
    body = node("body", FAMILIES[site.family](draft))
    root = node("html", head(draft, url), body, lang=site.language.code)
    minified = site.has("minified")
    return SyntheticPage(
        id=f"site{site.index:02d}-{number + 1}",
        site=site.host,
        family=site.family,
        url=url,
        lang=site.language.code,
        html=serialise(root, minified=minified),
        marked_html=serialise(root, marked=True, minified=minified),
        values=Values(story.headline, story.authors, story.published.date().isoformat()),
    )
