"""Template families of newspapers: each puts the parts of a page together in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from structce.synthetic import ads_and_teasers, article_body, article_head, boilerplate
from structce.synthetic.boilerplate import logo
from structce.synthetic.dom import Content, Node, between, node
from structce.synthetic.draft import Draft
from structce.synthetic.registry import family


def ending(draft: Draft) -> list[Content]:
    """Return what most articles end with."""
    return [
        boilerplate.tags(draft),
        boilerplate.author_box(draft),
        ads_and_teasers.more_from(draft),
        boilerplate.share(draft),
    ]


@family("news")
def broadsheet(draft: Draft) -> Content:
    """A serious paper: everything in order, the popular stories in a side column."""
    lead = article_head.lead_figure(draft)
    article = [article_head.head(draft, lead), boilerplate.share(draft), article_body.body(draft)]
    main = [
        draft.node("article", draft.tag("article"), article, boilerplate.tags(draft)),
        ads_and_teasers.related_at(draft, "below"),
        boilerplate.comments(draft),
    ]
    side = [
        ads_and_teasers.box(draft),
        ads_and_teasers.ranking(draft),
        ads_and_teasers.latest(draft),
    ]
    above = [ads_and_teasers.banner(draft), ads_and_teasers.related_at(draft, "above")]
    return boilerplate.framed(draft, above, boilerplate.columns(draft, main, side))


@family("news")
def portal(draft: Draft) -> Content:
    """A crowded portal: the article is one box among many announcements."""
    audio = article_head.audio(draft) if draft.has("audio") else None
    article = draft.node(
        "card",
        draft.tag("article"),
        article_head.head(draft, article_head.lead_figure(draft)),
        audio,
        article_body.body(draft, n_ads=2),
        ending(draft),
    )
    items = [node("li", draft.link("teaser-link", o.headline)) for o in draft.teasers(12)]
    left = node("nav", node("h6", draft.word("latest")), node("ul", items))
    right = [
        ads_and_teasers.ranking(draft, 8),
        ads_and_teasers.box(draft),
        ads_and_teasers.related_at(draft, "side"),
    ]
    below = [boilerplate.comments(draft), ads_and_teasers.related(draft, 6, "latest")]
    three = draft.node("three", "div", left, node("div", article, below), node("div", right))
    return boilerplate.framed(
        draft, ads_and_teasers.banner(draft), three, ads_and_teasers.box(draft)
    )


@family("news")
def tabloid(draft: Draft) -> Content:
    """A loud paper: picture first, points instead of a summary, advertisements everywhere."""
    lead = [
        article_head.kicker(draft),
        article_head.headline(draft),
        article_head.lead_figure(draft),
    ]
    summary = article_body.points(draft)
    article = [
        draft.node("wide", "div", lead),
        node("header", article_head.standfirst(draft), article_head.meta(draft), summary),
        node("section", article_body.body(draft, n_pictures=2, n_ads=2)),
        article_head.video(draft),
    ]
    wall = draft.node(
        "sheet-grid",
        "section",
        [node("a", node("h3", o.headline), href="/r") for o in draft.teasers(8)],
    )
    story = draft.node("article", "section", article, boilerplate.comments(draft))
    return boilerplate.slim(
        draft,
        ads_and_teasers.banner(draft),
        wall,
        story,
        ads_and_teasers.box(draft),
        ads_and_teasers.stack(draft, 5),
    )


@family("news")
def magazine(draft: Draft) -> Content:
    """A monthly: one wide column, a hero picture, quotations, hardly any advertisement."""
    hero = draft.node(
        "wide", "div", article_head.figure(draft, "figure", 960, 440, draft.story.captions[0])
    )
    last = draft.node("paragraph", "p", draft.story.opinions[0], gold="Paragraph")
    text = [article_body.body(draft, n_pictures=2), article_body.quote(draft), last]
    end = node("footer", boilerplate.author_box(draft), boilerplate.share(draft))
    stories = [
        ads_and_teasers.related(draft, 9),
        boilerplate.comments(draft),
        ads_and_teasers.archive(draft),
    ]
    return [
        node("header", boilerplate.logo(draft), boilerplate.navigation(draft)),
        node("section", hero, draft.node("narrow", "div", article_head.head(draft, None))),
        draft.node("narrow", "article", text, end),
        draft.node("page", "section", stories),
    ]


@family("blog")
def blog(draft: Draft) -> Content:
    """A small blog: a title, a signature, paragraphs, and a list of older posts."""
    article = draft.node(
        "article",
        draft.tag("article"),
        article_head.headline(draft),
        draft.node("meta", "p" if draft.tag("byline") == "span" else "div", _signature(draft)),
        article_body.body(draft, n_pictures=draft.rng.randint(0, 1), n_ads=draft.rng.randint(0, 1)),
        boilerplate.tags(draft),
    )
    side = [
        boilerplate.author_box(draft),
        ads_and_teasers.archive(draft, 16),
        ads_and_teasers.latest(draft, 8),
    ]
    main = [article, boilerplate.comments(draft) or ads_and_teasers.related(draft, 4)]
    return boilerplate.plain(
        draft, boilerplate.columns(draft, main, [side, ads_and_teasers.box(draft)])
    )


def _signature(draft: Draft) -> Content:
    """Return "Posted on DATE by NAME", in the order of the site."""
    day = draft.date("article", draft.story.published)
    when = draft.node("date", "span", day, gold="Date") if draft.shows("date") else None
    if not draft.shows("authors"):
        return when
    who = [f"{draft.word('posted_by')} ", article_head.names(draft)]
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
    who: Content = [f"{draft.word('reporting')} ", article_head.names(draft)]
    last = draft.node("byline", "p", who) if draft.shows("authors") else None
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("meta", "div", article_head.dates(draft)),
        article_head.headline(draft),
        article_head.standfirst(draft),
        article_body.body(draft, n_pictures=1),
        last,
        boilerplate.tags(draft),
    )
    rows = [
        node("tr", node("td", o.section), node("td", draft.link("teaser-link", o.headline)))
        for o in draft.teasers(8)
    ]
    lists = node("table", node("tbody", rows))
    below = [
        boilerplate.share(draft),
        ads_and_teasers.related_at(draft, "below"),
        ads_and_teasers.box(draft),
    ]
    return boilerplate.hub(draft, article, lists, below, ads_and_teasers.ranking(draft))


@family("live")
def ticker(draft: Draft) -> Content:
    """A live report: entries with the time of day (None), some with a headline of their own."""
    entries = [_entry(draft, index) for index in range(len(draft.story.paragraphs))]
    shown = article_body.spread(draft, entries, article_body.interruptions(draft, n_ads=2))
    live = draft.node("kicker", "div", draft.word("live"))
    article: Content = [
        live,
        article_head.head(draft, None),
        ads_and_teasers.related_at(draft, "above"),
        shown,
    ]
    keys = [node("li", text) for text in draft.story.headings]
    newest = ads_and_teasers.boxed(draft, "newest", node("ul", keys))
    main = draft.node("article", "section", newest, article)
    below = [boilerplate.comments(draft), ads_and_teasers.box(draft), ads_and_teasers.latest(draft)]
    return boilerplate.rail(draft, main, below, ads_and_teasers.related(draft, 6))


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
        article_body.heading(draft, title) if title else None,
        article_body.paragraphs(draft, texts),
    )


@family("opinion")
def opinion(draft: Draft) -> Content:
    """A column of opinion: the writer's portrait beside the title, thoughts between the facts."""
    thoughts = [
        draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        for text in draft.story.opinions
    ]
    texts = article_body.with_headings(draft, [*article_body.paragraphs(draft), *thoughts])
    shown = article_body.spread(draft, texts, article_body.interruptions(draft))
    top = node(
        "hgroup",
        draft.node("kicker", "div", draft.word("opinion")),
        article_head.headline(draft),
        article_head.standfirst(draft),
    )
    day = draft.node("meta", "div", article_head.dates(draft))
    left = node(
        "div",
        boilerplate.portrait(draft),
        day,
        ads_and_teasers.related(draft, 5, "more_by", "stack"),
    )
    text = node("article", top, draft.node("body", "div", shown), boilerplate.share(draft))
    split = draft.node("split", "section", text, left)
    return boilerplate.slim(
        draft,
        split,
        boilerplate.comments(draft),
        ads_and_teasers.box(draft),
        ads_and_teasers.ranking(draft),
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
        article_head.headline(draft),
        article_head.meta(draft),
        article_head.standfirst(draft),
        article_body.paragraphs(draft, draft.story.paragraphs[:n_texts]),
        article_body.spread(
            draft, article_head.slides(draft, n_pictures), [ads_and_teasers.in_body(draft)]
        ),
        boilerplate.share(draft),
    )
    below = [
        ads_and_teasers.related(draft, 8),
        boilerplate.comments(draft),
        ads_and_teasers.box(draft),
    ]
    return boilerplate.framed(draft, article, below, ads_and_teasers.ranking(draft))


