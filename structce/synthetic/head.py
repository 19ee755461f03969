"""Document head: title, style sheet and machine-readable data, which is wrong on some sites."""

from __future__ import annotations

import json

from structce.synthetic.dom import Content, E, MarkupNode
from structce.synthetic.draft import Draft

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
    authors: list[dict[str, str]] = [
        {"@type": "Person", "name": name} for name in draft.story.authors
    ]
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
