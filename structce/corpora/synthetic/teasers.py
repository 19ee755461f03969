"""Announcements of other stories: headlines, dates and pictures that are all None."""

from __future__ import annotations

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.heading import small_date
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.stories import Teaser

THUMBS = ((160, 90), (120, 80), (240, 160), (100, 100), (300, 170))
"""Sizes of the pictures of announcements in CSS pixels; large ones look like the article's."""


def teaser(draft: Draft, other: Teaser) -> Node:
    """Return one announcement, in the site's way."""
    habit = draft.site.habits["teaser"]
    width, height = THUMBS[draft.site.pick("thumbs", len(THUMBS))]
    picture = draft.link("teaser-link", draft.image("teaser-image", width, height))
    title = _title(draft, other)
    date = small_date(draft, "teaser-date", other.published)
    text = draft.node("teaser-text", draft.tag("teaser-text"), other.standfirst)
    section = draft.node("teaser-section", "span", other.section)
    parts: dict[str, list[Content]] = {
        "image-first": [picture, title, date],
        "title-first": [title, text, date],
        "text-only": [section, title],
        "full": [picture, section, title, text, date],
    }
    return draft.node("teaser", draft.tag("teaser"), parts[habit])


def _title(draft: Draft, other: Teaser) -> Node:
    link = draft.link("teaser-link", other.headline)
    return draft.node("teaser-title", draft.tag("teaser-title"), link)


def related(draft: Draft, n: int = 4, word: str = "related", role: str = "teasers") -> Node:
    """Return a box of announcements under a heading; in side columns their role is ``stack``."""
    items = [teaser(draft, other) for other in draft.teasers(n)]
    return boxed(draft, word, draft.node(role, "div", items))


def boxed(draft: Draft, word: str, *content: Content) -> Node:
    """Return content under one of the site's headings."""
    heading = draft.node("box-heading", draft.tag("box-heading"), draft.word(word))
    return draft.node("box", "section", heading, content)


def related_at(draft: Draft, place: str) -> Content:
    """Return related stories if the site has them ``above``, ``below`` or at the ``side``."""
    if place not in draft.site.habits["related"]:
        return None
    role = "stack" if place == "side" else "teasers"
    return related(draft, {"above": 3, "below": 6, "side": 3}[place], role=role)


def ranking(draft: Draft, n: int = 5) -> Node:
    """Return the numbered list of what is read most."""
    items = [
        node(
            "li", draft.node("rank", "span", str(i + 1)), draft.link("teaser-link", other.headline)
        )
        for i, other in enumerate(draft.teasers(n))
    ]
    return boxed(draft, "most_read", draft.node("footer-list", "ol", items))


def latest(draft: Draft, n: int = 6) -> Content:
    """Return the latest headlines with their dates, where the site lists them."""
    if not draft.has("latest"):
        return None
    items = [
        node(
            "li",
            small_date(draft, "teaser-date", other.published),
            " ",
            draft.link("teaser-link", other.headline),
        )
        for other in draft.teasers(n)
    ]
    return boxed(draft, "latest", draft.node("footer-list", "ul", items))


def inline(draft: Draft) -> Node:
    """Return a pointer to another story, between two paragraphs."""
    label = draft.node("date-label", "strong", draft.word("see_also"))
    links = [
        draft.link("text-link", other.headline)
        for other in draft.teasers(draft.rng.choice((1, 1, 3)))
    ]
    if len(links) == 1:
        tag = draft.tag("paragraph")
        return draft.node("inline-box", tag, label, " ", links, gold="None")
    items = node("ul", [node("li", link) for link in links])
    return draft.node("inline-box", "div", label, items, gold="None")


def more_from(draft: Draft, n: int = 4) -> Content:
    """Return more by the author, whose name is None here, below the title of this very page."""
    if not draft.has("more-from") or not draft.shows("authors") or not draft.shows("title"):
        return None
    name = draft.story.authors[0]
    here = node("li", node("em", draft.word("reading")), " ", node("span", draft.story.headline))
    items = [node("li", draft.link("teaser-link", other.headline)) for other in draft.teasers(n)]
    heading = draft.node(
        "box-heading", draft.tag("box-heading"), f"{draft.word('more_from')} ", node("span", name)
    )
    return draft.node("box", "section", heading, node("ul", here, items))


def archive(draft: Draft, n: int = 10) -> Node:
    """Return a list of older posts."""
    items = [node("li", draft.link("footer-link", other.headline)) for other in draft.teasers(n)]
    return boxed(draft, "archive", node("ul", items))


def stack(draft: Draft, n: int) -> list[Node]:
    """Return announcements with nothing around them, as front pages have them."""
    return [teaser(draft, other) for other in draft.teasers(n)]
