"""Templates of podcasts, videos, interviews, letters and live reports."""

from __future__ import annotations

from datetime import datetime, timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, MarkupNode, join, table
from structce.synthetic.draft import Draft, family


@family("podcast", frame=frames.app)
def podcast(draft: Draft) -> Content:
    """An episode: player (Multimedia), notes (Paragraph) with times (None), other episodes."""
    number = f"{draft.word('episode')} {draft.rng.randint(2, 180)}"
    player = draft.player("audio", src="/sound.mp3", controls="controls")
    notes = [
        E.li(_clock(i * 421), " ", E.span(text, gold="Paragraph"))
        for i, text in enumerate(draft.story.headings)
    ]
    where = [draft.link("share-link", name) for name in draft.phrases("platforms", 4)]
    rows = [
        E.li(draft.link("teaser-link", o.headline), E.small(_clock(draft.rng.randint(900, 4000))))
        for o in draft.teasers(6)
    ]
    cover = draft.photo(260, 260, alt=draft.site.name)
    top = draft.node("split", "div", cover, E.div(E.small(number), head.title(draft, "h1"), player))
    text = E.section(
        body.plain_paragraphs(draft, 0, 4),
        body.subtitle(draft, draft.word("show_notes")),
        E.ul(notes),
    )
    line = head.byline_and_dates(draft, "footer")
    more = E.section(draft.label("h2", "episodes"), E.ol(rows))
    return [top, E.nav(where), text, line, more]


@family("video", frame=frames.slim)
def video_page(draft: Draft) -> Content:
    """A video platform: player (Multimedia), channel and views (None), a list of further videos."""
    player = draft.player("video", width=854, height=480, src="/clip.mp4", controls="controls")
    avatar = draft.image("avatar", 40, 40)
    channel = E.div(avatar, head.names(draft), draft.button("follow"))
    line = E.div(draft.label("span", "views"), " ", head.dates(draft))
    text = draft.node("callout", "div", line, body.plain_paragraphs(draft, 0, 3, "div"))
    following = [
        E.li(
            draft.link("teaser-link", draft.image("teaser-image", 168, 94), E.b(o.headline)),
            E.div(E.span(o.section), draft.label("span", "views")),
        )
        for o in draft.teasers(9)
    ]
    next_ = E.div(draft.label("h3", "up_next"), E.ul(following))
    left = E.div(player, head.title(draft, "h1"), channel, text, boilerplate.comments(draft))
    return draft.node("split", "div", left, next_)


@family("video", frame=frames.hub)
def news_clip(draft: Draft) -> Content:
    """A station's clip: embedded player, one paragraph, the transcript below (Paragraph)."""
    box = E.center(head.video(draft))
    transcript = [body.plain_paragraph(draft, text, "li") for text in draft.story.paragraphs]
    fold = E.details(
        body.subtitle(draft, draft.word("transcript"), "summary"), E.ol(transcript), open="open"
    )
    top = E.section(box, head.title(draft), head.standfirst(draft), head.meta(draft))
    strips = [
        E.a(draft.image("teaser-image", 120, 68), E.em(o.headline), href="/v")
        for o in draft.teasers(5)
    ]
    return [top, fold, E.section(strips), promo.banner(draft)]


@family("podcast", frame=frames.rail)
def radio_programme(draft: Draft) -> Content:
    """A radio station's page: hosts, a running order in a table, music played (None)."""
    start = draft.story.published.replace(hour=18, minute=0)
    rows = [
        E.tr(E.td(f"{start + timedelta(minutes=7 * i):%H:%M}"), E.td(title, E.br(), _texts(texts)))
        for i, (title, texts) in enumerate(body.sections(draft, "b"))
    ]
    songs = [E.li(f"{draft.person()}: {draft.slot('town')}") for _ in range(3)]
    player = draft.player("iframe", src="/live", width=560, height=120)
    top = [head.title(draft, "h2"), body.labelled_date(draft), E.div(head.names(draft))]
    order = table(rows)
    aside = E.aside(promo.stack(draft, 3), E.ol(songs))
    return [player, top, body.lead_paragraphs(draft), order, aside]


