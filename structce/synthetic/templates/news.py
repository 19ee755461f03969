"""Templates of newspapers and magazines, most of them with columns and many announcements."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, MarkupNode, row, table
from structce.synthetic.draft import Draft, family


def article_end(draft: Draft) -> list[Content]:
    """Return the parts at the end of most articles."""
    return [
        boilerplate.tags(draft),
        boilerplate.author_box(draft),
        promo.more_from(draft),
        boilerplate.share_bar(draft),
    ]


@family("news", frame=frames.classic)
def broadsheet(draft: Draft) -> Content:
    """A serious paper: everything in order, the popular stories in a side column."""
    lead = head.lead_figure(draft)
    article = [head.title_block(draft, lead), boilerplate.share_bar(draft), body.body(draft)]
    main = [
        draft.node("article", draft.tag("article"), article, boilerplate.tags(draft)),
        promo.related_at(draft, "below"),
        boilerplate.comments(draft),
    ]
    side = [promo.box(draft), promo.ranking(draft), promo.latest_headlines(draft)]
    above = [promo.banner(draft), promo.related_at(draft, "above")]
    return [above, boilerplate.columns(draft, main, side)]


@family("news", frame=frames.classic)
def portal(draft: Draft) -> Content:
    """A crowded portal: the article is one box among many teasers."""
    audio = head.audio(draft) if draft.has("audio") else None
    article = draft.node(
        "card",
        draft.tag("article"),
        head.title_block(draft, head.lead_figure(draft)),
        audio,
        body.body(draft, n_ads=2),
        article_end(draft),
    )
    items = draft.headlines(12, "li")
    left = E.nav(draft.label("h6", "latest"), E.ul(items))
    right = [promo.ranking(draft, 8), promo.box(draft), promo.related_at(draft, "side")]
    below = [boilerplate.comments(draft), promo.related_stories(draft, 6, "latest")]
    three = draft.node("three", "div", left, E.div(article, below), E.div(right))
    return [promo.banner(draft), three, promo.box(draft)]


@family("news", frame=frames.slim)
def tabloid(draft: Draft) -> Content:
    """A loud paper: picture first, points instead of a summary, advertisements everywhere."""
    lead = [head.kicker(draft), head.title(draft), head.lead_figure(draft)]
    summary = body.key_points(draft)
    article = [
        draft.node("wide", "div", lead),
        E.header(head.standfirst(draft), head.meta(draft), summary),
        E.section(body.body(draft, n_pictures=2, n_ads=2)),
        head.video(draft),
    ]
    wall = draft.node(
        "sheet-grid", "section", [E.a(E.h3(o.headline), href="/r") for o in draft.teasers(8)]
    )
    story = draft.node("article", "section", article, boilerplate.comments(draft))
    return [promo.banner(draft), wall, story, promo.box(draft), promo.stack(draft, 5)]


@family("news")
def magazine(draft: Draft) -> Content:
    """A monthly: one wide column, a hero picture, quotations, hardly any advertisement."""
    hero = draft.node(
        "wide", "div", head.figure(draft, "figure", 960, 440, draft.story.captions[0])
    )
    last = draft.node("paragraph", "p", draft.story.opinions[0], gold="Paragraph")
    text = [body.body(draft, n_pictures=2), body.quote(draft), last]
    end = E.footer(boilerplate.author_box(draft), boilerplate.share_bar(draft))
    stories = [promo.related_stories(draft, 9), boilerplate.comments(draft), promo.archive(draft)]
    return [
        E.header(boilerplate.logo(draft), boilerplate.navigation(draft)),
        E.section(hero, draft.node("narrow", "div", head.title_block(draft, None))),
        draft.node("narrow", "article", text, end),
        draft.node("page", "section", stories),
    ]


@family("blog", frame=frames.minimal)
def blog(draft: Draft) -> Content:
    """A small blog: a title, a signature, paragraphs, and a list of older posts."""
    article = draft.node(
        "article",
        draft.tag("article"),
        head.title(draft),
        draft.node("meta", "p" if draft.tag("byline") == "span" else "div", _signature(draft)),
        body.body(draft, n_pictures=draft.rng.randint(0, 1), n_ads=draft.rng.randint(0, 1)),
        boilerplate.tags(draft),
    )
    side = [
        boilerplate.author_box(draft),
        promo.archive(draft, 16),
        promo.latest_headlines(draft, 8),
    ]
    main = [article, boilerplate.comments(draft) or promo.related_stories(draft, 4)]
    return boilerplate.columns(draft, main, [side, promo.box(draft)])


def _signature(draft: Draft) -> Content:
    """Return "Posted on DATE by NAME", in the order of the site."""
    when = head.plain_date(draft)
    if not draft.shows("authors"):
        return when
    who = [f"{draft.word('posted_by')} ", head.names(draft)]
    if when is None:
        return who
    return (
        [when, " ", who]
        if draft.site.pick("signature", 2)
        else [who, f" {draft.word('on')} ", when]
    )


@family("news", frame=frames.hub)
def agency(draft: Draft) -> Content:
    """A news agency: date first, no lead picture, the author at the end of the text."""
    who: Content = [f"{draft.word('reporting')} ", head.names(draft)]
    last = draft.node("byline", "p", who) if draft.shows("authors") else None
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("meta", "div", head.dates(draft)),
        head.title(draft),
        head.standfirst(draft),
        body.body(draft, n_pictures=1),
        last,
        boilerplate.tags(draft),
    )
    rows = [row(o.section, draft.link("teaser-link", o.headline)) for o in draft.teasers(8)]
    lists = table(rows)
    below = [boilerplate.share_bar(draft), promo.related_at(draft, "below"), promo.box(draft)]
    return [article, lists, below, promo.ranking(draft)]


@family("live", frame=frames.rail)
def ticker(draft: Draft) -> Content:
    """A live report: entries with the time of day (None), some with a headline of their own."""
    entries = [_entry(draft, index) for index in range(len(draft.story.paragraphs))]
    shown = body.distribute(draft, entries, body.insertions(draft, n_ads=2))
    live = draft.node("kicker", "div", draft.word("live"))
    article: Content = [
        live,
        head.title_block(draft, None),
        promo.related_at(draft, "above"),
        shown,
    ]
    keys = [E.li(text) for text in draft.story.headings]
    newest = promo.headed_box(draft, "newest", E.ul(keys))
    main = draft.node("article", "section", newest, article)
    below = [boilerplate.comments(draft), promo.box(draft), promo.latest_headlines(draft)]
    return [main, below, promo.related_stories(draft, 6)]


def _entry(draft: Draft, index: int) -> MarkupNode:
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


@family("opinion", frame=frames.slim)
def opinion(draft: Draft) -> Content:
    """An opinion column: the writer's portrait beside the title, opinions in the text."""
    thoughts = [
        draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        for text in draft.story.opinions
    ]
    texts = body.add_headings(draft, [*body.paragraphs(draft), *thoughts])
    shown = body.distribute(draft, texts, body.insertions(draft))
    top = E.hgroup(
        draft.node("kicker", "div", draft.word("opinion")),
        head.title(draft),
        head.standfirst(draft),
    )
    day = draft.node("meta", "div", head.dates(draft))
    portrait = boilerplate.portrait(draft)
    left = E.div(portrait, day, promo.related_stories(draft, 5, "more_by", "stack"))
    text = E.article(top, draft.node("body", "div", shown), boilerplate.share_bar(draft))
    split = draft.node("split", "section", text, left)
    return [split, boilerplate.comments(draft), promo.box(draft), promo.ranking(draft)]


