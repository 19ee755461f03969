"""Small sites: generated blogs, a programmer's notes, a traveller's diary, posts without titles."""

from __future__ import annotations

from datetime import datetime, timedelta

from structce.synthetic import ads_and_teasers, article_body, article_head, boilerplate
from structce.synthetic.dom import Content, Node, between, node
from structce.synthetic.draft import Draft
from structce.synthetic.registry import family

CODE = (
    "rows = read('quay.csv')\nfor row in rows:\n    print(row.name, row.depth)",
    "$ gull --depth 4 harbour/\n12 files, 0 errors",
    "def mean(values):\n    return sum(values) / len(values)",
    "<ul>\n  <li>tide</li>\n</ul>",
    "SELECT name FROM boats\nWHERE length > 12;",
)
"""Lines of programs, the same in all languages."""


@family("blog")
def static_blog(draft: Draft) -> Content:
    """A blog from a generator: hardly a class, no pictures, older and newer posts below."""
    older, newer = draft.teasers(2)
    turn = node(
        "p",
        draft.link("pager-link", "← ", older.headline),
        " ",
        draft.link("pager-link", newer.headline, " →"),
    )
    top = node("header", article_head.titled(draft, "h1"), node("div", article_head.dates(draft)))
    text: Content = [article_body.opening(draft), article_body.flow(draft, "h2")]
    return boilerplate.plain(draft, node("article", top, text, article_body.signed(draft)), turn)


@family("blog", topic="docs")
def code_notes(draft: Draft) -> Content:
    """A programmer's post: lines of code between the paragraphs (Paragraph, they are the text)."""
    texts = article_body.texts(draft)
    for place in (1, 3):
        lines = node("code", draft.rng.choice(CODE))
        texts.insert(place, draft.node("code", "pre", lines, gold="Paragraph"))
    card = node(
        "div",
        draft.image("avatar", 64, 64),
        article_head.names(draft),
        node("small", draft.say("jobs")),
    )
    tags = between(" ", [node("a", f"#{tag}", href="/t") for tag in draft.story.tags])
    top = node(
        "section",
        article_head.titled(draft, "h1"),
        card if draft.story.authors else None,
        node("div", tags),
    )
    notes = node("ol", [node("li", text) for text in draft.several("references", 2)])
    end = [
        node("footer", article_head.dates(draft)),
        node("div", node("h6", draft.word("notes")), notes),
    ]
    return boilerplate.slim(draft, draft.node("narrow", "div", top, node("section", texts), end))


@family("blog")
def travel_diary(draft: Draft) -> Content:
    """A diary: a calendar beside the text, a picture after every paragraph."""
    n = draft.rng.randint(28, 31)
    days = [node("td", str(day) if day <= n else None) for day in range(1, 36)]
    weeks = [node("tr", days[i : i + 7]) for i in range(0, 35, 7)]
    calendar = draft.node("facts", "table", node("tbody", weeks))
    flow: list[Content] = []
    for i, text in enumerate(article_body.texts(draft, tag="div")[:7]):
        flow += [text, article_body.picture(draft, 560, 380, i, "small")]
    title = node(
        "h3",
        draft.node("headline", "a", draft.story.headline, gold="Title", attributes={"href": "#"}),
    )
    day = node("h5", _day(draft))
    post = node("div", day, title, flow, node("div", boilerplate.tags(draft), _posted(draft)))
    links = node(
        "div", node("h5", draft.word("archive")), article_body.link_list(draft, "latest", 9)
    )
    return [
        node("center", boilerplate.logo(draft)),
        draft.node("split", "div", post, node("div", calendar, links)),
        boilerplate.comments(draft),
    ]


def _day(draft: Draft) -> Content:
    if not draft.shows("date"):
        return None
    return draft.node("date", "span", draft.date("article", draft.story.published), gold="Date")


def _posted(draft: Draft) -> Content:
    if not draft.shows("authors"):
        return None
    return node("span", f"{draft.word('posted_by')} ", article_head.names(draft))


@family("blog")
def link_post(draft: Draft) -> Content:
    """A post about another page: its title is the link, a quotation, a few lines of one's own."""
    title = draft.link(
        "text-link", draft.node("headline", "strong", draft.story.headline, gold="Title"), " ↗"
    )
    quoted = draft.node("quote", "blockquote", article_body.texts(draft, 0, 2))
    own = [article_body.text(draft, text) for text in draft.story.opinions]
    sign = node("p", "∞ ", _day(draft), " ", _posted(draft))
    more = [
        node(
            "article",
            node("p", draft.link("text-link", node("strong", o.headline))),
            node("p", o.standfirst),
        )
        for o in draft.teasers(4)
    ]
    return boilerplate.rail(draft, node("article", node("h2", title), quoted, own, sign), more)