@family("news")
def vintage(draft: Draft) -> Content:
    """A page of the year 2000: tables, centred tags, paragraphs that are parted by breaks."""
    links = [
        node("tr", node("td", draft.link("nav-link", name)))
        for name in draft.site.language.lists["nav"]
    ]
    left = [node("table", node("tbody", links)), ads_and_teasers.box(draft)]
    centre = [
        node("center", article_head.headline(draft)),
        article_head.meta(draft),
        article_head.standfirst(draft),
        article_body.broken_lines(draft),
        boilerplate.tags(draft),
        ads_and_teasers.related(draft, 5),
        boilerplate.comments(draft),
    ]
    right = [
        ads_and_teasers.latest(draft, 8),
        ads_and_teasers.ranking(draft),
        ads_and_teasers.box(draft),
    ]
    cells = [
        node("td", left, valign="top", width="150"),
        node("td", centre, valign="top", width="560"),
        node("td", right, valign="top", width="220"),
    ]
    layout = node("table", node("tbody", node("tr", cells)), cellpadding="8")
    banner = node("td", node("center", ads_and_teasers.banner(draft)))
    head = node("table", node("tbody", node("tr", node("td", boilerplate.logo(draft)), banner)))
    bottom = node("center", node("hr"), node("small", draft.word("rights")))
    return node("center", head, boilerplate.breadcrumb(draft), layout, bottom)


