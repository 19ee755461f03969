"""Live reports in other forms: signed entries, a scoreboard, a table of minutes."""

from __future__ import annotations

from datetime import datetime, timedelta

from structce.corpora.synthetic import ads, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family


def _time(draft: Draft, index: int) -> datetime:
    return draft.story.updated - timedelta(minutes=17 * index)


@family("live")
def live_feed(draft: Draft) -> Content:
    """A live report of articles: a summary that stays above, entries with titles and signatures."""
    pinned = draft.node(
        "callout",
        "section",
        draft.node("section-heading", "h3", draft.word("summary"), gold="Subtitle"),
        parts.bullets(draft, draft.story.points[:3]),
    )
    entries = [_signed_entry(draft, i, text) for i, text in enumerate(draft.story.paragraphs)]
    top = [draft.node("kicker", "span", draft.word("live")), heading.titled(draft, "h1")]
    keys = [node("li", draft.link("toc-link", title)) for title in draft.story.headings]
    tools = node("p", node("label", draft.word("refresh")))
    feed = node("div", tools, entries[:3], ads.box(draft), entries[3:])
    side = node("nav", node("h4", draft.word("newest")), node("ul", keys))
    line = node("div", heading.byline(draft), heading.dates(draft))
    return frames.slim(
        draft,
        node("header", top, line),
        draft.node("split", "div", node("div", pinned, feed), side),
    )


def _signed_entry(draft: Draft, index: int, text: str) -> Node:
    title = draft.story.headings[index % 4] if index % 2 == 0 else None
    name = draft.rng.choice(draft.story.authors) if draft.story.authors and index % 3 == 0 else None
    clock = draft.node("entry-time", "time", f"{_time(draft, index):%H:%M}")
    return draft.node(
        "entry",
        "article",
        node("header", clock, parts.subtitle(draft, title) if title else None),
        draft.node("author", "cite", name, gold="Author") if name else None,
        parts.text(draft, text),
        media.inset(draft, index) if index in (2, 5) else None,
        node("footer", draft.link("share-link", draft.word("share"))),
    )


@family("live")
def live_match(draft: Draft) -> Content:
    """A match as it happens: scoreboard (None), minutes (None) and what happened (Paragraph)."""
    teams = [draft.slot(key) for key in ("place", "town")]
    board = [
        node("td", node("b", team), node("br"), str(draft.rng.randint(0, 4))) for team in teams
    ]
    score = draft.node("score", "table", node("tbody", node("tr", board)))
    minute = 90
    items: list[Node] = []
    for text in draft.story.paragraphs:
        items.append(node("dt", draft.node("entry-time", "span", f"{minute}′")))
        items.append(node("dd", parts.text(draft, text, "span")))
        minute -= draft.rng.randint(2, 9)
    top = [score, heading.headline(draft), heading.meta(draft), heading.standfirst(draft)]
    games = [node("li", o.headline) for o in draft.teasers(4)]
    side = node("section", node("h6", draft.word("scores")), node("ul", games))
    return frames.hub(draft, side, node("main", top, node("dl", items)), reactions.comments(draft))


@family("live")
def minute_table(draft: Draft) -> Content:
    """An old live report: a table, newest row first, the hour in the left cell."""
    rows = [
        node(
            "tr",
            node("td", node("tt", f"{_time(draft, i):%H.%M}"), width="60"),
            node("td", draft.node("paragraph", "font", text, gold="Paragraph")),
        )
        for i, text in enumerate(draft.story.paragraphs)
    ]
    top = node("center", heading.titled(draft, "h2"), node("small", heading.names(draft)))
    feed = node("table", node("tbody", rows), border="1", cellpadding="4")
    menu = node("p", [[draft.link("nav-link", o.section), " | "] for o in draft.teasers(6)])
    day = node("div", heading.dates(draft))
    links = teasers.latest(draft) or teasers.ranking(draft)
    return [node("center", frames.logo(draft), menu), day, top, ads.banner(draft), feed, links]
