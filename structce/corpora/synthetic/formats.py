"""Template families of other formats: live reports, galleries, columns of opinion, broadcasts."""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic import ads, body, frame, frames, heading, media, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.families import ending
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family


@family("live")
def ticker(draft: Draft) -> Content:
    """A live report: entries with the time of day (None), some with a headline of their own."""
    entries = [_entry(draft, index) for index in range(len(draft.story.paragraphs))]
    shown = body.spread(draft, entries, body.interruptions(draft, n_ads=2))
    live = draft.node("kicker", "div", draft.word("live"))
    article: Content = [live, heading.head(draft, None), teasers.related_at(draft, "above"), shown]
    keys = [node("li", text) for text in draft.story.headings]
    newest = teasers.boxed(draft, "newest", node("ul", keys))
    main = draft.node("article", "section", newest, article)
    below = [reactions.comments(draft), ads.box(draft), teasers.latest(draft)]
    return frames.rail(draft, main, below, teasers.related(draft, 6))


def _entry(draft: Draft, index: int) -> Node:
    clock = draft.story.updated - timedelta(minutes=13 * index)
    texts = [draft.story.paragraphs[index]]
    if index < len(draft.story.instants):
        texts.append(draft.story.instants[index])
    title = draft.story.headings[index // 2 % 4] if index % 2 == 0 and index < 8 else None
    return draft.node(
        "entry",
        "div",
        draft.node("entry-time", draft.tag("small-date"), f"{clock:%H:%M}"),
        body.heading(draft, title) if title else None,
        body.paragraphs(draft, texts),
    )


@family("opinion")
def opinion(draft: Draft) -> Content:
    """A column of opinion: the writer's portrait beside the title, thoughts between the facts."""
    thoughts = [
        draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        for text in draft.story.opinions
    ]
    texts = body.with_headings(draft, [*body.paragraphs(draft), *thoughts])
    shown = body.spread(draft, texts, body.interruptions(draft))
    top = node(
        "hgroup",
        draft.node("kicker", "div", draft.word("opinion")),
        heading.headline(draft),
        heading.standfirst(draft),
    )
    day = draft.node("meta", "div", heading.dates(draft))
    left = node(
        "div", reactions.portrait(draft), day, teasers.related(draft, 5, "more_by", "stack")
    )
    text = node("article", top, draft.node("body", "div", shown), reactions.share(draft))
    split = draft.node("split", "section", text, left)
    return frames.slim(
        draft, split, reactions.comments(draft), ads.box(draft), teasers.ranking(draft)
    )


@family("gallery")
def gallery(draft: Draft) -> Content:
    """Pictures with captions, and a short text before them."""
    n_pictures = draft.rng.randint(6, 10)
    n_texts = min(5, len(draft.story.paragraphs))
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("kicker", "div", draft.word("gallery")),
        heading.headline(draft),
        heading.meta(draft),
        heading.standfirst(draft),
        body.paragraphs(draft, draft.story.paragraphs[:n_texts]),
        body.spread(draft, media.slides(draft, n_pictures), [ads.in_body(draft)]),
        reactions.share(draft),
    )
    below = [teasers.related(draft, 8), reactions.comments(draft), ads.box(draft)]
    return frame.framed(draft, article, below, teasers.ranking(draft))


@family("news")
def vintage(draft: Draft) -> Content:
    """A page of the year 2000: tables, centred tags, paragraphs that are parted by breaks."""
    links = [
        node("tr", node("td", draft.link("nav-link", name)))
        for name in draft.site.language.lists["nav"]
    ]
    left = [node("table", node("tbody", links)), ads.box(draft)]
    centre = [
        node("center", heading.headline(draft)),
        heading.meta(draft),
        heading.standfirst(draft),
        body.broken_lines(draft),
        reactions.tags(draft),
        teasers.related(draft, 5),
        reactions.comments(draft),
    ]
    right = [teasers.latest(draft, 8), teasers.ranking(draft), ads.box(draft)]
    cells = [
        node("td", left, valign="top", width="150"),
        node("td", centre, valign="top", width="560"),
        node("td", right, valign="top", width="220"),
    ]
    layout = node("table", node("tbody", node("tr", cells)), cellpadding="8")
    banner = node("td", node("center", ads.banner(draft)))
    head = node("table", node("tbody", node("tr", node("td", frames.logo(draft)), banner)))
    bottom = node("center", node("hr"), node("small", draft.word("rights")))
    return node("center", head, frame.breadcrumb(draft), layout, bottom)


@family("news")
def broadcaster(draft: Draft) -> Content:
    """A television station: the video first, its text below, programmes beside it."""
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("wide", "div", media.video(draft)),
        heading.head(draft, None),
        media.audio(draft) if draft.has("audio") else None,
        body.body(draft),
        ending(draft),
    )
    side: Content = [teasers.stack(draft, 8), ads.box(draft)]
    below = node("section", teasers.related(draft, 6, "latest"), reactions.comments(draft))
    return frames.hub(draft, frame.columns(draft, article, side), below)


@family("news")
def cards(draft: Draft) -> Content:
    """An application-like page: everything a card, an article among announcements."""
    graph = media.graph(draft) if draft.rng.random() < 0.5 else None
    article = draft.node(
        "card",
        "div",
        heading.head(draft, media.lead_figure(draft)),
        body.body(draft, n_ads=2),
        graph,
        reactions.share(draft),
    )
    before = [draft.node("card", "div", item) for item in teasers.stack(draft, 3)]
    after = [draft.node("card", "div", item) for item in teasers.stack(draft, 6)]
    end = [reactions.author_box(draft), reactions.tags(draft), reactions.comments(draft)]
    side = [ads.box(draft), teasers.ranking(draft), teasers.latest(draft)]
    return frames.app(draft, before, article, after, end, side)