@family("gallery", frame=frames.classic)
def gallery(draft: Draft) -> Content:
    """Pictures with captions, and a short text before them."""
    n_pictures = draft.rng.randint(6, 10)
    n_texts = min(5, len(draft.story.paragraphs))
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("kicker", "div", draft.word("gallery")),
        head.title(draft),
        head.meta(draft),
        head.standfirst(draft),
        body.paragraphs(draft, draft.story.paragraphs[:n_texts]),
        body.distribute(draft, head.slides(draft, n_pictures), [promo.body_ad(draft)]),
        boilerplate.share_bar(draft),
    )
    below = [promo.related_stories(draft, 8), boilerplate.comments(draft), promo.box(draft)]
    return [article, below, promo.ranking(draft)]


@family("news")
def vintage(draft: Draft) -> Content:
    """A page of the year 2000: tables, centred tags, paragraphs separated by line breaks."""
    links = [row(draft.link("nav-link", name)) for name in draft.site.language.lists["nav"]]
    left = [table(links), promo.box(draft)]
    centre = [
        E.center(head.title(draft)),
        head.meta(draft),
        head.standfirst(draft),
        body.line_break_body(draft),
        boilerplate.tags(draft),
        promo.related_stories(draft, 5),
        boilerplate.comments(draft),
    ]
    right = [promo.latest_headlines(draft, 8), promo.ranking(draft), promo.box(draft)]
    cells = [
        E.td(left, valign="top", width=150),
        E.td(centre, valign="top", width=560),
        E.td(right, valign="top", width=220),
    ]
    layout = table(E.tr(cells), cellpadding=8)
    banner = E.td(E.center(promo.banner(draft)))
    masthead = table(E.tr(E.td(boilerplate.logo(draft)), banner))
    bottom = E.center(E.hr(), draft.label("small", "rights"))
    return E.center(masthead, boilerplate.breadcrumb(draft), layout, bottom)


@family("news", frame=frames.hub)
def broadcaster(draft: Draft) -> Content:
    """A television station: the video first, its text below, programmes beside it."""
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("wide", "div", head.video(draft)),
        head.title_block(draft, None),
        head.audio(draft) if draft.has("audio") else None,
        body.body(draft),
        article_end(draft),
    )
    side: Content = [promo.stack(draft, 8), promo.box(draft)]
    below = E.section(promo.related_stories(draft, 6, "latest"), boilerplate.comments(draft))
    return [boilerplate.columns(draft, article, side), below]


@family("news", frame=frames.app)
def cards(draft: Draft) -> Content:
    """An application-like page: everything is a card, the article among teasers."""
    graph = head.graph(draft) if draft.rng.random() < 0.5 else None
    article = draft.node(
        "card",
        "div",
        head.title_block(draft, head.lead_figure(draft)),
        body.body(draft, n_ads=2),
        graph,
        boilerplate.share_bar(draft),
    )
    before = [draft.node("card", "div", item) for item in promo.stack(draft, 3)]
    after = [draft.node("card", "div", item) for item in promo.stack(draft, 6)]
    end = [boilerplate.author_box(draft), boilerplate.tags(draft), boilerplate.comments(draft)]
    side = [promo.box(draft), promo.ranking(draft), promo.latest_headlines(draft)]
    return [before, article, after, end, side]