@family("blog", lacks=("title",))
def thread_of_posts(draft: Draft) -> Content:
    """Short posts in a row on a platform: no title, a name and an age with each, buttons."""
    posts = [_post(draft, i, text) for i, text in enumerate(draft.story.paragraphs[:6])]
    replies = [
        draft.node(
            "comment", "li", node("b", draft.say("nicknames")), node("div", draft.say("replies"))
        )
        for _ in range(4)
    ]
    trends = [node("li", node("span", o.section), node("b", o.headline)) for o in draft.teasers(3)]
    side = node("aside", node("h2", draft.word("most_read")), node("ul", trends))
    return boilerplate.app(draft, node("ol", posts), node("ul", replies), side)


def _post(draft: Draft, index: int, text: str) -> Content:
    nick = node("span", f"@{draft.site.host.partition('.')[0]}")
    day = article_head.dates(draft) if index == 0 else node("span", draft.say("ages"))
    words = draft.node("paragraph", "div", node("span", text), gold="Paragraph")
    picture = draft.image("image", 480, 300, gold="Multimedia") if index == 1 else None
    counts = [
        node("span", boilerplate.icon(draft), str(draft.rng.randint(0, 900))) for _ in range(3)
    ]
    face = draft.image("avatar", 44, 44)
    return draft.node(
        "post",
        "li",
        node("div", face),
        node(
            "div",
            node("div", article_head.names(draft), " ", nick),
            words,
            picture,
            node("div", counts),
            node("div", day),
        ),
    )


@family("blog")
def community_post(draft: Draft) -> Content:
    """A post on a shared platform: applause, a pledge box, the writer above and below."""
    clap = node("div", node("button", "👏 ", str(draft.rng.randint(3, 900)), type="button"))
    writer = node(
        "div",
        draft.image("avatar", 48, 48),
        node("div", article_head.names(draft), node("div", article_head.dates(draft))),
    )
    flow = article_body.with_headings(draft, article_body.paragraphs(draft))
    hero = draft.node("wide", "div", draft.image("image", 1000, 420, gold="Multimedia"))
    top = node(
        "div", article_head.titled(draft, "h1"), node("h2", draft.story.standfirst, gold="Subtitle")
    )
    end = node("section", clap, boilerplate.portrait(draft), ads_and_teasers.more_from(draft))
    inner = draft.node("narrow", "section", top, writer, clap, hero, flow, end)
    return boilerplate.slim(draft, inner, node("section", ads_and_teasers.stack(draft, 3)))


@family("podcast")
def podcast(draft: Draft) -> Content:
    """An episode: player (Multimedia), notes (Paragraph) with times (None), other episodes."""
    number = f"{draft.word('episode')} {draft.rng.randint(2, 180)}"
    source = {"src": "/sound.mp3", "controls": "controls"}
    player = draft.node("player", "audio", gold="Multimedia", attributes=source)
    notes = [
        node("li", _clock(i * 421), " ", node("span", text, gold="Paragraph"))
        for i, text in enumerate(draft.story.headings)
    ]
    where = [draft.link("share-link", name) for name in draft.several("platforms", 4)]
    rows = [
        node(
            "li",
            draft.link("teaser-link", o.headline),
            node("small", _clock(draft.rng.randint(900, 4000))),
        )
        for o in draft.teasers(6)
    ]
    cover = draft.image("image", 260, 260, gold="Multimedia", alt=draft.site.name)
    top = draft.node(
        "split",
        "div",
        cover,
        node("div", node("small", number), article_head.titled(draft, "h1"), player),
    )
    text = node(
        "section",
        article_body.texts(draft, 0, 4),
        article_body.subtitle(draft, draft.word("show_notes")),
        node("ul", notes),
    )
    line = node("footer", article_head.byline(draft), article_head.dates(draft))
    more = node("section", node("h2", draft.word("episodes")), node("ol", rows))
    return boilerplate.app(draft, top, node("nav", where), text, line, more)


@family("video")
def video_page(draft: Draft) -> Content:
    """A video platform: player (Multimedia), channel and views (None), a list of what is next."""
    size = {"width": "854", "height": "480", "src": "/clip.mp4", "controls": "controls"}
    player = draft.node("player", "video", gold="Multimedia", attributes=size)
    avatar = draft.image("avatar", 40, 40)
    channel = node(
        "div", avatar, article_head.names(draft), draft.link("button", draft.word("follow"))
    )
    line = node("div", node("span", draft.word("views")), " ", article_head.dates(draft))
    text = draft.node("callout", "div", line, article_body.texts(draft, 0, 3, "div"))
    following = [
        node(
            "li",
            draft.link("teaser-link", draft.image("teaser-image", 168, 94), node("b", o.headline)),
            node("div", node("span", o.section), node("span", draft.word("views"))),
        )
        for o in draft.teasers(9)
    ]
    next_ = node("div", node("h3", draft.word("up_next")), node("ul", following))
    left = node(
        "div", player, article_head.titled(draft, "h1"), channel, text, boilerplate.comments(draft)
    )
    return boilerplate.slim(draft, draft.node("split", "div", left, next_))


