"""Template families of newspapers: each puts the parts of a page together in its own way.

A new family is one function with the decorator ``family``; sites are drawn over all of them.
"""

from __future__ import annotations

from collections.abc import Callable

from structce.corpora.synthetic import ads, body, frame, heading, media, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content

Family = Callable[[Draft], Content]
FAMILIES: dict[str, Family] = {}
"""Family by name: what stands in the body of its pages."""


def family(function: Family) -> Family:
    """Register a template family under its function's name."""
    FAMILIES[function.__name__] = function
    return function


def ending(draft: Draft) -> list[Content]:
    """Return what most articles end with."""
    return [reactions.tags(draft), reactions.author_box(draft), reactions.share(draft)]


@family
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


@family
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
    main = [article, reactions.comments(draft), teasers.related(draft, 6, "latest")]
    side = [teasers.ranking(draft, 8), ads.box(draft), teasers.related_at(draft, "side")]
    return frame.framed(
        draft, ads.banner(draft), frame.columns(draft, main, [side, ads.box(draft)])
    )


@family
def tabloid(draft: Draft) -> Content:
    """A loud paper: picture first, points instead of a summary, advertisements everywhere."""
    lead = [heading.kicker(draft), heading.headline(draft), media.lead_figure(draft)]
    summary = body.points(draft)
    article = [
        draft.node("wide", "div", lead),
        heading.standfirst(draft),
        heading.meta(draft),
        summary,
        body.body(draft, n_pictures=2, n_ads=2),
        media.video(draft),
    ]
    main = [draft.node("article", draft.tag("article"), article), reactions.comments(draft)]
    side: Content = [ads.box(draft), teasers.stack(draft, 5), ads.box(draft)]
    below = teasers.related(draft, 8)
    return frame.framed(draft, ads.banner(draft), frame.columns(draft, main, side), below)


@family
def magazine(draft: Draft) -> Content:
    """A monthly: one wide column, a hero picture, quotations, hardly any advertisement."""
    hero = draft.node(
        "wide", "div", media.figure(draft, "figure", 960, 440, draft.story.captions[0])
    )
    article = draft.node(
        "article",
        draft.tag("article"),
        heading.head(draft, hero),
        body.body(draft, n_pictures=2),
        body.quote(draft),
        draft.node("paragraph", "p", draft.story.opinions[0], gold="Paragraph"),
        reactions.author_box(draft),
    )
    stories = [teasers.related(draft, 9), reactions.comments(draft), teasers.archive(draft)]
    return frame.framed(draft, article, reactions.share(draft), stories)


@family
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
    return frame.framed(draft, frame.columns(draft, main, [side, ads.box(draft)]))


def _signature(draft: Draft) -> Content:
    """Return "Posted on DATE by NAME", in the order of the site."""
    when = draft.node("date", "span", draft.date("article", draft.story.published), gold="Date")
    who = [f"{draft.word('posted_by')} ", heading.names(draft)]
    return (
        [when, " ", who]
        if draft.site.pick("signature", 2)
        else [who, f" {draft.word('on')} ", when]
    )


@family
def agency(draft: Draft) -> Content:
    """A news agency: date first, no lead picture, the author at the end of the text."""
    last = draft.node("byline", "p", f"{draft.word('reporting')} ", heading.names(draft))
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
    side = [teasers.related(draft, 8, "latest", "stack"), ads.box(draft)]
    main = [article, reactions.share(draft), teasers.related_at(draft, "below")]
    return frame.framed(draft, frame.columns(draft, main, side), teasers.ranking(draft))
