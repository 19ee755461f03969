"""Generation of whole pages, site by site, and of the sample corpus."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import structce.synthetic.templates  # noqa: F401  (registers)
from structce.corpus import RawPage, save_raw
from structce.labels import NEWS
from structce.rendering import Document, StaticRenderer
from structce.synthetic.dom import Content, E, MarkupNode, encode_entities, serialise
from structce.synthetic.draft import TEMPLATE_FAMILIES, Draft
from structce.synthetic.sites import Site, draw_site, read_words
from structce.synthetic.stories import write_story, write_teaser

_N_OTHERS = 24  # other stories that a page may link to
_LICENCE = "MIT; invented pages, written for this project"
_MARK = "data-gold"
_HIDING_FLAGS = {"anonymous": "authors", "undated": "date"}


@dataclass(frozen=True)
class PageValues:
    """Gold values of a page: title, authors in order, and the day of publication (ISO 8601).

    Title and date are None, and authors empty, if the page does not show them.
    """

    title: str | None
    authors: tuple[str, ...]
    date: str | None


@dataclass(frozen=True)
class SyntheticPage:
    """Generated page with and without its gold labels.

    ``marked_html`` is ``html`` with attributes ``data-gold``: a region has the label of the nearest
    element that has one (itself included), otherwise ``None``. ``family`` is the name of the
    template, ``values`` are the gold values.
    """

    id: str
    site: str
    family: str
    url: str
    lang: str
    html: str
    marked_html: str
    values: PageValues


def synthesise(
    n_sites: int = 20, pages_per_site: int = 3, *, seed: int = 0
) -> Iterator[SyntheticPage]:
    """Yield pages of invented sites, site after site: mostly news, but also other kinds.

    The same seed gives the same bytes; a site's pages do not depend on the number of sites or pages
    requested.

    A text node is Author if it contains an author's name ("By Jane Roe"), and Date if it contains
    the date of publication or update or a part of it ("Updated 3 March 2026", "3 hours ago").
    Labels in text nodes of their own ("By", "Published", "and", "photos") are None, as are a
    biography, names and headlines repeated in lists, bars and teasers, the times of a live report's
    entries, and everything in comments and teasers. Standfirsts and section headlines are Subtitle;
    links, lists, tables, quotations and their sources in the article are Paragraph; a table's name
    and a photographer's credit are Caption; every region inside an advertisement is Advertisement.

    Other kinds of pages follow the same rules:

    - forum, question: the thread's title is Title, the first post Paragraph with its Author and
      Date; replies and answers are None, including their names and dates. On a page where an expert
      or the publisher answers, the answer is Paragraph as well.
    - shop: the product's name is Title, its description Paragraph, its pictures are Multimedia;
      price, data, basket and reviews are None.
    - wiki: text and the marks of notes are Paragraph, headlines Subtitle; edit links, facts beside
      the text and sources at the end are None; the day of the last edit is Date.
    - documentation: lines of code are Paragraph like the text, since readers look for them; names
      of functions that head an entry are Subtitle.
    - job, event, company, obituary: facts (place, pay, day of the event, years of a life, contacts)
      are None: they are not text, and their dates are not of publication.
    - live: entries are Paragraph, their headlines Subtitle, a signature under one is Author.
    - interview, minutes: questions and speakers' names are Paragraph, like the words spoken.
    - review: ratings are None, the verdict is Paragraph. Fact check: claim and finding are
      Paragraph. Recipe: ingredients and steps are Paragraph, portions and minutes None.
    - time line: the years that head entries are Subtitle. Paper: the abstract is Paragraph.
    - video, podcast: players are Multimedia, notes and transcripts Paragraph, lists of others None.
    - paywall: the lines before it are Paragraph, the publisher's own offer is None.
    """
    read = functools.cache(read_words)
    for index in range(n_sites):
        site = draw_site(index, sorted(TEMPLATE_FAMILIES), seed=seed, read=read)
        for number in range(pages_per_site):
            yield draw_page(site, number, seed=seed)


def draw_page(site: Site, number: int, *, seed: int) -> SyntheticPage:
    """Return one page of a site; it depends only on the site, its own number and the seed."""
    rng = random.Random(f"{seed}/page/{site.index}/{number}")
    draft = new_draft(site, rng)
    story = draft.story
    url = f"https://{site.host}/{story.published:%Y/%m/%d}/{rng.randrange(10**6):06d}.html"
    body = E.body(TEMPLATE_FAMILIES[site.family].draw(draft))
    root = E.html(document_head(draft, url), body, **site.language.attributes)

    def markup(*, marked: bool) -> str:
        text = serialise(root, marked=marked, minified=site.has("minified"))
        return encode_entities(text, site.habits["entities"])

    return SyntheticPage(
        id=f"site{site.index:02d}-{number + 1}",
        site=site.host,
        family=site.family,
        url=url,
        lang=site.language.code,
        html=markup(marked=False),
        marked_html=markup(marked=True),
        values=_values(draft),
    )


def new_draft(site: Site, rng: random.Random) -> Draft:
    """Return a draft of a site's family, with a new story."""
    family = TEMPLATE_FAMILIES[site.family]
    hidden = family.lacks | {part for flag, part in _HIDING_FLAGS.items() if site.has(flag)}
    kind = site.kinds.get(family.topic)
    story = write_story(site.language, site.locale, rng, kind)
    if "authors" in hidden:
        story = replace(story, authors=())
    others = tuple(write_teaser(site.language, site.locale, rng, kind) for _ in range(_N_OTHERS))
    return Draft(site, story, others, rng, family.kind, hidden)


