"""Templates of blogs and posts, from a programmer's notes to a traveller's diary."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, join, listing
from structce.synthetic.draft import Draft, family

CODE = (
    "rows = read('quay.csv')\nfor row in rows:\n    print(row.name, row.depth)",
    "$ gull --depth 4 harbour/\n12 files, 0 errors",
    "def mean(values):\n    return sum(values) / len(values)",
    "<ul>\n  <li>tide</li>\n</ul>",
    "SELECT name FROM boats\nWHERE length > 12;",
)
"Lines of programs, the same in all languages."


@family("blog", frame=frames.minimal)
def static_blog(draft: Draft) -> Content:
    """A blog from a static generator: few classes, no pictures, older and newer posts below."""
    older, newer = draft.teasers(2)
    turn = E.p(
        draft.link("pager-link", "← ", older.headline),
        " ",
        draft.link("pager-link", newer.headline, " →"),
    )
    top = E.header(head.title(draft, "h1"), E.div(head.dates(draft)))
    text: Content = [body.lead_paragraphs(draft), body.section_flow(draft, "h2")]
    return [E.article(top, text, body.signature(draft)), turn]


@family("blog", topic="docs", frame=frames.slim)
def code_notes(draft: Draft) -> Content:
    """A programmer's post: lines of code between the paragraphs (Paragraph, they are the text)."""
    texts = body.plain_paragraphs(draft)
    for place in (1, 3):
        lines = E.code(draft.rng.choice(CODE))
        texts.insert(place, draft.node("code", "pre", lines, gold="Paragraph"))
    card = E.div(draft.image("avatar", 64, 64), head.names(draft), E.small(draft.phrase("jobs")))
    tags = join(" ", [E.a(f"#{tag}", href="/t") for tag in draft.story.tags])
    top = E.section(head.title(draft, "h1"), card if draft.story.authors else None, E.div(tags))
    notes = listing("ol", draft.phrases("references", 2))
    end = [E.footer(head.dates(draft)), E.div(draft.label("h6", "notes"), notes)]
    return draft.node("narrow", "div", top, E.section(texts), end)


@family("blog")
def travel_diary(draft: Draft) -> Content:
    """A diary: a calendar beside the text, a picture after every paragraph."""
    n = draft.rng.randint(28, 31)
    days = [E.td(str(day) if day <= n else None) for day in range(1, 36)]
    weeks = [E.tr(days[i : i + 7]) for i in range(0, 35, 7)]
    calendar = draft.node("facts", "table", E.tbody(weeks))
    flow: list[Content] = []
    for i, text in enumerate(body.plain_paragraphs(draft, tag="div")[:7]):
        flow += [text, body.captioned_image(draft, 560, 380, i, "small")]
    title = E.h3(draft.node("headline", "a", draft.story.headline, gold="Title", href="#"))
    day = E.h5(head.plain_date(draft))
    post = E.div(day, title, flow, E.div(boilerplate.tags(draft), _author_line(draft)))
    links = E.div(draft.label("h5", "archive"), body.link_list(draft, "latest", 9))
    return [
        E.center(boilerplate.logo(draft)),
        draft.node("split", "div", post, E.div(calendar, links)),
        boilerplate.comments(draft),
    ]


def _author_line(draft: Draft) -> Content:
    if not draft.shows("authors"):
        return None
    return E.span(f"{draft.word('posted_by')} ", head.names(draft))


@family("blog", frame=frames.rail)
def link_post(draft: Draft) -> Content:
    """A post about another page: its title is the link, with a quotation and a few own lines."""
    title = draft.link(
        "text-link", draft.node("headline", "strong", draft.story.headline, gold="Title"), " ↗"
    )
    quoted = draft.node("quote", "blockquote", body.plain_paragraphs(draft, 0, 2))
    own = [body.plain_paragraph(draft, text) for text in draft.story.opinions]
    sign = E.p("∞ ", head.plain_date(draft), " ", _author_line(draft))
    more = [
        E.article(E.p(draft.link("text-link", E.strong(o.headline))), E.p(o.standfirst))
        for o in draft.teasers(4)
    ]
    return [E.article(E.h2(title), quoted, own, sign), more]


@family("blog", lacks=("title",), frame=frames.app)
def thread_of_posts(draft: Draft) -> Content:
    """Consecutive short posts on a platform: no title, a name and age for each, buttons."""
    posts = [_post(draft, i, text) for i, text in enumerate(draft.story.paragraphs[:6])]
    replies = [
        draft.node("comment", "li", E.b(draft.phrase("nicknames")), E.div(draft.phrase("replies")))
        for _ in range(4)
    ]
    trends = [E.li(E.span(o.section), E.b(o.headline)) for o in draft.teasers(3)]
    side = E.aside(draft.label("h2", "most_read"), E.ul(trends))
    return [E.ol(posts), E.ul(replies), side]


def _post(draft: Draft, index: int, text: str) -> Content:
    nick = E.span(f"@{draft.site.host.partition('.')[0]}")
    day = head.dates(draft) if index == 0 else E.span(draft.phrase("ages"))
    words = draft.node("paragraph", "div", E.span(text), gold="Paragraph")
    picture = draft.photo(480, 300) if index == 1 else None
    counts = [E.span(boilerplate.icon(draft), str(draft.rng.randint(0, 900))) for _ in range(3)]
    face = draft.image("avatar", 44, 44)
    return draft.node(
        "post",
        "li",
        E.div(face),
        E.div(E.div(head.names(draft), " ", nick), words, picture, E.div(counts), E.div(day)),
    )


@family("blog", frame=frames.slim)
def community_post(draft: Draft) -> Content:
    """A post on a shared platform: applause, a pledge box, the writer above and below."""
    clap = E.div(E.button("👏 ", str(draft.rng.randint(3, 900)), type="button"))
    face = draft.image("avatar", 48, 48)
    writer = E.div(face, E.div(head.names(draft), E.div(head.dates(draft))))
    flow = body.add_headings(draft, body.paragraphs(draft))
    hero = draft.node("wide", "div", draft.photo(1000, 420))
    top = E.div(head.title(draft, "h1"), E.h2(draft.story.standfirst, gold="Subtitle"))
    end = E.section(clap, boilerplate.portrait(draft), promo.more_from(draft))
    inner = draft.node("narrow", "section", top, writer, clap, hero, flow, end)
    return [inner, E.section(promo.stack(draft, 3))]
