"""Templates of blogs, podcasts, videos, interviews, letters and live reports."""

from __future__ import annotations

from datetime import datetime, timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, MarkupNode, join, listing, node, table
from structce.synthetic.draft import Draft, family

CODE = (
    "rows = read('quay.csv')\nfor row in rows:\n    print(row.name, row.depth)",
    "$ gull --depth 4 harbour/\n12 files, 0 errors",
    "def mean(values):\n    return sum(values) / len(values)",
    "<ul>\n  <li>tide</li>\n</ul>",
    "SELECT name FROM boats\nWHERE length > 12;",
)
"Lines of programs, the same in all languages."


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
    top = node("header", head.title(draft, "h1"), node("div", head.dates(draft)))
    text: Content = [body.lead_paragraphs(draft), body.section_flow(draft, "h2")]
    return frames.minimal(draft, node("article", top, text, body.signature(draft)), turn)


@family("blog", topic="docs")
def code_notes(draft: Draft) -> Content:
    """A programmer's post: lines of code between the paragraphs (Paragraph, they are the text)."""
    texts = body.plain_paragraphs(draft)
    for place in (1, 3):
        lines = node("code", draft.rng.choice(CODE))
        texts.insert(place, draft.node("code", "pre", lines, gold="Paragraph"))
    card = node(
        "div", draft.image("avatar", 64, 64), head.names(draft), node("small", draft.phrase("jobs"))
    )
    tags = join(" ", [node("a", f"#{tag}", href="/t") for tag in draft.story.tags])
    top = node(
        "section", head.title(draft, "h1"), card if draft.story.authors else None, node("div", tags)
    )
    notes = listing("ol", draft.phrases("references", 2))
    end = [node("footer", head.dates(draft)), node("div", draft.label("h6", "notes"), notes)]
    return frames.slim(draft, draft.node("narrow", "div", top, node("section", texts), end))


@family("blog")
def travel_diary(draft: Draft) -> Content:
    """A diary: a calendar beside the text, a picture after every paragraph."""
    n = draft.rng.randint(28, 31)
    days = [node("td", str(day) if day <= n else None) for day in range(1, 36)]
    weeks = [node("tr", days[i : i + 7]) for i in range(0, 35, 7)]
    calendar = draft.node("facts", "table", node("tbody", weeks))
    flow: list[Content] = []
    for i, text in enumerate(body.plain_paragraphs(draft, tag="div")[:7]):
        flow += [text, body.captioned_image(draft, 560, 380, i, "small")]
    title = node(
        "h3",
        draft.node("headline", "a", draft.story.headline, gold="Title", attributes={"href": "#"}),
    )
    day = node("h5", head.plain_date(draft))
    post = node("div", day, title, flow, node("div", boilerplate.tags(draft), _author_line(draft)))
    links = node("div", draft.label("h5", "archive"), body.link_list(draft, "latest", 9))
    return [
        node("center", boilerplate.logo(draft)),
        draft.node("split", "div", post, node("div", calendar, links)),
        boilerplate.comments(draft),
    ]


def _author_line(draft: Draft) -> Content:
    if not draft.shows("authors"):
        return None
    return node("span", f"{draft.word('posted_by')} ", head.names(draft))


@family("blog")
def link_post(draft: Draft) -> Content:
    """A post about another page: its title is the link, a quotation, a few lines of one's own."""
    title = draft.link(
        "text-link", draft.node("headline", "strong", draft.story.headline, gold="Title"), " ↗"
    )
    quoted = draft.node("quote", "blockquote", body.plain_paragraphs(draft, 0, 2))
    own = [body.plain_paragraph(draft, text) for text in draft.story.opinions]
    sign = node("p", "∞ ", head.plain_date(draft), " ", _author_line(draft))
    more = [
        node(
            "article",
            node("p", draft.link("text-link", node("strong", o.headline))),
            node("p", o.standfirst),
        )
        for o in draft.teasers(4)
    ]
    return frames.rail(draft, node("article", node("h2", title), quoted, own, sign), more)