@family("video")
def news_clip(draft: Draft) -> Content:
    """A station's clip: embedded player, one paragraph, the transcript below (Paragraph)."""
    box = node("center", article_head.video(draft))
    said = [article_body.text(draft, text, "li") for text in draft.story.paragraphs]
    fold = node(
        "details",
        draft.node("section-heading", "summary", draft.word("transcript"), gold="Subtitle"),
        node("ol", said),
        open="open",
    )
    top = node(
        "section",
        box,
        article_head.headline(draft),
        article_head.standfirst(draft),
        article_head.meta(draft),
    )
    strips = [
        node("a", draft.image("teaser-image", 120, 68), node("em", o.headline), href="/v")
        for o in draft.teasers(5)
    ]
    return boilerplate.hub(draft, top, fold, node("section", strips), ads_and_teasers.banner(draft))


@family("podcast")
def radio_programme(draft: Draft) -> Content:
    """A radio station's page: hosts, a running order in a table, music played (None)."""
    start = draft.story.published.replace(hour=18, minute=0)
    rows = [
        node(
            "tr",
            node("td", f"{start + timedelta(minutes=7 * i):%H:%M}"),
            node("td", title, node("br"), _texts(texts)),
        )
        for i, (title, texts) in enumerate(article_body.sections(draft, "b"))
    ]
    songs = [node("li", f"{draft.person()}: {draft.slot('town')}") for _ in range(3)]
    source = {"src": "/live", "width": "560", "height": "120"}
    player = draft.node("player", "iframe", gold="Multimedia", attributes=source)
    top = [
        article_head.titled(draft, "h2"),
        article_body.dated(draft),
        node("div", article_head.names(draft)),
    ]
    order = node("table", node("tbody", rows))
    aside = node("aside", ads_and_teasers.stack(draft, 3), node("ol", songs))
    return boilerplate.rail(draft, player, top, article_body.opening(draft), order, aside)


def _texts(texts: list[Node]) -> Content:
    """Return paragraphs as spans, parted by breaks, as cells of tables have them."""
    spans = [Node("span", text.attributes, text.children, text.gold) for text in texts]
    return between(node("br"), spans)


def _clock(seconds: int) -> Node:
    return node("code", f"{seconds // 60:02d}:{seconds % 60:02d}")


@family("interview")
def interview(draft: Draft) -> Content:
    """An interview: questions in bold, answers as paragraphs; all of it Paragraph."""
    questions = draft.several("questions", len(draft.story.paragraphs) - 2)
    said = [
        [
            draft.node("question", "p", node("strong", question), gold="Paragraph"),
            article_body.text(draft, answer),
        ]
        for question, answer in zip(questions, draft.story.paragraphs[2:], strict=False)
    ]
    quote = node("aside", article_body.quote(draft))
    face = article_body.picture(draft, 420, 520, 1)
    top = [draft.node("kicker", "p", draft.word("interview")), article_head.titled(draft, "h1")]
    line = node("div", article_head.byline(draft), article_head.dates(draft))
    start = node("section", article_head.standfirst(draft), article_body.texts(draft, 0, 2))
    flow = node(
        "section", article_body.spread(draft, said, [quote, ads_and_teasers.in_body(draft)])
    )
    return boilerplate.rail(draft, node("div", top, line), face, start, flow)


@family("interview")
def questionnaire(draft: Draft) -> Content:
    """An interview as a list of terms, the speakers' names before every turn."""
    who = draft.slot("lead")
    turns = [
        [
            node("dt", node("i", draft.word("question"), ": "), question),
            node("dd", node("i", who, ": "), answer),
        ]
        for question, answer in zip(
            draft.several("questions", 8), draft.story.paragraphs, strict=False
        )
    ]
    talk = draft.node("speech", "dl", turns, gold="Paragraph")
    top = draft.node(
        "hero", "header", article_head.titled(draft, "h2"), article_head.standfirst(draft)
    )
    end = (
        node("p", draft.word("reporting"), " ", article_head.names(draft))
        if draft.story.authors
        else None
    )
    more = node("aside", ads_and_teasers.stack(draft, 3))
    portrait = article_head.lead_figure(draft)
    return boilerplate.slim(
        draft, top, portrait, node("section", talk, end, article_body.dated(draft)), more
    )