def _values(draft: Draft) -> PageValues:
    story = draft.story
    return PageValues(
        title=story.headline if draft.shows("title") else None,
        authors=story.authors,
        date=story.published.date().isoformat() if draft.shows("date") else None,
    )


def write_sample(folder: Path, n_sites: int, pages_per_site: int, *, seed: int) -> int:
    """Write a raw corpus of invented pages; return the number of pages."""
    pages = list(sample_pages(n_sites, pages_per_site, seed=seed))
    save_raw(folder, f"sample (seed {seed})", pages, licence=_LICENCE)
    return len(pages)


def sample_pages(n_sites: int, pages_per_site: int, *, seed: int) -> Iterator[RawPage]:
    """Yield invented pages with the labels of their regions."""
    renderer = StaticRenderer()
    for page in synthesise(n_sites, pages_per_site, seed=seed):
        labels = _labels(page, renderer)
        yield RawPage(page.id, page.site, page.family, page.url, page.html, labels)


def _labels(page: SyntheticPage, renderer: StaticRenderer) -> dict[str, str]:
    """Return the labels of the regions that have one, by XPath.

    The marked page differs from the page only in attributes, so the addresses are the same.
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


_TYPES = {
    "news": "NewsArticle",
    "blog": "BlogPosting",
    "live": "LiveBlogPosting",
    "opinion": "OpinionNewsArticle",
    "recipe": "Recipe",
    "review": "Review",
    "shop": "Product",
    "event": "Event",
    "job": "JobPosting",
    "forum": "DiscussionForumPosting",
    "question": "QAPage",
    "video": "VideoObject",
    "podcast": "PodcastEpisode",
}
"""Type in schema.org for each kind of page."""

_SHOWS = {
    "full": ("meta", "graph", "linked-data"),
    "graph": ("graph",),
    "linked-data": ("linked-data",),
    "plain": ("meta",),
    "wrong": ("meta", "graph", "linked-data"),
    "none": (),
}
"""Metadata that a site shows, by its habit."""


def document_head(draft: Draft, url: str) -> MarkupNode:
    """Return the head of a page."""
    shown = _SHOWS[draft.site.habits["metadata"]]
    return E.head(
        E.meta(charset="utf-8"),
        E.title(page_title(draft)),
        _meta(draft) if "meta" in shown else None,
        _graph(draft, url) if "graph" in shown else None,
        _linked_data(draft, url) if "linked-data" in shown else None,
        E.style(draft.site.style.sheet),
    )


def page_title(draft: Draft) -> str:
    """Return the title of the window, with the site's name before or after."""
    headline, site = _headline(draft), draft.site.name
    return {
        "dash": f"{headline} - {site}",
        "bar": f"{headline} | {site}",
        "section": f"{headline} | {draft.story.section} | {site}",
        "site-first": f"{site}: {headline}",
        "headline": headline,
    }[draft.site.habits["title"]]


def _headline(draft: Draft) -> str:
    return draft.story.headline if draft.shows("title") else draft.story.section


def _is_wrong(draft: Draft) -> bool:
    return draft.site.habits["metadata"] == "wrong"


def _published(draft: Draft) -> str:
    """Return the time of publication, or nothing for a page that does not show it."""
    return draft.story.published.isoformat() if draft.shows("date") else ""


def _meta(draft: Draft) -> Content:
    author = draft.site.name if _is_wrong(draft) else ", ".join(draft.story.authors)
    published = _published(draft)
    named = E.meta(name="author", content=author) if author else None
    return [
        named,
        E.meta(name="date", content=published[:10]) if published else None,
        E.meta(name="description", content=draft.story.standfirst),
    ]


def _graph(draft: Draft, url: str) -> Content:
    title = draft.others[0].headline if _is_wrong(draft) else _headline(draft)
    properties = {
        "og:type": "article",
        "og:title": title,
        "og:url": url,
        "og:site_name": draft.site.name,
        "article:published_time": _published(draft),
    }
    return [E.meta(property=key, content=value) for key, value in properties.items() if value]


def _linked_data(draft: Draft, url: str) -> MarkupNode:
    authors = [{"@type": "Person", "name": name} for name in draft.story.authors]
    publisher = {"@type": "Organization", "name": draft.site.name}
    data: dict[str, object] = {
        "@type": _TYPES.get(draft.kind, "WebPage"),
        "url": url,
        "headline": _headline(draft),
        **({"author": publisher if _is_wrong(draft) else authors} if authors else {}),
        "publisher": publisher,
    }
    if draft.shows("date"):
        data |= {
            "datePublished": _published(draft),
            "dateModified": draft.story.updated.isoformat(),
        }
    text = json.dumps(data, ensure_ascii=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return E.script(text, type="application/ld+json")