@family("blog", lacks=("title",))
def thread_of_posts(draft: Draft) -> Content:
    """Short posts in a row on a platform: no title, a name and an age with each, buttons."""
    posts = [_post(draft, i, text) for i, text in enumerate(draft.story.paragraphs[:6])]
    replies = [
        draft.node(
            "comment",
            "li",
            node("b", draft.phrase("nicknames")),
            node("div", draft.phrase("replies")),
        )
        for _ in range(4)
    ]
    trends = [node("li", node("span", o.section), node("b", o.headline)) for o in draft.teasers(3)]
    side = node("aside", draft.label("h2", "most_read"), node("ul", trends))
    return frames.app(draft, node("ol", posts), node("ul", replies), side)


def _post(draft: Draft, index: int, text: str) -> Content:
    nick = node("span", f"@{draft.site.host.partition('.')[0]}")
    day = head.dates(draft) if index == 0 else node("span", draft.phrase("ages"))
    words = draft.node("paragraph", "div", node("span", text), gold="Paragraph")
    picture = draft.photo(480, 300) if index == 1 else None
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
            node("div", head.names(draft), " ", nick),
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
        node("div", head.names(draft), node("div", head.dates(draft))),
    )
    flow = body.add_headings(draft, body.paragraphs(draft))
    hero = draft.node("wide", "div", draft.photo(1000, 420))
    top = node("div", head.title(draft, "h1"), node("h2", draft.story.standfirst, gold="Subtitle"))
    end = node("section", clap, boilerplate.portrait(draft), promo.more_from(draft))
    inner = draft.node("narrow", "section", top, writer, clap, hero, flow, end)
    return frames.slim(draft, inner, node("section", promo.stack(draft, 3)))


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
    where = [draft.link("share-link", name) for name in draft.phrases("platforms", 4)]
    rows = [
        node(
            "li",
            draft.link("teaser-link", o.headline),
            node("small", _clock(draft.rng.randint(900, 4000))),
        )
        for o in draft.teasers(6)
    ]
    cover = draft.photo(260, 260, alt=draft.site.name)
    top = draft.node(
        "split", "div", cover, node("div", node("small", number), head.title(draft, "h1"), player)
    )
    text = node(
        "section",
        body.plain_paragraphs(draft, 0, 4),
        body.subtitle(draft, draft.word("show_notes")),
        node("ul", notes),
    )
    line = head.byline_and_dates(draft, "footer")
    more = node("section", draft.label("h2", "episodes"), node("ol", rows))
    return frames.app(draft, top, node("nav", where), text, line, more)


@family("video")
def video_page(draft: Draft) -> Content:
    """A video platform: player (Multimedia), channel and views (None), a list of what is next."""
    size = {"width": "854", "height": "480", "src": "/clip.mp4", "controls": "controls"}
    player = draft.node("player", "video", gold="Multimedia", attributes=size)
    avatar = draft.image("avatar", 40, 40)
    channel = node("div", avatar, head.names(draft), draft.button("follow"))
    line = node("div", draft.label("span", "views"), " ", head.dates(draft))
    text = draft.node("callout", "div", line, body.plain_paragraphs(draft, 0, 3, "div"))
    following = [
        node(
            "li",
            draft.link("teaser-link", draft.image("teaser-image", 168, 94), node("b", o.headline)),
            node("div", node("span", o.section), draft.label("span", "views")),
        )
        for o in draft.teasers(9)
    ]
    next_ = node("div", draft.label("h3", "up_next"), node("ul", following))
    left = node("div", player, head.title(draft, "h1"), channel, text, boilerplate.comments(draft))
    return frames.slim(draft, draft.node("split", "div", left, next_))


