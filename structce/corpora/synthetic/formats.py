"""Template families of other formats: live reports, galleries, columns of opinion, broadcasts."""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic import ads, body, frame, heading, media, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.families import ending, family
from structce.corpora.synthetic.nodes import Content, Node, node


@family
def ticker(draft: Draft) -> Content:
    """A live report: entries with the time of day (None), some with a headline of their own."""
    entries = [_entry(draft, index) for index in range(len(draft.story.paragraphs))]
    shown = body.spread(draft, entries, body.interruptions(draft, n_ads=2))
    live = draft.node("kicker", "div", draft.word("live"))
    article: Content = [live, heading.head(draft, None), teasers.related_at(draft, "above"), shown]
    main = [draft.node("article", draft.tag("article"), article), reactions.comments(draft)]
    keys = [node("li", text) for text in draft.story.headings]
    side = [teasers.boxed(draft, "newest", node("ul", keys)), ads.box(draft), teasers.latest(draft)]
    below = teasers.related(draft, 6)
    return frame.framed(draft, frame.columns(draft, main, side), below)


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


@family
def opinion(draft: Draft) -> Content:
    """A column of opinion: the writer's portrait beside the title, thoughts between the facts."""
    thoughts = [
        draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        for text in draft.story.opinions
    ]
    texts = body.with_headings(draft, [*body.paragraphs(draft), *thoughts])
    shown = body.spread(draft, texts, body.interruptions(draft))
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("kicker", "div", draft.word("opinion")),
        heading.headline(draft),
        reactions.portrait(draft),
        heading.standfirst(draft),
        draft.node("meta", "div", heading.dates(draft)),
        draft.node("body", "div", shown),
    )
    side = [teasers.related(draft, 5, "more_by", "stack"), ads.box(draft), teasers.ranking(draft)]
    main = [article, reactions.share(draft), reactions.comments(draft)]
    below = teasers.related(draft, 6, "latest")
    return frame.framed(draft, frame.columns(draft, main, side), below)


@family
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
    side: Content = [ads.box(draft), teasers.stack(draft, 6), teasers.ranking(draft)]
    below = [teasers.related(draft, 8), reactions.comments(draft)]
    return frame.framed(draft, frame.columns(draft, article, side), below)


@family
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
    return frame.framed(draft, ads.banner(draft), layout)


@family
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
    main = [article, teasers.related(draft, 6, "latest")]
    return frame.framed(draft, frame.columns(draft, main, side), reactions.comments(draft))


@family
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
    return frame.framed(draft, frame.columns(draft, [before, article, after, end], side))
