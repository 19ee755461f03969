"""Template families of newspapers: each puts the parts of a page together in its own way."""

from __future__ import annotations

from structce.corpora.synthetic import ads, body, frame, frames, heading, media, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, node
from structce.corpora.synthetic.registry import family


def ending(draft: Draft) -> list[Content]:
    """Return what most articles end with."""
    return [
        reactions.tags(draft),
        reactions.author_box(draft),
        teasers.more_from(draft),
        reactions.share(draft),
    ]


@family("news")
def broadsheet(draft: Draft) -> Content:
    """A serious paper: everything in order, the popular stories in a side column."""
    lead = media.lead_figure(draft)
    article = [heading.head(draft, lead), reactions.share(draft), body.body(draft)]
    main = [
        draft.node("article", draft.tag("article"), article, reactions.tags(draft)),
        teasers.related_at(draft, "below"),
        reactions.comments(draft),
    ]
    side = [ads.box(draft), teasers.ranking(draft), teasers.latest(draft)]
    above = [ads.banner(draft), teasers.related_at(draft, "above")]
    return frame.framed(draft, above, frame.columns(draft, main, side))


@family("news")
def portal(draft: Draft) -> Content:
    """A crowded portal: the article is one box among many announcements."""
    audio = media.audio(draft) if draft.has("audio") else None
    article = draft.node(
        "card",
        draft.tag("article"),
        heading.head(draft, media.lead_figure(draft)),
        audio,
        body.body(draft, n_ads=2),
        ending(draft),
    )
    items = [node("li", draft.link("teaser-link", o.headline)) for o in draft.teasers(12)]
    left = node("nav", node("h6", draft.word("latest")), node("ul", items))
    right = [teasers.ranking(draft, 8), ads.box(draft), teasers.related_at(draft, "side")]
    below = [reactions.comments(draft), teasers.related(draft, 6, "latest")]
    three = draft.node("three", "div", left, node("div", article, below), node("div", right))
    return frame.framed(draft, ads.banner(draft), three, ads.box(draft))


@family("news")
def tabloid(draft: Draft) -> Content:
    """A loud paper: picture first, points instead of a summary, advertisements everywhere."""
    lead = [heading.kicker(draft), heading.headline(draft), media.lead_figure(draft)]
    summary = body.points(draft)
    article = [
        draft.node("wide", "div", lead),
        node("header", heading.standfirst(draft), heading.meta(draft), summary),
        node("section", body.body(draft, n_pictures=2, n_ads=2)),
        media.video(draft),
    ]
    wall = draft.node(
        "sheet-grid",
        "section",
        [node("a", node("h3", o.headline), href="/r") for o in draft.teasers(8)],
    )
    story = draft.node("article", "section", article, reactions.comments(draft))
    return frames.slim(
        draft, ads.banner(draft), wall, story, ads.box(draft), teasers.stack(draft, 5)
    )


@family("news")
def magazine(draft: Draft) -> Content:
    """A monthly: one wide column, a hero picture, quotations, hardly any advertisement."""
    hero = draft.node(
        "wide", "div", media.figure(draft, "figure", 960, 440, draft.story.captions[0])
    )
    last = draft.node("paragraph", "p", draft.story.opinions[0], gold="Paragraph")
    text = [body.body(draft, n_pictures=2), body.quote(draft), last]
    end = node("footer", reactions.author_box(draft), reactions.share(draft))
    stories = [teasers.related(draft, 9), reactions.comments(draft), teasers.archive(draft)]
    return [
        node("header", frames.logo(draft), frame.navigation(draft)),
        node("section", hero, draft.node("narrow", "div", heading.head(draft, None))),
        draft.node("narrow", "article", text, end),
        draft.node("page", "section", stories),
    ]


@family("blog")
def blog(draft: Draft) -> Content:
    """A small blog: a title, a signature, paragraphs, and a list of older posts."""
    article = draft.node(
        "article",
        draft.tag("article"),
        heading.headline(draft),
        draft.node("meta", "p" if draft.tag("byline") == "span" else "div", _signature(draft)),
        body.body(draft, n_pictures=draft.rng.randint(0, 1), n_ads=draft.rng.randint(0, 1)),
        reactions.tags(draft),
    )
    side = [reactions.author_box(draft), teasers.archive(draft, 16), teasers.latest(draft, 8)]
    main = [article, reactions.comments(draft) or teasers.related(draft, 4)]
    return frames.plain(draft, frame.columns(draft, main, [side, ads.box(draft)]))


def _signature(draft: Draft) -> Content:
    """Return "Posted on DATE by NAME", in the order of the site."""
    day = draft.date("article", draft.story.published)
    when = draft.node("date", "span", day, gold="Date") if draft.shows("date") else None
    if not draft.shows("authors"):
        return when
    who = [f"{draft.word('posted_by')} ", heading.names(draft)]
    if when is None:
        return who
    return (
        [when, " ", who]
        if draft.site.pick("signature", 2)
        else [who, f" {draft.word('on')} ", when]
    )


@family("news")
def agency(draft: Draft) -> Content:
    """A news agency: date first, no lead picture, the author at the end of the text."""
    who: Content = [f"{draft.word('reporting')} ", heading.names(draft)]
    last = draft.node("byline", "p", who) if draft.shows("authors") else None
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("meta", "div", heading.dates(draft)),
        heading.headline(draft),
        heading.standfirst(draft),
        body.body(draft, n_pictures=1),
        last,
        reactions.tags(draft),
    )
    rows = [
        node("tr", node("td", o.section), node("td", draft.link("teaser-link", o.headline)))
        for o in draft.teasers(8)
    ]
    lists = node("table", node("tbody", rows))
    below = [reactions.share(draft), teasers.related_at(draft, "below"), ads.box(draft)]
    return frames.hub(draft, article, lists, below, teasers.ranking(draft))