def _texts(texts: list[MarkupNode]) -> Content:
    """Return paragraphs as spans separated by line breaks, as in table cells."""
    spans = [MarkupNode("span", text.attributes, text.children, text.gold) for text in texts]
    return join(E.br(), spans)


def _clock(seconds: int) -> MarkupNode:
    return E.code(f"{seconds // 60:02d}:{seconds % 60:02d}")


@family("interview", frame=frames.rail)
def interview(draft: Draft) -> Content:
    """An interview: questions in bold, answers as paragraphs; all of it Paragraph."""
    questions = draft.phrases("questions", len(draft.story.paragraphs) - 2)
    turns = [
        [
            draft.node("question", "p", E.strong(question), gold="Paragraph"),
            body.plain_paragraph(draft, answer),
        ]
        for question, answer in zip(questions, draft.story.paragraphs[2:], strict=False)
    ]
    quote = E.aside(body.quote(draft))
    face = body.captioned_image(draft, 420, 520, 1)
    top = [draft.node("kicker", "p", draft.word("interview")), head.title(draft, "h1")]
    line = head.byline_and_dates(draft)
    start = E.section(head.standfirst(draft), body.plain_paragraphs(draft, 0, 2))
    flow = E.section(body.distribute(draft, turns, [quote, promo.body_ad(draft)]))
    return [E.div(top, line), face, start, flow]


@family("interview", frame=frames.slim)
def questionnaire(draft: Draft) -> Content:
    """An interview as a list of terms, the speakers' names before every turn."""
    who = draft.slot("lead")
    pairs = zip(draft.phrases("questions", 8), draft.story.paragraphs, strict=False)
    turns = [
        [E.dt(E.i(draft.word("question"), ": "), question), E.dd(E.i(who, ": "), answer)]
        for question, answer in pairs
    ]
    talk = draft.node("speech", "dl", turns, gold="Paragraph")
    top = draft.node("hero", "header", head.title(draft, "h2"), head.standfirst(draft))
    end = E.p(draft.word("reporting"), " ", head.names(draft)) if draft.story.authors else None
    more = E.aside(promo.stack(draft, 3))
    portrait = head.lead_figure(draft)
    return [top, portrait, E.section(talk, end, body.labelled_date(draft)), more]


@family("letters", frame=frames.rail)
def letter_to_the_editor(draft: Draft) -> Content:
    """A reader's letter: an address, opinions, a greeting, the name and the town at the end."""
    words = [draft.word("letter_open"), *draft.story.opinions, *draft.story.paragraphs[:2]]
    lines = [draft.node("paragraph", "div", text, gold="Paragraph") for text in words]
    close = draft.node("paragraph", "div", draft.word("letter_close"), gold="Paragraph")
    place = E.cite(draft.slot("town"))
    sign = E.address(head.names(draft), E.br(), place)
    others = [
        E.div(E.h4(o.headline), E.p(draft.phrase("comments")), E.em(draft.phrase("nicknames")))
        for o in draft.teasers(3)
    ]
    top = E.div(draft.node("kicker", "h5", draft.word("letters")), head.title(draft, "h3"))
    text = E.blockquote(lines, close, sign)
    return [top, E.div(head.dates(draft)), text, E.section(others)]


@family("opinion", lacks=("authors",), frame=frames.slim)
def leading_article(draft: Draft) -> Content:
    """The paper's own opinion: no author, the text in one narrow column."""
    texts = [
        *body.plain_paragraphs(draft, 0, 4),
        *[body.plain_paragraph(draft, text) for text in draft.story.opinions],
    ]
    title = head.title(draft, "h1")
    label = draft.node("kicker", "span", draft.word("opinion"))
    views = [promo.headed_box(draft, "comments", body.link_list(draft, "letters", 3))]
    text = E.article(E.header(label, title, head.dates(draft)), E.section(texts))
    return [draft.node("narrow", "div", text), views, boilerplate.comments(draft)]