@family("news")
def broadcaster(draft: Draft) -> Content:
    """A television station: the video first, its text below, programmes beside it."""
    article = draft.node(
        "article",
        draft.tag("article"),
        draft.node("wide", "div", article_head.video(draft)),
        article_head.head(draft, None),
        article_head.audio(draft) if draft.has("audio") else None,
        article_body.body(draft),
        ending(draft),
    )
    side: Content = [ads_and_teasers.stack(draft, 8), ads_and_teasers.box(draft)]
    below = node(
        "section", ads_and_teasers.related(draft, 6, "latest"), boilerplate.comments(draft)
    )
    return boilerplate.hub(draft, boilerplate.columns(draft, article, side), below)


@family("news")
def cards(draft: Draft) -> Content:
    """An application-like page: everything a card, an article among announcements."""
    graph = article_head.graph(draft) if draft.rng.random() < 0.5 else None
    article = draft.node(
        "card",
        "div",
        article_head.head(draft, article_head.lead_figure(draft)),
        article_body.body(draft, n_ads=2),
        graph,
        boilerplate.share(draft),
    )
    before = [draft.node("card", "div", item) for item in ads_and_teasers.stack(draft, 3)]
    after = [draft.node("card", "div", item) for item in ads_and_teasers.stack(draft, 6)]
    end = [boilerplate.author_box(draft), boilerplate.tags(draft), boilerplate.comments(draft)]
    side = [
        ads_and_teasers.box(draft),
        ads_and_teasers.ranking(draft),
        ads_and_teasers.latest(draft),
    ]
    return boilerplate.app(draft, before, article, after, end, side)


def encyclopedia(draft: Draft, *content: Content) -> list[Content]:
    """Return an encyclopedia's page: tools on the left, tabs above the article."""
    nav = draft.site.language.lists["nav"]
    panel = [_portlet(draft, nav[0], nav[1:6]), _portlet(draft, nav[6], nav[7:11])]
    words = ("read", "edit", "history", "talk")
    tabs = draft.node("tabs", "ul", [node("li", _tab(draft, draft.word(word))) for word in words])
    foot = draft.node("footer", "footer", node("ul", node("li", draft.word("rights"))))
    left = draft.node("rail", "div", node("p", logo(draft)), panel)
    return [draft.node("rail-grid", "div", left, node("div", tabs, content)), foot]


def _portlet(draft: Draft, title: str, names: Sequence[str]) -> Node:
    links = [node("li", draft.link("footer-link", name)) for name in names]
    return node("div", draft.node("footer-heading", "h3", title), node("div", node("ul", links)))


def manual(draft: Draft, contents: Content, *content: Content) -> list[Content]:
    """Return a manual's page: a tree of chapters, the text, the headings of the page."""
    names = draft.several("manual", 9)
    here = node("ul", [node("li", draft.link("tree-link", text)) for text in draft.story.headings])
    tree = [
        node("li", draft.link("tree-link", name), here if place == 2 else None)
        for place, name in enumerate(names)
    ]
    version = f"{draft.word('version')} {draft.rng.randint(1, 9)}.{draft.rng.randint(0, 20)}"
    search = draft.node("field", "input", attributes={"type": "search"})
    ends = node(
        "div",
        draft.link("pager-link", "← ", names[0]),
        " ",
        draft.link("pager-link", names[3], " →"),
    )
    return [
        draft.node("bar", "header", logo(draft), node("span", version), search),
        draft.node(
            "three",
            "div",
            draft.node("rail", "nav", node("ul", tree)),
            node("main", content, ends),
            draft.node("rail", "aside", contents),
        ),
    ]


def board(draft: Draft, *content: Content) -> list[Content]:
    """Return a board's page: what members can do above, who is here below."""
    words = ("search", "login", "new_topic")
    tools = between(" | ", [draft.link("tool", draft.word(word)) for word in words])
    way = between(" » ", [draft.link("crumb", name) for name in draft.several("boards", 2)])
    here = node("p", between(", ", [draft.link("tool", n) for n in draft.several("nicknames", 4)]))
    return [
        draft.node(
            "page",
            "div",
            draft.node("masthead", "div", node("div", logo(draft)), node("p", tools)),
            draft.node("crumbs", "p", way),
            content,
            draft.node("box", "div", node("h4", draft.word("forum")), here),
            draft.node("legal", "p", draft.word("rights")),
        )
    ]


def _tab(draft: Draft, name: str) -> Node:
    return draft.link("tab", name)