@family("video")
def news_clip(draft: Draft) -> Content:
    """A station's clip: embedded player, one paragraph, the transcript below (Paragraph)."""
    box = node("center", head.video(draft))
    said = [body.plain_paragraph(draft, text, "li") for text in draft.story.paragraphs]
    fold = node(
        "details",
        body.subtitle(draft, draft.word("transcript"), "summary"),
        node("ol", said),
        open="open",
    )
    top = node("section", box, head.title(draft), head.standfirst(draft), head.meta(draft))
    strips = [
        node("a", draft.image("teaser-image", 120, 68), node("em", o.headline), href="/v")
        for o in draft.teasers(5)
    ]
    return frames.hub(draft, top, fold, node("section", strips), promo.banner(draft))


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
        for i, (title, texts) in enumerate(body.sections(draft, "b"))
    ]
    songs = [node("li", f"{draft.person()}: {draft.slot('town')}") for _ in range(3)]
    source = {"src": "/live", "width": "560", "height": "120"}
    player = draft.node("player", "iframe", gold="Multimedia", attributes=source)
    top = [head.title(draft, "h2"), body.labelled_date(draft), node("div", head.names(draft))]
    order = table(rows)
    aside = node("aside", promo.stack(draft, 3), node("ol", songs))
    return frames.rail(draft, player, top, body.lead_paragraphs(draft), order, aside)


def _texts(texts: list[MarkupNode]) -> Content:
    """Return paragraphs as spans, parted by breaks, as cells of tables have them."""
    spans = [MarkupNode("span", text.attributes, text.children, text.gold) for text in texts]
    return join(node("br"), spans)


def _clock(seconds: int) -> MarkupNode:
    return node("code", f"{seconds // 60:02d}:{seconds % 60:02d}")


@family("interview")
def interview(draft: Draft) -> Content:
    """An interview: questions in bold, answers as paragraphs; all of it Paragraph."""
    questions = draft.phrases("questions", len(draft.story.paragraphs) - 2)
    said = [
        [
            draft.node("question", "p", node("strong", question), gold="Paragraph"),
            body.plain_paragraph(draft, answer),
        ]
        for question, answer in zip(questions, draft.story.paragraphs[2:], strict=False)
    ]
    quote = node("aside", body.quote(draft))
    face = body.captioned_image(draft, 420, 520, 1)
    top = [draft.node("kicker", "p", draft.word("interview")), head.title(draft, "h1")]
    line = head.byline_and_dates(draft)
    start = node("section", head.standfirst(draft), body.plain_paragraphs(draft, 0, 2))
    flow = node("section", body.distribute(draft, said, [quote, promo.body_ad(draft)]))
    return frames.rail(draft, node("div", top, line), face, start, flow)


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
            draft.phrases("questions", 8), draft.story.paragraphs, strict=False
        )
    ]
    talk = draft.node("speech", "dl", turns, gold="Paragraph")
    top = draft.node("hero", "header", head.title(draft, "h2"), head.standfirst(draft))
    end = (
        node("p", draft.word("reporting"), " ", head.names(draft)) if draft.story.authors else None
    )
    more = node("aside", promo.stack(draft, 3))
    portrait = head.lead_figure(draft)
    return frames.slim(
        draft, top, portrait, node("section", talk, end, body.labelled_date(draft)), more
    )


@family("letters")
def letter_to_the_editor(draft: Draft) -> Content:
    """A reader's letter: an address, opinions, a greeting, the name and the town at the end."""
    words = [draft.word("letter_open"), *draft.story.opinions, *draft.story.paragraphs[:2]]
    lines = [draft.node("paragraph", "div", text, gold="Paragraph") for text in words]
    close = draft.node("paragraph", "div", draft.word("letter_close"), gold="Paragraph")
    place = node("cite", draft.slot("town"))
    sign = node("address", head.names(draft), node("br"), place)
    others = [
        node(
            "div",
            node("h4", o.headline),
            node("p", draft.phrase("comments")),
            node("em", draft.phrase("nicknames")),
        )
        for o in draft.teasers(3)
    ]
    top = node("div", draft.node("kicker", "h5", draft.word("letters")), head.title(draft, "h3"))
    text = node("blockquote", lines, close, sign)
    return frames.rail(draft, top, node("div", head.dates(draft)), text, node("section", others))