@family("question", topic="question", frame=frames.official)
def advice_column(draft: Draft) -> Content:
    """A question to an expert, who writes the answer and signs it: both Paragraph."""
    question = [
        body.subtitle(draft, draft.word("question"), "h4"),
        E.blockquote(body.plain_paragraphs(draft, 0, 2)),
    ]
    answer: Content = [
        body.subtitle(draft, draft.word("answer"), "h4"),
        body.plain_paragraphs(draft, 2),
    ]
    face = draft.image("avatar", 90, 90)
    sign = draft.node("bio-box", "div", face, head.names(draft), E.span(draft.phrase("jobs")))
    top = E.header(head.title(draft, "h1"), body.labelled_date(draft))
    more = body.link_list(draft, "asked", 5)
    return [top, E.section(question), E.section(answer, sign), more]


def _time(draft: Draft, index: int) -> datetime:
    return draft.story.updated - timedelta(minutes=17 * index)


@family("live", frame=frames.slim)
def live_feed(draft: Draft) -> Content:
    """A live report of articles: a summary that stays above, entries with titles and signatures."""
    pinned = draft.node(
        "callout",
        "section",
        body.subtitle(draft, draft.word("summary"), "h3"),
        body.bullet_list(draft, draft.story.points[:3]),
    )
    entries = [_signed_entry(draft, i, text) for i, text in enumerate(draft.story.paragraphs)]
    top = [draft.node("kicker", "span", draft.word("live")), head.title(draft, "h1")]
    keys = [E.li(draft.link("toc-link", title)) for title in draft.story.headings]
    tools = E.p(draft.label("label", "refresh"))
    feed = E.div(tools, entries[:3], promo.box(draft), entries[3:])
    side = E.nav(draft.label("h4", "newest"), E.ul(keys))
    line = head.byline_and_dates(draft)
    return [E.header(top, line), draft.node("split", "div", E.div(pinned, feed), side)]


def _signed_entry(draft: Draft, index: int, text: str) -> MarkupNode:
    title = draft.story.headings[index % 4] if index % 2 == 0 else None
    name = draft.rng.choice(draft.story.authors) if draft.story.authors and index % 3 == 0 else None
    clock = draft.node("entry-time", "time", f"{_time(draft, index):%H:%M}")
    return draft.node(
        "entry",
        "article",
        E.header(clock, body.subtitle(draft, title) if title else None),
        draft.node("author", "cite", name, gold="Author") if name else None,
        body.plain_paragraph(draft, text),
        head.inset(draft, index) if index in (2, 5) else None,
        E.footer(draft.link("share-link", draft.word("share"))),
    )


@family("live", frame=frames.hub)
def live_match(draft: Draft) -> Content:
    """A match as it happens: scoreboard (None), minutes (None) and what happened (Paragraph)."""
    teams = [draft.slot(key) for key in ("place", "town")]
    board = [E.td(E.b(team), E.br(), str(draft.rng.randint(0, 4))) for team in teams]
    score = draft.node("score", "table", E.tbody(E.tr(board)))
    minute = 90
    items: list[MarkupNode] = []
    for text in draft.story.paragraphs:
        items.append(E.dt(draft.node("entry-time", "span", f"{minute}′")))
        items.append(E.dd(body.plain_paragraph(draft, text, "span")))
        minute -= draft.rng.randint(2, 9)
    top = [score, head.title(draft), head.meta(draft), head.standfirst(draft)]
    games = [E.li(o.headline) for o in draft.teasers(4)]
    side = E.section(draft.label("h6", "scores"), E.ul(games))
    return [side, E.main(top, E.dl(items)), boilerplate.comments(draft)]


@family("live")
def minute_table(draft: Draft) -> Content:
    """An old live report: a table, newest row first, the hour in the left cell."""
    rows = [
        E.tr(
            E.td(E.tt(f"{_time(draft, i):%H.%M}"), width=60),
            E.td(draft.node("paragraph", "font", text, gold="Paragraph")),
        )
        for i, text in enumerate(draft.story.paragraphs)
    ]
    top = E.center(head.title(draft, "h2"), E.small(head.names(draft)))
    feed = table(rows, border=1, cellpadding=4)
    menu = E.p([[draft.link("nav-link", o.section), " | "] for o in draft.teasers(6)])
    day = E.div(head.dates(draft))
    links = promo.latest_headlines(draft) or promo.ranking(draft)
    return [E.center(boilerplate.logo(draft), menu), day, top, promo.banner(draft), feed, links]
