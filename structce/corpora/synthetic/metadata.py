"""The head of a document: title, style sheet and machine-readable data, wrong on some sites."""

from __future__ import annotations

import json

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node

_SHOWS = {
    "full": ("meta", "graph", "linked-data"),
    "graph": ("graph",),
    "linked-data": ("linked-data",),
    "plain": ("meta",),
    "wrong": ("meta", "graph", "linked-data"),
    "none": (),
}
"""What a site with each habit of metadata shows."""


def head(draft: Draft, url: str) -> Node:
    """Return the head of a page."""
    shown = _SHOWS[draft.site.habits["metadata"]]
    return node(
        "head",
        node("meta", charset="utf-8"),
        node("title", page_title(draft)),
        _meta(draft) if "meta" in shown else None,
        _graph(draft, url) if "graph" in shown else None,
        _linked_data(draft, url) if "linked-data" in shown else None,
        node("style", draft.site.look.sheet),
    )


def page_title(draft: Draft) -> str:
    """Return the title of the window, with the site's name before or after."""
    headline, site = draft.story.headline, draft.site.name
    return {
        "dash": f"{headline} - {site}",
        "bar": f"{headline} | {site}",
        "section": f"{headline} | {draft.story.section} | {site}",
        "site-first": f"{site}: {headline}",
        "headline": headline,
    }[draft.site.habits["title"]]


def _is_wrong(draft: Draft) -> bool:
    return draft.site.habits["metadata"] == "wrong"


def _meta(draft: Draft) -> Content:
    author = draft.site.name if _is_wrong(draft) else ", ".join(draft.story.authors)
    return [
        node("meta", name="author", content=author),
        node("meta", name="date", content=draft.story.published.date().isoformat()),
        node("meta", name="description", content=draft.story.standfirst),
    ]


def _graph(draft: Draft, url: str) -> Content:
    title = draft.others[0].headline if _is_wrong(draft) else draft.story.headline
    properties = {
        "og:type": "article",
        "og:title": title,
        "og:url": url,
        "og:site_name": draft.site.name,
        "article:published_time": draft.story.published.isoformat(),
    }
    return [node("meta", property=key, content=value) for key, value in properties.items()]


def _linked_data(draft: Draft, url: str) -> Node:
    authors = [{"@type": "Person", "name": name} for name in draft.story.authors]
    publisher = {"@type": "Organization", "name": draft.site.name}
    data = {
        "@type": "NewsArticle",
        "url": url,
        "headline": draft.story.headline,
        "author": publisher if _is_wrong(draft) else authors,
        "publisher": publisher,
        "datePublished": draft.story.published.isoformat(),
        "dateModified": draft.story.updated.isoformat(),
    }
    text = json.dumps(data, ensure_ascii=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return node("script", text, type="application/ld+json")