@family("letters")
def letter_to_the_editor(draft: Draft) -> Content:
    """A reader's letter: an address, opinions, a greeting, the name and the town at the end."""
    words = [draft.word("letter_open"), *draft.story.opinions, *draft.story.paragraphs[:2]]
    lines = [draft.node("paragraph", "div", text, gold="Paragraph") for text in words]
    close = draft.node("paragraph", "div", draft.word("letter_close"), gold="Paragraph")
    place = node("cite", draft.slot("town"))
    sign = node("address", article_head.names(draft), node("br"), place)
    others = [
        node(
            "div",
            node("h4", o.headline),
            node("p", draft.say("comments")),
            node("em", draft.say("nicknames")),
        )
        for o in draft.teasers(3)
    ]
    top = node(
        "div", draft.node("kicker", "h5", draft.word("letters")), article_head.titled(draft, "h3")
    )
    text = node("blockquote", lines, close, sign)
    return boilerplate.rail(
        draft, top, node("div", article_head.dates(draft)), text, node("section", others)
    )


@family("opinion", lacks=("authors",))
def leading_article(draft: Draft) -> Content:
    """The paper's own opinion: nobody signs, the text stands in one narrow column."""
    texts = [
        *article_body.texts(draft, 0, 4),
        *[article_body.text(draft, text) for text in draft.story.opinions],
    ]
    title = article_head.titled(draft, "h1")
    label = draft.node("kicker", "span", draft.word("opinion"))
    views = [ads_and_teasers.boxed(draft, "comments", article_body.link_list(draft, "letters", 3))]
    text = node(
        "article", node("header", label, title, article_head.dates(draft)), node("section", texts)
    )
    return boilerplate.slim(
        draft, draft.node("narrow", "div", text), views, boilerplate.comments(draft)
    )


@family("question", topic="question")
def advice_column(draft: Draft) -> Content:
    """A question to an expert, who writes the answer and signs it: both Paragraph."""
    asked = [
        draft.node("section-heading", "h4", draft.word("question"), gold="Subtitle"),
        node("blockquote", article_body.texts(draft, 0, 2)),
    ]
    told: Content = [
        draft.node("section-heading", "h4", draft.word("answer"), gold="Subtitle"),
        article_body.texts(draft, 2),
    ]
    face = draft.image("avatar", 90, 90)
    sign = draft.node(
        "bio-box", "div", face, article_head.names(draft), node("span", draft.say("jobs"))
    )
    top = node("header", article_head.titled(draft, "h1"), article_body.dated(draft))
    more = article_body.link_list(draft, "asked", 5)
    return boilerplate.official(
        draft, top, node("section", asked), node("section", told, sign), more
    )


def _time(draft: Draft, index: int) -> datetime:
    return draft.story.updated - timedelta(minutes=17 * index)


@family("live")
def live_feed(draft: Draft) -> Content:
    """A live report of articles: a summary that stays above, entries with titles and signatures."""
    pinned = draft.node(
        "callout",
        "section",
        draft.node("section-heading", "h3", draft.word("summary"), gold="Subtitle"),
        article_body.bullets(draft, draft.story.points[:3]),
    )
    entries = [_signed_entry(draft, i, text) for i, text in enumerate(draft.story.paragraphs)]
    top = [draft.node("kicker", "span", draft.word("live")), article_head.titled(draft, "h1")]
    keys = [node("li", draft.link("toc-link", title)) for title in draft.story.headings]
    tools = node("p", node("label", draft.word("refresh")))
    feed = node("div", tools, entries[:3], ads_and_teasers.box(draft), entries[3:])
    side = node("nav", node("h4", draft.word("newest")), node("ul", keys))
    line = node("div", article_head.byline(draft), article_head.dates(draft))
    return boilerplate.slim(
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
        node("header", clock, article_body.subtitle(draft, title) if title else None),
        draft.node("author", "cite", name, gold="Author") if name else None,
        article_body.text(draft, text),
        article_head.inset(draft, index) if index in (2, 5) else None,
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
        items.append(node("dd", article_body.text(draft, text, "span")))
        minute -= draft.rng.randint(2, 9)
    top = [
        score,
        article_head.headline(draft),
        article_head.meta(draft),
        article_head.standfirst(draft),
    ]
    games = [node("li", o.headline) for o in draft.teasers(4)]
    side = node("section", node("h6", draft.word("scores")), node("ul", games))
    return boilerplate.hub(
        draft, side, node("main", top, node("dl", items)), boilerplate.comments(draft)
    )


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
    top = node("center", article_head.titled(draft, "h2"), node("small", article_head.names(draft)))
    feed = node("table", node("tbody", rows), border="1", cellpadding="4")
    menu = node("p", [[draft.link("nav-link", o.section), " | "] for o in draft.teasers(6)])
    day = node("div", article_head.dates(draft))
    links = ads_and_teasers.latest(draft) or ads_and_teasers.ranking(draft)
    return [
        node("center", boilerplate.logo(draft), menu),
        day,
        top,
        ads_and_teasers.banner(draft),
        feed,
        links,
    ]