@family("opinion", lacks=("authors",))
def leading_article(draft: Draft) -> Content:
    """The paper's own opinion: nobody signs, the text stands in one narrow column."""
    texts = [
        *body.plain_paragraphs(draft, 0, 4),
        *[body.plain_paragraph(draft, text) for text in draft.story.opinions],
    ]
    title = head.title(draft, "h1")
    label = draft.node("kicker", "span", draft.word("opinion"))
    views = [promo.headed_box(draft, "comments", body.link_list(draft, "letters", 3))]
    text = node("article", node("header", label, title, head.dates(draft)), node("section", texts))
    return frames.slim(draft, draft.node("narrow", "div", text), views, boilerplate.comments(draft))


@family("question", topic="question")
def advice_column(draft: Draft) -> Content:
    """A question to an expert, who writes the answer and signs it: both Paragraph."""
    asked = [
        body.subtitle(draft, draft.word("question"), "h4"),
        node("blockquote", body.plain_paragraphs(draft, 0, 2)),
    ]
    told: Content = [
        body.subtitle(draft, draft.word("answer"), "h4"),
        body.plain_paragraphs(draft, 2),
    ]
    face = draft.image("avatar", 90, 90)
    sign = draft.node("bio-box", "div", face, head.names(draft), node("span", draft.phrase("jobs")))
    top = node("header", head.title(draft, "h1"), body.labelled_date(draft))
    more = body.link_list(draft, "asked", 5)
    return frames.official(draft, top, node("section", asked), node("section", told, sign), more)


def _time(draft: Draft, index: int) -> datetime:
    return draft.story.updated - timedelta(minutes=17 * index)


@family("live")
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
    keys = [node("li", draft.link("toc-link", title)) for title in draft.story.headings]
    tools = node("p", draft.label("label", "refresh"))
    feed = node("div", tools, entries[:3], promo.box(draft), entries[3:])
    side = node("nav", draft.label("h4", "newest"), node("ul", keys))
    line = head.byline_and_dates(draft)
    return frames.slim(
        draft,
        node("header", top, line),
        draft.node("split", "div", node("div", pinned, feed), side),
    )


def _signed_entry(draft: Draft, index: int, text: str) -> MarkupNode:
    title = draft.story.headings[index % 4] if index % 2 == 0 else None
    name = draft.rng.choice(draft.story.authors) if draft.story.authors and index % 3 == 0 else None
    clock = draft.node("entry-time", "time", f"{_time(draft, index):%H:%M}")
    return draft.node(
        "entry",
        "article",
        node("header", clock, body.subtitle(draft, title) if title else None),
        draft.node("author", "cite", name, gold="Author") if name else None,
        body.plain_paragraph(draft, text),
        head.inset(draft, index) if index in (2, 5) else None,
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
    items: list[MarkupNode] = []
    for text in draft.story.paragraphs:
        items.append(node("dt", draft.node("entry-time", "span", f"{minute}′")))
        items.append(node("dd", body.plain_paragraph(draft, text, "span")))
        minute -= draft.rng.randint(2, 9)
    top = [score, head.title(draft), head.meta(draft), head.standfirst(draft)]
    games = [node("li", o.headline) for o in draft.teasers(4)]
    side = node("section", draft.label("h6", "scores"), node("ul", games))
    return frames.hub(
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
    top = node("center", head.title(draft, "h2"), node("small", head.names(draft)))
    feed = table(rows, border="1", cellpadding="4")
    menu = node("p", [[draft.link("nav-link", o.section), " | "] for o in draft.teasers(6)])
    day = node("div", head.dates(draft))
    links = promo.latest_headlines(draft) or promo.ranking(draft)
    return [
        node("center", boilerplate.logo(draft), menu),
        day,
        top,
        promo.banner(draft),
        feed,
        links,
    ]
